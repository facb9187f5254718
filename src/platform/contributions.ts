import * as vscode from 'vscode';
import type { JobSeverity } from '../core/batch/job/checkJob';
import type { CapabilitySetting } from '../core/capabilities/capabilitySetting';
import type { CommandId, Commands } from './commands';
import type { Report } from './errors/report';
import { UserError } from './errors/userError';

/** Settings by their name below `inferenceDesk.`, with their types as package.json promises them. */
export interface SettingTypes {
  /** Checked entry by entry where it is read. */
  readonly profiles: readonly unknown[];
  readonly 'network.stack': 'auto' | 'undici' | 'editor';
  /** A decimal amount as text; empty means never warn. */
  readonly 'account.lowBalance': string;
  readonly 'statusBar.show': boolean;
  /** 0: no limit. */
  readonly 'chat.messageLimit': number;
  /** 0: no limit. */
  readonly 'chat.maxToolRounds': number;
  /** Tokens, in and out together; 0 is no limit. */
  readonly 'chat.dailyTokenBudget': { readonly soft: number; readonly hard: number };
  /** Patterns of paths, and whether what fits is a batch file; the last that fits decides. */
  readonly 'batch.files': Readonly<Record<string, boolean>>;
  /** By a problem's code; what is not named weighs as usual. */
  readonly 'batch.severities': Readonly<Record<string, JobSeverity>>;
  readonly 'batch.lenses': boolean;
  /** Where the lines of a batch file show the answers of its last run. */
  readonly 'batch.answers': 'both' | 'hints' | 'lens' | 'off';
  /** An absolute path, or one that begins with `~`; empty: the storage of the extension. */
  readonly 'batch.resultsFolder': string;
  /** The most requests at once of a batch file that is run on this machine, 1 to 16. */
  readonly 'batch.localRequests': number;
  /** Where what is made is kept: a path below the workspace folder, an absolute one, or one that begins with `~`; empty: the storage of the extension. */
  readonly 'media.folder': string;
  /** Pictures ordered in a minute; 0 is no limit. */
  readonly 'images.perMinute': number;
  readonly 'ghostText.mode': 'off' | 'manual' | 'automatic';
  /** By language id or `*`, which is what holds for languages that are not named. */
  readonly 'ghostText.languages': Readonly<Record<string, boolean>>;
  /** Patterns of paths, and whether what fits is kept out; the last that fits decides. */
  readonly secretFiles: Readonly<Record<string, boolean>>;
  /** Empty: the default completion model. */
  readonly 'ghostText.model': string;
  readonly 'ghostText.maxTokens': number;
  readonly 'ghostText.waitMs': number;
  /** Characters. */
  readonly 'ghostText.maxFileSize': number;
  /** Tokens, in and out together, beside the budget of the profile; 0 is no limit. */
  readonly 'ghostText.dailyTokenBudget': number;
  /** Tokens that tools take by ranking and finding, in and out together, beside the budget of the profile; 0 is no limit. */
  readonly 'agentTools.dailyTokenBudget': number;
  /** What `findByMeaning` looks for places by, before they are ranked. */
  readonly 'findByMeaning.candidates': 'auto' | 'text' | 'embeddings';
  /** By a pattern of model ids; checked entry by entry where it is read. */
  readonly 'models.capabilities': CapabilitySetting;
  /** By the id of another extension: whether it may use the account. Those that are not named ask. */
  readonly extensionAccess: Readonly<Record<string, boolean>>;
  /** Pictures, videos and batches; 0 is no limit. */
  readonly 'mcp.dailyOrders': number;
  /** Whether the editor is offered the MCP server. */
  readonly 'mcp.enabled': boolean;
  /** What the menu on selected text offers; read by `when` clauses. */
  readonly selectionMenu: { readonly [Entry in 'show' | 'chat' | 'rerank' | 'complete' | 'batch']: boolean };
}

export type SettingName = keyof SettingTypes;

/** The defaults, equal to those of package.json. */
export const settingDefaults: SettingTypes = {
  profiles: [],
  'network.stack': 'auto',
  'account.lowBalance': '',
  'statusBar.show': true,
  'chat.messageLimit': 10,
  'chat.maxToolRounds': 25,
  'chat.dailyTokenBudget': { soft: 0, hard: 0 },
  'batch.files': {},
  'batch.severities': {},
  'batch.lenses': true,
  'batch.answers': 'both',
  'batch.resultsFolder': '',
  'batch.localRequests': 4,
  'media.folder': '',
  'images.perMinute': 2,
  'ghostText.mode': 'off',
  'ghostText.languages': { '*': true, plaintext: false, markdown: false, scminput: false, jsonl: false },
  /** A list too long to be loaded at start, so the editor is asked for it. Without it nothing is let in. */
  get secretFiles() {
    const found = vscode.workspace
      .getConfiguration('inferenceDesk')
      .inspect<SettingTypes['secretFiles']>('secretFiles');
    return found?.defaultValue ?? { '**': true };
  },
  'ghostText.model': '',
  'ghostText.maxTokens': 128,
  'ghostText.waitMs': 300,
  'ghostText.maxFileSize': 1_000_000,
  'ghostText.dailyTokenBudget': 0,
  'agentTools.dailyTokenBudget': 5_000_000,
  'findByMeaning.candidates': 'auto',
  'mcp.dailyOrders': 50,
  'mcp.enabled': false,
  'models.capabilities': {},
  extensionAccess: {},
  selectionMenu: { show: true, chat: true, rerank: true, complete: true, batch: true },
};

/** In the order they stand in the side bar. */
export const viewIds = [
  'inferenceDesk.chat',
  'inferenceDesk.models',
  'inferenceDesk.files',
  'inferenceDesk.batches',
  'inferenceDesk.media',
  'inferenceDesk.voices',
  'inferenceDesk.account',
] as const;

export type ViewId = (typeof viewIds)[number];

/** What a list has, or why it has nothing, for its welcome text. `failed`: for a reason that none of the others names. */
export type RowsState = 'loading' | 'rows' | 'empty' | 'badKey' | 'offline' | 'demoStopped' | 'notOffered' | 'failed';

/** Keys for `when` clauses. Unset until the extension started, so a clause names the value it waits for. */
export interface ContextKeys {
  /** `signedOut`: no profile, or the active one has no key. */
  readonly 'inferenceDesk.session': 'signedOut' | 'signedIn';
  /** What the Account view shows in place of rows; `rows` when it has rows. */
  readonly 'inferenceDesk.accountTrouble': 'rows' | 'badKey' | 'offline' | 'demoStopped' | 'failed';
  readonly 'inferenceDesk.demoRunning': boolean;
  /** An answer is coming in the place of the chat that was used last, in the side bar, in the tab that is the active editor. */
  readonly 'inferenceDesk.chatAnswering': boolean;
  readonly 'inferenceDesk.chatSideBarAnswering': boolean;
  readonly 'inferenceDesk.chatTabAnswering': boolean;
  readonly 'inferenceDesk.modelsFiltered': boolean;
  /** Models came or went since the last look. */
  readonly 'inferenceDesk.modelsChanged': boolean;
  readonly 'inferenceDesk.modelsRows': RowsState | 'noMatch';
  readonly 'inferenceDesk.filesRows': RowsState;
  readonly 'inferenceDesk.batchesRows': RowsState;
  readonly 'inferenceDesk.voicesRows': RowsState;
  /** Read from this machine. */
  readonly 'inferenceDesk.mediaRows': 'loading' | 'rows' | 'empty' | 'failed';
  /** The active editor shows a batch file. */
  readonly 'inferenceDesk.batchFile': boolean;
  readonly 'inferenceDesk.batchTrying': boolean;
  /** Scores of a ranking are shown beside a text. */
  readonly 'inferenceDesk.scoresShown': boolean;
  /** Of the batch file that is run by this window. */
  readonly 'inferenceDesk.batchLocal': 'none' | 'running' | 'paused';
  /** A completion is coming in this window. */
  readonly 'inferenceDesk.completing': boolean;
  /** Completions are asked for with the probabilities of their tokens, which are shown. */
  readonly 'inferenceDesk.completionTokens': boolean;
  /** The active editor holds a prompt that is written for a batch file. */
  readonly 'inferenceDesk.batchPrompt': boolean;
  /** What has happened in this window, for the steps of the walkthrough; the editor remembers those that are done. */
  readonly 'inferenceDesk.answerCame': true;
  readonly 'inferenceDesk.batchChecked': true;
  readonly 'inferenceDesk.rankingCame': true;
  readonly 'inferenceDesk.pictureSaved': true;
  /** Set once the walkthrough is there: the editor completes no step for what was so when it read the walkthrough. */
  readonly 'inferenceDesk.walkthroughShown': true;
}

/** Calls `restore` with each tab of this type that was open when the window was closed or reloaded, and with what its page had saved. */
export function restorePanels(
  viewType: `inferenceDesk.${string}`,
  restore: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: restore });
}

/** A failing handler is told to the person in words, with what to do next. */
export function registerCommand<Id extends CommandId>(
  { report }: { readonly report: Report },
  id: Id,
  handler: Commands[Id],
): vscode.Disposable {
  const run = handler as (...args: readonly unknown[]) => unknown;
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      refuseLostRow(args);
      return await run(...args);
    } catch (error) {
      await report(error);
      return undefined;
    }
  });
}

/**
 * A menu of a view hands over the row it was opened on and what is selected. While the editor reads the view anew it knows no row, and hands
 * over nothing twice. What a command does without a row, such as to take the file of the active tab, is not what was asked for then.
 */
function refuseLostRow(args: readonly unknown[]): void {
  if (args.length !== 2 || args.some((one) => one !== undefined && one !== null)) return;
  throw new UserError(
    vscode.l10n.t('Nothing was done'),
    vscode.l10n.t('The list was read anew at that moment. Choose it in the list again.'),
  );
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: Parameters<Commands[Id]>): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** The raw value; `onlyUser` leaves out what a workspace or folder says. Not checked: `platform/settings` does. */
export function readSetting(name: SettingName, { onlyUser }: { readonly onlyUser: boolean }): unknown {
  const configuration = vscode.workspace.getConfiguration('inferenceDesk');
  return onlyUser ? configuration.inspect(name)?.globalValue : configuration.get(name);
}

export async function setContext<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
