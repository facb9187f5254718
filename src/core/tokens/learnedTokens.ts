/** Learned facts about one model of an account. */
export interface StoredModel {
  /** How much more or less than estimated the model counted for the last inputs. */
  readonly factors: readonly number[];
  /** How many tokens the last responses had, by what they were for. */
  readonly outputs: Readonly<Record<string, readonly number[]>>;
}

export type StoredTokens = Readonly<Record<string, StoredModel>>;

/** The stored data of one account. */
interface TokensFile {
  read(): Promise<StoredTokens | undefined>;
  write(learned: StoredTokens): Promise<void>;
}

/** How long the responses of a model were in earlier runs. */
export interface UsualOutput {
  /** Tokens of a typical response. */
  readonly usual: number;
  /** Tokens of the longest of the last responses. */
  readonly longest: number;
  /** How many responses this was learned from. */
  readonly responses: number;
}

/** Learned only after this many responses, so that one odd request changes no estimate. */
const fewestSamples = 3;
const mostSamples = 15;
const mostModels = 200;
const mostPurposes = 12;
/** Estimates of shorter inputs depend mainly on a model's chat template. */
const fewestTokens = 50;
/** A larger deviation isn't a matter of tokenizers: the service counts something else, such as only what it didn't find in its cache. */
const bounds = { least: 0.5, most: 2 } as const;
/** Saved after this much change of a factor, or this share of a usual length. */
const smallestChange = 0.02;
const smallestShare = 0.1;
/** More than any model returns. */
const mostOutput = 10_000_000;

const unknown: StoredModel = { factors: [], outputs: {} };

/**
 * Learns per model of one account how its own counts differ from the estimates, and how long its responses usually are: the medians of its
 * last responses. Estimates multiplied by `factorOf` match what the service will count better than the estimates alone.
 */
export class LearnedTokens {
  private readonly models = new Map<string, StoredModel>();
  private loading: Promise<void> | undefined;

  constructor(
    private readonly file: TokensFile,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Reads what was learned before, once. Never rejects. */
  load(): Promise<void> {
    return (this.loading ??= this.readNow());
  }

  /** Returns 1 for a model of which too little is known. */
  factorOf(model: string): number {
    return median(this.models.get(model)?.factors ?? []) ?? 1;
  }

  /**
   * Returns the length of earlier responses of a model that were for the same purpose, or for any purpose if those are too few; `undefined`
   * if too little is known.
   */
  outputOf(model: string, purpose: string): UsualOutput | undefined {
    const { outputs } = this.models.get(model) ?? unknown;
    const same = (Object.hasOwn(outputs, purpose) && outputs[purpose]) || [];
    const lengths = same.length >= fewestSamples ? same : Object.values(outputs).flat();
    const usual = median(lengths);
    return usual === undefined
      ? undefined
      : {
          usual: Math.ceil(usual),
          longest: lengths.reduce((most, length) => Math.max(most, length), 0),
          responses: lengths.length,
        };
  }

  /** Learns from the count of a response, for the same input as `estimated`, which is without a factor. */
  learnInput(model: string, estimated: number, counted: number): void {
    const ratio = counted / estimated;
    if (estimated < fewestTokens || !isFactor(ratio)) return;
    const before = this.factorOf(model);
    const known = this.models.get(model) ?? unknown;
    const factors = [...known.factors, round(ratio)].slice(-mostSamples);
    this.store(model, { ...known, factors });
    const isNews = Math.abs(this.factorOf(model) - before) >= smallestChange;
    if (isNews || factors.length <= fewestSamples) this.save();
  }

  /** Learns the length of one complete response, as the service counted it. */
  learnOutput(model: string, purpose: string, counted: number): void {
    if (!isLength(counted)) return;
    const before = this.outputOf(model, purpose)?.usual ?? 0;
    const known = this.models.get(model) ?? unknown;
    const others = Object.entries(known.outputs).filter(([name]) => name !== purpose);
    const same = (Object.hasOwn(known.outputs, purpose) && known.outputs[purpose]) || [];
    const lengths = [...same, counted].slice(-mostSamples);
    const outputs = Object.fromEntries([...others, [purpose, lengths] as const].slice(-mostPurposes));
    this.store(model, { ...known, outputs });
    const usual = this.outputOf(model, purpose)?.usual ?? 0;
    if (lengths.length <= fewestSamples || Math.abs(usual - before) >= before * smallestShare) this.save();
  }

  private store(model: string, learned: StoredModel): void {
    // Deleted first, so that the models are in the order of their last use.
    this.models.delete(model);
    this.models.set(model, learned);
    for (const oldest of [...this.models.keys()].slice(0, -mostModels)) this.models.delete(oldest);
  }

  private save(): void {
    void this.load()
      .then(() => this.file.write(Object.fromEntries(this.models)))
      .catch(this.onError);
  }

  private async readNow(): Promise<void> {
    try {
      const stored = (await this.file.read()) ?? {};
      for (const [model, learned] of Object.entries(stored))
        if (!this.models.has(model)) this.models.set(model, learned);
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Reads what was stored and drops invalid numbers. An earlier form has only the factors, as the array of a model. */
export function readLearnedTokens(raw: unknown): StoredTokens | undefined {
  if (!isObject(raw)) return undefined;
  return Object.fromEntries(
    Object.entries(raw)
      .slice(-mostModels)
      .map(([model, entry]) => {
        const { factors, outputs } = isObject(entry) ? entry : { factors: entry, outputs: undefined };
        const lengths = Object.entries(isObject(outputs) ? outputs : {}).slice(-mostPurposes);
        return [
          model,
          {
            factors: numbers(factors, isFactor),
            outputs: Object.fromEntries(lengths.map(([purpose, list]) => [purpose, numbers(list, isLength)])),
          },
        ];
      }),
  );
}

function numbers(value: unknown, isValid: (one: unknown) => one is number): readonly number[] {
  return (Array.isArray(value) ? value : []).filter(isValid).slice(-mostSamples);
}

function isFactor(value: unknown): value is number {
  return typeof value === 'number' && value >= bounds.least && value <= bounds.most;
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= mostOutput;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function median(values: readonly number[]): number | undefined {
  if (values.length < fewestSamples) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 1) + (sorted[middle] ?? 1)) / 2;
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
