/** The tokens one request used, as counted by the service. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Set if part of the count is estimated, not reported by the service. */
  readonly isEstimate?: true;
  /** What it cost in the currency of the account, as the service said or by its known prices; absent if neither is known. */
  readonly cost?: number;
}

/**
 * What used tokens. Stored in ledgers, so the names stay. `search`: rankings and semantic search. `tools`: tools in VS Code. `media`: speech and transcriptions, by their
 * prices. `other`: the rest of
 * this extension, and what only a later version knows.
 */
const usageSources = [
  'chat',
  'vsCodeChat',
  'inlineSuggestions',
  'completion',
  'search',
  'tools',
  'mcp',
  'batchLines',
  'extensions',
  'media',
  'other',
] as const;
export type UsageSource = (typeof usageSources)[number];

/** What tokens were used for. */
export interface UsageOrigin {
  /** Absent in ledgers of version 0.1. */
  readonly source?: UsageSource | undefined;
  /** Set for the charge of a job, which usually has a record of its own. */
  readonly job?: string | undefined;
  /**
   * How many of the job's results were charged before. A process that ends before the job is marked as counted leaves its charge to be noted
   * again, from the same result on.
   */
  readonly from?: number | undefined;
}

/** One line of a day's ledger. The ledger is append-only; a later version may add fields. */
export interface UsageEntry extends UsageOrigin, Usage {
  /** Unix milliseconds. */
  readonly at: number;
  readonly model: string;
}

/** Tokens per day and profile; 0 means no limit. */
export interface TokenBudget {
  /** Warn from here on. */
  readonly soft: number;
  /** Send nothing from here on. */
  readonly hard: number;
}

export type BudgetState = 'within' | 'soft' | 'hard';

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...((one.isEstimate || other.isEstimate) && { isEstimate: true }),
    ...((one.cost !== undefined || other.cost !== undefined) && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  };
}

/** Also begins with a line end, so that a line torn by a crash does not damage the next. */
export function toLedgerLine(entry: UsageEntry): string {
  return `\n${JSON.stringify(entry)}\n`;
}

/** What was read of a ledger's charges of jobs, by what they are for. */
export type ReadCharges = Map<string, number>;

/**
 * Returns the entries of a day's ledger. Torn or foreign lines are ignored. A charge that was noted again has only what it is more than
 * before. `charges`: those that were read of the lines before, to which it adds.
 */
export function readEntries(text: string, charges: ReadCharges = new Map()): readonly Omit<UsageEntry, 'at'>[] {
  return text.split('\n').flatMap((line) => {
    const entry = readLine(line);
    if (!entry) return [];
    const key = chargeKey(entry);
    const added = sinceNoted(entry, charges);
    if (key !== undefined) charges.set(key, (charges.get(key) ?? 0) + (added.cost ?? 0));
    return [added];
  });
}

/** Returns an entry with only what it costs more than what was noted of the same charge before. */
export function sinceNoted<Entry extends Omit<UsageEntry, 'at'>>(entry: Entry, charges: ReadCharges): Entry {
  const before = charges.get(chargeKey(entry) ?? '');
  if (before === undefined || entry.cost === undefined) return entry;
  return { ...entry, cost: Math.max(0, entry.cost - before) };
}

/** Identifies the charge of a job; `undefined` for an entry of something else, or of an earlier version. */
export function chargeKey({ job, from, model }: Omit<UsageEntry, 'at'>): string | undefined {
  return job === undefined || from === undefined ? undefined : JSON.stringify([job, model, from]);
}

function readLine(line: string): Omit<UsageEntry, 'at'> | undefined {
  if (line === '') return undefined;
  try {
    const entry = JSON.parse(line) as Partial<Record<keyof UsageEntry, unknown>>;
    const { inputTokens, outputTokens, isEstimate, cost, model, source, job, from } = entry;
    if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
    return {
      inputTokens,
      outputTokens,
      ...(isEstimate === true && { isEstimate }),
      ...(typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 && { cost }),
      model: typeof model === 'string' ? model : '',
      source: usageSources.find((one) => one === source),
      ...(typeof job === 'string' && { job }),
      ...(isCount(from) && { from }),
    };
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns the day in local time, e.g. `2026-11-21`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Validates a service's count of input tokens. `undefined` if unusable: something was sent, so 0 is not a count. */
export function inputCount(said: unknown): number | undefined {
  return isCount(said) && said > 0 ? said : undefined;
}

/** Validates a service's count of output tokens. */
export function outputCount(said: unknown): number | undefined {
  return isCount(said) ? said : undefined;
}

/** Input and output tokens together, as budgets count. */
export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

export function budgetState(used: Usage, { soft, hard }: TokenBudget): BudgetState {
  const spent = tokensOf(used);
  if (hard > 0 && spent >= hard) return 'hard';
  return soft > 0 && spent >= soft ? 'soft' : 'within';
}
