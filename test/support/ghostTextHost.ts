import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { GhostProvider } from '../../src/features/ghostText/ghostProvider';
import { createSnooze, createSwitches } from '../../src/features/ghostText/switches';
import { Suggester } from '../../src/features/ghostText/logic/suggester';
import { settingDefaults } from '../../src/platform/contributions';
import type { SettingTypes } from '../../src/platform/contributions';
import type { Settings } from '../../src/platform/settings';
import type { Services } from '../../src/services/services';
import { createOwnMeter } from './ownMeter';

export type GhostSettings = { -readonly [Name in keyof SettingTypes]?: SettingTypes[Name] };

/** Returns a storage like VS Code's, separate for this test. */
export function createMemento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? values.get(key) : fallback) as T,
    update: async (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
  };
}

/** Creates inline suggestions like a window's, with the test's own settings and storage. */
export function createGhostTextHost(
  services: Services,
  changes: GhostSettings,
  options: { readonly limitMs?: number } = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'ghost-'));
  const settings: Settings = {
    ...services.settings,
    get: (name) => changes[name] ?? settingDefaults[name],
    set: async (name, value) => void (changes[name] = value),
  };
  const memento = createMemento();
  const context = { ...services.context, workspaceState: memento, globalStorageUri: vscode.Uri.file(folder) };
  const reported: unknown[] = [];
  const own = { ...services, settings, context: context as vscode.ExtensionContext };
  const { usage, connections } = createOwnMeter(own);
  const parts = {
    ...own,
    usage: async () => usage,
    connections,
    report: async (error: unknown) => void reported.push(error),
  };
  const snooze = createSnooze(memento);
  const switches = createSwitches(parts, snooze);
  const newSuggester = () => new Suggester(parts, () => undefined, options.limitMs);
  const suggester = newSuggester();
  const offered: number[] = [];
  const provider = new GhostProvider(parts, switches, suggester);
  provider.onDidSuggest(() => offered.push(1));
  return {
    folder,
    settings,
    context,
    changes,
    usage,
    snooze,
    switches,
    provider,
    suggester,
    newSuggester,
    subject: () => provider.subject(),
    offered,
    reported,
    /** Returns the suggestions at a position, automatically by default, or on the user's request. */
    async at(
      document: vscode.TextDocument,
      position: vscode.Position,
      {
        isInvoked = true,
        token = new vscode.CancellationTokenSource().token,
        chosen,
      }: {
        readonly isInvoked?: boolean;
        readonly token?: vscode.CancellationToken;
        readonly chosen?: vscode.SelectedCompletionInfo;
      } = {},
    ): Promise<readonly vscode.InlineCompletionItem[]> {
      const { Invoke, Automatic } = vscode.InlineCompletionTriggerKind;
      const asked = { triggerKind: isInvoked ? Invoke : Automatic, selectedCompletionInfo: chosen };
      const found = await provider.provideInlineCompletionItems(document, position, asked, token);
      return found ?? [];
    },
    /** Usage might still be on its way to disk. */
    async dispose() {
      snooze.dispose();
      provider.dispose();
      connections.dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Creates a document from text, in which a bar marks the position. */
export async function documentAt(
  text: string,
  language = 'typescript',
): Promise<{ readonly document: vscode.TextDocument; readonly position: vscode.Position }> {
  const at = text.indexOf('|');
  const document = await vscode.workspace.openTextDocument({ language, content: text.replace('|', '') });
  return { document, position: document.positionAt(at) };
}

/** Returns the inserted text, if it is plain. */
export function textOf(item: vscode.InlineCompletionItem | undefined): string {
  return typeof item?.insertText === 'string' ? item.insertText : '';
}
