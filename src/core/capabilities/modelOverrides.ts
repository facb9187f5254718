import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { modelOptions, type ModelOptions } from '../api/modelOptions.schema';
import { foreign } from '../text/foreignText';
import { looksLikeKey } from '../profiles/apiKey';
import type { KnownCapabilities } from './capabilities';

/** The user's options for one model of an account, which take precedence over checked, listed, and learned ones. */
export interface ModelOverrides extends ModelOptions, KnownCapabilities {
  readonly jsonMode?: boolean | undefined;
  readonly logProbabilities?: boolean | undefined;
}

/** Overrides by account ID, then by model ID, as the setting has them. */
export type OverrideSetting = Readonly<Record<string, unknown>>;

type Check = (value: unknown) => string | undefined;

const isOf =
  (schema: z.ZodMiniType, text: () => string): Check =>
  (value) =>
    value !== undefined && schema.safeParse(value).success ? undefined : text();

const flag = isOf(z.boolean(), () => l10n.t('Enter true or false.'));
const tokens = (least: number) =>
  isOf(z.int().check(z.gte(least)), () => l10n.t('Enter a whole number of {0} or more.', least));

const mostChars = 20_000;

/** The check of each property. Returns a message about an invalid value, or `undefined` if it is valid. */
const checks: { readonly [Name in keyof Required<ModelOverrides>]: Check } = {
  endpoint: isOf(modelOptions.shape.endpoint, () => l10n.t('Enter "chatCompletions" or "messages".')),
  streams: flag,
  waitSeconds: isOf(modelOptions.shape.waitSeconds, () =>
    l10n.t('Enter a whole number of seconds up to {0}. 0 disables the limit.', 86_400),
  ),
  headers: headerProblem,
  body: bodyProblem,
  thinkingMarks: isOf(modelOptions.shape.thinkingMarks, () =>
    l10n.t('Enter an opening and a closing tag without spaces, such as <think> </think>.'),
  ),
  tools: flag,
  images: flag,
  jsonMode: flag,
  logProbabilities: flag,
  contextTokens: tokens(512),
  outputTokens: tokens(256),
  thinking: isOf(z.enum(['never', 'asked', 'always']), () => l10n.t('Enter "never", "asked", or "always".')),
};

export type OverrideName = keyof typeof checks;

/** Returns a message about an invalid value of a property, or `undefined` if it is valid. */
export function overrideProblem(name: string, value: unknown): string | undefined {
  return Object.hasOwn(checks, name)
    ? checks[name as OverrideName](value)
    : l10n.t('Expected one of these properties: {0}.', Object.keys(checks).join(', '));
}

export interface ReadOverrides {
  /** The valid ones. */
  readonly overrides: ModelOverrides;
  /** Messages about the other values. */
  readonly problems: readonly string[];
}

/** Returns what the setting says about a model of an account. */
export function readOverrides(setting: OverrideSetting, profileId: string, model: string): ReadOverrides {
  const ofAccount = own(setting, profileId);
  const raw = own(ofAccount, model);
  if (raw === undefined) return { overrides: {}, problems: [] };
  if (!isRecord(raw)) return { overrides: {}, problems: [l10n.t('Expected an object.')] };
  const checked = Object.entries(raw).map(([name, value]) => ({ name, value, problem: overrideProblem(name, value) }));
  return {
    overrides: Object.fromEntries(
      checked.flatMap(({ name, value, problem }) => (problem === undefined ? [[name, value]] : [])),
    ),
    problems: checked.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${foreign(name, 40)}: ${problem}`],
    ),
  };
}

/** Returns the setting with another value of a property, or without it. What is invalid elsewhere stays. */
export function withOverride(
  setting: OverrideSetting,
  { profileId, model }: { readonly profileId: string; readonly model: string },
  name: OverrideName,
  value: unknown,
): OverrideSetting {
  const ofAccount = own(setting, profileId);
  const raw = own(ofAccount, model);
  const { [name]: _before, ...others } = isRecord(raw) ? raw : {};
  const next = value === undefined ? others : { ...others, [name]: value };
  return replaced(setting, profileId, replaced(isRecord(ofAccount) ? ofAccount : {}, model, next));
}

/** Without the name if its value is empty. */
function replaced(record: OverrideSetting, name: string, value: OverrideSetting): OverrideSetting {
  const others = Object.entries(record).filter(([one]) => one !== name);
  return Object.fromEntries(Object.keys(value).length === 0 ? others : [...others, [name, value]]);
}

/** Headers that the client or its network stack sets. */
const setHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'anthropic-version',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const secretName =
  /(^|-)(auth\w*|(access|id|bearer|session)?token|secret|cookies?|passw(or)?d|credentials?|signature)($|-)|api-?key|-key$/i;

function headerProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return l10n.t('Enter a JSON object, such as {0}.', '{"X-Route": "blue"}');
  for (const [name, text] of Object.entries(value)) {
    const shown = foreign(name, 40);
    if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)) return l10n.t("{0} isn't a valid header name.", shown);
    if (setHeaders.has(name.toLowerCase())) return l10n.t('{0} is set automatically.', shown);
    if (typeof text !== 'string' || !/^[\t\x20-\x7e]{0,2000}$/.test(text))
      return l10n.t('The value of {0} can contain only printable ASCII characters.', shown);
    if (secretName.test(name) || looksLikeKey(text))
      return l10n.t("Settings are unencrypted, so {0} can't contain a key.", shown);
  }
  return sizeProblem(value);
}

/** The essential properties of a request. */
const setProperties: ReadonlySet<string> = new Set(['model', 'messages', 'prompt', 'stream', 'system', 'tools']);

function bodyProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return l10n.t('Enter a JSON object, such as {0}.', '{"top_n_sigma": 1}');
  const taken = Object.keys(value).find((name) => setProperties.has(name));
  return taken === undefined ? sizeProblem(value) : l10n.t('{0} is set automatically.', taken);
}

function sizeProblem(value: object): string | undefined {
  return JSON.stringify(value).length > mostChars ? l10n.t('The maximum is {0} characters.', mostChars) : undefined;
}

function own(record: unknown, name: string): unknown {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is OverrideSetting {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
