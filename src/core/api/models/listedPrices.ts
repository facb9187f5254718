import { isObject } from '../isObject';

/** The price of one unit. Missing: unknown. */
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

/** One token for 0.001 would be far too expensive and one million far too cheap, so the amount shows which is meant. */
const leastPerMillion = 0.001;
const perMillion = 1e6;
/** Novita and its sister services list hundredths of a cent per million tokens. */
const perMillionInHundredthsOfCents = 1e10;
/** A higher value isn't a price. */
const mostPrice = 1e5;
/** A currency of accounts. */
export type PriceCurrency = 'USD' | 'CNY';

/** The currencies of accounts, as lists name them. */
const currencies: ReadonlyMap<string, PriceCurrency> = new Map([
  ['usd', 'USD'],
  ['$', 'USD'],
  ['cny', 'CNY'],
  ['rmb', 'CNY'],
  ['¥', 'CNY'],
]);
/** Models priced by the image, second, or character. Their prices aren't per token, although they can have the same names. */
const notByToken = /image|video|audio|music|speech|tts|asr|stt|transcri|upscale|inpaint/i;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the prices in an entry of a list of models, in the forms of OpenRouter, Vercel, Together, DeepInfra, Venice, Chutes, LiteLLM, Novita,
 * xAI, Requesty, NanoGPT, and others. A price whose unit or currency is unclear is unknown: ratios of New API, prices per second, or prices
 * that depend on the provider that is chosen.
 */
export function listedPrices(entry: unknown): UnitPrices | undefined {
  if (!isObject(entry)) return undefined;
  const info = innerOf(entry, 'model_info');
  const of = pricingOf(entry);
  if (!isUsable(of)) return undefined;
  const kind = [entry['type'], entry['types'], entry['model_type'], entry['mode'], info['mode'], entry['api']]
    .map((value) => (typeof value === 'string' ? value : ''))
    .join(' ');
  const tokens = notByToken.test(kind) ? undefined : tokenPrices(entry, of, info);
  const isImage = /image/i.test(kind);
  const prices = knownPrices({
    ...tokens,
    request: amountOf(of['request']) ?? (/rerank/i.test(kind) ? amountOf(info['input_cost_per_query']) : undefined),
    image:
      amountOf(info['output_cost_per_image']) ??
      amountOf(info['cost_per_image']) ??
      // For a model that reads images, these are the price of an image in the input.
      (isImage
        ? (amountOf(of['image']) ?? amountOf(info['input_cost_per_image']) ?? usd(of['generation']))
        : undefined),
  });
  // A list that has 0 for each request says nothing of the rest.
  const isKnown = prices?.input !== undefined || prices?.output !== undefined || prices?.image !== undefined;
  return isKnown || (prices?.request ?? 0) > 0 ? prices : undefined;
}

/** Returns the currency that an entry states for its prices, or `undefined` without one, or for another one. */
export function statedCurrency(entry: unknown): PriceCurrency | undefined {
  return isObject(entry) ? currencyIn(pricingOf(entry)) : undefined;
}

function currencyIn({ currency }: Fields): PriceCurrency | undefined {
  return typeof currency === 'string' ? currencies.get(currency.trim().toLowerCase()) : undefined;
}

function innerOf(entry: Fields, name: string): Fields {
  const inner = entry[name];
  return isObject(inner) ? inner : {};
}

function pricingOf(entry: Fields): Fields {
  const { pricing = innerOf(entry, 'metadata')['pricing'] ?? innerOf(entry, 'model_spec')['pricing'] } = entry;
  return isObject(pricing) ? pricing : {};
}

/** Whether prices are in a currency of accounts and by usage, not by the time that a machine runs. */
function isUsable(pricing: Fields): boolean {
  const { currency, unit_type: unit, hourly } = pricing;
  const isCurrency = typeof currency !== 'string' || currencyIn(pricing) !== undefined;
  return isCurrency && (typeof unit !== 'string' || /token/i.test(unit)) && (amountOf(hourly) ?? 0) === 0;
}

function tokenPrices(entry: Fields, of: Fields, info: Fields) {
  const unit = tokensIn(of['unit'] ?? of['units'] ?? entry['price_unit']);
  const first = (values: readonly unknown[]) =>
    values.map((value) => perToken(value, unit)).find((amount) => amount !== undefined);
  const each = isObject(entry['pricePerToken']) ? entry['pricePerToken'] : {};
  const side = (
    names: readonly string[],
    [name, cost, xai]: readonly [name: 'input' | 'output', cost: string, xai: string],
  ): number | undefined =>
    first(names.map((one) => of[one])) ??
    amountOf(info[cost]) ??
    amountOf(entry[cost]) ??
    amountOf(each[name]) ??
    scaled(entry[`${name}_token_price_per_m`], perMillionInHundredthsOfCents) ??
    scaled(entry[xai], perMillionInHundredthsOfCents) ??
    perToken(entry[`${name}_price`], undefined);
  return {
    input: side(
      ['prompt', 'input', 'input_tokens', 'input_token', 'input_per_million'],
      ['input', 'input_cost_per_token', 'prompt_text_token_price'],
    ),
    output: side(
      ['completion', 'output', 'output_tokens', 'output_token', 'output_per_million'],
      ['output', 'output_cost_per_token', 'completion_text_token_price'],
    ),
  };
}

/** Returns the number of tokens for a price, or `undefined` if a list doesn't state it. */
function tokensIn(unit: unknown): number | undefined {
  if (typeof unit !== 'string') return undefined;
  if (/million|mtok|\b1?m\b/i.test(unit)) return perMillion;
  if (/thousand|ktok|\b1?k\b/i.test(unit)) return 1000;
  return /token/i.test(unit) ? 1 : undefined;
}

function perToken(value: unknown, unit: number | undefined): number | undefined {
  if (isObject(value) && value['price_per_m'] !== undefined)
    return scaled(value['price_per_m'], perMillionInHundredthsOfCents);
  const amount = isObject(value) ? usd(value) : amountOf(value);
  if (amount === undefined || unit !== undefined) return amount === undefined ? undefined : amount / (unit ?? 1);
  return amount >= leastPerMillion ? amount / perMillion : amount;
}

function usd(value: unknown): number | undefined {
  return isObject(value) ? amountOf(value['usd']) : undefined;
}

/** Such units have amounts beyond what is a price. */
function scaled(value: unknown, by: number): number | undefined {
  const amount = numberIn(value);
  return amount === undefined || amount < 0 ? undefined : amountOf(amount / by);
}

/** Reads an amount of money; `undefined` for a negative one, which stands for a price that depends on the request. */
export function amountOf(value: unknown): number | undefined {
  const amount = numberIn(value);
  return amount !== undefined && amount >= 0 && amount < mostPrice ? amount : undefined;
}

function numberIn(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim().replace(/^\$/, '') : '';
  const amount = text === '' ? value : Number(text);
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : undefined;
}

/** Returns the prices that are known; `undefined` if none is. */
export function knownPrices(prices: UnitPrices): UnitPrices | undefined {
  const known = Object.entries(prices).filter(([, amount]) => amount !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
