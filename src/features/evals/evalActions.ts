import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isObject } from '../../core/api/isObject';
import { parseJson } from '../../core/api/parseJson';
import { factLines } from '../../core/evals/evalFacts';
import type { EvalFacts, PriceBook } from '../../core/evals/evalFacts';
import { type EvalPlan, usesJudge } from '../../core/evals/evalPlan';
import { AccountEvals } from '../../core/evals/run/evalJobs';
import { EvalRun, manifestFile, runFolderName } from '../../core/evals/run/evalRun';
import type { RunProgress } from '../../core/evals/run/evalRun';
import { markdownReport, reportOf } from '../../core/evals/run/report';
import { EvalRunFolder } from '../../core/evals/run/runFolder';
import type { SentFile } from '../../core/evals/run/runFolder';
import { chooseModel } from '../../core/catalogue/jobs';
import { currencyOf } from '../../core/profiles/knownServices';
import { batchDiscountAt, rulesOf } from '../../core/profiles/vendorRules';
import { HeldElsewhere } from '../../core/storage/leases';
import { UserError } from '../../platform/errors/userError';
import { showMessage, withProgress } from '../../platform/notify';
import { lacksBatches } from '../../services/batches/batches';
import type { Services } from '../../services/services';

export interface PlannedEval {
  /** Absolute. */
  readonly file: string;
  readonly plan: EvalPlan;
  readonly facts: EvalFacts;
}

/** Resolves with the chosen button. */
export type AskToRun = (question: string, detail: string, buttons: readonly string[]) => Promise<string | undefined>;

const reportFile = 'report.md';
/** A difference that does not matter, as a share. */
const margin = 0.05;
const mostManifestBytes = 1_000_000;

/** Runs evals of the active account, and shows what they found. A run is a folder next to the eval file. */
export class EvalActions {
  constructor(
    private readonly services: Services,
    private readonly onChange: () => void,
    private readonly ask: AskToRun = askToRun,
  ) {}

  /** Asks whether the requests are submitted as batches or sent now. */
  async run(planned: PlannedEval): Promise<void> {
    const byBatch = l10n.t('Submit as Batch');
    const now = l10n.t('Run Now');
    const buttons = lacksBatches(this.services.account.current) ? [now] : [byBatch, now];
    const chosen = await this.confirm(planned, l10n.t('Run this eval?'), ...buttons);
    if (chosen === now) await this.send(planned, 'now');
    if (chosen === byBatch) await this.send(planned, 'batch');
  }

  async runNow(planned: PlannedEval): Promise<void> {
    const run = l10n.t('Run Now');
    if ((await this.confirm(planned, l10n.t('Run the first rows now?'), run)) === run) await this.send(planned, 'now');
  }

  /** Takes over what has come, submits what a model grades, and shows the report. */
  async results(planned: PlannedEval): Promise<void> {
    await this.send(planned, 'results');
  }

  async hasResults(file: string): Promise<boolean> {
    return (await stat(join(folderOf(file), manifestFile)).catch(() => undefined)) !== undefined;
  }

  private confirm(
    { facts }: PlannedEval,
    question: string,
    ...buttons: readonly string[]
  ): Promise<string | undefined> {
    const { account } = this.services;
    const detail = [
      ...factLines(facts, currencyOf(account.current.baseUrl), vscode.env.language),
      '',
      l10n.t('Responses that are already in the run folder are reused.'),
    ].join('\n');
    return this.ask(question, detail, buttons);
  }

  private async send(planned: PlannedEval, how: 'now' | 'batch' | 'results'): Promise<void> {
    const folder = folderOf(planned.file);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Running eval…'),
      cancellable: true,
    };
    const progress = await withProgress(options, async (_, token) => {
      const ending = new AbortController();
      token.onCancellationRequested(() => ending.abort());
      const service = await this.open(folder);
      const kept = await EvalRunFolder.open(folder, service.origin).catch((error: unknown) => {
        if (!(error instanceof HeldElsewhere)) throw error;
        const detail = l10n.t('The eval is already running. Wait until it has ended.');
        throw new UserError(l10n.t("Couldn't run the eval"), detail);
      });
      try {
        return await this.advance({ planned, service, kept, how, signal: ending.signal });
      } finally {
        await kept.close();
        this.onChange();
      }
    });
    const { answered, requests, waiting } = progress;
    if (how === 'batch' && waiting > 0) {
      const text = l10n.t('The eval has been submitted. Choose Show Results in the file once its batches have ended.');
      await showMessage('information', text);
      return;
    }
    if (answered < requests) await showMessage('warning', l10n.t('Responses so far: {0} of {1}', answered, requests));
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(join(folder, reportFile)));
  }

  private async advance({ planned, service, kept, how, signal }: Advance): Promise<RunProgress> {
    const { plan } = planned;
    const judge = usesJudge(plan) ? await this.judgeFor(planned, how) : undefined;
    const run = new EvalRun(plan, kept, service, {
      prices: await this.prices(),
      ...(judge !== undefined && { judge }),
    });
    await run.writeManifest(basename(planned.file));
    await run.refresh(signal);
    for (let round = 0; round < 2 && !signal.aborted; round++) {
      const next = run.next();
      // Only what a model grades is sent without being asked for: it belongs to the run that was.
      if (next.length === 0 || (how === 'results' && next[0]?.id.startsWith('e1.'))) break;
      for (const sent of await kept.write(next, { how: how === 'now' ? 'now' : 'batch', ...service.form })) {
        if (how === 'now') await sendNow(service, sent, signal);
        else await service.submit(sent, signal);
      }
      await run.refresh(signal);
    }
    const currency = currencyOf(this.services.account.current.baseUrl);
    const report = reportOf(plan, run.graded(), { cost: run.cost, margin });
    await kept.writeFile(reportFile, markdownReport(report, { plan, currency, language: vscode.env.language }));
    return run.progress;
  }

  /** Returns the model that grades: for the results of a run, that of the run, whose grades are paid for. */
  private async judgeFor({ file }: PlannedEval, how: Advance['how']): Promise<string | undefined> {
    const offered = await this.services.models.ready();
    const before = how === 'results' ? await judgeIn(join(folderOf(file), manifestFile)) : undefined;
    return chooseModel('chat', before === undefined ? offered : { ...offered, defaults: { chat: before } });
  }

  private async open(folder: string): Promise<AccountEvals> {
    const { account, connections, settings, batchJobs, log } = this.services;
    const { id, baseUrl } = account.current;
    if (baseUrl === undefined) throw new UserError(l10n.t("Couldn't run the eval"), l10n.t('Sign in, then try again.'));
    const jobs = await batchJobs();
    return new AccountEvals({
      baseUrl,
      rules: rulesOf(baseUrl).batch,
      results: join(folder, 'results'),
      jobs: () => jobs.jobs,
      submit: (order, signal) => jobs.submit({ ...order, profileId: id }, { signal }),
      check: (job) => jobs.checkNow(job),
      call: async ({ model, body }, { signal, onWait, onAnswer, onUsage }) => {
        const { chatCompletions } = await connections.client(id, { source: 'batchLines', onUsage });
        const watch = { onWait, onAnswer: (ids: AnswerIds) => onAnswer(ids.requestId ?? ids.traceId ?? '') };
        return chatCompletions.chunks({ ...body, model }, { signal, watch });
      },
      concurrency: () => settings.get('batch.localRequests'),
      onTrouble: (error) => log.warn(`Evals: ${String(error)}`),
    });
  }

  /** Returns the prices of the active account. */
  async prices(): Promise<PriceBook> {
    const { usage, account } = this.services;
    const prices = await (await usage()).readyPrices();
    return { pricesOf: (model) => prices.ofTokens(model), batchDiscount: batchDiscountAt(account.current.baseUrl) };
  }
}

function askToRun(question: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  return showMessage<string>('information', question, { modal: true, detail }, ...buttons);
}

interface Advance {
  readonly planned: PlannedEval;
  readonly service: AccountEvals;
  readonly kept: EvalRunFolder;
  readonly how: 'now' | 'batch' | 'results';
  readonly signal: AbortSignal;
}

type AnswerIds = { readonly requestId?: string | undefined; readonly traceId?: string | undefined };

/** Returns the judge that a manifest names. */
async function judgeIn(manifest: string): Promise<string | undefined> {
  const known = await stat(manifest).catch(() => undefined);
  if (!known || known.size > mostManifestBytes) return undefined;
  const read = parseJson(await readFile(manifest, 'utf8'));
  const judge = isObject(read) ? read['judge'] : undefined;
  return typeof judge === 'string' ? judge : undefined;
}

function folderOf(file: string): string {
  return join(dirname(file), runFolderName(file));
}

async function sendNow(service: AccountEvals, sent: SentFile, signal: AbortSignal): Promise<void> {
  const problem = await service.runNow(sent, signal);
  if (problem !== undefined && !signal.aborted) throw new UserError(l10n.t("Couldn't run the eval"), problem);
}
