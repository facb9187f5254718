import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, resolve } from 'node:path';
import { isObject } from '../../core/api/isObject';
import { longestPrices } from '../../core/prices/prices';
import { cleanKey } from '../../core/profiles/apiKey';
import type { KeyProblem } from '../../core/profiles/apiKey';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import type { BaseUrlProblem } from '../../core/profiles/baseUrl';
import { type KeyHeader, knownServiceOf } from '../../core/profiles/knownServices';
import { readSecretFiles } from '../../core/workspace/ownSecretFiles';
import { isBelow } from '../../core/workspace/isBelow';

export interface McpEnvironment {
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Empty for a service that is used without one. */
  readonly apiKey: string;
  /** The header for the key, if it isn't the one that the URL implies. */
  readonly keyHeader?: KeyHeader;
  /** Absolute path of the only folder whose files are used. Absent if not configured. */
  readonly folder?: string;
  /** Absolute path the server was started in; absent if that is the file system root or contains the home directory. */
  readonly startedIn?: string;
  /** Absolute path of the job records for this service. */
  readonly state: string;
  /** The editor's storage and the ID of the account there. Set by the editor, so that its windows have the jobs of this server too. */
  readonly editor?: { readonly storage: string; readonly profileId: string };
  /** Absolute path of the daily token counts, possibly shared with other processes. */
  readonly usage: string;
  /** Tokens per day; once used up, no request that costs tokens is sent. 0 disables the limit. */
  readonly dailyTokens: number;
  /** Money per day, in the currency of the account; once spent, nothing that costs money is sent. 0 disables the limit. */
  readonly dailySpending: number;
  /** Model prices by a pattern of their IDs, as in the setting `inferenceDesk.prices`. Each entry is validated where it is read. */
  readonly prices: Readonly<Record<string, unknown>>;
  /** Absolute path of the file with today's spending according to the balance. Can be shared with VS Code. */
  readonly spending: string;
  /** Absolute path of the daily counts of what tools use, counted in addition to `usage`. May be shared with the editor's tools. */
  readonly toolUsage: string;
  /** Maximum number of tokens per day for tools. Once they are used, rerank requests aren't sent. 0 disables the limit. */
  readonly toolTokens: number;
  /** Images, videos and batches that may be started per day. 0 disables the limit. */
  readonly dailyRequests: number;
  /** Glob patterns of files to exclude, in addition to the default ones. */
  readonly secretFiles: readonly string[];
}

/** High enough for anyone working with an agent, low enough to stop an agent that loops. */
const defaultDailyRequests = 50;
const usualToolTokens = 5_000_000;

/** Explains to the user who configured the server why it cannot start. Never contains the key. */
export class BadEnvironment extends Error {}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly workingFolder: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws `BadEnvironment` if a required variable is missing or invalid. */
export function readEnvironment(
  variables: Variables,
  { platform, home, workingFolder }: Machine = {
    platform: process.platform,
    home: homedir(),
    workingFolder: process.cwd(),
  },
): McpEnvironment {
  const allowHttp = isOn('INFERENCE_DESK_ALLOW_HTTP', variables);
  const address = normaliseBaseUrl(variables['INFERENCE_DESK_BASE_URL'] ?? '', { allowHttp });
  if (!address.ok) throw new BadEnvironment(`INFERENCE_DESK_BASE_URL: ${addressWords[address.problem]}`);
  const apiKey = keyIn(variables, address.baseUrl);
  const keyHeader = keyHeaderIn(variables);
  const folder = folderOf('INFERENCE_DESK_FOLDER', variables, home);
  const states = folderOf('INFERENCE_DESK_STATE', variables, home) ?? stateFolder(variables, platform, home);
  const state = join(states, serviceName(address.origin));
  const storage = folderOf('INFERENCE_DESK_EDITOR_STORAGE', variables, home);
  const profileId = variables['INFERENCE_DESK_EDITOR_ACCOUNT'];
  const working = realPath(workingFolder);
  const isOpenEnded = working === parse(working).root || isBelow(working, realPath(home));
  return {
    baseUrl: address.baseUrl,
    apiKey,
    ...(keyHeader !== undefined && { keyHeader }),
    ...(folder !== undefined && { folder }),
    ...(!isOpenEnded && { startedIn: workingFolder }),
    state,
    ...(storage !== undefined && profileId !== undefined && { editor: { storage, profileId } }),
    usage: folderOf('INFERENCE_DESK_USAGE', variables, home) ?? join(state, 'usage'),
    dailyTokens: countOf('INFERENCE_DESK_DAILY_TOKENS', variables) ?? 0,
    dailySpending: amountIn('INFERENCE_DESK_DAILY_SPENDING', variables) ?? 0,
    prices: pricesIn('INFERENCE_DESK_PRICES', variables),
    spending: folderOf('INFERENCE_DESK_SPENDING', variables, home) ?? join(state, 'spending.json'),
    toolUsage: folderOf('INFERENCE_DESK_TOOL_USAGE', variables, home) ?? join(state, 'toolUsage', 'own'),
    toolTokens: countOf('INFERENCE_DESK_TOOL_TOKENS', variables) ?? usualToolTokens,
    dailyRequests: countOf('INFERENCE_DESK_DAILY_ORDERS', variables) ?? defaultDailyRequests,
    secretFiles: patternsOf('INFERENCE_DESK_SECRET_FILES', variables),
  };
}

const addressWords: Readonly<Record<BaseUrlProblem, string>> = {
  empty: 'Missing. Set the service URL, such as https://api.example.com/v1.',
  key: 'This is a key. Enter a URL.',
  notAnAddress: 'Invalid URL. For example: https://api.example.com/v1',
  scheme: 'Only https and http URLs are supported.',
  plainHttp: 'http is only allowed on this machine and in private networks. Use https.',
  privateHttp:
    'Anyone on a private network can read requests over http. To allow this, set INFERENCE_DESK_ALLOW_HTTP to 1.',
  credentials: 'Remove the user name and password. Set the key in INFERENCE_DESK_API_KEY.',
  query: 'Remove everything from the ? or # onward.',
};

const keyWords: Readonly<Record<KeyProblem, string>> = {
  empty: 'Missing. Set the API key, or an empty value for a service without keys.',
  address: 'This is a URL. Enter a key.',
  whiteSpace: 'Copy only the key, without spaces or line breaks.',
  control: 'Control character in the key. Copy it again.',
  nonAscii: 'Invalid or invisible character in the key. Copy it again.',
  tooLong: 'Too long. Copy only the key.',
};

/** An empty variable says that there is no key. A missing one does so only if the service never requires a key. */
function keyIn(variables: Variables, baseUrl: string): string {
  const value = variables['INFERENCE_DESK_API_KEY'];
  const cleaned = cleanKey(value ?? '');
  if (cleaned.ok) return cleaned.key;
  const need = knownServiceOf(baseUrl)?.key ?? 'optional';
  const isKeyless = need === 'none' || (need === 'optional' && value !== undefined);
  if (cleaned.problem === 'empty' && isKeyless) return '';
  throw new BadEnvironment(`INFERENCE_DESK_API_KEY: ${keyWords[cleaned.problem]}`);
}

function keyHeaderIn(variables: Variables): KeyHeader | undefined {
  const value = variables['INFERENCE_DESK_KEY_HEADER']?.trim().toLowerCase() ?? '';
  if (value === '' || value === 'bearer' || value === 'x-api-key') return value === '' ? undefined : value;
  throw new BadEnvironment('INFERENCE_DESK_KEY_HEADER must be bearer or x-api-key.');
}

function isOn(name: string, variables: Variables): boolean {
  return /^(1|true|yes)$/i.test(variables[name]?.trim() ?? '');
}

/** Returns the path with links resolved, or the absolute path as it is if it does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function folderOf(name: string, variables: Variables, home: string): string | undefined {
  const value = variables[name]?.trim().replace(/^~(?=$|[/\\])/, home) ?? '';
  if (value === '') return undefined;
  if (!isAbsolute(value)) throw new BadEnvironment(`${name} must be an absolute path.`);
  return resolve(value);
}

function amountIn(name: string, variables: Variables): number | undefined {
  const value = variables[name]?.trim() ?? '';
  if (value === '') return undefined;
  if (!/^\d{1,15}(?:\.\d{1,15})?$/.test(value)) throw new BadEnvironment(`${name} must be an amount, such as 2.50.`);
  return Number(value);
}

function pricesIn(name: string, variables: Variables): Readonly<Record<string, unknown>> {
  const value = variables[name]?.trim() ?? '';
  if (value === '') return {};
  const prices = value.length <= longestPrices ? readObject(value) : undefined;
  if (prices) return prices;
  throw new BadEnvironment(`${name} must be a JSON object of prices with up to 16,000 characters.`);
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) && !Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function countOf(name: string, variables: Variables): number | undefined {
  const value = variables[name]?.trim() ?? '';
  if (value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new BadEnvironment(`${name} must be a whole number.`);
}

function patternsOf(name: string, variables: Variables): readonly string[] {
  const value = variables[name]?.trim() ?? '';
  const patterns = value === '' ? [] : readSecretFiles(value);
  if (patterns) return patterns;
  throw new BadEnvironment(`${name} must be a JSON array of patterns with up to 16,000 characters.`);
}

/** Returns where programs on this platform store persistent state. */
function stateFolder(variables: Variables, platform: Machine['platform'], home: string): string {
  const name = 'inference-desk-mcp';
  if (platform === 'win32') return join(variables['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), name);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  const named = variables['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(home, '.local', 'state'), name);
}

/** Returns the service's folder name: jobs of one service are never queried from another. */
function serviceName(origin: string): string {
  const { hostname } = new URL(origin);
  // Without the port: services on this machine come back on other ports.
  return hostname.replaceAll(/[^\w.-]/g, '_');
}
