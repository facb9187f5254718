import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { fillPrompt, providedPlaceholders } from '../../core/prompts/fillPrompt';
import { splitPrompt } from '../../core/prompts/frontMatter';
import { foreign } from '../../core/text/foreignText';
import { decodeText } from '../../core/workspace/decodeText';
import { UserError } from '../../platform/errors/userError';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { filesBelow } from '../../platform/workspace/workspaceFiles';
import type { Handlers } from '../../protocol/call';
import type { ChatScreen } from '../../protocol/chat';
import type { Offer } from '../../protocol/chatOffers';
import { foldText } from '../../protocol/formats';
import { OfferIds, type RequestedAttachment } from './attachments/offers';
import { checkTrust, nameOf } from './attachments/readAttachment';
import type { ChatLocation } from './locations/chatLocation';

/** A prompt for a usual task: the text that replaces the command, and what is attached to the question if it exists. */
interface TaskPrompt {
  readonly name: string;
  readonly detail: string;
  readonly text: string;
  readonly attach: 'code' | 'codeAndProblems' | 'changes';
}

const taskPrompts = (): readonly TaskPrompt[] => [
  {
    name: 'explain',
    detail: l10n.t('Explain the selection or open file'),
    text: l10n.t('Explain how this code works and which edge cases it handles.'),
    attach: 'code',
  },
  {
    name: 'fix',
    detail: l10n.t('Fix problems in the selection or open file'),
    text: l10n.t('Fix the problems in this code. Return the complete code in one block, then explain the changes.'),
    attach: 'codeAndProblems',
  },
  {
    name: 'tests',
    detail: l10n.t('Add tests for the selection or open file'),
    text: l10n.t(
      "Write tests for this code with the project's test framework. Cover the edge cases. Put the path of the test file on the line above its code block.",
    ),
    attach: 'code',
  },
  {
    name: 'edit',
    detail: l10n.t('Change the selection or open file'),
    text: `${l10n.t('Change this code as follows, and return the changed code in one block:')}\n`,
    attach: 'code',
  },
  {
    name: 'docs',
    detail: l10n.t('Document the selection or open file'),
    text: l10n.t("Add documentation comments to this code. Don't change the code itself."),
    attach: 'code',
  },
  {
    name: 'review',
    detail: l10n.t('Review your changes'),
    text: l10n.t('Review these changes. List bugs, risks, and unclear code with line numbers, most important first.'),
    attach: 'changes',
  },
  {
    name: 'commit',
    detail: l10n.t('Commit message for your changes'),
    text: l10n.t(
      'Write a commit message for these changes, with an imperative subject of up to 72 characters and a body that gives the reason.',
    ),
    attach: 'changes',
  },
];

type ConversationCommand = 'new' | 'compact' | 'compare' | 'history' | 'export' | 'savePrompt' | 'batch';

const conversationCommands = (): readonly {
  readonly id: ConversationCommand;
  readonly name: string;
  readonly detail: string;
}[] => [
  { id: 'new', name: 'new', detail: l10n.t('Start a new conversation') },
  { id: 'compact', name: 'compact', detail: l10n.t('Replace earlier turns with a summary') },
  { id: 'compare', name: 'compare', detail: l10n.t('Compare models') },
  { id: 'history', name: 'history', detail: l10n.t('Show earlier conversations') },
  { id: 'export', name: 'export', detail: l10n.t('Export the conversation') },
  { id: 'savePrompt', name: 'save-prompt', detail: l10n.t('Save the question as a prompt file') },
  { id: 'batch', name: 'batch', detail: l10n.t('Add the conversation to a batch file') },
];

type Command =
  | { readonly kind: 'task'; readonly task: TaskPrompt }
  | { readonly kind: 'promptFile'; readonly uri: vscode.Uri }
  | { readonly kind: 'command'; readonly id: ConversationCommand };

/** Our prompt files, and those of VS Code's own chat. */
const promptFileGlob = '**/{*.desk.md,*.prompt.md}';
const mostPromptFiles = 50;
const mostPromptBytes = 400_000;

/** A task that a command or a quick fix puts into the question box. `problem` is the one to fix. */
export interface RequestedTask {
  readonly name: 'explain' | 'fix' | 'tests' | 'edit';
  readonly problem?: { readonly line: number; readonly message: string };
}

/** Attaches the selection or the open file, adds the prompt to what is typed in the question box, and shows the chat. */
export async function composeTask(location: ChatLocation, { name, problem }: RequestedTask): Promise<void> {
  const task = taskPrompts().find((one) => one.name === name);
  if (!task) throw new Error(`No task "${name}".`);
  checkTrust();
  await attachFor(location, task.attach);
  const { session, page, runtime } = location;
  const named = problem && l10n.t('Fix this problem in line {0}: {1}', String(problem.line), problem.message);
  const prompt = [...(named === undefined ? [] : [named]), task.text].join('\n');
  const { draft } = await session.snapshot();
  await session.setDraft([...(draft.trim() === '' ? [] : [draft.trimEnd()]), prompt].join('\n\n'));
  await page.tellChanged();
  await runtime.locations.reveal(location);
}

/** Handlers for the list of commands after `/`. */
export function commandHandlers(location: ChatLocation) {
  const ids = new OfferIds<Command>();
  /** Read when the list opens, and not again while its name is typed. */
  let files: ReturnType<typeof promptFiles> | undefined;
  return {
    'chat/commands': async ({ query }) => {
      if (query === '') files = undefined;
      files ??= promptFiles();
      const found = ranked(allCommands(await files), query);
      return { offers: found.map(({ command, ...shown }): Offer => ({ id: ids.add(command), ...shown })) };
    },
    'chat/takeCommand': async ({ id }) => {
      const command = ids.get(id);
      if (!command)
        throw new UserError(l10n.t('The command is no longer available'), l10n.t('Type / to list the commands again.'));
      if (command.kind === 'command') return runConversationCommand(location, command.id);
      if (command.kind === 'promptFile') return { text: await readPromptText(location, command.uri) };
      await attachFor(location, command.task.attach);
      return { text: command.task.text };
    },
  } satisfies Partial<Handlers<ChatScreen>>;
}

/** A row of the list, and what it runs. */
interface ListedCommand extends Omit<Offer, 'id'> {
  readonly command: Command;
}

function allCommands(files: readonly vscode.Uri[]): readonly ListedCommand[] {
  return [
    ...files.map((uri): ListedCommand => ({
      kind: 'promptFile',
      group: l10n.t('Prompt files in this workspace'),
      name: promptName(uri),
      detail: nameOf(uri),
      command: { kind: 'promptFile', uri },
    })),
    ...taskPrompts().map((task): ListedCommand => ({
      kind: 'task',
      group: l10n.t('Code'),
      name: task.name,
      detail: task.detail,
      command: { kind: 'task', task },
    })),
    ...conversationCommands().map(({ id, name, detail }): ListedCommand => ({
      kind: 'command',
      group: l10n.t('Conversation'),
      name,
      detail,
      command: { kind: 'command', id },
    })),
  ];
}

/** In their groups, that of the best match first: those whose name starts with the query, then those that contain it. */
function ranked(commands: readonly ListedCommand[], query: string): readonly ListedCommand[] {
  const folded = foldText(query);
  const starts = commands.filter(({ name }) => foldText(name).startsWith(folded));
  const contains = commands.filter(
    (one) => !starts.includes(one) && foldText(`${one.name} ${one.detail}`).includes(folded),
  );
  const all = [...starts, ...contains].slice(0, 40);
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups.flatMap((group) => all.filter((one) => one.group === group));
}

const promptName = (uri: vscode.Uri): string => posix.basename(uri.path).replace(/\.(?:desk|prompt)\.md$/, '');

/** None in Restricted Mode, in which nothing of the workspace is read. */
async function promptFiles(): Promise<readonly vscode.Uri[]> {
  if (!vscode.workspace.isTrusted) return [];
  const perFolder = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) =>
      (await filesBelow(uri, { glob: promptFileGlob })).map((path) => vscode.Uri.joinPath(uri, path)),
    ),
  );
  return perFolder.flat().slice(0, mostPromptFiles);
}

/** Returns the prompt's text with VS Code's values and the defaults of its variables. Other placeholders remain. */
async function readPromptText({ runtime }: ChatLocation, uri: vscode.Uri): Promise<string> {
  checkTrust();
  const { services, lastEditor } = runtime;
  const guard = await WorkspaceGuard.open(services.settings);
  const bytes = await guard.read(uri, mostPromptBytes);
  const text = bytes === 'tooLarge' || 'refusal' in bytes ? undefined : decodeText(bytes);
  if (text === undefined) {
    throw new UserError(
      l10n.t("Couldn't read {0}", foreign(nameOf(uri))),
      l10n.t('The file is missing, too large, or not text.'),
    );
  }
  if (!uri.path.endsWith('.desk.md')) return text.slice(splitPrompt(text).text).trim();
  const { readPrompt } = await import('../../core/prompts/readPrompt');
  const { prompt } = readPrompt(text);
  const editor = lastEditor.current();
  const provided = new Map(
    providedPlaceholders(prompt).flatMap((name) => {
      if (!editor) return [];
      const { document, selection } = editor;
      const values = {
        selection: document.getText(selection),
        file: document.getText(),
        path: nameOf(document.uri),
        language: document.languageId,
      };
      return values[name] === '' ? [] : [[name, values[name]] as const];
    }),
  );
  return fillPrompt(prompt, provided).text;
}

/** Attaches what the task is about, unless the user has attached something or there is nothing of the kind. */
async function attachFor({ attachments, runtime }: ChatLocation, attach: TaskPrompt['attach']): Promise<void> {
  await attachments.ready();
  const { tray } = attachments;
  if (attach === 'changes') return attachments.add({ from: 'changes' });
  const editor = runtime.lastEditor.current();
  if (!editor) return;
  const requested: RequestedAttachment[] = [];
  if (tray.chips.every(({ kind }) => kind === 'problems' || kind === 'changes'))
    requested.push({ from: editor.selection.isEmpty ? 'openFile' : 'selection' });
  const hasProblems = vscode.languages.getDiagnostics(editor.document.uri).length > 0;
  if (attach === 'codeAndProblems' && hasProblems && tray.chips.every(({ kind }) => kind !== 'problems'))
    requested.push({ from: 'problems' });
  for (const one of requested) await attachments.add(one);
}

async function runConversationCommand(
  location: ChatLocation,
  id: ConversationCommand,
): Promise<{ readonly opens?: 'compare' }> {
  switch (id) {
    case 'new':
      await location.startNew();
      return {};
    case 'compact':
      await location.compact();
      return {};
    case 'compare':
      return { opens: 'compare' };
    case 'history':
      await location.runtime.locations.reveal(location, 'chat/showConversations');
      return {};
    case 'export':
      await location.exportConversation();
      return {};
    case 'savePrompt':
      await location.savePrompt();
      return {};
    case 'batch':
      await location.addBatchLine();
      return {};
  }
}
