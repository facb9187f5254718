/** `asked`: the model thinks if the request says so. `always`: thinking cannot be turned off. */
type Thinking = 'never' | 'asked' | 'always';

/** The inputs and outputs of a chat model. */
export interface Capabilities {
  readonly tools: boolean;
  readonly images: boolean;
  /** Tokens of the prompt and the answer together. */
  readonly contextTokens: number;
  /** The most tokens of an answer. */
  readonly outputTokens: number;
  readonly thinking: Thinking;
}

/** The data of one source. The next source fills in the rest. */
export type KnownCapabilities = { readonly [Name in keyof Capabilities]?: Capabilities[Name] | undefined };

/** The user's statements about models, by id pattern; of several matching patterns, the last that states a value wins. */
export type CapabilitySetting = Readonly<Record<string, KnownCapabilities>>;

const thinkings: readonly Thinking[] = ['never', 'asked', 'always'];

const checks: { readonly [Name in keyof Capabilities]: (value: unknown) => boolean } = {
  tools: (value) => typeof value === 'boolean',
  images: (value) => typeof value === 'boolean',
  contextTokens: isTokens,
  outputTokens: isTokens,
  thinking: (value) => (thinkings as readonly unknown[]).includes(value),
};

function isTokens(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Returns only the valid entries of a stored value. */
export function readKnownCapabilities(raw: unknown): KnownCapabilities {
  if (typeof raw !== 'object' || raw === null) return {};
  const names = Object.keys(checks) as (keyof Capabilities)[];
  const entries = names.map((name) => [name, (raw as Readonly<Record<string, unknown>>)[name]] as const);
  return Object.fromEntries(entries.filter(([name, value]) => checks[name](value)));
}

/** Returns what the setting says about one model: `*` matches anything, case is ignored. */
export function settingFor(model: string, setting: CapabilitySetting): KnownCapabilities {
  return Object.entries(setting)
    .filter(([pattern]) => fits(pattern, model))
    .reduce<KnownCapabilities>((known, [, entry]) => ({ ...known, ...readKnownCapabilities(entry) }), {});
}

/** Matches each part at its first occurrence, so that no pattern causes backtracking. */
function fits(pattern: string, model: string): boolean {
  const [start = '', ...parts] = pattern.toLowerCase().split('*');
  const id = model.toLowerCase();
  const end = parts.pop();
  if (end === undefined) return id === start;
  if (!id.startsWith(start)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - end.length >= at && id.endsWith(end);
}
