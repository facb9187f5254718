import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readPrompt } from '../../core/prompts/readPrompt';
import { foreign } from '../../core/text/foreignText';
import { commandTitle } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import { askPick } from '../../platform/quickInput';
import type { Settings } from '../../platform/settings';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import { guardReason, WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { nameOrder } from '../../protocol/formats';
import type { Services } from '../../services/services';
import { isPromptFile } from './logic/isPromptFile';
import { createPromptActions, createProblemsOf, createPromptDiagnostics } from './problems';
import { expectedRequests, PromptRuns } from './promptRuns';
import { completionTriggers, createPromptCompletion, createPromptHover } from './languageHelp';
import { PromptReadings, promptSelector, isWritable } from './promptFiles';
import { PromptFiller, RememberedValues, promptName } from './promptFiller';
import { codeLens, showMessage } from '../../platform/notify';
import { chooseModel } from '../../core/catalogue/jobs';
import { requestedVariables, fillPrompt, providedPlaceholders } from '../../core/prompts/fillPrompt';
import { mostComparedModels, type Prompt } from '../../core/prompts/prompt';
import { yamlText } from '../../core/prompts/quickFixes';
import { exampleSnippet } from '../../core/prompts/snippets';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';

/** Commands on the file passed to them, otherwise on the one in the active editor, otherwise on one that the user chooses. */
export class PromptsRuntime implements Disposable {
  private readonly store = new DisposableStore();
  /** Files outside of the workspace that the user has approved. */
  private readonly agreed = new Set<string>();
  private readonly runs: PromptRuns;

  constructor(
    private readonly services: Services,
    lastEditor: LastEditor,
    private readonly ask = askToUse,
  ) {
    const { context, settings } = services;
    const readings = new PromptReadings(services.account);
    const remembered = new RememberedValues(context.workspaceState);
    this.runs = new PromptRuns(services, new PromptFiller(readings, remembered, lastEditor, settings));
    registerHelp(services, readings, this.store);
  }

  run(argument: unknown): Promise<void> {
    return this.withPrompt(argument, (document) => this.runs.ask(document, false));
  }

  compare(argument: unknown): Promise<void> {
    return this.withPrompt(argument, (document) => this.runs.ask(document, true));
  }

  addBatchLine(argument: unknown): Promise<void> {
    return this.withPrompt(argument, (document) => this.runs.addBatchLine(document));
  }

  newFromRows(argument: unknown): Promise<void> {
    return this.withPrompt(argument, (document) => this.runs.newFromRows(document));
  }

  create(): Promise<void> {
    return newPrompt(this.services.models);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async withPrompt(argument: unknown, work: (document: vscode.TextDocument) => Promise<void>): Promise<void> {
    const {
      agreed,
      ask,
      services: { settings },
    } = this;
    const document = await choosePrompt(argument, { settings, agreed, ask });
    if (document) await work(document);
  }
}

function registerHelp(services: Services, readings: PromptReadings, store: DisposableStore): void {
  const { models } = services;
  const listed = () => models.state.models;
  const problemsOf = createProblemsOf(readings, listed);
  const diagnostics = store.add(createPromptDiagnostics(problemsOf));
  store.add(models.onDidChange(() => diagnostics.refresh()));
  void models.ready();
  const completion = createPromptCompletion(readings, () => models.listed());
  store.add(vscode.languages.registerCompletionItemProvider(promptSelector, completion, ...completionTriggers));
  store.add(vscode.languages.registerHoverProvider(promptSelector, createPromptHover(readings, listed)));
  store.add(
    vscode.languages.registerCodeActionsProvider(promptSelector, createPromptActions(problemsOf), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
  store.add(registerPromptLenses(services, readings));
}

/** Shows the ways to run a prompt file above its first line. */
function registerPromptLenses(services: Services, readings: PromptReadings): Disposable {
  const { connections, models, settings } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(settings.onDidChange((name) => (name === 'batch.lenses' || name === 'prices') && changed.fire()));
  store.add(models.onDidChange(() => changed.fire()));
  store.add(connections.onDidChange(() => changed.fire()));
  store.add(
    vscode.languages.registerCodeLensProvider(promptSelector, {
      onDidChangeCodeLenses: changed.event,
      async provideCodeLenses(document) {
        const { uri } = document;
        if (!settings.get('batch.lenses') || !isWritable(uri)) return [];
        return lensesFor(uri, await pricedLabels(readings.of(document).prompt, services));
      },
    }),
  );
  return store;
}

interface PricedLabels {
  readonly run: string;
  readonly compare: string;
}

/** Returns the labels of what sends a prompt, with its price. A comparison without models asks for them, and then has one. */
async function pricedLabels(prompt: Prompt, { models, usage }: Services): Promise<PricedLabels> {
  const [prices, state] = await Promise.all([usage().then((service) => service.readyPrices()), models.ready()]);
  const compared = prompt.models.map(({ id }) => id).slice(0, mostComparedModels);
  const one = prompt.model?.id ?? compared[0] ?? chooseModel('chat', state);
  const filled = fillPrompt(prompt, new Map());
  const isPartial = requestedVariables(prompt).length > 0 || providedPlaceholders(prompt).length > 0;
  const labelOf = (label: string, modelIds: readonly string[]) =>
    prices.label(label, expectedRequests(filled, modelIds), { purpose: 'chat', isPartial });
  return {
    run: labelOf(l10n.t('Run'), one === undefined ? [] : [one]),
    compare: compared.length > 1 ? labelOf(l10n.t('Compare'), compared) : l10n.t('Compare'),
  };
}

function lensesFor(uri: vscode.Uri, { run, compare }: PricedLabels): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, tooltip: string) =>
    codeLens(top, { title, command, tooltip, arguments: [uri] });
  return [
    lens(run, 'inferenceDesk.prompts.run', l10n.t('Run in New Conversation')),
    lens(compare, 'inferenceDesk.prompts.compare', l10n.t('Compare Models')),
    lens(l10n.t('Add to Batch File…'), 'inferenceDesk.prompts.addBatchLine', l10n.t('Add the request to a batch file')),
    lens(
      l10n.t('New Batch File from Rows…'),
      'inferenceDesk.prompts.newFromRows',
      l10n.t('Create a request for each row of a table'),
    ),
  ];
}

/** Opens an unsaved prompt file with an example whose parts are Tab stops. */
async function newPrompt(catalogue: ModelCatalogue): Promise<void> {
  const model = chooseModel('chat', await catalogue.ready());
  const document = await vscode.workspace.openTextDocument(await freeName());
  const editor = await vscode.window.showTextDocument(document);
  const words = {
    description: l10n.t('Purpose of this prompt'),
    model: model === undefined ? undefined : yamlText(model),
    audience: l10n.t('a new colleague'),
    text: l10n.t('Explain this to {{audience}}:'),
  };
  await editor.insertSnippet(new vscode.SnippetString(exampleSnippet(words)));
}

/** Returns an unused URI in the first folder of the workspace. */
async function freeName(): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'prompt.desk.md' : `prompt-${number}.desk.md`;
    const file = folder && vscode.Uri.joinPath(folder, name);
    const uri = file?.with({ scheme: 'untitled' }) ?? vscode.Uri.from({ scheme: 'untitled', path: name });
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const isThere =
      file &&
      (await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      ));
    if (!isOpen && !isThere) return uri;
  }
}

/** The maximum number of files in the list. */
const mostListed = 200;

interface Choosing {
  readonly settings: Settings;
  /** Files the user has already approved; newly approved ones are added. */
  readonly agreed: Set<string>;
  /** Asks whether to use a file that is not a prompt file of the workspace. */
  readonly ask: (uri: vscode.Uri) => Promise<boolean>;
}

/**
 * Returns the file passed as `argument`, otherwise the one in the active editor, otherwise one of the workspace that the user chooses. Asks
 * the user first about a file that is not a prompt file of the workspace; `undefined` if they decline.
 */
async function choosePrompt(argument: unknown, choosing: Choosing): Promise<vscode.TextDocument | undefined> {
  const guard = await WorkspaceGuard.open(choosing.settings);
  const active = vscode.window.activeTextEditor?.document;
  if (argument instanceof vscode.Uri)
    return (await isAgreed(argument, guard, choosing)) ? openDocument(argument) : undefined;
  if (active && isPromptFile(active.uri)) return active;
  const found = await guard.only(await vscode.workspace.findFiles('**/*.desk.md', '**/node_modules/**', mostListed));
  if (found.length === 0) {
    throw new UserError(
      l10n.t('No prompt files in this workspace'),
      l10n.t('Run "{0}", or save a conversation as a prompt file.', commandTitle('inferenceDesk.prompts.new')),
    );
  }
  const items = await Promise.all(found.map(toItem));
  const inOrder = nameOrder(vscode.env.language);
  const answer = await askPick<vscode.Uri>({
    title: l10n.t('Prompt files'),
    placeholder: l10n.t('Select a prompt'),
    canGoBack: false,
    canFilter: true,
    items: items.toSorted((a, b) => inOrder(a.label, b.label)),
  });
  return answer.kind === 'value' ? openDocument(answer.value) : undefined;
}

/** Other extensions and links can run the command too, with any file. */
async function isAgreed(uri: vscode.Uri, guard: WorkspaceGuard, { agreed, ask }: Choosing): Promise<boolean> {
  const checked = await guard.check(uri);
  const refusal = 'refusal' in checked ? checked.refusal : undefined;
  if (refusal === 'secret') {
    const label = foreign(vscode.workspace.asRelativePath(uri));
    throw new UserError(l10n.t("Couldn't use {0}", label), guardReason(refusal));
  }
  if (uri.scheme === 'untitled' || (isPromptFile(uri) && refusal !== 'outside') || agreed.has(uri.toString()))
    return true;
  if (!(await ask(uri))) return false;
  agreed.add(uri.toString());
  return true;
}

/** Shows a modal dialog. */
async function askToUse(uri: vscode.Uri): Promise<boolean> {
  const use = l10n.t('Use This File');
  const detail = l10n.t('Outside the workspace. Its text will be sent.');
  const file = uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
  const options = { modal: true, detail: `${file}\n\n${detail}` };
  const title = l10n.t('Use {0} as a prompt?', foreign(promptName(uri)));
  return (await showMessage('warning', title, options, use)) === use;
}

async function toItem(uri: vscode.Uri) {
  const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => new Uint8Array());
  const detail = readPrompt(new TextDecoder().decode(bytes)).prompt.description;
  return {
    label: promptName(uri),
    description: vscode.workspace.asRelativePath(uri),
    ...(detail !== undefined && { detail }),
    value: uri,
  };
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(
      l10n.t("Couldn't read the prompt file"),
      `${vscode.workspace.asRelativePath(uri)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
