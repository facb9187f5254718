/** How much more or less than estimated each model counts, by its name. */
export type StoredFactors = Readonly<Record<string, readonly number[]>>;

/** Where the ratios of one account are kept. */
interface FactorFile {
  read(): Promise<StoredFactors | undefined>;
  write(factors: StoredFactors): Promise<void>;
}

/** Learned only after this many responses, so that one odd request changes no estimate. */
const fewestRatios = 3;
const mostRatios = 15;
const mostModels = 200;
/** Estimates of shorter inputs depend mostly on a model's chat template. */
const fewestTokens = 50;
/** A larger deviation isn't a matter of tokenizers: the service counts something else, such as only what it didn't find in its cache. */
const bounds = { least: 0.5, most: 2 } as const;
/** Ratios are saved after this much change. */
const smallestChange = 0.02;

/**
 * Learns per model of one account how its own counts differ from the estimates: the median of its last responses, within bounds. Estimates
 * multiplied by `of` match what the service will count better than the estimates alone.
 */
export class TokenFactors {
  private readonly ratios = new Map<string, readonly number[]>();
  private loading: Promise<void> | undefined;

  constructor(
    private readonly file: FactorFile,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** Reads what was learned before, once. Never rejects. */
  load(): Promise<void> {
    return (this.loading ??= this.readNow());
  }

  /** Returns 1 for a model of which too little is known. */
  of(model: string): number {
    return median(this.ratios.get(model) ?? []) ?? 1;
  }

  /** Learns from the count of a response, for the same input as `estimated`, which is without a factor. */
  learn(model: string, estimated: number, counted: number): void {
    const ratio = counted / estimated;
    if (estimated < fewestTokens || !(ratio >= bounds.least && ratio <= bounds.most)) return;
    const before = this.of(model);
    const known = this.ratios.get(model) ?? [];
    // Deleted first, so that the models are in the order of their last use.
    this.ratios.delete(model);
    this.ratios.set(model, [...known, round(ratio)].slice(-mostRatios));
    for (const oldest of [...this.ratios.keys()].slice(0, -mostModels)) this.ratios.delete(oldest);
    if (Math.abs(this.of(model) - before) >= smallestChange || known.length < fewestRatios)
      void this.load()
        .then(() => this.file.write(Object.fromEntries(this.ratios)))
        .catch(this.onTrouble);
  }

  private async readNow(): Promise<void> {
    try {
      const stored = (await this.file.read()) ?? {};
      for (const [model, ratios] of Object.entries(stored)) if (!this.ratios.has(model)) this.ratios.set(model, ratios);
    } catch (error) {
      this.onTrouble(error);
    }
  }
}

/** Reads stored ratios and drops invalid ones. */
export function readFactors(raw: unknown): StoredFactors | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  return Object.fromEntries(
    Object.entries(raw)
      .slice(-mostModels)
      .map(([model, ratios]) => [model, (Array.isArray(ratios) ? ratios : []).filter(isRatio).slice(-mostRatios)]),
  );
}

function isRatio(value: unknown): value is number {
  return typeof value === 'number' && value >= bounds.least && value <= bounds.most;
}

function median(values: readonly number[]): number | undefined {
  if (values.length < fewestRatios) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 1) + (sorted[middle] ?? 1)) / 2;
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
