import { isObject } from '../../api/isObject';
import type { EvalAssertion, EvalRow } from '../evalConfig';
import { leavesOf } from '../evalPlan';
import type { CellScore } from './gradeCell';
import { pairTypes } from './pairs';
import { passIf } from './score';
import type { Grade, MissingReason } from './score';

/** What the other scores of a response come to; `undefined` if its request failed. */
export type Total = { readonly total: number } | { readonly missing: MissingReason } | undefined;

/** What a batch never has, so the other scores decide. */
const unmeasured: ReadonlySet<MissingReason> = new Set(['notGraded', 'noLatency']);

/** Returns the assertions of a row whose scores `max-score` adds up: those that compare no variants, and instead of a set its members. */
export function addedUp({ assertions }: EvalRow): readonly EvalAssertion[] {
  return assertions.flatMap(leavesOf).filter(({ type }) => type !== 'max-score' && !pairTypes.has(type));
}

/** Adds up the scores of a response by `addedUp`, as the value of a `max-score` says: `method` is `average` or `sum`, `weights` are by type. */
export function totalOf(
  { value }: EvalAssertion,
  added: readonly EvalAssertion[],
  scores: readonly CellScore[],
): Total {
  const isPlain = (value ?? '') === '';
  const { method = 'average', weights = {}, threshold = 0 } = isObject(value) ? value : {};
  const isRead = isObject(value) || isPlain;
  const isKnown = (method === 'average' || method === 'sum') && Number.isFinite(threshold);
  const isWeighed = isObject(weights) && Object.values(weights).every((one) => Number.isFinite(one));
  if (!isRead || !isKnown || !isWeighed || added.length === 0) return { missing: 'badExpectation' };
  let [sum, counted, weighed] = [0, 0, 0];
  for (const [index, { grade }] of scores.entries()) {
    if ('missing' in grade) {
      if (unmeasured.has(grade.missing)) continue;
      return grade;
    }
    const { isNegated, type } = added[index]!;
    const name = `${isNegated ? 'not-' : ''}${type}`;
    const weight = Object.hasOwn(weights, name) ? Number(weights[name]) : 1;
    sum += weight * grade.value;
    weighed += weight;
    counted++;
  }
  if (counted === 0) return { missing: 'notGraded' };
  return { total: method === 'sum' ? sum : weighed > 0 ? sum / weighed : 0 };
}

/**
 * Grades the response of a variant next to those of the others: the highest total passes, of equal ones the first. With a threshold, it passes
 * from there on. Missing as long as one of them is.
 */
export function maxScoreGrade({ value, isNegated }: EvalAssertion, place: number, totals: readonly Total[]): Grade {
  if (totals.length < 2) return { missing: 'notGraded' };
  let [best, winner] = [-Infinity, -1];
  for (const [index, one] of totals.entries()) {
    if (!one) continue;
    if ('missing' in one) return one;
    if (one.total > best) [best, winner] = [one.total, index];
  }
  const own = totals[place];
  if (!own || 'missing' in own) return { missing: 'noResponse' };
  const threshold = isObject(value) ? Number(value['threshold'] ?? -Infinity) : -Infinity;
  return passIf((place === winner && best >= threshold) !== isNegated, own.total.toFixed(3));
}
