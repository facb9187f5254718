import * as l10n from '@vscode/l10n';
import type { UnitPrices } from '../api/models/listedPrices';
import { tokenCost } from '../prices/prices';
import { moneyText, numberFormat } from '../../protocol/formats';
import type { Currency } from '../../protocol/formats';
import { countInputTokens } from '../tokens/countTokens';
import type { EvalAssertion, EvalConfig } from './evalConfig';
import { leavesOf, requestOf } from './evalPlan';
import type { EvalPlan } from './evalPlan';
import { detectableDifference, pairedRows } from './statistics/power';

/** What is known of a planned eval before anything is sent. */
export interface EvalFacts {
  readonly rows: number;
  readonly variants: number;
  /** Requests to the service. Those of `echo` are none. */
  readonly requests: number;
  readonly assertions: { readonly local: number; readonly service: number; readonly notGraded: number };
  /** Undefined if a price is unknown. */
  readonly cost: { readonly batch: number; readonly now: number; readonly outputTokens: number } | undefined;
  /** Of pass rates, as shares. Undefined if no difference would show. */
  readonly detectable: number | undefined;
  /** Rows that would show the usual difference. */
  readonly rowsForUsual: number;
}

/** Share of rows with different outcomes, until a run has shown its own. */
const usualDiscordance = 0.15;
const usualDifference = 0.05;
/** Output tokens of a response without a limit. */
const usualOutput = 300;
/** Cells whose tokens are counted; the others are expected to be like them. */
const countedCells = 400;

export interface PriceBook {
  /** Prices per token of a model; `undefined` if none are known. */
  readonly pricesOf: (model: string) => UnitPrices | undefined;
  /** Part of the price that is charged in a batch. */
  readonly batchDiscount: number;
}

export function evalFacts(plan: EvalPlan, { pricesOf, batchDiscount }: PriceBook): EvalFacts {
  const { rows, variants, repeats } = plan;
  const paid = variants.filter(({ provider }) => provider.kind === 'service');
  const flat = rows.flatMap(({ assertions }) => assertions.flatMap(leavesOf));
  const count = (test: (one: EvalAssertion) => boolean) => flat.filter(test).length * variants.length * repeats;
  const isLocal = (one: EvalAssertion) => one.class === 'local' && !one.isBlocked;
  const isService = (one: EvalAssertion) => one.class === 'service' && !one.isBlocked;
  const cost = costOf({ ...plan, variants: paid }, pricesOf);
  return {
    rows: rows.length,
    variants: variants.length,
    requests: rows.length * paid.length * repeats,
    assertions: {
      local: count(isLocal),
      service: count(isService),
      notGraded: count((one) => !isLocal(one) && !isService(one)),
    },
    cost: cost && { now: cost.amount, batch: cost.amount * batchDiscount, outputTokens: cost.outputTokens },
    detectable: detectableDifference(rows.length, usualDiscordance),
    rowsForUsual: Math.ceil(pairedRows(usualDifference, usualDiscordance) ?? 0),
  };
}

function costOf(
  plan: EvalPlan,
  pricesOf: PriceBook['pricesOf'],
): { readonly amount: number; readonly outputTokens: number } | undefined {
  const { rows, variants, repeats } = plan;
  const cells = rows.length * variants.length;
  const step = Math.max(1, Math.floor(cells / countedCells));
  const counting = rows.filter((_, index) => index % step === 0);
  let [counted, amount, outputTokens] = [0, 0, 0];
  // All variants of a row, because their models have different prices.
  for (const [row, variant] of counting.flatMap((one) => variants.map((other) => [one, other] as const))) {
    const { body } = requestOf({ id: '', row, variant, repeat: 0 });
    const prices = pricesOf(body.model);
    const limit = body['max_tokens'] ?? body['max_completion_tokens'];
    const output = typeof limit === 'number' ? limit : usualOutput;
    const answers = typeof body['n'] === 'number' && body['n'] > 1 ? body['n'] : 1;
    const one = prices && tokenCost(prices, { inputTokens: countInputTokens(body), outputTokens: output * answers });
    if (one === undefined) return undefined;
    amount += one;
    outputTokens = Math.max(outputTokens, output);
    counted++;
  }
  return { amount: counted === 0 ? 0 : (amount / counted) * cells * repeats, outputTokens };
}

/** The facts as lines of text: size, price, and what the size can show. */
export function factLines(facts: EvalFacts, currency: Currency | undefined, language: string): readonly string[] {
  const { rows, variants, requests, assertions, cost, detectable, rowsForUsual } = facts;
  const number = numberFormat(language);
  const points = (share: number) => numberFormat(language, { maximumFractionDigits: 1 }).format(share * 100);
  const money = (amount: number) => moneyText(amount, currency, language);
  const { local, service, notGraded } = assertions;
  return [
    l10n.t(
      'Rows: {0}, variants: {1}, requests: {2}',
      number.format(rows),
      number.format(variants),
      number.format(requests),
    ),
    l10n.t(
      'Scores: {0} graded locally, {1} by a model, {2} not graded',
      number.format(local),
      number.format(service),
      number.format(notGraded),
    ),
    cost
      ? l10n.t(
          'Price: about {0} by batch, {1} now (output tokens per response: {2})',
          money(cost.batch),
          money(cost.now),
          number.format(cost.outputTokens),
        )
      : l10n.t('Price: unknown. Enter the prices of your models to see it.'),
    ...(cost && service > 0 ? [l10n.t('Model grades are charged separately.')] : []),
    ...(variants > 1
      ? [
          detectable === undefined
            ? l10n.t('This is too small to show a difference between two variants.')
            : l10n.t("Differences below {0} percentage points won't show.", points(detectable)),
          ...(rows < rowsForUsual
            ? [
                cost && rows > 0
                  ? l10n.t(
                      'To see {0} percentage points, use {1} rows (about {2} by batch).',
                      points(usualDifference),
                      number.format(rowsForUsual),
                      money((cost.batch / rows) * rowsForUsual),
                    )
                  : l10n.t(
                      'To see {0} percentage points, use {1} rows.',
                      points(usualDifference),
                      number.format(rowsForUsual),
                    ),
              ]
            : []),
        ]
      : []),
  ];
}

/** Places that a person should know of before a run: what would run code, and errors. */
export function canRun({ variants, rows }: EvalPlan, { problems }: EvalConfig): boolean {
  return variants.length > 0 && rows.length > 0 && !problems.some(({ kind }) => kind === 'error');
}
