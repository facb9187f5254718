import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { abortable } from '../../core/async/abortable';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { EvalHow } from '../../core/agentTools/toolHost';
import type { AgentToolName } from '../../core/agentTools/toolNames';
import { chooseVideoModel } from '../../core/agentTools/chosenModel';
import { usualWindow } from '../../core/api/batches/batches.bounds';
import { sampleBatchFile } from '../../core/batch/job/estimateFileTokens';
import type { ModelShare } from '../../core/batch/job/estimateFileTokens';
import { chooseModel } from '../../core/catalogue/jobs';
import { currencyOf } from '../../core/profiles/knownServices';
import { isSameService } from '../../core/jobs/sameService';
import { foreign } from '../../core/text/foreignText';
import { bytesText, numberText } from '../../platform/displayText';
import { markdown, showMessage } from '../../platform/notify';
import { listText, moneyText } from '../../protocol/formats';
import type { Profile } from '../../services/account/account';
import { stampOf } from '../../services/batchFiles/checkFiles';
import type { PriceBook } from '../../services/usage/prices';
import type { CostText } from '../../protocol/wire';
import { sentences } from '../../protocol/sentences';
import type { Services } from '../../services/services';
import type { WorkspaceEvals } from './host/workspaceEvals';
import type { WorkspaceFiles } from './host/workspaceFiles';

export type Input = Readonly<Record<string, unknown>>;

/** The user's confirmation before a charge. */
export interface Question {
  readonly title: string;
  /** The kind of request, the model, and the account, each on a separate line. */
  readonly facts: readonly string[];
}

/** Ensures that the sent request is the confirmed one. */
export interface ConfirmedRequest {
  /** The profile to send the request to, even if another one is active by then. */
  readonly profileId: string | undefined;
  /**
   * Throws `AgentProblem` if what would be sent has changed since. Pass no model if the lines of a file name their own. `due`: digest of the
   * requests of an eval.
   */
  check(this: void, model: string | undefined, due?: string): Promise<void>;
}

/** A request to confirm, in its state at that time. */
interface PaidRequest {
  readonly profile: Profile | undefined;
  /** The named model, or the default one. `undefined`: none is known, or the lines of a file name their own. */
  readonly model: string | undefined;
  readonly file: RequestedFile | undefined;
  /** The facts about an eval, and the digest of its requests. `undefined` if it can't run, and for other requests. */
  readonly evaluated: { readonly facts: readonly string[]; readonly digest: string } | undefined;
}

interface RequestedFile {
  readonly requested: string;
  /** `undefined` if there is no file that may be read. */
  readonly uri: vscode.Uri | undefined;
  readonly stamp: string | undefined;
}

/** A service that does not respond must not block the question. */
const longestWaitMs = 5000;
const maxStored = 50;
const longestPrompt = 400;
const mostModels = 5;

/**
 * Asks users to confirm paid calls, and holds requests to what was confirmed. VS Code identifies neither its questions nor the calls that
 * follow, so both are matched by the tool and its input.
 */
export class Confirmations {
  /** Questions whose request has not been sent yet. */
  private stored: readonly { readonly key: string; readonly request: PaidRequest }[] = [];

  /** `ask` resolves to whether the user agrees. */
  constructor(
    private readonly services: Services,
    private readonly from: { readonly files: WorkspaceFiles; readonly evals: WorkspaceEvals },
    private readonly ask: (question: Question) => Promise<boolean>,
  ) {}

  /** Returns the question for VS Code, and remembers it for `confirmed`. Text written by a model is escaped: no links, no images. */
  async prepare(name: AgentToolName, input: Input): Promise<vscode.LanguageModelToolConfirmationMessages> {
    const request = await this.requestOf(name, input);
    const { title, facts } = await this.questionOf(name, input, request);
    this.stored = [...this.stored, { key: keyOf(name, input), request }].slice(-maxStored);
    return { title, message: markdown`${facts.join('\n')}` };
  }

  /**
   * Returns what the user confirmed during preparation. Asks if they weren't asked then. Throws if they don't agree. A request is checked
   * against everything that was asked with the same input, because VS Code doesn't report which of them was confirmed.
   */
  async confirmed(name: AgentToolName, input: Input, signal: AbortSignal): Promise<ConfirmedRequest> {
    const key = keyOf(name, input);
    const found = this.stored.filter((one) => one.key === key);
    const [first] = found;
    if (first) {
      this.stored = this.stored.filter((one) => one !== first);
      return {
        profileId: first.request.profile?.id,
        check: async (model, due) => {
          try {
            for (const { request } of found) await this.checkUnchanged(request, model, due);
          } catch (error) {
            this.stored = this.stored.filter((one) => one.key !== key);
            throw error;
          }
        },
      };
    }
    const request = await this.requestOf(name, input);
    if (await abortable(this.ask(await this.questionOf(name, input, request)), signal)) {
      return { profileId: request.profile?.id, check: (model, due) => this.checkUnchanged(request, model, due) };
    }
    throw new Error('The user did not agree, so the request was not sent. Do not retry unless the user wants it.');
  }

  private async requestOf(name: AgentToolName, input: Input): Promise<PaidRequest> {
    const profile = this.services.account.current.profile;
    const file = await this.fileOf(input);
    const isOfLines = name === 'inferenceDesk_submitBatch' || name === 'inferenceDesk_runEval';
    const model = typeof input['model'] === 'string' ? input['model'] : undefined;
    return {
      profile,
      file,
      evaluated: name === 'inferenceDesk_runEval' ? await this.evalOf(input) : undefined,
      model: model ?? (isOfLines ? undefined : await this.usualModelOf(name, input)),
    };
  }

  private async questionOf(name: AgentToolName, input: Input, request: PaidRequest): Promise<Question> {
    const account = this.accountText(request);
    if (name === 'inferenceDesk_runEval') {
      const fileFact = l10n.t('File: {0}.', foreign(request.file?.requested ?? ''));
      return {
        title: l10n.t('Run this eval?'),
        facts: [fileFact, ...(request.evaluated?.facts ?? []), paidText(account)],
      };
    }
    const prices = await (await this.services.usage()).readyPrices();
    if (name === 'inferenceDesk_submitBatch') {
      return {
        title: l10n.t('Submit a batch?'),
        facts: [...(await batchFacts(input, request, prices)), paidText(account)],
      };
    }
    const piece = name === 'inferenceDesk_submitVideo' ? 'video' : 'image';
    const [prompt, size, picture] = [input['prompt'], input['size'], input['image']];
    return {
      title: name === 'inferenceDesk_submitVideo' ? l10n.t('Generate a video?') : l10n.t('Generate an image?'),
      facts: [
        ...(typeof prompt === 'string' ? [`"${foreign(prompt, longestPrompt)}"`] : []),
        ...(request.model === undefined ? [] : [l10n.t('Model: {0}.', foreign(request.model))]),
        ...(typeof size === 'string' ? [l10n.t('Size: {0}.', foreign(size))] : []),
        ...(typeof picture === 'string' ? [l10n.t('Input image: {0}.', foreign(picture))] : []),
        ...(request.model === undefined
          ? []
          : [priceFact(prices.quote([{ model: request.model, piece, count: 1 }], { profileId: request.profile?.id }))]),
        paidText(account),
      ],
    };
  }

  /** Returns the profile's name, with its balance if known, which may have been read half an hour ago. */
  private accountText({ profile }: PaidRequest): string {
    const { current, state } = this.services.account;
    const isKnown = state.status === 'ready' && current.profile?.id === profile?.id;
    const { totalBalance: total, currency = currencyOf(profile?.baseUrl) } = isKnown ? state.reading.info : {};
    const balance = total && foreign(moneyText(total, currency, vscode.env.language), 24);
    const name = profile?.name ?? l10n.t('the active account');
    return balance === undefined ? name : l10n.t('{0} (balance {1} when last checked)', name, balance);
  }

  private async checkUnchanged(
    { profile, model, file, evaluated }: PaidRequest,
    requested: string | undefined,
    due: string | undefined,
  ): Promise<void> {
    const { profile: active } = this.services.account.current;
    const isSameProfile =
      active?.id === profile?.id && (!active || !profile || isSameService(active.baseUrl, profile.baseUrl));
    if (!isSameProfile) throw changed(`The active account has changed to "${active?.name ?? 'none'}"`);
    if (requested !== model) {
      const before = model === undefined ? 'an unknown model' : `"${model}"`;
      throw changed(`The model has changed from ${before} to "${requested ?? 'the model of each line'}"`);
    }
    if (due !== evaluated?.digest) throw changed('The eval or its run has changed');
    if (!file) return;
    const { uri } = await this.from.files.find(file.requested);
    const isSame = uri.toString() === file.uri?.toString() && (await stampAt(uri)) === file.stamp;
    if (!isSame) throw changed(`The file "${file.requested}" has changed`);
  }

  private async evalOf({ file, how }: Input): Promise<PaidRequest['evaluated']> {
    // One that cannot run is not sent either.
    return this.from.evals.question(String(file), (how as EvalHow | undefined) ?? 'batch').catch(() => undefined);
  }

  private async fileOf(input: Input): Promise<RequestedFile | undefined> {
    const requested = input['file'] ?? input['image'];
    if (typeof requested !== 'string') return undefined;
    const found = await this.from.files.find(requested).catch(() => undefined);
    return { requested: requested, uri: found?.uri, stamp: found && (await stampAt(found.uri)) };
  }

  /** Returns the model the tool would choose from the current list. */
  private async usualModelOf(name: AgentToolName, input: Input): Promise<string | undefined> {
    const { models } = this.services;
    const known = await abortable(models.ensureFresh(), AbortSignal.timeout(longestWaitMs)).catch(() => models.state);
    const withPicture = input['image'] !== undefined;
    return name === 'inferenceDesk_submitVideo' ? chooseVideoModel(known, withPicture) : chooseModel('image', known);
  }
}

/** Shows a modal dialog. Resolves to whether the user agrees. */
export async function askByDialog({ title, facts }: Question): Promise<boolean> {
  const agree = l10n.t('Submit and Pay');
  const options = { modal: true, detail: facts.join('\n\n') };
  return (await showMessage('warning', title, options, agree)) === agree;
}

async function batchFacts(
  input: Input,
  { model, file, profile }: PaidRequest,
  prices: PriceBook,
): Promise<readonly string[]> {
  const name = foreign(file?.requested ?? '');
  const window = typeof input['completionWindow'] === 'string' ? input['completionWindow'] : usualWindow;
  // A file that cannot be read is not sent either.
  const { size, models, shares } = await contentTexts(file?.uri, prices, profile?.id).catch(() => noContent);
  const requests = shares.map((share) => ({ ...share, model: model ?? share.model }));
  return [
    size === undefined ? l10n.t('File: {0}.', name) : l10n.t('File: {0}, {1}.', name, size),
    ...(model === undefined ? models : [l10n.t('Model for all requests: {0}.', foreign(model))]),
    l10n.t('Time limit: {0}.', window),
    priceFact(prices.quote(requests, { isBatch: true, profileId: profile?.id })),
  ];
}

interface ContentTexts {
  readonly size: string | undefined;
  readonly models: readonly string[];
  readonly shares: readonly ModelShare[];
}

const noContent: ContentTexts = { size: undefined, models: [], shares: [] };

function priceFact({ text, hint }: CostText): string {
  return sentences(l10n.t('Price: {0}.', text), hint);
}

function paidText(account: string): string {
  return l10n.t('Charged to {0}.', account);
}

async function contentTexts(
  uri: vscode.Uri | undefined,
  prices: PriceBook,
  profileId: string | undefined,
): Promise<ContentTexts> {
  if (uri?.scheme !== 'file') return noContent;
  const { language } = vscode.env;
  const { bytes, tokens, models, shares, isWhole } = await sampleBatchFile(uri.fsPath);
  const size = bytesText(bytes, language);
  const shown = models.slice(0, mostModels).map((id) => foreign(id));
  const more = models.length - shown.length;
  const list = listText([...shown, more > 0 && l10n.t('{0} more', numberText(more, language))], language);
  const modelsText = isWhole ? l10n.t('Models: {0}.', list) : l10n.t('Models in the first requests: {0}.', list);
  return {
    size:
      tokens === undefined
        ? size
        : l10n.t('{0}, about {1} input tokens', size, numberText(prices.inputTokens(shares, profileId), language)),
    models: list === '' ? [] : [modelsText],
    shares,
  };
}

const keyOf = (name: AgentToolName, input: Input): string => JSON.stringify([name, input]);

function changed(what: string): AgentProblem {
  return new AgentProblem(
    `${what} since the user confirmed the request, so the request was not sent. Call the tool again to get a new confirmation.`,
  );
}

async function stampAt(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme === 'file') return stampOf(uri.fsPath);
  return vscode.workspace.fs.stat(uri).then(
    ({ size, mtime }) => `${size} ${mtime}`,
    () => undefined,
  );
}
