import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { mostComparedModels } from '../../core/prompts/prompt';
import type { Prompt } from '../../core/prompts/prompt';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import type { Services } from '../../services/services';
import { promptName } from './promptFiller';
import type { PromptFiller } from './promptFiller';
import { isMakingError } from '../../core/batch/making/makingError';
import { openTable } from '../../services/batchFiles/openTable';
import { freeCustomId } from '../../core/conversation/export/appendLine';
import { toBatchLine } from '../../core/api/chat/toChatCompletion';
import { writtenWayOf } from '../../core/batch/writtenWay';
import { ownValues, promptRequest, type FilledPrompt } from '../../core/prompts/fillPrompt';
import { countInputTokens } from '../../core/tokens/countTokens';
import { priceLine } from '../../services/usage/costMessages';
import type { ExpectedRequests } from '../../services/usage/prices';
import { appendBatchLine } from '../../services/batchFiles/appendBatchLine';
import { runCommand } from '../../platform/contributions';
import type { RowsPrompt } from '../../services/batchFiles/rowsPrompt';
import { UserError } from '../../platform/errors/userError';
import { numberText } from '../../platform/displayText';
import { createQuickPick, showQuickPick } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { lackingModels } from '../../services/models/lackingModels';
import { modelNotOfferedTitle } from '../../services/models/modelNotOffered';

/** Returns the price of asking several models. */
type Quote = (models: readonly string[]) => string;

/** The uses of a prompt: a conversation, a line of a batch file, or a separate batch file. */
export class PromptRuns {
  constructor(
    private readonly services: Services,
    private readonly filler: PromptFiller,
  ) {}

  /** Sends a prompt in a new conversation of the chat, to one model or to several side by side. */
  async ask(document: vscode.TextDocument, isCompared: boolean): Promise<void> {
    const { chatService, connections } = this.services;
    refuseUntrusted(document.uri);
    // Fail before the user enters values for something that cannot be sent.
    await connections.client();
    const named = await this.offeredModels(document, isCompared);
    if (!named) return;
    const prepared = await this.filler.fill(document);
    if (!prepared) return;
    const { filled } = prepared;
    const models = isCompared
      ? await this.comparedModels(document, named, await this.quote(filled))
      : [named[0] ?? (await this.defaultModel())];
    if (models) await chatService.ask({ ...filled, models: models.filter((model) => model !== undefined) });
  }

  /** Adds a prompt's request to a batch file that the user chooses. Nothing is sent. */
  async addBatchLine(document: vscode.TextDocument): Promise<void> {
    refusePrefill(this.filler.usable(document));
    const prepared = await this.filler.fill(document);
    if (!prepared) return;
    const model = await this.modelOf(prepared.prompt);
    if (model === undefined) {
      throw new UserError(
        l10n.t('No model available'),
        l10n.t('Add model: and a model ID to the prompt file, or sign in.'),
      );
    }
    const request = promptRequest(prepared.filled, model);
    const way = writtenWayOf(this.services.account.current.baseUrl);
    await appendBatchLine(
      (content) => toBatchLine(request, freeCustomId(content, idName(document.uri)), way),
      this.services.settings,
    );
  }

  /** Creates a batch file from a prompt and the rows of a file that the user chooses. Its columns override variables of the same name. */
  async newFromRows(document: vscode.TextDocument): Promise<void> {
    const prompt = this.filler.usable(document);
    refusePrefill(prompt);
    const [rows] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('Select a File with Rows for {0}', promptName(document.uri)),
        filters: { [l10n.t('Tables and JSON')]: ['csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson'] },
      })) ?? [];
    if (!rows) return;
    const columns = await columnsOf(rows);
    const values = columns && (await this.filler.valuesFor(document, prompt, columns));
    if (!values) return;
    const model = await this.modelOf(prompt);
    const { stop_sequences: stop, ...parameters } = prompt.parameters;
    const start: RowsPrompt = {
      prompt: prompt.text,
      system: prompt.system,
      ...(model !== undefined && { model }),
      parameters: { ...parameters, ...(stop && { stop }) },
      constants: Object.fromEntries([...ownValues(prompt.variables), ...values]),
    };
    await runCommand('inferenceDesk.batchFile.newFromRows', rows, start);
  }

  /** Returns the model a prompt names, otherwise the default for chat. */
  private async modelOf({ model, models }: Prompt): Promise<string | undefined> {
    return (model ?? models[0])?.id ?? (await this.defaultModel());
  }

  private async defaultModel(): Promise<string | undefined> {
    return chooseModel('chat', await this.services.models.listed());
  }

  /** Returns the models a prompt names; the user chooses others for those the account does not offer. `undefined` if they cancel. */
  private async offeredModels(
    document: vscode.TextDocument,
    isCompared: boolean,
  ): Promise<readonly string[] | undefined> {
    const { account, models: catalogue } = this.services;
    const { model, models } = this.filler.usable(document);
    const several = models.map(({ id }) => id).slice(0, mostComparedModels);
    const one = model?.id ?? several[0];
    const named = isCompared && several.length > 1 ? several : one === undefined ? [] : [one];
    const lacking = await lackingModels(catalogue, named);
    if (lacking.length === 0) return named;
    const title = modelNotOfferedTitle(lacking, account.current.name, vscode.env.language);
    const offered = named.filter((id) => !lacking.includes(id));
    if (isCompared) return chooseModels(title, catalogue.state, offered);
    const chosen = await chooseInstead(title, catalogue.state, named[0] ?? '');
    if (chosen === undefined) return undefined;
    await catalogue.allowUnlisted(chosen);
    return [chosen];
  }

  /** Resolves to a function that returns the price of asking several models. */
  private async quote(filled: FilledPrompt): Promise<Quote> {
    const prices = await (await this.services.usage()).readyPrices();
    return (models) => priceLine(prices.quote(expectedRequests(filled, models), { purpose: 'chat' })).text;
  }

  private async comparedModels(
    document: vscode.TextDocument,
    named: readonly string[],
    quote: Quote,
  ): Promise<readonly string[] | undefined> {
    const catalogue = this.services.models;
    if (named.length > 1) return named;
    const state = await catalogue.listed();
    if (state.models.length === 0 && state.error !== undefined) throw state.error;
    const first = named[0] ?? chooseModel('chat', state);
    const title = l10n.t('Compare Models with {0}', promptName(document.uri));
    return chooseModels(title, state, first === undefined ? [] : [first], quote);
  }
}

/** Returns what sending a prompt to several models takes. */
export function expectedRequests(filled: FilledPrompt, models: readonly string[]): readonly ExpectedRequests[] {
  return models.map((model) => {
    const request = promptRequest(filled, model);
    return { model, requests: 1, inputTokens: countInputTokens(request), outputLimit: request.max_tokens };
  });
}

/** The service refuses a line whose last message is not from the user. */
function refusePrefill({ parameters }: Prompt): void {
  if (!parameters.prefill) return;
  throw new UserError(
    l10n.t("Batches don't support prefill"),
    l10n.t('Remove "prefill" from the prompt file. Requests must end with a user message.'),
  );
}

/** `undefined` if the user cancels. */
async function columnsOf(rows: vscode.Uri): Promise<readonly string[] | undefined> {
  try {
    return (await openTable(rows.fsPath))?.columns;
  } catch (error) {
    if (isMakingError(error)) throw new UserError(l10n.t("Couldn't create the file"), error.message);
    throw error;
  }
}

/** Returns the file name with only the characters of ids: letters, digits and hyphens. */
function idName(uri: vscode.Uri): string {
  return (
    promptName(uri)
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-') ?? 'prompt'
  );
}

/** Asks for a model in place of one that is not listed, which may be chosen all the same. `undefined` if the user cancels. */
async function chooseInstead(title: string, state: CatalogueState, model: string): Promise<string | undefined> {
  const preferred = chooseModel('chat', state);
  const listed = modelsForJob('chat', state.models, state.pins).map(({ id }) => id);
  const others = listed.filter((id) => id !== preferred);
  const items: (vscode.QuickPickItem & { readonly id: string })[] = [
    ...(preferred === undefined ? others : [preferred, ...others]).map((id) => ({ id, label: id })),
    { id: '', label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      id: model,
      label: l10n.t('Use {0} Anyway', foreign(model)),
      detail: l10n.t("Some services don't list all their models."),
    },
  ];
  const placeHolder = l10n.t('Select another model');
  return (await showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.id;
}

/** Asks for two to four models; `chosen` are preselected. `undefined` if the user cancels. */
async function chooseModels(
  title: string,
  { models, pins }: CatalogueState,
  chosen: readonly string[],
  quote?: Quote,
): Promise<readonly string[] | undefined> {
  const listed = modelsForJob('chat', models, pins).map(({ id }) => id);
  const pick = createQuickPick<vscode.QuickPickItem & { readonly id: string }>();
  pick.title = title;
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.items = [...new Set([...chosen, ...listed])].map((id) => ({ id, label: id }));
  pick.selectedItems = pick.items.filter(({ id }) => chosen.includes(id));
  const tell = () => {
    const count = pick.selectedItems.length;
    const [most, chosenCount] = [mostComparedModels, count].map((value) => numberText(value, vscode.env.language));
    const isEnough = count >= 2 && count <= mostComparedModels;
    pick.placeholder = [
      l10n.t('Select 2 to {0} models ({1} selected)', most ?? '', chosenCount ?? ''),
      ...(quote && isEnough ? [quote(pick.selectedItems.map(({ id }) => id))] : []),
    ].join(' · ');
    return isEnough;
  };
  tell();
  return new Promise<readonly string[] | undefined>((resolve) => {
    pick.onDidChangeSelection(tell);
    pick.onDidAccept(() => {
      if (tell()) resolve(pick.selectedItems.map(({ id }) => id));
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}
