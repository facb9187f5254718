/** What one request took, as the service counted it. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of it the service did not count: it is about so much. */
  readonly isEstimate?: true;
}

/** One line of a day's ledger. Lines are only ever added; a later version may add fields. */
export interface UsageEntry extends Usage {
  /** Unix milliseconds. */
  readonly at: number;
  readonly model: string;
}

/** Tokens of one day and profile; 0 is no limit. */
export interface TokenBudget {
  /** From here on there is a warning. */
  readonly soft: number;
  /** From here on nothing is sent. */
  readonly hard: number;
}

export type BudgetState = 'within' | 'soft' | 'hard';

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...((one.isEstimate || other.isEstimate) && { isEstimate: true }),
  };
}

/** Begins with a line end too, so that a line torn by a crash takes no other with it. */
export function toLedgerLine(entry: UsageEntry): string {
  return `\n${JSON.stringify(entry)}\n`;
}

/** The sum of a day's ledger. What is torn or foreign counts nothing. */
export function readLedger(text: string): Usage {
  return text.split('\n').reduce((sum, line) => addUsage(sum, readLine(line)), noUsage);
}

function readLine(line: string): Usage {
  if (line === '') return noUsage;
  try {
    const { inputTokens, outputTokens, isEstimate } = JSON.parse(line) as Partial<Record<keyof Usage, unknown>>;
    if (!isCount(inputTokens) || !isCount(outputTokens)) return noUsage;
    return { inputTokens, outputTokens, ...(isEstimate === true && { isEstimate }) };
  } catch {
    return noUsage;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The day of the person's clock, `2026-11-21`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** What a service says it was sent. `undefined` where that is of no use: something was sent, so 0 is no count. */
export function inputCount(said: unknown): number | undefined {
  return isCount(said) && said > 0 ? said : undefined;
}

/** What a service says it answered. */
export function outputCount(said: unknown): number | undefined {
  return isCount(said) ? said : undefined;
}

/** In and out together, as budgets count. */
export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

export function budgetState(used: Usage, { soft, hard }: TokenBudget): BudgetState {
  const spent = tokensOf(used);
  if (hard > 0 && spent >= hard) return 'hard';
  return soft > 0 && spent >= soft ? 'soft' : 'within';
}
