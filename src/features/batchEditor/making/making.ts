import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { looksLikeBatch } from '../../../core/batch/detect';
import { openRows } from '../../../core/batch/making/openRows';
import type { Recipe } from '../../../core/batch/making/recipe';
import { withConstants } from '../../../core/batch/making/rowSource';
import { useTranslations } from '../../../core/batch/words/translate';
import type { Disposable } from '../../../platform/disposables';
import { toRowsPrompt, type RowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import type { Services } from '../../../services/services';
import { worded } from './failures';
import { chooseFileSource } from './filesFlow';
import { createMemory } from './remembered';
import { createPromptEditors } from './promptEditors';
import { makeRequests, type RequestSource } from './requestsFlow';
import { sourceFile } from './sourceFiles';
import { splitFlow } from './splitFlow';
import { besideOf } from '../../../platform/workspace/writeTarget';
import { dropFlow, mergeFlow, sampleFlow, shuffleFlow } from './transformFlows';
import { exampleFile, exampleKinds, type ExampleKind } from '../../../core/batch/making/examples';
import { chooseModel } from '../../../core/catalogue/jobs';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { askPick } from '../../../platform/quickInput';
import { homedir } from 'node:os';
import { type TextUnit, textRows } from '../../../core/batch/making/textRows';
import { UserError } from '../../../platform/errors/userError';

/** Creates batch files, also from other batch files. Menus pass the file they were opened on, and all selected files. */
export interface Making extends Disposable {
  newFile(): Promise<void>;
  /** `prompt` is validated by `toRowsPrompt`; without a valid one, the user is asked. */
  fromRows(file: unknown, prompt: unknown): Promise<void>;
  fromFiles(file: unknown, files: unknown): Promise<void>;
  fromSelection(): Promise<void>;
  split(file: unknown): Promise<void>;
  merge(file: unknown, files: unknown): Promise<void>;
  sample(file: unknown): Promise<void>;
  shuffle(file: unknown): Promise<void>;
  dropDuplicates(file: unknown): Promise<void>;
  /** Uses the prompt written in the active editor. */
  usePrompt(): Promise<void>;
}

export function createMaking({ context, models, settings }: Services): Making {
  useTranslations(vscode.l10n.bundle);
  const memory = createMemory(context.workspaceState);
  const previews = createVirtualDocuments('inference-desk-batch-preview');
  const editors = createPromptEditors();
  const make = async (source: RequestSource | undefined) => {
    if (source) await makeRequests(source, { memory, previews, editors, catalogue: await models.ready() });
  };
  return {
    newFile: () => worded(async () => newFromExample(await models.ready())),
    fromRows: (file, prompt) => worded(async () => make(await chooseRowSource(file, toRowsPrompt(prompt)))),
    fromFiles: (file, files) => worded(async () => make(await chooseFileSource(file, files, settings))),
    fromSelection: () => worded(async () => make(await chooseTextSource())),
    split: (file) => worded(() => splitFlow(file)),
    merge: (file, files) => worded(() => mergeFlow(file, files)),
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

async function chooseRowSource(given: unknown, prompt: RowsPrompt | undefined): Promise<RequestSource | undefined> {
  const filters = { [l10n.t('Tables and JSON')]: ['csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson'] };
  const file = await sourceFile(given, { title: l10n.t('New Batch File from Rows'), filters, takesActive: holdsRows });
  if (file === undefined) return undefined;
  return {
    kind: 'rows',
    name: path.basename(file),
    rows: withConstants(await openRows(file), prompt?.constants ?? {}),
    customId: 'row-{n}',
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

/** Opens a small example batch file as an untitled document. */
async function newFromExample(catalogue: CatalogueState): Promise<void> {
  const words = exampleKindWords();
  const answer = await askPick<ExampleKind>({
    title: l10n.t('New Batch File'),
    placeholder: l10n.t('What should it begin with?'),
    canGoBack: false,
    items: exampleKinds.map((kind) => ({ ...words[kind], value: kind })),
  });
  if (answer.kind !== 'value') return;
  const content = exampleFile(answer.value, chooseModel('chat', catalogue));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content }));
}

function exampleKindWords(): Readonly<Record<ExampleKind, { readonly label: string; readonly detail: string }>> {
  return {
    question: { label: l10n.t('Questions'), detail: l10n.t('Two requests with a question each') },
    system: {
      label: l10n.t('System prompt and questions'),
      detail: l10n.t('The same instructions before each question'),
    },
    json: { label: l10n.t('Answers as JSON'), detail: l10n.t('Classifies texts, with response_format') },
    tools: { label: l10n.t('A tool'), detail: l10n.t('A function the model may call') },
    picture: { label: l10n.t('A picture'), detail: l10n.t('A question about an image at an address') },
  };
}

/** Makes a request of each line or paragraph of the active editor's selection, or of the whole text if nothing is selected. */
async function chooseTextSource(): Promise<RequestSource | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor)
    throw new UserError(l10n.t('No text is open'), l10n.t('Open a text, select a part of it, then try again.'));
  const { document, selection } = editor;
  const range = selection.isEmpty ? undefined : selection;
  const text = document.getText(range);
  if (text.trim() === '') throw new UserError(l10n.t('There is no text'), l10n.t('Select lines that are not blank.'));
  const first = (range?.start.line ?? 0) + 1;
  const sources = { line: textRows(text, 'line', first), paragraph: textRows(text, 'paragraph', first) };
  const answer = await askPick<TextUnit>({
    title: l10n.t('New Batch File from Selection'),
    placeholder: range ? l10n.t('What becomes a request?') : l10n.t('Nothing is selected: the whole text is used.'),
    canGoBack: false,
    items: [
      { label: l10n.t('Each line'), detail: l10n.t('Blank lines are left out'), value: 'line' },
      { label: l10n.t('Each paragraph'), detail: l10n.t('Paragraphs are parted by blank lines'), value: 'paragraph' },
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
