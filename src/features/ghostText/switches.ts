import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';

/** Documents a user types in: not our diffs, output or settings. */
export const ghostSelector: readonly vscode.DocumentFilter[] = [
  { scheme: 'file' },
  { scheme: 'untitled' },
  { scheme: 'vscode-notebook-cell' },
];

/** Why there is currently no ghost text in a document. */
export type GhostObstacle =
  | { readonly kind: 'restricted' | 'excluded' | 'file' | 'tooLarge' | 'editor' }
  | { readonly kind: 'language'; readonly languageId: string }
  /** Unix milliseconds; `Infinity`: until the window reloads. */
  | { readonly kind: 'snoozed'; readonly until: number };

const offFilesKey = 'ghostText.offFiles';
/** Beyond this, the oldest files are dropped. */
const mostFiles = 200;

/** Exceptions that turn inline suggestions off although they are enabled. */
export interface GhostSwitches {
  obstacle(document: vscode.TextDocument): GhostObstacle | undefined;
  isLanguageOn(languageId: string): boolean;
  toggleLanguage(languageId: string): Promise<void>;
  isFileOn(uri: vscode.Uri): boolean;
  /** Saved with the workspace. */
  toggleFile(uri: vscode.Uri): Promise<void>;
}

export function createSwitches(
  { context: { workspaceState: memento }, settings }: Services,
  snooze: Snooze,
  isTrusted = () => vscode.workspace.isTrusted,
): GhostSwitches {
  const real = new WeakMap<vscode.TextDocument, string>();
  // Cached, because it is needed at each keystroke and slow to create.
  let check = { key: '', isNamed: (_path: string) => false };
  /** Whether the file might contain secrets, by its name and by that of a link's target. */
  const isSecret = (document: vscode.TextDocument) => {
    const path = real.get(document) ?? realPath(document.uri);
    real.set(document, path);
    const patterns = settings.get('secretFiles');
    const key = JSON.stringify(patterns);
    if (check.key !== key) check = { key, isNamed: createSecretCheck(patterns) };
    const within = vscode.workspace.asRelativePath(document.uri, false);
    return [document.uri.path, within, path].some(check.isNamed);
  };
  const offFiles = () => memento.get<readonly string[]>(offFilesKey, []);
  const isFileOn = (uri: vscode.Uri) => !offFiles().includes(uri.toString());
  const isLanguageOn = (languageId: string) => {
    const languages = settings.get('ghostText.languages');
    return languages[languageId] ?? languages['*'] ?? true;
  };
  return {
    obstacle(document) {
      if (!isTrusted()) return { kind: 'restricted' };
      if (isSecret(document)) return { kind: 'excluded' };
      if (snooze.until !== undefined) return { kind: 'snoozed', until: snooze.until };
      if (!isFileOn(document.uri)) return { kind: 'file' };
      const { languageId } = document;
      if (!isLanguageOn(languageId)) return { kind: 'language', languageId };
      if (lengthOf(document) > settings.get('ghostText.maxFileSize')) return { kind: 'tooLarge' };
      return isShownBy(document) ? undefined : { kind: 'editor' };
    },
    isLanguageOn,
    async toggleLanguage(languageId) {
      const languages = settings.get('ghostText.languages');
      await settings.set('ghostText.languages', { ...languages, [languageId]: !isLanguageOn(languageId) });
    },
    isFileOn,
    async toggleFile(uri) {
      const others = offFiles().filter((file) => file !== uri.toString());
      const files = isFileOn(uri) ? [...others.slice(1 - mostFiles), uri.toString()] : others;
      await memento.update(offFilesKey, files);
    },
  };
}

function realPath({ scheme, fsPath, path }: vscode.Uri): string {
  if (scheme !== 'file') return path;
  try {
    return realpathSync.native(fsPath).split(sep).join('/');
  } catch {
    return path;
  }
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}

/** The editor shows no ghost text from anyone if its own setting is off. */
function isShownBy({ uri, languageId }: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration('editor', { uri, languageId }).get('inlineSuggest.enabled', true);
}

const snoozeKey = 'ghostText.snoozedUntil';
/** The limit of timers in the editor. A longer one is not set. */
const longestTimerMs = 2 ** 31 - 1;

/** A pause requested by a user. One with an end survives a reload of the window. */
export interface Snooze extends Disposable {
  /** Unix milliseconds; `Infinity`: until the window reloads. `undefined`: not snoozed. */
  readonly until: number | undefined;
  start(minutes: number): Promise<void>;
  end(): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export function createSnooze(memento: vscode.Memento, now: () => number = Date.now): Snooze {
  const changed = new vscode.EventEmitter<void>();
  let until = memento.get<number>(snoozeKey, 0);
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    clearTimeout(timer);
    const left = until - now();
    if (left <= 0 || left > longestTimerMs) return;
    timer = setTimeout(() => changed.fire(), left);
  };
  const set = async (value: number) => {
    until = value;
    arm();
    changed.fire();
    await memento.update(snoozeKey, Number.isFinite(value) && value > 0 ? value : undefined);
  };
  arm();
  return {
    get until() {
      return until > now() ? until : undefined;
    },
    start: (minutes) => set(now() + minutes * 60_000),
    end: () => set(0),
    onDidChange: changed.event,
    dispose() {
      clearTimeout(timer);
      changed.dispose();
    },
  };
}
