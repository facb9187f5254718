import * as l10n from '@vscode/l10n';
import type { UnitPrices } from '../api/models/listedPrices';
import { tokenCost } from '../prices/prices';
import { moneyText, numberFormat } from '../../protocol/formats';
import type { Currency } from '../../protocol/formats';
import { familyOf } from '../capabilities/modelFamilies';
import { countInputTokens } from '../tokens/countTokens';
import { isMeasureBody } from '../usage/localCall';
import type { EvalAssertion, EvalConfig } from './evalConfig';
import { gradedByService, isMeasured, leavesOf, requestOf } from './evalPlan';
import type { EvalPlan, GraderModels, PlannedRow } from './evalPlan';
import { canJudge, judgeLimit, judgeMessages, verdictTokens } from './graders/judge';
import type { JudgeMessage } from './graders/judge';
import { measureOf, measuringModel } from './graders/measures';
import type { EvalRequest } from './run/runFolder';
import { goldJudgedIn, pairTypes } from './graders/pairs';
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
  /** Of the grades that a model gives, which come on top. Undefined if there are none, or if their price is unknown. */
  readonly grades: { readonly batch: number; readonly now: number } | undefined;
  /** Whether an unknown price is none, because the service charges nothing. */
  readonly isFree: boolean;
  /** Of pass rates, as shares. Undefined if no difference would show. */
  readonly detectable: number | undefined;
  /** Rows that would show the usual difference. */
  readonly rowsForUsual: number;
}

/** An eval that can run. */
export interface PlannedEval {
  /** Absolute. */
  readonly file: string;
  /** Its description, or else its file name. */
  readonly title: string;
  readonly plan: EvalPlan;
  readonly facts: EvalFacts;
}

/** Rows of a smoke test. */
const smokeRows = 3;

/** The first rows of a plan, which show whether an eval works. */
export function smokePlan(plan: EvalPlan): EvalPlan {
  return { ...plan, rows: plan.rows.slice(0, smokeRows), gold: [] };
}

/** Share of rows with different outcomes, until a run has shown its own. */
const usualDiscordance = 0.15;
const usualDifference = 0.05;
/** Output tokens of a response without a limit. */
const usualOutput = 300;
const usualAnswer = 'word '.repeat(usualOutput);
/** Requests whose tokens are counted; the others are expected to be like them. */
const countedRequests = 400;
/** Tokens of the instructions to a judge, besides the row, the criterion, and the answer. */
const judgeTokens = 120;

export interface PriceBook {
  /** Prices per token of a model; `undefined` if none are known. */
  readonly pricesOf: (model: string) => UnitPrices | undefined;
  /** Tokens of a usual response of a model to a line of a batch; `undefined` if unknown. */
  readonly usualOutputOf?: (model: string) => number | undefined;
  /** Part of the price that is charged in a batch. */
  readonly batchDiscount: number;
  /** Whether requests without a known price are free. */
  readonly isFree?: boolean;
}

export function evalFacts(plan: EvalPlan, prices: PriceBook, models: GraderModels = {}): EvalFacts {
  const { pricesOf, batchDiscount, isFree = false } = prices;
  const { rows, variants, repeats } = plan;
  const paid = variants.filter(({ provider }) => provider.kind === 'service');
  const flat = rows.flatMap(({ assertions }) => assertions.flatMap(leavesOf));
  const count = (test: (one: EvalAssertion) => boolean) => flat.filter(test).length * variants.length * repeats;
  const isLocal = (one: EvalAssertion) => one.class === 'local' && !one.isBlocked;
  const isService = (one: EvalAssertion) => one.class === 'service' && !one.isBlocked;
  const asked = rows.filter(({ output }) => output === undefined);
  const requests = asked.length * paid.length * repeats;
  const cost = requestsCost(requests, sampled({ ...plan, rows: asked, variants: paid }), pricesOf);
  const byBatch = (amount: number) => ({ now: amount, batch: amount * batchDiscount });
  const graded = count(isService);
  const grades = graded === 0 ? undefined : gradesCost(plan, prices, models);
  return {
    rows: rows.length,
    variants: variants.length,
    requests,
    assertions: {
      local: count(isLocal),
      service: graded,
      notGraded: count((one) => !isLocal(one) && !isService(one)),
    },
    cost: cost && { ...byBatch(cost.amount), outputTokens: cost.outputTokens },
    grades,
    isFree,
    detectable: detectableDifference(rows.length, usualDiscordance),
    rowsForUsual: Math.ceil(pairedRows(usualDifference, usualDiscordance) ?? 0),
  };
}

type Body = EvalRequest['body'];

/** Bodies of requests of a part of the rows, evenly chosen; all variants of a row, because their models have different prices. */
function* sampled({ rows, variants }: EvalPlan): Iterable<Body> {
  const step = Math.max(1, Math.floor((rows.length * variants.length) / countedRequests));
  for (let index = 0; index < rows.length; index += step)
    for (const variant of variants) yield requestOf({ id: '', row: rows[index]!, variant, repeat: 0 }).body;
}

/** What so many requests cost now, if the others are like those in `bodies`. Undefined if the price of a model is unknown. */
function requestsCost(
  count: number,
  bodies: Iterable<Body>,
  pricesOf: PriceBook['pricesOf'],
): { readonly amount: number; readonly outputTokens: number } | undefined {
  let [counted, amount, outputTokens] = [0, 0, 0];
  for (const body of bodies) {
    const prices = pricesOf(body.model);
    const limit = body['max_tokens'] ?? body['max_completion_tokens'];
    const output = typeof limit === 'number' ? limit : isMeasureBody(body) ? 0 : usualOutput;
    const answers = typeof body['n'] === 'number' && body['n'] > 1 ? body['n'] : 1;
    const one = prices && tokenCost(prices, { inputTokens: countInputTokens(body), outputTokens: output * answers });
    if (one === undefined) return undefined;
    amount += one;
    outputTokens = Math.max(outputTokens, output);
    counted++;
  }
  return { amount: counted === 0 ? 0 : (amount / counted) * count, outputTokens };
}

/**
 * About how many tokens a judge's response has. A model that always reasons first has responses as long as its earlier ones, or up to the
 * limit while those are unknown.
 */
function judgedTokens(
  model: string,
  messages: readonly JudgeMessage[],
  limit: number,
  { usualOutputOf }: PriceBook,
): number {
  const verdict = verdictTokens(messages);
  if (familyOf(model)?.thinking !== 'always') return verdict;
  return Math.min(limit, Math.max(verdict, usualOutputOf?.(model) ?? limit));
}

/**
 * What all grades cost. A judge reads the row, the criterion, and an answer of the usual length; one that compares reads two answers, in both
 * orders, for each variant but the first. Embeddings and relevance have no discount, as they aren't requested in batches. Undefined if no
 * model grades, or if the price of one is unknown.
 */
function gradesCost(
  { rows, gold, variants, repeats }: EvalPlan,
  priceBook: PriceBook,
  { judge, embeddings }: GraderModels,
): EvalFacts['grades'] {
  const { pricesOf, batchDiscount } = priceBook;
  const step = Math.max(1, Math.floor(rows.length / countedRequests));
  const [variant] = variants;
  // Its own tokens are those of an answer of the usual length.
  const answer = { text: '.', embeddings };
  let [ofJudge, ofMeasures, ofGold, counted] = [0, 0, 0, 0];
  let isGraded = false;
  const costOf = (assertion: EvalAssertion, row: PlannedRow): number | undefined => {
    const { value, type } = assertion;
    const isOfMeasure = isMeasured(assertion);
    const cell = variant && { id: '', row, variant, repeat: 0 };
    const model = isOfMeasure ? measuringModel(assertion, embeddings) : judge;
    const measured = isOfMeasure && cell && measureOf(assertion, cell, answer);
    const texts = [...row.vars.values(), value].map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    const read = isOfMeasure
      ? countInputTokens(measured && 'body' in measured ? measured.body : {})
      : countInputTokens({ messages: [{ role: 'user', content: texts.join('\n') }] }) + judgeTokens;
    // Without a model, it isn't graded.
    if (model === undefined) return 0;
    isGraded = true;
    const isSent = !cell || (isOfMeasure ? measured && 'body' in measured : canJudge(assertion, cell));
    if (!isSent) return 0;
    const prices = pricesOf(model);
    const inputTokens = read + usualOutput * (pairTypes.has(type) ? 2 : 1);
    const judged = !isOfMeasure && cell && judgeMessages(assertion, cell, row.output ?? usualAnswer);
    const outputTokens = judged ? judgedTokens(model, judged, judgeLimit(assertion), priceBook) : 0;
    return prices && tokenCost(prices, { inputTokens, outputTokens });
  };
  for (let index = 0; index < rows.length; index += step) {
    const row = rows[index]!;
    counted++;
    for (const assertion of gradedByService(row)) {
      const one = costOf(assertion, row);
      if (one === undefined) return undefined;
      if (isMeasured(assertion)) ofMeasures += one * variants.length;
      else ofJudge += one * (pairTypes.has(assertion.type) ? 2 * (variants.length - 1) : variants.length);
    }
  }
  for (const row of gold)
    for (const assertion of goldJudgedIn(row)) {
      const one = costOf(assertion, row);
      if (one === undefined) return undefined;
      ofGold += one;
    }
  if (!isGraded) return undefined;
  const all = (rows.length * repeats) / Math.max(1, counted);
  return {
    now: (ofJudge + ofMeasures) * all + ofGold,
    batch: (ofJudge * batchDiscount + ofMeasures) * all + ofGold * batchDiscount,
  };
}

/** What the requests to send next cost; undefined if the price of a model is unknown. By batch, they have its discount. */
export function priceToSend(
  requests: readonly EvalRequest[],
  how: 'batch' | 'now',
  priceBook: PriceBook,
): number | undefined {
  const { pricesOf, batchDiscount } = priceBook;
  const byModel = new Map<string, EvalRequest[]>();
  for (const request of requests) {
    const list = byModel.get(request.body.model);
    if (list) list.push(request);
    else byModel.set(request.body.model, [request]);
  }
  let sum = 0;
  for (const list of byModel.values()) {
    const step = Math.max(1, list.length / countedRequests);
    // The places vary within a step, since prompts alternate.
    const places = Array.from({ length: Math.floor(list.length / step) }, (_, index) => index + ((index * 0.618) % 1));
    const bodies = places.map((at) => {
      const { id, body } = list[Math.floor(at * step)]!;
      if (!id.startsWith('j1.')) return body;
      const limit = Number(body['max_tokens']);
      const messages = body['messages'] as readonly JudgeMessage[];
      return { ...body, max_tokens: judgedTokens(body.model, messages, limit, priceBook) };
    });
    const cost = requestsCost(list.length, bodies, pricesOf);
    if (!cost) return undefined;
    sum += cost.amount * (how === 'batch' && !isMeasureBody(list[0]!.body) ? batchDiscount : 1);
  }
  return sum;
}

/** Says how many requests of a run remain, and what they cost. */
export function remainderText(
  requests: readonly EvalRequest[],
  prices: PriceBook,
  currency: Currency | undefined,
  language: string,
): string {
  const count = numberFormat(language).format(requests.length);
  const [byBatch, now] = [priceToSend(requests, 'batch', prices), priceToSend(requests, 'now', prices)];
  if (byBatch === undefined || now === undefined) return l10n.t('Remaining requests: {0}', count);
  const money = (amount: number) => moneyText(amount, currency, language);
  return l10n.t(
    'Remaining requests: {0}. Price: about {1} as a batch, or {2} if you run them now.',
    count,
    money(byBatch),
    money(now),
  );
}

/**
 * Says what is about to be charged. `grades`: the price of model grades that follow, if any; undefined if it is unknown, like the price of
 * the requests. `isFree`: whether what is unknown is free.
 */
export function chargeLines(
  requests: number,
  charge: {
    readonly price: number | undefined;
    readonly grades?: number | undefined;
    readonly isFree: boolean | undefined;
  },
  currency: Currency | undefined,
  language: string,
): readonly string[] {
  const money = (amount: number) => moneyText(amount, currency, language);
  const { price, grades, isFree } = charge;
  if (price === undefined && isFree) return [l10n.t('Requests to send: {0}. Price: free.', requests)];
  return [
    price === undefined
      ? l10n.t('Requests to send: {0}. Price: unknown. Set INFERENCE_DESK_PRICES to see it.', requests)
      : l10n.t('Requests to send: {0}. Price: about {1}.', requests, money(price)),
    ...('grades' in charge
      ? [
          grades === undefined
            ? l10n.t('Model grades are charged separately.')
            : l10n.t('Model grades: about {0}', money(grades)),
        ]
      : []),
  ];
}

type Place = 'window' | 'commandLine';

function knownPrice(
  { batch, now, outputTokens }: NonNullable<EvalFacts['cost']>,
  money: (amount: number) => string,
  number: Intl.NumberFormat,
): string {
  return l10n.t(
    'Price: about {0} as a batch, or {1} if run now (output tokens per response: {2})',
    money(batch),
    money(now),
    number.format(outputTokens),
  );
}

/** Says how to enter prices, unless there are none to enter. */
function unknownPrice(isFree: boolean, place: Place): string {
  if (isFree) return l10n.t('Price: {0}', l10n.t('free'));
  return place === 'window'
    ? l10n.t("Price: unknown. Enter your models' prices to see it.")
    : l10n.t('Price: unknown. Set INFERENCE_DESK_PRICES to see it.');
}

/** The facts as lines of text: size, price, and what the size can show. `place`: where the lines are read, and prices are entered. */
export function factLines(
  facts: EvalFacts,
  currency: Currency | undefined,
  language: string,
  place: Place = 'window',
): readonly string[] {
  const { rows, variants, requests, assertions, cost, grades, isFree, detectable, rowsForUsual } = facts;
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
    ...(requests === 0 ? [] : [cost ? knownPrice(cost, money, number) : unknownPrice(isFree, place)]),
    ...(service > 0 && (grades || !isFree)
      ? [
          grades
            ? l10n.t('Model grades: about {0} as a batch, or {1} if run now', money(grades.batch), money(grades.now))
            : l10n.t('Model grades are charged separately.'),
        ]
      : []),
    ...(variants > 1
      ? [
          detectable === undefined
            ? l10n.t('Too few rows to detect a difference.')
            : l10n.t("Differences below {0} percentage points can't be detected.", points(detectable)),
          ...(rows < rowsForUsual
            ? [
                cost && rows > 0
                  ? l10n.t(
                      'To detect {0} percentage points, use {1} rows (about {2} as a batch).',
                      points(usualDifference),
                      number.format(rowsForUsual),
                      money((cost.batch / rows) * rowsForUsual),
                    )
                  : l10n.t(
                      'To detect {0} percentage points, use {1} rows.',
                      points(usualDifference),
                      number.format(rowsForUsual),
                    ),
              ]
            : []),
        ]
      : []),
  ];
}

/** Places that a user should know of before a run: what would run code, and errors. */
export function canRun({ variants, rows }: EvalPlan, { problems }: EvalConfig): boolean {
  return variants.length > 0 && rows.length > 0 && !problems.some(({ kind }) => kind === 'error');
}
