import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JobSeverity } from '../core/batch/job/checkJob';
import type { CapabilitySetting } from '../core/capabilities/capabilities';
import type { OverrideSetting } from '../core/capabilities/modelOverrides';
import { needsRow, type CommandId, type Commands } from './commands';
import type { EntryPoints } from './entryPoints';
import type { Report } from './errors/report';
import { UserError } from './errors/userError';

/** Settings by their name below `inferenceDesk.`, with their types as declared in package.json. */
export interface SettingTypes {
  /** Each entry is validated where it is read. */
  readonly profiles: readonly unknown[];
  readonly 'network.stack': 'auto' | 'undici' | 'editor';
  /** Seconds until the first byte of a response; 0 for no limit. */
  readonly 'network.responseTimeout': number;
  /** A decimal amount as text; empty to never warn. */
  readonly 'account.lowBalance': string;
  readonly 'statusBar.show': boolean;
  /** 0 for no limit. */
  readonly 'chat.messageLimit': number;
  /** 0 for no limit. */
  readonly 'chat.maxToolRounds': number;
  /** Sent as system text with each request of the chat. */
  readonly 'chat.instructions': string;
  /** Whether the workspace's files with instructions are sent too. */
  readonly 'chat.instructionFiles': boolean;
  /** Tokens, input plus output; 0 for no limit. */
  readonly 'chat.dailyTokenBudget': { readonly soft: number; readonly hard: number };
  /** Money per day and account; 0 for no cap. */
  readonly dailySpendingCap: number;
  /** By model pattern. Each entry is validated where it is read. */
  readonly prices: Readonly<Record<string, unknown>>;
  /** Path patterns, and whether a matching file is a batch file; the last match decides. */
  readonly 'batch.files': Readonly<Record<string, boolean>>;
  /** By problem code; codes that are not listed have their default severity. */
  readonly 'batch.severities': Readonly<Record<string, JobSeverity>>;
  readonly 'batch.lenses': boolean;
  /** Where the lines of a batch file show the answers of its last run. */
  readonly 'batch.answers': 'both' | 'hints' | 'lens' | 'off';
  /** An absolute path, or one that begins with `~`; empty for the extension's storage. */
  readonly 'batch.resultsFolder': string;
  /** Maximum concurrent requests of a batch file that is run on this machine, 1 to 16. */
  readonly 'batch.enqueuedTokens': number;
  readonly 'batch.localRequests': number;
  /**
   * Where generated files are saved: a path below the workspace folder, an absolute one, or one that begins with `~`. Empty for the
   * extension's storage.
   */
  readonly 'media.folder': string;
  /** Maximum images requested per minute; 0 for no limit. */
  readonly 'images.perMinute': number;
  readonly 'ghostText.mode': 'off' | 'manual' | 'automatic';
  /** By language id; `*` applies to languages that are not listed. */
  readonly 'ghostText.languages': Readonly<Record<string, boolean>>;
  /** Path patterns, and whether a matching file is excluded; the last match decides. */
  readonly secretFiles: Readonly<Record<string, boolean>>;
  /** Empty for the default completion model. */
  readonly 'ghostText.model': string;
  readonly 'ghostText.maxTokens': number;
  readonly 'ghostText.waitMs': number;
  /** In characters. */
  readonly 'ghostText.maxFileSize': number;
  /** Tokens, input plus output, in addition to the budget of the profile; 0 for no limit. */
  readonly 'ghostText.dailyTokenBudget': number;
  /** Tokens that tools use for ranking and searching, input plus output, in addition to the budget of the profile; 0 for no limit. */
  readonly 'agentTools.dailyTokenBudget': number;
  /** How `findByMeaning` finds candidates before they are ranked. */
  readonly 'findByMeaning.candidates': 'auto' | 'text' | 'embeddings';
  /** By pattern of model IDs. Each entry is validated where it is read. */
  readonly 'models.capabilities': CapabilitySetting;
  /** By account ID and model ID. Each entry is validated where it is read. */
  readonly 'models.overrides': OverrideSetting;
  /** By ID of another extension: whether it can use the account. Extensions that aren't listed must ask. */
  readonly extensionAccess: Readonly<Record<string, boolean>>;
  /** Images, videos and batches; 0 for no limit. */
  readonly 'mcp.dailyOrders': number;
  /** Whether the MCP server is offered to the editor. */
  readonly 'mcp.enabled': boolean;
  /** The entries of the menu on selected text; read by `when` clauses. */
  readonly selectionMenu: { readonly [Entry in 'show' | 'chat' | 'rerank' | 'complete' | 'batch']: boolean };
}

export type SettingName = keyof SettingTypes;

/** The defaults, equal to those of package.json. */
export const settingDefaults: SettingTypes = {
  profiles: [],
  'network.stack': 'auto',
  'network.responseTimeout': 300,
  'account.lowBalance': '',
  'statusBar.show': true,
  'chat.messageLimit': 10,
  'chat.maxToolRounds': 25,
  'chat.instructions': '',
  'chat.instructionFiles': true,
  'chat.dailyTokenBudget': { soft: 0, hard: 0 },
  dailySpendingCap: 0,
  prices: {},
  'batch.files': {},
  'batch.severities': {},
  'batch.lenses': true,
  'batch.answers': 'both',
  'batch.resultsFolder': '',
  'batch.enqueuedTokens': 0,
  'batch.localRequests': 4,
  'media.folder': '',
  'images.perMinute': 2,
  'ghostText.mode': 'off',
  'ghostText.languages': { '*': true, plaintext: false, markdown: false, scminput: false, jsonl: false },
  /** Too long a list to load at startup, so it is read from the editor. If it is missing, no file is let in. */
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
  'models.overrides': {},
  extensionAccess: {},
  selectionMenu: { show: true, chat: true, rerank: true, complete: true, batch: true },
};

/** In the order of the side bar. */
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

/** What a list contains, or why it is empty, for its welcome text. For any other reason it has rows with the next steps. */
export type RowsState = 'loading' | 'rows' | 'empty' | 'badKey' | 'offline' | 'demoStopped' | 'notOffered';

/** Keys for `when` clauses. Unset until the extension has started, so a clause must name the value it requires. */
export interface ContextKeys {
  /** `signedOut`: no profile, or the active one has no key. */
  readonly 'inferenceDesk.session': 'signedOut' | 'signedIn';
  /** There are accounts, signed in or not. */
  readonly 'inferenceDesk.hasAccounts': boolean;
  /** What the Account view shows instead of rows. `rows` if it has rows. */
  readonly 'inferenceDesk.accountTrouble': 'rows' | 'signedOut' | 'badKey' | 'offline' | 'demoStopped';
  readonly 'inferenceDesk.demoRunning': boolean;
  /** An answer is in progress: in the chat location used last, in the side bar, and in the tab that is the active editor. */
  readonly 'inferenceDesk.chatAnswering': boolean;
  /** Changes of answers to files wait to be kept or undone. */
  readonly 'inferenceDesk.chatEdits': boolean;
  readonly 'inferenceDesk.modelsFiltered': boolean;
  /** Models were added or removed since the user last looked. */
  readonly 'inferenceDesk.modelsChanged': boolean;
  readonly 'inferenceDesk.modelsRows': RowsState | 'noMatch';
  readonly 'inferenceDesk.filesRows': RowsState;
  readonly 'inferenceDesk.batchesRows': RowsState;
  readonly 'inferenceDesk.voicesRows': RowsState;
  /** The list is read from this machine. */
  readonly 'inferenceDesk.mediaRows': 'loading' | 'rows' | 'empty' | 'failed';
  /** Features that the active account's service is known, or was found, not to offer. */
  readonly 'inferenceDesk.noBatches': boolean;
  readonly 'inferenceDesk.noRerank': boolean;
  readonly 'inferenceDesk.noImages': boolean;
  readonly 'inferenceDesk.noVideos': boolean;
  readonly 'inferenceDesk.noVoices': boolean;
  readonly 'inferenceDesk.noTranscription': boolean;
  readonly 'inferenceDesk.noBalance': boolean;
  /** The active editor shows a batch file. */
  readonly 'inferenceDesk.batchFile': boolean;
  readonly 'inferenceDesk.batchTrying': boolean;
  /** Scores of a ranking are shown next to a text. */
  readonly 'inferenceDesk.scoresShown': boolean;
  /** State of the batch file that this window runs. */
  readonly 'inferenceDesk.batchLocal': 'none' | 'running' | 'paused';
  /** A completion is in progress in this window. */
  readonly 'inferenceDesk.completing': boolean;
  /** Completions are requested with token probabilities, which are shown. */
  readonly 'inferenceDesk.completionTokens': boolean;
  /** The active editor contains a prompt written for a batch file. */
  readonly 'inferenceDesk.batchPrompt': boolean;
  /** Events of this window for the steps of the walkthrough. VS Code remembers completed steps. */
  readonly 'inferenceDesk.answerCame': true;
  readonly 'inferenceDesk.batchChecked': true;
  readonly 'inferenceDesk.rankingCame': true;
  readonly 'inferenceDesk.pictureSaved': true;
  /**
   * Set once the walkthrough is shown: the editor does not complete a step whose condition was already true when it read the walkthrough.
   */
  readonly 'inferenceDesk.walkthroughShown': true;
}

/** Calls `restore` with each tab of this type that was open when the window was closed or reloaded, and with what its page had saved. */
export function restorePanels(
  viewType: `inferenceDesk.${string}`,
  restore: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: restore });
}

/** Sets the handler of a command; if it fails, the user gets a localized message with the next steps. */
export function registerCommand<Id extends CommandId>(
  { entryPoints, report }: { readonly entryPoints: EntryPoints; readonly report: Report },
  id: Id,
  handler: Commands[Id],
): vscode.Disposable {
  const run = handler as (...args: readonly unknown[]) => unknown;
  return entryPoints.handle(`command:${id}`, async (...args: readonly unknown[]) => {
    try {
      if (needsRow(id)) refuseLostRow(args);
      return await run(...args);
    } catch (error) {
      await report(error);
      return undefined;
    }
  });
}

/**
 * Throws if the menu of a row lost it. Such a menu passes the row it was opened on and the selection. While VS Code reloads the view, it
 * knows no row and passes only empty arguments. The effect of a command without a row, such as using the file of the active tab, isn't what
 * was requested then. The palette passes no arguments.
 */
function refuseLostRow(args: readonly unknown[]): void {
  if (args.length === 0 || args.flat().some((one) => one !== undefined && one !== null)) return;
  throw new UserError(l10n.t("Couldn't find the item in the list"), l10n.t('The list was reloaded. Choose again.'));
}

/**
 * Returns the title of a command in VS Code's language, without an ellipsis, for texts that suggest the command. Read from the manifest, so
 * that such texts stay up to date.
 */
export function commandTitle(id: CommandId): string {
  const manifest: unknown = vscode.extensions.getExtension('inference-desk.inference-desk')?.packageJSON;
  const { contributes } = manifest as { readonly contributes: { readonly commands: readonly DeclaredCommand[] } };
  const title = contributes.commands.find(({ command }) => command === id)?.title ?? id;
  return (typeof title === 'string' ? title : title.value).replace(/…$/, '');
}

interface DeclaredCommand {
  readonly command: string;
  /** An object where VS Code translated it. */
  readonly title: string | { readonly value: string };
}

export async function runCommand<Id extends CommandId>(id: Id, ...args: Parameters<Commands[Id]>): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** Returns the raw value; `onlyUser` ignores workspace and folder settings. Not validated: `platform/settings` does that. */
export function readSetting(name: SettingName, { onlyUser }: { readonly onlyUser: boolean }): unknown {
  const configuration = vscode.workspace.getConfiguration('inferenceDesk');
  return onlyUser ? configuration.inspect(name)?.globalValue : configuration.get(name);
}

export async function setContext<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
