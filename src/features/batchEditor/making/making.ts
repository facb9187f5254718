import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { looksLikeBatch } from '../../../core/batch/detect';
import { exampleFile, exampleKinds, type ExampleKind } from '../../../core/batch/making/examples';
import type { Recipe } from '../../../core/batch/making/recipe';
import { withConstants } from '../../../core/batch/making/rowSource';
import { findIdColumn } from '../../../core/batch/making/writeRequests';
import { writtenWayOf } from '../../../core/batch/writtenWay';
import { chooseModel } from '../../../core/catalogue/jobs';
import { runCommand } from '../../../platform/contributions';
import type { Disposable } from '../../../platform/disposables';
import { askPick, askText, type PickItem } from '../../../platform/quickInput';
import { sourceStoreOf } from '../../../services/batches/resultsRoot';
import { openTable } from '../../../services/batchFiles/openTable';
import { toRowsPrompt, type RowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import { rulesOf } from '../../../core/profiles/vendorRules';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import type { Services } from '../../../services/services';
import { worded } from './failures';
import { convertFlow } from './convertFlow';
import { createMemory } from '../logic/remembered';
import { createPromptEditors } from './promptEditors';
import { makeRequests, type RequestSource } from './requestsFlow';
import { sourceFile, asUris, onDisk } from './sourceFiles';
import { besideOf } from '../../../platform/workspace/writeTarget';
import { dropFlow, mergeFlow, sampleFlow, shuffleFlow, transformFlow, splitFlow } from './transformFlows';
import { homedir } from 'node:os';
import { fileRows, type LeftOutFile } from '../../../core/batch/making/fileRows';
import { textRows, type TextUnit } from '../../../core/batch/making/textRows';
import { numberText } from '../../../platform/displayText';
import { isQuickGlob } from '../../../core/search/searchGlobs';
import type { Settings } from '../../../platform/settings';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { UserError } from '../../../platform/errors/userError';
import { sentences } from '../../../protocol/sentences';

/** Creates batch files, also from other batch files. Menus pass the file they were opened on, and all selected files. */
export interface Making extends Disposable {
  newFile(): Promise<void>;
  /** `prompt` is validated by `toRowsPrompt`; without a valid one, the user is asked. */
  fromRows(file: unknown, prompt: unknown): Promise<void>;
  fromFiles(file: unknown, files: unknown): Promise<void>;
  fromSelection(): Promise<void>;
  /** Asks how to change the file, and runs the command for it. */
  transform(file: unknown): Promise<void>;
  split(file: unknown, by: unknown): Promise<void>;
  merge(file: unknown, files: unknown): Promise<void>;
  convertFor(file: unknown): Promise<void>;
  sample(file: unknown): Promise<void>;
  shuffle(file: unknown): Promise<void>;
  dropDuplicates(file: unknown): Promise<void>;
  /** Uses the prompt written in the active editor. */
  usePrompt(): Promise<void>;
}

export function createMaking({ account, context, models, settings }: Services): Making {
  const memory = createMemory(context.workspaceState);
  const previews = createVirtualDocuments('inference-desk-batch-preview');
  const editors = createPromptEditors();
  const make = async (source: RequestSource | undefined) => {
    if (!source) return;
    const way = writtenWayOf(account.current.baseUrl);
    await makeRequests(source, {
      memory,
      previews,
      editors,
      catalogue: await models.listed(),
      way,
      sourceStore: sourceStoreOf(context),
    });
  };
  return {
    newFile: () => worded(async () => newBatchFile(await models.listed())),
    fromRows: (file, prompt) => worded(async () => make(await chooseRowSource(file, toRowsPrompt(prompt)))),
    fromFiles: (file, files) => worded(async () => make(await chooseFileSource(file, files, settings))),
    fromSelection: () => worded(async () => make(await chooseTextSource())),
    transform: (file) => worded(() => transformFlow(file)),
    split: (file, by) => worded(() => splitFlow(file, by, rulesOf(account.current.baseUrl).batch)),
    merge: (file, files) => worded(() => mergeFlow(file, files)),
    convertFor: (file) => worded(() => convertFlow(file, rulesOf(account.current.baseUrl).batch)),
    sample: (file) => worded(() => sampleFlow(file, memory)),
    shuffle: (file) => worded(() => shuffleFlow(file, memory)),
    dropDuplicates: (file) => worded(() => dropFlow(file)),
    usePrompt: () => editors.use(),
    dispose() {
      previews.dispose();
      editors.dispose();
    },
  };
}

async function chooseRowSource(argument: unknown, prompt: RowsPrompt | undefined): Promise<RequestSource | undefined> {
  const filters = { [l10n.t('Tables and JSON')]: ['csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson'] };
  const file = await sourceFile(argument, {
    title: l10n.t('New Batch File from Table'),
    filters,
    takesActive: holdsRows,
  });
  if (file === undefined) return undefined;
  const rows = await openTable(file);
  if (rows === undefined) return undefined;
  const ids = await findIdColumn(rows);
  return {
    kind: 'rows',
    name: path.basename(file),
    rows: withConstants(rows, prompt?.constants ?? {}),
    customId: ids === undefined ? 'row-{n}' : `{{${ids}}}`,
    hasOwnIds: ids !== undefined,
    table: path.basename(file),
    suggested: besideOf(file, 'requests'),
    leftOut: new Map(),
    ...(prompt && { recipe: recipeOf(prompt) }),
  };
}

function recipeOf({ prompt, system, model = '', parameters }: RowsPrompt): Omit<Recipe, 'customId'> {
  const { max_tokens: maxTokens, temperature, ...others } = parameters;
  return {
    prompt,
    system,
    model,
    others,
    ...(typeof maxTokens === 'number' && { maxTokens }),
    ...(typeof temperature === 'number' && { temperature }),
  };
}

/** A JSON file may be a settings file, and JSON Lines may already be requests: neither is a source of rows. */
function holdsRows(document: vscode.TextDocument): boolean {
  const first = document.lineAt(0).text;
  return path.extname(document.uri.path) === '.json' ? first.trimStart().startsWith('[') : !looksLikeBatch([first]);
}

type Start = ExampleKind | 'newFromRows' | 'newFromFiles' | 'newFromSelection';

/** Asks what to start from. Opens an example as an untitled document; runs the command for any other start. */
async function newBatchFile(catalogue: CatalogueState): Promise<void> {
  const words = exampleKindWords();
  const start = (value: Start, icon: string, label: string, detail: string): PickItem<Start> => ({
    iconPath: new vscode.ThemeIcon(icon),
    label,
    detail,
    value,
  });
  const hasSelection = vscode.window.activeTextEditor?.selection.isEmpty === false;
  const answer = await askPick<Start>({
    title: l10n.t('New Batch File'),
    placeholder: l10n.t('Select what to start from'),
    canGoBack: false,
    canFilter: true,
    items: [
      ...exampleKinds.map((kind) => ({ ...words[kind], value: kind })),
      { label: l10n.t('From Existing Data'), kind: vscode.QuickPickItemKind.Separator },
      start('newFromRows', 'table', l10n.t('Table…'), l10n.t('For each row of a CSV, TSV, JSON, or JSON Lines file')),
      start('newFromFiles', 'files', l10n.t('Files…'), l10n.t('A request for each file')),
      ...(hasSelection
        ? [
            start(
              'newFromSelection',
              'list-selection',
              l10n.t('Selection…'),
              l10n.t('A request for each line or paragraph'),
            ),
          ]
        : []),
    ],
  });
  if (answer.kind !== 'value') return;
  const { value } = answer;
  if (value === 'newFromRows' || value === 'newFromFiles' || value === 'newFromSelection')
    await runCommand(`inferenceDesk.batchFile.${value}`);
  else await openExample(value, catalogue);
}

async function openExample(kind: ExampleKind, catalogue: CatalogueState): Promise<void> {
  const content = exampleFile(kind, modelFor(kind, catalogue));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content }));
}

/** Returns a model that isn't known to lack what the example shows; any other if all lack it. */
function modelFor(kind: ExampleKind, catalogue: CatalogueState): string | undefined {
  const feature = {
    json: 'jsonMode',
    tools: 'tools',
    picture: 'images',
    question: undefined,
    system: undefined,
  } as const;
  const needed = feature[kind];
  const able = needed === undefined ? catalogue.models : catalogue.models.filter((model) => model[needed] !== false);
  return chooseModel('chat', { ...catalogue, models: able }) ?? chooseModel('chat', catalogue);
}

function exampleKindWords(): Readonly<Record<ExampleKind, { readonly label: string; readonly detail: string }>> {
  return {
    question: { label: l10n.t('Questions'), detail: l10n.t('Two requests with one question each') },
    system: {
      label: l10n.t('System prompt and questions'),
      detail: l10n.t('The same instructions before each question'),
    },
    json: { label: l10n.t('JSON responses'), detail: l10n.t('Classifies text with response_format') },
    tools: { label: l10n.t('Tool call'), detail: l10n.t('One request with a function that the model can call') },
    picture: { label: l10n.t('Image input'), detail: l10n.t('A question about the image at a URL') },
  };
}

/** Uses the files a menu was opened on, or else those matching a pattern, in the folder a menu was opened on or in the workspace. */
async function chooseFileSource(
  argument: unknown,
  all: unknown,
  settings: Settings,
): Promise<RequestSource | undefined> {
  const selected = asUris(argument, all);
  const isFolder = await Promise.all(selected.map(isDirectory));
  const plain = selected.filter((_, index) => !isFolder[index]);
  const folder = selected.find((_, index) => isFolder[index]);
  const found = plain.length > 0 && !folder ? plain : await findByPattern(folder, settings);
  if (!found) return undefined;
  const files = found
    .map((uri) => ({ file: onDisk(uri), name: nameOf(uri) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const leftOut = new Map<string, LeftOutFile>();
  const searched = folder ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const home = found === plain || !searched ? path.dirname(files[0]!.file) : searched.fsPath;
  return {
    kind: 'files',
    name: files.length === 1 ? files[0]!.name : l10n.t('{0} files', numberText(files.length, vscode.env.language)),
    rows: fileRows(files, (file) => void leftOut.set(file.name, file)),
    customId: '{{path}}',
    suggested: path.join(home, 'files.requests.jsonl'),
    leftOut,
  };
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}

function patternProblem(text: string): string | undefined {
  if (text.trim() === '') return l10n.t('Enter a pattern.');
  return isQuickGlob(text.trim())
    ? undefined
    : l10n.t("The pattern is too complex. Use fewer wildcards, and don't nest braces.");
}

/** Asks again as long as the pattern matches nothing. */
async function findByPattern(
  folder: vscode.Uri | undefined,
  settings: Settings,
): Promise<readonly vscode.Uri[] | undefined> {
  if (!folder && !vscode.workspace.workspaceFolders) {
    throw new UserError(l10n.t('No folder is open'), l10n.t('Open the folder that contains your files.'));
  }
  let value = '**/*.md';
  let missed = '';
  for (;;) {
    const typed = await askText({
      title: l10n.t('New Batch File from Files'),
      prompt: sentences(missed, l10n.t('Glob pattern, such as docs/*.{txt,md}. Each file becomes a request.')),
      value,
      canGoBack: false,
      check: patternProblem,
    });
    if (typed.kind !== 'value') return undefined;
    value = typed.value.trim();
    const pattern = folder ? new vscode.RelativePattern(folder, value) : value;
    const guard = await WorkspaceGuard.open(settings);
    const found = await guard.only(await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**'));
    if (found.length > 0) return found;
    missed = l10n.t('No files match {0}.', value);
  }
}

/** Makes a request of each line or paragraph of the active editor's selection, or of the whole text if nothing is selected. */
async function chooseTextSource(): Promise<RequestSource | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new UserError(l10n.t('No active editor'), l10n.t('Open a file and select some text.'));
  const { document, selection } = editor;
  const range = selection.isEmpty ? undefined : selection;
  const text = document.getText(range);
  if (text.trim() === '') throw new UserError(l10n.t('No text selected'), l10n.t("Select lines that aren't blank."));
  const first = (range?.start.line ?? 0) + 1;
  const sources = { line: textRows(text, 'line', first), paragraph: textRows(text, 'paragraph', first) };
  const answer = await askPick<TextUnit>({
    title: l10n.t('New Batch File from Selection'),
    placeholder: range
      ? l10n.t('Select how to split the text into requests')
      : l10n.t('The entire text is used. Select how to split it.'),
    canGoBack: false,
    items: [
      { label: l10n.t('Each line'), detail: l10n.t('Skips blank lines'), value: 'line' },
      { label: l10n.t('Each paragraph'), detail: l10n.t('Separated by blank lines'), value: 'paragraph' },
    ],
  });
  if (answer.kind !== 'value') return undefined;
  return {
    kind: answer.value === 'line' ? 'lines' : 'paragraphs',
    name: path.posix.basename(document.uri.path),
    rows: sources[answer.value],
    customId: 'line-{{line}}',
    suggested: suggestedFor(document),
    leftOut: new Map(),
  };
}

function suggestedFor({ uri, isUntitled }: vscode.TextDocument): string {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
  const folder = uri.scheme === 'file' && !isUntitled ? path.dirname(uri.fsPath) : workspace;
  return path.join(folder, `${path.posix.parse(uri.path).name}.requests.jsonl`);
}
