import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type * as vscode from 'vscode';
import { looksLikeBatch } from '../../../core/batch/detect';
import type { Recipe } from '../../../core/batch/making/recipe';
import { withConstants } from '../../../core/batch/making/rowSource';
import { findIdColumn } from '../../../core/batch/making/writeRequests';
import { writtenWayOf } from '../../../core/batch/writtenWay';
import type { Disposable } from '../../../platform/disposables';
import { sourceStoreOf } from '../../../services/batches/resultsRoot';
import { openTable } from '../../../services/batchFiles/openTable';
import { toRowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import type { RowsPrompt } from '../../../services/batchFiles/rowsPrompt';
import { createVirtualDocuments } from '../../../platform/virtualDocuments';
import { rulesOf } from '../../../core/profiles/vendorRules';
import type { Services } from '../../../services/services';
import { newBatchFile } from './exampleFlow';
import { worded } from './failures';
import { chooseFileSource, chooseTextSource } from './requestSources';
import { convertFlow } from './convertFlow';
import { createMemory } from '../logic/remembered';
import { createPromptEditors } from './promptEditors';
import { makeRequests } from './requestsFlow';
import type { RequestSource } from './requestsFlow';
import { sourceFile } from './sourceFiles';
import { besideOf } from '../../../platform/workspace/writeTarget';
import { dropFlow, mergeFlow, sampleFlow, shuffleFlow, transformFlow, splitFlow } from './transformFlows';

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
