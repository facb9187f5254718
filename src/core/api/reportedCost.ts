import { isObject } from './isObject';

/** A higher value isn't the price of one request. */
const mostCost = 1e6;

/** xAI counts in ticks. https://docs.x.ai/developers/cost-tracking */
const ticksPerDollar = 1e10;

/** Reads what a service says a request cost, in the currency of the account. OpenRouter sends a number, others an object with a total. */
export function reportedCost(usage: unknown): number | undefined {
  if (!isObject(usage)) return undefined;
  const { cost, cost_in_usd_ticks: ticks } = usage;
  const said = isObject(cost) ? (cost['total_cost'] ?? cost['total']) : cost;
  if (said === undefined && typeof ticks === 'number') return reportedCost({ cost: ticks / ticksPerDollar });
  const amount = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  return typeof amount === 'number' && amount >= 0 && amount < mostCost ? amount : undefined;
}
