import * as vscode from 'vscode';
import { readSetting, settingDefaults } from './contributions';
import type { JobSeverity } from '../core/batch/job/checkJob';
import type { SettingName, SettingTypes } from './contributions';
import type { Disposable } from './disposables';

/** The settings as declared in package.json: a value of the wrong type counts as not set. A number may be written as text. */
export interface Settings extends Disposable {
  get<Name extends SettingName>(name: Name): SettingTypes[Name];
  /** Whether the user set something that counts as not set. A limit must not be ignored for that. */
  isInvalid(name: SettingName): boolean;
  /** Writes the user's settings, never the workspace's. */
  set<Name extends SettingName>(name: Name, value: SettingTypes[Name]): Promise<void>;
  /** Fires with the name of each setting whose value may have changed. */
  readonly onDidChange: vscode.Event<SettingName>;
}

/**
 * Where keys are sent, how the network is reached and where files are written: read from the user's settings only, whatever a workspace
 * sets.
 */
const userOnly: ReadonlySet<SettingName> = new Set([
  'profiles',
  'network.stack',
  'network.responseTimeout',
  'account.lowBalance',
  'chat.dailyTokenBudget',
  'dailySpendingCap',
  'prices',
  'chat.maxToolRounds',
  'batch.resultsFolder',
  'images.perMinute',
  'ghostText.mode',
  'ghostText.model',
  'ghostText.maxTokens',
  'ghostText.waitMs',
  'ghostText.dailyTokenBudget',
  'agentTools.dailyTokenBudget',
  'mcp.dailyOrders',
  'mcp.enabled',
  'models.capabilities',
  'models.overrides',
  'extensionAccess',
]);

const checks: { readonly [Name in SettingName]: (value: unknown) => value is SettingTypes[Name] } = {
  profiles: (value) => Array.isArray(value),
  'network.stack': (value) => value === 'auto' || value === 'undici' || value === 'editor',
  'network.responseTimeout': (value): value is number => isCount(value) && value <= 86_400,
  'account.lowBalance': (value) => typeof value === 'string',
  'statusBar.show': (value) => typeof value === 'boolean',
  'chat.dailyTokenBudget': isTokenBudget,
  dailySpendingCap: (value): value is number => typeof value === 'number' && value >= 0,
  prices: (value): value is SettingTypes['prices'] => isObject(value) && !Array.isArray(value),
  'chat.messageLimit': isCount,
  'chat.maxToolRounds': isCount,
  'chat.instructions': (value) => typeof value === 'string',
  'chat.instructionFiles': (value) => typeof value === 'boolean',
  'batch.files': (value) => isRecordOf(value, isBoolean),
  'batch.severities': (value) => isRecordOf(value, isBatchSeverity),
  'batch.lenses': (value) => typeof value === 'boolean',
  'batch.answers': (value) => value === 'both' || value === 'hints' || value === 'lens' || value === 'off',
  'batch.resultsFolder': (value) => typeof value === 'string',
  'batch.enqueuedTokens': isCount,
  'batch.localRequests': (value): value is number => isCount(value) && value >= 1 && value <= 16,
  'media.folder': (value) => typeof value === 'string',
  'images.perMinute': (value): value is number => isCount(value) && value <= 1000,
  'ghostText.mode': (value) => value === 'off' || value === 'manual' || value === 'automatic',
  'ghostText.languages': (value) => isRecordOf(value, isBoolean),
  secretFiles: (value) => isRecordOf(value, isBoolean),
  'ghostText.model': (value) => typeof value === 'string',
  'ghostText.maxTokens': (value): value is number => isCount(value) && value >= 16 && value <= 2048,
  'ghostText.waitMs': (value): value is number => isCount(value) && value >= 300 && value <= 5000,
  'ghostText.maxFileSize': isCount,
  'ghostText.dailyTokenBudget': isCount,
  'agentTools.dailyTokenBudget': isCount,
  'findByMeaning.candidates': (value) => value === 'auto' || value === 'text' || value === 'embeddings',
  'models.capabilities': (value): value is SettingTypes['models.capabilities'] => isRecordOf(value, isObject),
  'models.overrides': (value): value is SettingTypes['models.overrides'] => isObject(value) && !Array.isArray(value),
  extensionAccess: (value) => isRecordOf(value, isBoolean),
  'mcp.dailyOrders': isCount,
  'mcp.enabled': isBoolean,
  selectionMenu: (value): value is SettingTypes['selectionMenu'] => isRecordOf(value, isBoolean),
};

const batchSeverities: readonly JobSeverity[] = ['error', 'warning', 'information', 'hint', 'off'];

function isBatchSeverity(value: unknown): value is JobSeverity {
  return (batchSeverities as readonly unknown[]).includes(value);
}

function isRecordOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is Readonly<Record<string, T>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isOne);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTokenBudget(value: unknown): value is SettingTypes['chat.dailyTokenBudget'] {
  if (typeof value !== 'object' || value === null) return false;
  const { soft, hard } = value as Readonly<Record<string, unknown>>;
  return [soft, hard].every((limit) => Number.isSafeInteger(limit) && Number(limit) >= 0);
}

export function createSettings(): Settings {
  const changed = new vscode.EventEmitter<SettingName>();
  const read = (name: SettingName): unknown => {
    const value = name === 'secretFiles' ? readSecretFiles() : readSetting(name, { onlyUser: userOnly.has(name) });
    return asEntered(value, settingDefaults[name]);
  };
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    for (const name of Object.keys(settingDefaults) as SettingName[]) {
      if (event.affectsConfiguration(`inferenceDesk.${name}`)) changed.fire(name);
    }
  });

  return {
    get(name) {
      const value = read(name);
      return checks[name](value) ? value : settingDefaults[name];
    },
    isInvalid(name) {
      const value = read(name);
      return value !== undefined && value !== null && !checks[name](value);
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

/** Reads a number entered as text, and an amount entered as a number. A limit missing from an object counts as none. */
function asEntered(value: unknown, usual: unknown): unknown {
  if (typeof usual === 'number' && typeof value === 'string') return numberIn(value);
  if (typeof usual === 'string' && typeof value === 'number') return String(value);
  if (!isTokenBudget(usual) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(usual).map((limit) => {
      const entered = Object.entries(value).find(([name]) => name === limit)?.[1] ?? 0;
      return [limit, typeof entered === 'string' ? numberIn(entered) : entered];
    }),
  );
}

/** Returns the text itself if it isn't a number. A comma is left alone: it separates decimals or thousands. */
function numberIn(text: string): unknown {
  const amount = /^\s*[$¥￥]?\s*(\d{1,15}(?:\.\d{1,15})?)\s*$/.exec(text)?.[1];
  return amount === undefined ? text : Number(amount);
}

/** Returns the user's patterns. A workspace can add to them, but cannot let in a file that they exclude. */
function readSecretFiles(): unknown {
  const found = vscode.workspace.getConfiguration('inferenceDesk').inspect<object>('secretFiles');
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = found ?? {};
  const added = Object.entries({ ...workspaceValue, ...workspaceFolderValue }).filter(
    ([, isSecret]) => isSecret === true,
  );
  return { ...defaultValue, ...globalValue, ...Object.fromEntries(added) };
}
