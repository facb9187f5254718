import { isObject } from '../api/isObject';
import { amountOf, knownPrices } from '../api/models/listedPrices';
import type { UnitPrices } from '../api/models/listedPrices';
import type { UsualOutput } from '../tokens/learnedTokens';

/** The source of a price, in the order of precedence. */
export type PriceSource = 'response' | 'list' | 'entered' | 'learned';

export interface Price extends UnitPrices {
  readonly source: PriceSource;
}

/** The cost of a request or run, in the account's currency. `most` is missing if the response has no limit. */
export interface PriceRange {
  readonly least: number;
  readonly most?: number | undefined;
  readonly source: PriceSource;
  /** Whether the number of tokens is an estimate. */
  readonly isEstimate: boolean;
  /** Whether `least` includes responses as long as earlier ones, and not only the input. */
  readonly hasUsualOutput?: boolean | undefined;
  /** The basis of `most`: responses at their limit, or as long as the longest of the earlier ones. */
  readonly mostBy?: 'limit' | 'longest' | undefined;
}

const perMillion = 1e6;

/** The character limit of entered prices as text, because an environment has little space on some systems. */
export const longestPrices = 16_000;

/**
 * Serializes the prices that a user entered for the environment of a program. Returns `undefined` without prices. Prices that don't fit are
 * omitted.
 */
export function writePrices(setting: Readonly<Record<string, unknown>>): string | undefined {
  let length = 2;
  // The first matching pattern counts, so the last ones are omitted.
  const entries = Object.entries(setting).filter((entry) => {
    length += JSON.stringify(entry).length;
    return length <= longestPrices;
  });
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

/**
 * Reads prices that a user entered: by a model's ID, in which `*` stands for any text, with amounts per million tokens, per request, and per
 * image, video or clip. The first pattern that fits counts.
 */
export function enteredPrices(setting: unknown, model: string): UnitPrices | undefined {
  if (!isObject(setting)) return undefined;
  const found = Object.entries(setting).find(([pattern]) => isOf(pattern.trim().toLowerCase(), model.toLowerCase()));
  const [, entry] = found ?? [];
  if (!isObject(entry)) return undefined;
  const million = (name: string) => {
    const amount = amountOf(entry[name]);
    return amount === undefined ? undefined : amount / perMillion;
  };
  return knownPrices({
    input: million('input'),
    output: million('output'),
    request: amountOf(entry['request']),
    image: amountOf(entry['image']),
    video: amountOf(entry['video']),
    clip: amountOf(entry['clip']),
  });
}

/** Returns the cost of a number of tokens, or `undefined` if a required price is unknown. */
export function tokenCost(
  { input, output, request = 0 }: UnitPrices,
  { inputTokens, outputTokens, requests = 1 }: TokenAmounts,
): number | undefined {
  const known = [
    ...(inputTokens > 0 ? [input === undefined ? undefined : input * inputTokens] : []),
    ...(outputTokens > 0 ? [output === undefined ? undefined : output * outputTokens] : []),
  ];
  return known.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    request * requests,
  );
}

interface TokenAmounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests?: number | undefined;
}

/** The expected input of requests to one model, and their maximum output. */
export interface ExpectedTokens {
  readonly requests: number;
  readonly inputTokens: number;
  /** The limit of all responses together, or `undefined` if a request sets no limit. */
  readonly outputLimit: number | undefined;
  /** How long a response of the model usually is; absent if unknown. */
  readonly output?: Pick<UsualOutput, 'usual' | 'longest'> | undefined;
}

/**
 * Returns the range of what requests will cost: from the input alone, or with responses of the usual length, to responses at their limit, or
 * as long as the longest of the earlier ones.
 */
export function priceRange(
  price: Price | undefined,
  { requests, inputTokens, outputLimit, output }: ExpectedTokens,
  discount = 1,
): PriceRange | undefined {
  if (!price) return undefined;
  const costOf = (outputTokens: number) => tokenCost(price, { requests, inputTokens, outputTokens });
  const usual = output && Math.min(output.usual * requests, outputLimit ?? Infinity);
  const least = costOf(usual ?? 0);
  if (least === undefined) return undefined;
  const highest = outputLimit ?? (output && output.longest * requests);
  const most = highest === undefined ? undefined : costOf(highest);
  return {
    least: least * discount,
    ...(most !== undefined && { most: Math.max(least, most) * discount }),
    source: price.source,
    isEstimate: true,
    ...(usual && { hasUsualOutput: true }),
    ...(most !== undefined && highest && { mostBy: outputLimit === undefined ? 'longest' : 'limit' }),
  };
}

/** Adds ranges of several models; `undefined` if one is unknown. */
export function addRanges(ranges: readonly (PriceRange | undefined)[]): PriceRange | undefined {
  const [first] = ranges;
  if (first === undefined) return undefined;
  return ranges.slice(1).reduce<PriceRange | undefined>((sum, one) => {
    if (!sum || !one) return undefined;
    const most = sum.most === undefined || one.most === undefined ? undefined : sum.most + one.most;
    const mostBy = [sum.mostBy, one.mostBy].includes('longest') ? 'longest' : (sum.mostBy ?? one.mostBy);
    return {
      least: sum.least + one.least,
      ...(most !== undefined && { most }),
      source: order.indexOf(one.source) > order.indexOf(sum.source) ? one.source : sum.source,
      isEstimate: sum.isEstimate || one.isEstimate,
      ...((sum.hasUsualOutput || one.hasUsualOutput) && { hasUsualOutput: true }),
      ...(most !== undefined && mostBy && { mostBy }),
    };
  }, first);
}

/** Returns the most likely amount: with responses of the usual length, or at their limit as long as that is unknown. */
export function expectedAmount({ least, most, hasUsualOutput }: PriceRange): number {
  return hasUsualOutput ? least : (most ?? least);
}

/** The least certain source last. */
const order: readonly PriceSource[] = ['response', 'list', 'entered', 'learned'];

/** Whether a pattern matches a model. Compared part by part, so that no pattern takes long. */
function isOf(pattern: string, model: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === model;
  if (!model.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = model.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = rest.at(-1) ?? '';
  return model.length - at >= last.length && model.endsWith(last);
}
