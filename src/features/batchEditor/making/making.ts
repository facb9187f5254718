import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { looksLikeBatch } from '../../../core/batch/detect';
import { exampleFile, exampleKinds } from '../../../core/batch/making/examples';
import type { ExampleKind } from '../../../core/batch/making/examples';
import type { Recipe } from '../../../core/batch/making/recipe';
import { withConstants } from '../../../core/batch/making/rowSource';
import { findIdColumn } from '../../../core/batch/making/writeRequests';
import { writtenWayOf } from '../../../core/batch/writtenWay';
import { chooseModel } from '../../../core/catalogue/jobs';
import { runCommand } from '../../../platform/contributions';
import type { Disposable } from '../../../platform/disposables';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { sourceStoreOf } from '../../../services/batches/resultsRoot';
import { openTable } from '../../../services/batchFiles/openTable';
import { toRowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import type { RowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import { rulesOf } from '../../../core/profiles/vendorRules';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import type { Services } from '../../../services/services';
import { worded } from '../logic/failures';
import { chooseFileSource, chooseTextSource } from './requestSources';
import { createMemory } from '../logic/remembered';
import { createPromptEditors } from './promptEditors';
import { makeRequests } from './requestsFlow';
import type { RequestSource } from './requestsFlow';
import { sourceFile } from './sourceFiles';
import { besideOf } from '../../../platform/workspace/writeTarget';
import { convertFlow, dropFlow, mergeFlow, sampleFlow, shuffleFlow, transformFlow, splitFlow } from './transformFlows';

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
