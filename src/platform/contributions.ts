import * as vscode from 'vscode';
import type { Report } from './reportError';

/**
 * Every command of package.json and what it takes. A command of a tree's row gets the row, one of the palette gets nothing,
 * so what comes in is checked by the handler.
 */
export interface Commands {
  /** Resolves to whether a profile with a key is active now. */
  'inferenceDesk.signIn': () => Promise<boolean>;
  'inferenceDesk.signOut': (profileId?: unknown) => Promise<void>;
  'inferenceDesk.switchProfile': (profileId?: unknown) => Promise<void>;
  'inferenceDesk.renameProfile': (profileId?: unknown) => Promise<void>;
  'inferenceDesk.changeBaseUrl': (profileId?: unknown) => Promise<void>;
  'inferenceDesk.removeProfile': (profileId?: unknown) => Promise<void>;
  'inferenceDesk.manageKey': (profileId?: unknown) => Promise<void>;
  /** Starts the demo service, makes its profile active, asks nothing. */
  'inferenceDesk.demo.start': () => Promise<void>;
  'inferenceDesk.demo.stop': () => Promise<void>;
  'inferenceDesk.showLog': () => void;
  /** Without an id the person picks one of the last exchanges. */
  'inferenceDesk.showExchange': (exchangeId?: unknown) => Promise<void>;
  'inferenceDesk.refreshAccount': () => Promise<void>;
  /** What a click on the status bar item offers. */
  'inferenceDesk.showMenu': () => Promise<void>;
  'inferenceDesk.copyValue': (row?: unknown) => Promise<void>;
  'inferenceDesk.chat.open': () => Promise<void>;
  'inferenceDesk.chat.new': () => Promise<void>;
  'inferenceDesk.chat.stop': () => Promise<void>;
  'inferenceDesk.chat.export': () => Promise<void>;
  'inferenceDesk.chat.addBatchLine': () => Promise<void>;
  /** Of the diff whose address the editor's title hands over, else of the active one. */
  'inferenceDesk.chat.applyReplacement': (proposal?: unknown) => Promise<void>;
  'inferenceDesk.chat.discardReplacement': (proposal?: unknown) => Promise<void>;
  'inferenceDesk.chat.conversations': () => Promise<void>;
  'inferenceDesk.chat.attach': () => Promise<void>;
  'inferenceDesk.chat.attachSelection': () => Promise<void>;
  /** A menu hands over the file it was opened on, and all that are selected; without them it is the open file. */
  'inferenceDesk.chat.attachFile': (file?: unknown, files?: unknown) => Promise<void>;
  'inferenceDesk.models.refresh': () => Promise<void>;
  'inferenceDesk.models.filter': () => Promise<void>;
  'inferenceDesk.models.clearFilter': () => Promise<void>;
  'inferenceDesk.models.search': () => Promise<void>;
  'inferenceDesk.models.markSeen': () => Promise<void>;
  'inferenceDesk.models.copyId': (row?: unknown) => Promise<void>;
  'inferenceDesk.models.insertId': (row?: unknown) => Promise<void>;
  'inferenceDesk.models.setDefault': (row?: unknown) => Promise<void>;
  'inferenceDesk.models.pin': (row?: unknown) => Promise<void>;
  'inferenceDesk.models.unpin': (row?: unknown) => Promise<void>;
  'inferenceDesk.files.refresh': () => Promise<void>;
  'inferenceDesk.files.showMore': () => Promise<void>;
  'inferenceDesk.files.copyId': (row?: unknown) => Promise<void>;
  'inferenceDesk.batches.refresh': () => Promise<void>;
  'inferenceDesk.batches.showMore': () => Promise<void>;
  'inferenceDesk.batches.copyId': (row?: unknown) => Promise<void>;
  'inferenceDesk.batches.copyInput': (row?: unknown) => Promise<void>;
  'inferenceDesk.batches.copyOutput': (row?: unknown) => Promise<void>;
  'inferenceDesk.batches.copyErrors': (row?: unknown) => Promise<void>;
  'inferenceDesk.voices.refresh': () => Promise<void>;
  'inferenceDesk.voices.copyUri': (row?: unknown) => Promise<void>;
  'inferenceDesk.voices.insertUri': (row?: unknown) => Promise<void>;
}

export type CommandId = keyof Commands;

const commandTable: { readonly [Id in CommandId]: null } = {
  'inferenceDesk.signIn': null,
  'inferenceDesk.signOut': null,
  'inferenceDesk.switchProfile': null,
  'inferenceDesk.renameProfile': null,
  'inferenceDesk.changeBaseUrl': null,
  'inferenceDesk.removeProfile': null,
  'inferenceDesk.manageKey': null,
  'inferenceDesk.demo.start': null,
  'inferenceDesk.demo.stop': null,
  'inferenceDesk.showLog': null,
  'inferenceDesk.showExchange': null,
  'inferenceDesk.refreshAccount': null,
  'inferenceDesk.showMenu': null,
  'inferenceDesk.copyValue': null,
  'inferenceDesk.chat.open': null,
  'inferenceDesk.chat.new': null,
  'inferenceDesk.chat.stop': null,
  'inferenceDesk.chat.export': null,
  'inferenceDesk.chat.addBatchLine': null,
  'inferenceDesk.chat.applyReplacement': null,
  'inferenceDesk.chat.discardReplacement': null,
  'inferenceDesk.chat.conversations': null,
  'inferenceDesk.chat.attach': null,
  'inferenceDesk.chat.attachSelection': null,
  'inferenceDesk.chat.attachFile': null,
  'inferenceDesk.models.refresh': null,
  'inferenceDesk.models.filter': null,
  'inferenceDesk.models.clearFilter': null,
  'inferenceDesk.models.search': null,
  'inferenceDesk.models.markSeen': null,
  'inferenceDesk.models.copyId': null,
  'inferenceDesk.models.insertId': null,
  'inferenceDesk.models.setDefault': null,
  'inferenceDesk.models.pin': null,
  'inferenceDesk.models.unpin': null,
  'inferenceDesk.files.refresh': null,
  'inferenceDesk.files.showMore': null,
  'inferenceDesk.files.copyId': null,
  'inferenceDesk.batches.refresh': null,
  'inferenceDesk.batches.showMore': null,
  'inferenceDesk.batches.copyId': null,
  'inferenceDesk.batches.copyInput': null,
  'inferenceDesk.batches.copyOutput': null,
  'inferenceDesk.batches.copyErrors': null,
  'inferenceDesk.voices.refresh': null,
  'inferenceDesk.voices.copyUri': null,
  'inferenceDesk.voices.insertUri': null,
};

/** For the test that holds package.json and this file together. */
export const commandIds: readonly string[] = Object.keys(commandTable);

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
  /** Tokens, in and out together; 0 is no limit. */
  readonly 'chat.dailyTokenBudget': { readonly soft: number; readonly hard: number };
}

export type SettingName = keyof SettingTypes;

/** The defaults, equal to those of package.json. */
export const settingDefaults: SettingTypes = {
  profiles: [],
  'network.stack': 'auto',
  'account.lowBalance': '',
  'statusBar.show': true,
  'chat.messageLimit': 10,
  'chat.dailyTokenBudget': { soft: 0, hard: 0 },
};

/** In the order they stand in the side bar. */
export const viewIds = [
  'inferenceDesk.chat',
  'inferenceDesk.models',
  'inferenceDesk.files',
  'inferenceDesk.batches',
  'inferenceDesk.voices',
  'inferenceDesk.account',
] as const;

export type ViewId = (typeof viewIds)[number];

/** What a list has, or why it has nothing, for its welcome text. */
export type RowsState = 'loading' | 'rows' | 'empty' | 'failed' | 'notOffered';

/** Keys for `when` clauses. Unset until the extension started, so a clause names the value it waits for. */
export interface ContextKeys {
  /** `signedOut`: no profile, or the active one has no key. */
  readonly 'inferenceDesk.session': 'signedOut' | 'signedIn';
  /** What the Account view shows in place of rows; `rows` when it has rows. */
  readonly 'inferenceDesk.accountTrouble': 'rows' | 'badKey' | 'offline' | 'failed';
  readonly 'inferenceDesk.demoRunning': boolean;
  /** An answer is coming in this window's conversation. */
  readonly 'inferenceDesk.chatAnswering': boolean;
  readonly 'inferenceDesk.modelsFiltered': boolean;
  /** Models came or went since the last look. */
  readonly 'inferenceDesk.modelsChanged': boolean;
  readonly 'inferenceDesk.modelsRows': RowsState | 'noMatch';
  readonly 'inferenceDesk.filesRows': RowsState;
  readonly 'inferenceDesk.batchesRows': RowsState;
  readonly 'inferenceDesk.voicesRows': RowsState;
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
      return await run(...args);
    } catch (error) {
      await report(error);
      return undefined;
    }
  });
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
