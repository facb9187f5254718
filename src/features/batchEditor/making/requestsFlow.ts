import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChatWay } from '../../../core/api/chat/chatWays';
import type { LeftOutFile } from '../../../core/batch/making/fileRows';
import { MakingError } from '../../../core/batch/making/makingError';
import { compileRecipe, type Recipe } from '../../../core/batch/making/recipe';
import type { RowSource } from '../../../core/batch/making/rowSource';
import type { Row } from '../../../core/batch/making/template';
import { firstLines, writeRequests } from '../../../core/batch/making/writeRequests';
import { isExpectedColumn } from '../../../core/batch/results/expected';
import { SourceRowsWriter } from '../../../core/batch/results/sourceRows';
import { templateWords } from '../../../core/batch/words/makingWords';
import { chooseModel } from '../../../core/catalogue/jobs';
import { findPlaceholders } from '../../../core/prompts/placeholders';
import { numberText, shortened } from '../../../platform/displayText';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { columnsText } from '../logic/columnsText';
import { fromOneLine, toOneLine } from '../logic/promptText';
import { complaint } from '../logic/failures';
import type { PromptEditors } from './promptEditors';
import { askRecipe } from './recipeStep';
import type { Memory } from '../logic/remembered';
import { type Target, chooseTarget, freePath } from '../../../platform/workspace/writeTarget';
import { showWritten, withWriting } from '../../../platform/workspace/written';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import { listText } from '../../../protocol/formats';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';
import { askPick, type StepResult, askText, type PickItem } from '../../../platform/quickInput';
import { compileTemplate } from '../../../core/batch/making/template';

/** The source of the requests, and their initial settings. */
export interface RequestSource {
  /** Key under which the custom_id pattern is remembered. */
  readonly kind: 'rows' | 'files' | 'lines' | 'paragraphs';
  readonly name: string;
  readonly rows: RowSource;
  readonly customId: string;
  /** Whether `customId` is a column of the source, which then takes precedence over the pattern used last. */
  readonly hasOwnIds?: boolean;
  /** The table whose columns are stored for the results. */
  readonly table?: string;
  readonly suggested: string;
  /** Omitted files. Filled while rows are read. */
  readonly leftOut: Map<string, LeftOutFile>;
  /** The recipe, if it was already written elsewhere. */
  readonly recipe?: Omit<Recipe, 'customId'>;
}

export interface FlowServices {
  readonly memory: Memory;
  readonly previews: VirtualDocuments;
  readonly editors: PromptEditors;
  readonly catalogue: CatalogueState;
  /** How requests are written for the active account's service. */
  readonly way: ChatWay;
  /** The folder in which the columns of tables are stored. */
  readonly sourceStore: string;
}

const previewedLines = 3;

/** Turns a source into an open batch file, in steps: prompt, recipe, preview of the first requests, target file. */
export async function makeRequests(source: RequestSource, services: FlowServices): Promise<void> {
  const { memory, catalogue, previews, editors } = services;
  const { columns } = source.rows;
  const title = l10n.t('New Batch File from {0}', source.name);
  let recipe = firstRecipe(source, services);
  let isWritten = source.recipe !== undefined;
  for (;;) {
    if (!isWritten) {
      const prompt = await askPrompt({ title, columns, value: recipe.prompt, memory, editors, canGoBack: false });
      if (prompt.kind !== 'value') return;
      memory.addPrompt(prompt.value);
      recipe = { ...recipe, prompt: prompt.value };
    }
    isWritten = false;
    for (;;) {
      const recipeAnswer = await askRecipe(recipe, { title, columns, catalogue });
      if (recipeAnswer.kind === 'cancelled') return;
      if (recipeAnswer.kind === 'back') break;
      recipe = recipeAnswer.value;
      const { system, customId } = recipe;
      const isOwn = source.hasOwnIds === true && customId === source.customId;
      memory.set({ system, ...(!isOwn && { customIds: { ...memory.get().customIds, [source.kind]: customId } }) });
      const lines = await firstLines(source.rows, compileRecipe(recipe, columns, services.way), previewedLines);
      const answer = await askWrite({ title, lines, suggested: source.suggested, previews });
      if (answer.kind === 'cancelled') return;
      if (answer.kind === 'value') return write(source, recipe, { ...answer.value, ...services });
    }
  }
}

/** The values used last, as far as they fit these columns. */
function firstRecipe(source: RequestSource, { memory, catalogue }: FlowServices): Recipe {
  const { system, customIds } = memory.get();
  const { columns } = source.rows;
  const plain: Recipe = {
    prompt: `{{${promptColumn(columns, source) ?? ''}}}`,
    system: '',
    model: chooseModel('chat', catalogue) ?? '',
    customId: source.customId,
  };
  const fits = (recipe: Recipe) => complaint(() => compileRecipe(recipe, columns)) === undefined;
  const known = { ...plain, customId: source.hasOwnIds ? plain.customId : (customIds[source.kind] ?? plain.customId) };
  const named = fits(known) ? known : plain;
  if (source.recipe) return { ...named, ...source.recipe, model: source.recipe.model || named.model };
  return fits({ ...named, system }) ? { ...named, system } : named;
}

/** The first column that is neither the ids nor an expected answer. */
function promptColumn(columns: readonly string[], { hasOwnIds, customId }: RequestSource): string | undefined {
  const isPrompt = (name: string) => !(hasOwnIds && customId === `{{${name}}}`) && !isExpectedColumn(name);
  return columns.find(isPrompt) ?? columns[0];
}

async function write(
  source: RequestSource,
  recipe: Recipe,
  { way, sourceStore, target, replace }: Target & FlowServices,
): Promise<void> {
  const make = compileRecipe(recipe, source.rows.columns, way);
  source.leftOut.clear();
  const title = l10n.t('Writing {0}', foreign(path.basename(target)));
  const { columns } = source.rows;
  const stored =
    source.table === undefined ? undefined : await SourceRowsWriter.begin(sourceStore, randomUUID(), columns);
  const onRow = stored && { onRow: (id: string, row: Row) => stored.add(id, row) };
  const { bytes, requests, sha256 } = await withWriting(title, source.rows.bytes, (options) =>
    writeRequests(source.rows, make, { ...options, ...onRow, target, replace }),
  ).catch(async (error: unknown) => {
    await stored?.discard();
    throw error;
  });
  const used = [...findPlaceholders(`${recipe.prompt}\n${recipe.system}`)].map(({ name }) => name);
  await stored?.end({
    source: source.table ?? '',
    path: target,
    sha256,
    used: columns.filter((name) => used.includes(name)),
  });
  await showWritten(target, bytes);
  if (source.leftOut.size > 0) tellLeftOut(requests, [...source.leftOut.values()]);
}

/** Files beyond this number are only counted. */
const namedFiles = 5;

function tellLeftOut(requests: number, files: readonly LeftOutFile[]): void {
  const names = files.slice(0, namedFiles).map(({ name, why }) => `${name} (${why})`);
  const list = listText([...names, files.length > namedFiles ? '…' : ''], vscode.env.language);
  const count = (value: number) => numberText(value, vscode.env.language);
  void showMessage(
    'warning',
    l10n.t('Requests created: {0}. Some files were skipped ({1}): {2}.', count(requests), count(files.length), list),
  );
}

interface PreviewStep {
  readonly title: string;
  readonly lines: readonly string[];
  readonly suggested: string;
  readonly previews: VirtualDocuments;
}

/** Previews the first lines and asks where to write the file. Back returns to the recipe. Closes the preview at the end. */
async function askWrite({ title, lines, suggested, previews }: PreviewStep): Promise<StepResult<Target>> {
  const free = await freePath(suggested);
  const uri = previews.add(l10n.t('First requests of {0}', foreign(path.basename(free))), `${lines.join('\n')}\n`);
  await showBelow(uri);
  try {
    for (;;) {
      const answer = await askPick<'free' | 'other' | 'change' | 'cancel'>({
        title,
        placeholder: l10n.t('Create the file with these requests?'),
        canGoBack: true,
        items: [
          {
            label: l10n.t('Create File'),
            description: path.basename(free),
            detail: path.dirname(free),
            iconPath: new vscode.ThemeIcon('save'),
            value: 'free',
          },
          { label: l10n.t('Save As…'), iconPath: new vscode.ThemeIcon('save-as'), value: 'other' },
          { label: l10n.t('Change…'), iconPath: new vscode.ThemeIcon('edit'), value: 'change' },
          { label: l10n.t('Cancel'), iconPath: new vscode.ThemeIcon('close'), value: 'cancel' },
        ],
      });
      if (answer.kind !== 'value') return answer;
      if (answer.value === 'change') return { kind: 'back' };
      if (answer.value === 'cancel') return { kind: 'cancelled' };
      if (answer.value === 'free') return { kind: 'value', value: { target: free, replace: false } };
      const chosen = await chooseTarget(title, free);
      if (chosen) return { kind: 'value', value: chosen };
    }
  } finally {
    await closeTab(uri);
  }
}

/** Opens in a group below, where the quick pick at the top does not cover it. Long request lines are wrapped. */
async function showBelow(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.newGroupBelow');
  // Not by the API for documents, which keeps them, and with them their problems, for minutes after their tab is closed.
  await vscode.commands.executeCommand('vscode.open', uri, { viewColumn: vscode.ViewColumn.Active, preview: true });
  const scope = { uri, languageId: 'jsonl' };
  const wrapping = vscode.workspace.getConfiguration('editor', scope).get<string>('wordWrap');
  if (wrapping === 'off') await vscode.commands.executeCommand('editor.action.toggleWordWrap');
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}

interface PromptStep {
  readonly title: string;
  readonly columns: readonly string[];
  /** The initial text of the input box. */
  readonly value: string;
  readonly memory: Memory;
  readonly editors: PromptEditors;
  readonly canGoBack: boolean;
}

type Choice = 'type' | 'write' | 'file' | { readonly prompt: string };

/** Asks for a prompt: typed, used before, the text of the active editor, or from a file. */
async function askPrompt(step: PromptStep): Promise<StepResult<string>> {
  for (;;) {
    const { title, columns, canGoBack } = step;
    const placeholder = l10n.t('Select a prompt. Available columns: {0}', columnsText(columns));
    const chosen = await askPick<Choice>({ title, placeholder, canGoBack, canFilter: true, items: choices(step) });
    if (chosen.kind !== 'value') return chosen;
    const answer = await take(chosen.value, step);
    if (answer.kind !== 'back') return answer;
  }
}

function choices({ columns, memory }: PromptStep): readonly PickItem<Choice>[] {
  const fits = (prompt: string) => complaint(() => compileTemplate(prompt, columns)) === undefined;
  const used = memory.get().prompts.filter(fits);
  const editor = vscode.window.activeTextEditor?.document;
  const text = editor && editor.languageId !== 'jsonl' && editor.lineCount < 1000 ? editor.getText() : '';
  const isPrompt = text.includes('{{') && fits(text);
  return [
    { label: l10n.t('Enter Prompt…'), iconPath: new vscode.ThemeIcon('edit'), value: 'type' },
    {
      label: l10n.t('Open Prompt in Editor…'),
      description: l10n.t('multiple lines, with a list of columns'),
      iconPath: new vscode.ThemeIcon('output'),
      value: 'write',
    },
    { label: l10n.t('Choose Prompt File…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'file' },
    ...(editor && isPrompt
      ? [
          {
            label: l10n.t('Text of {0}', foreign(path.posix.basename(editor.uri.path))),
            detail: shortened(toOneLine(text), 90),
            iconPath: new vscode.ThemeIcon('file'),
            value: { prompt: text.trim() },
          },
        ]
      : []),
    ...(used.length > 0 ? [{ label: l10n.t('Recently used'), kind: vscode.QuickPickItemKind.Separator }] : []),
    ...used.map((prompt) => ({
      label: shortened(toOneLine(prompt), 90),
      iconPath: new vscode.ThemeIcon('history'),
      value: { prompt },
    })),
  ];
}

async function take(choice: Choice, step: PromptStep): Promise<StepResult<string>> {
  if (choice === 'type') return typePrompt(step, step.memory.get().draft || toOneLine(step.value));
  if (choice === 'write') return writePrompt(step, fromOneLine(step.memory.get().draft) || step.value);
  if (choice === 'file') return promptOfFile(step);
  return { kind: 'value', value: choice.prompt };
}

async function typePrompt({ title, columns, memory }: PromptStep, value: string): Promise<StepResult<string>> {
  const typed = await askText({
    title,
    prompt: l10n.t('Columns: {0}. Line break: \\n.', columnsText(columns)),
    value,
    canGoBack: true,
    onTyped: (draft) => memory.set({ draft }),
    check: (text) => {
      if (text.trim() === '') return l10n.t('Enter a prompt.');
      return complaint(() => compileTemplate(fromOneLine(text), columns));
    },
  });
  return typed.kind === 'value' ? { kind: 'value', value: fromOneLine(typed.value) } : typed;
}

/** The flow waits while the prompt is written. Closing its document cancels the flow; the draft is offered the next time. */
async function writePrompt({ columns, memory, editors }: PromptStep, text: string): Promise<StepResult<string>> {
  const prompt = await editors.write({
    text,
    columns,
    check: (written) => {
      if (written === '') throw new MakingError(templateWords.noPrompt());
      compileTemplate(written, columns);
    },
    onTyped: (written) => memory.set({ draft: toOneLine(written) }),
  });
  return prompt === undefined ? { kind: 'cancelled' } : { kind: 'value', value: prompt };
}

/** A prompt that does not fit the columns is opened in an editor, so that the user can fix it there. */
async function promptOfFile(step: PromptStep): Promise<StepResult<string>> {
  const [uri] = (await vscode.window.showOpenDialog({ title: step.title })) ?? [];
  if (!uri) return { kind: 'back' };
  const prompt = (await readFile(uri.fsPath, 'utf8')).trim();
  const fits = prompt !== '' && complaint(() => compileTemplate(prompt, step.columns)) === undefined;
  return fits ? { kind: 'value', value: prompt } : writePrompt(step, prompt);
}
