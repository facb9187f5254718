import { isObject } from '../isObject';

/** What one unit costs. Absent: unknown. */
export interface UnitPrices {
  /** Per token. */
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** Per request, in addition to its tokens. */
  readonly request?: number | undefined;
  /** Per generated image, video, or clip. */
  readonly image?: number | undefined;
  readonly video?: number | undefined;
  readonly clip?: number | undefined;
}

/** One token for 0.001 would be far too expensive, one million far too cheap, so the amount tells which is meant. */
const leastPerMillion = 0.001;
const perMillion = 1e6;
/** Above it, a figure is no price. */
const mostPrice = 1e5;

/** Reads the prices in an entry of a list of models, in the forms of OpenRouter, Vercel, Together, DeepInfra, Venice, Chutes and LiteLLM. */
export function listedPrices(entry: unknown): UnitPrices | undefined {
  if (!isObject(entry)) return undefined;
  const inner = (name: string) => (isObject(entry[name]) ? entry[name] : {});
  const { pricing = inner('metadata')['pricing'] ?? inner('model_spec')['pricing'] } = entry;
  const info = inner('model_info');
  const of = isObject(pricing) ? pricing : {};
  const input =
    perToken(of['prompt']) ??
    perToken(of['input']) ??
    perToken(of['input_tokens']) ??
    amountOf(info['input_cost_per_token']) ??
    amountOf(entry['input_cost_per_token']);
  const output =
    perToken(of['completion']) ??
    perToken(of['output']) ??
    perToken(of['output_tokens']) ??
    amountOf(info['output_cost_per_token']) ??
    amountOf(entry['output_cost_per_token']);
  const prices = knownPrices({
    input,
    output,
    request: amountOf(of['request']),
    image: amountOf(info['output_cost_per_image']) ?? amountOf(info['cost_per_image']),
  });
  // A list that has 0 for each request says nothing of the rest.
  return prices?.input === undefined && prices?.output === undefined && prices?.image === undefined
    ? undefined
    : prices;
}

function perToken(value: unknown): number | undefined {
  const amount = amountOf(isObject(value) ? value['usd'] : value);
  return amount !== undefined && amount >= leastPerMillion ? amount / perMillion : amount;
}

/** Reads an amount of money; `undefined` for a negative one, which stands for a price that depends on the request. */
export function amountOf(value: unknown): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && amount < mostPrice ? amount : undefined;
}

/** Returns the prices that are known; `undefined` if none is. */
export function knownPrices(prices: UnitPrices): UnitPrices | undefined {
  const known = Object.entries(prices).filter(([, amount]) => amount !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
