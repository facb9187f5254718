import * as vscode from 'vscode';
import { readSetting, settingDefaults } from './contributions';
import type { SettingName, SettingTypes } from './contributions';
import type { Disposable } from './disposables';

/** The settings as package.json promises them: a value of the wrong type counts as not set. */
export interface Settings extends Disposable {
  get<Name extends SettingName>(name: Name): SettingTypes[Name];
  /** Writes the user's settings, never the workspace's. */
  set<Name extends SettingName>(name: Name, value: SettingTypes[Name]): Promise<void>;
  /** Fires with the name of each setting whose value may have changed. */
  readonly onDidChange: vscode.Event<SettingName>;
}

/** Where keys go and how the network is reached: read from the user's settings alone, whatever a workspace says. */
const userOnly: ReadonlySet<SettingName> = new Set([
  'profiles',
  'network.stack',
  'account.lowBalance',
  'chat.dailyTokenBudget',
]);

const checks: { readonly [Name in SettingName]: (value: unknown) => value is SettingTypes[Name] } = {
  profiles: (value) => Array.isArray(value),
  'network.stack': (value) => value === 'auto' || value === 'undici' || value === 'editor',
  'account.lowBalance': (value) => typeof value === 'string',
  'statusBar.show': (value) => typeof value === 'boolean',
  'chat.dailyTokenBudget': isTokenBudget,
  'chat.messageLimit': (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
};

function isTokenBudget(value: unknown): value is SettingTypes['chat.dailyTokenBudget'] {
  if (typeof value !== 'object' || value === null) return false;
  const { soft, hard } = value as Readonly<Record<string, unknown>>;
  return [soft, hard].every((limit) => Number.isSafeInteger(limit) && Number(limit) >= 0);
}

export function createSettings(): Settings {
  const changed = new vscode.EventEmitter<SettingName>();
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    for (const name of Object.keys(settingDefaults) as SettingName[]) {
      if (event.affectsConfiguration(`inferenceDesk.${name}`)) changed.fire(name);
    }
  });

  return {
    get(name) {
      const value = readSetting(name, { onlyUser: userOnly.has(name) });
      return checks[name](value) ? value : settingDefaults[name];
    },
    async set(name, value) {
      await vscode.workspace.getConfiguration('inferenceDesk').update(name, value, vscode.ConfigurationTarget.Global);
    },
    onDidChange: changed.event,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}
