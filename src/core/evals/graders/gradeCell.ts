import type { EvalAssertion } from '../evalConfig';
import { canonicalJson, hashOf } from '../evalPlan';
import type { EvalCell } from '../evalPlan';
import { fillTemplate } from '../formats/template';
import { parseJson } from '../../api/parseJson';
import { readVerdict } from './judge';
import { gradeLocally } from './localGraders';
import type { Grade, GradedResponse, MissingReason } from './score';

/** The score of one assertion for one response. */
export interface CellScore {
  /** From `graderName`. */
  readonly name: string;
  readonly grader: string;
  readonly weight: number;
  readonly grade: Grade;
}

/** The outcome of a cell. */
export interface GradedCell {
  readonly id: string;
  readonly row: string;
  readonly variant: string;
  readonly repeat: number;
  readonly scores: readonly CellScore[];
  readonly result: { readonly pass: boolean; readonly value: number } | { readonly missing: MissingReason };
}

/** Returns a judge's answer to an assertion of a cell, or the grade of a comparison; `undefined` if there is none yet. */
export type JudgeAnswers = (cell: EvalCell, assertion: EvalAssertion) => string | Grade | undefined;

const graderIds = new WeakMap<EvalAssertion, string>();

/** Eight digits of a hash of all that decides what a grader says. */
export function graderId(assertion: EvalAssertion): string {
  const known = graderIds.get(assertion);
  if (known !== undefined) return known;
  const { type, isNegated, value, threshold, rubric, config, input } = assertion;
  const id = hashOf(
    canonicalJson([type, isNegated, value ?? null, threshold ?? null, rubric ?? null, config ?? null, input ?? null]),
    8,
  );
  graderIds.set(assertion, id);
  return id;
}

/** Returns the name of an assertion in a report: its metric, or its type. */
export function graderName({ metric, isNegated, type }: EvalAssertion): string {
  return metric ?? `${isNegated ? 'not-' : ''}${type}`;
}

/** Grades a response by all assertions of its row. Without a response, everything is missing. */
export function gradeCell(cell: EvalCell, response: GradedResponse | undefined, judged: JudgeAnswers): GradedCell {
  const { id, row, variant, repeat } = cell;
  const known = { id, row: row.hash, variant: variant.id, repeat };
  const context = { cell, response, judged, vars: response ? varsOf(cell, response) : undefined };
  const scores = row.assertions.map((assertion) => scoreOf(assertion, context));
  if (!response) return { ...known, scores, result: { missing: 'noResponse' } };
  return { ...known, scores, result: resultOf(scores, row.threshold) };
}

interface Context {
  readonly cell: EvalCell;
  readonly response: GradedResponse | undefined;
  readonly judged: JudgeAnswers;
  readonly vars: ReadonlyMap<string, unknown> | undefined;
}

function varsOf({ row }: EvalCell, { text }: GradedResponse): ReadonlyMap<string, unknown> {
  const isJson = /^\s*[{[]/.test(text);
  const sample = { output_text: text, ...(isJson && { output_json: parseJson(text) }) };
  return new Map<string, unknown>([...row.vars, ['output', text], ['sample', sample]]);
}

function scoreOf(assertion: EvalAssertion, context: Context): CellScore {
  const { weight } = assertion;
  return { name: graderName(assertion), grader: graderId(assertion), weight, grade: gradeOf(assertion, context) };
}

function gradeOf(assertion: EvalAssertion, context: Context): Grade {
  const { cell, response, judged, vars } = context;
  if (assertion.isBlocked) return { missing: 'notGraded' };
  if (!response || !vars) return { missing: 'noResponse' };
  switch (assertion.class) {
    case 'set': {
      const result = resultOf(
        assertion.members.map((member) => scoreOf(member, context)),
        assertion.threshold,
      );
      if ('missing' in result) return result;
      return assertion.isNegated ? { value: 1 - result.value, pass: !result.pass } : result;
    }
    case 'local': {
      if (assertion.type === 'max-score') {
        const grade = judged(cell, assertion);
        return typeof grade === 'object' ? grade : { missing: 'notGraded' };
      }
      const { input } = assertion;
      const tools = cell.variant.provider.parameters['tools'] ?? cell.variant.prompt.parameters?.['tools'];
      return gradeLocally({
        assertion,
        response,
        value: filled(assertion.value, vars),
        text: input === undefined ? response.text : fillTemplate(input, vars).text,
        tools: Array.isArray(tools) ? tools : [],
      });
    }
    case 'service': {
      if (response.isTruncated) return { missing: 'truncated' };
      const answer = judged(cell, assertion);
      if (answer === undefined) return { missing: 'noVerdict' };
      return typeof answer === 'string' ? readVerdict(assertion, answer) : answer;
    }
    case 'code':
    case 'other':
    case 'reference':
    case 'unknown':
      return { missing: 'notGraded' };
  }
}

/** An expectation with its placeholders filled in. Patterns and schemas have their own braces, which are unchanged. */
function filled(value: unknown, vars: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return value.includes('{{') ? fillTemplate(value, vars).text : value;
  return Array.isArray(value) ? value.map((one) => filled(one, vars)) : value;
}

/**
 * The weighted score of a row. With a threshold it passes from there on; without one, every weighted assertion must pass. A missing score
 * leaves it open only if it could decide.
 */
function resultOf(scores: readonly CellScore[], threshold: number | undefined): GradedCell['result'] {
  let [sum, weights, open] = [0, 0, 0];
  let [reason, unmeasured]: (MissingReason | undefined)[] = [];
  let isFailed = false;
  for (const { weight, grade } of scores) {
    if ('missing' in grade) {
      if (grade.missing === 'notGraded' || weight <= 0) continue;
      // A batch never has it, so the other assertions decide.
      if (grade.missing === 'noLatency') {
        unmeasured = grade.missing;
        continue;
      }
      reason ??= grade.missing;
      open += weight;
    } else {
      sum += weight * grade.value;
      isFailed ||= weight > 0 && !grade.pass;
    }
    weights += weight;
  }
  if (weights <= 0) return { missing: reason ?? unmeasured ?? 'notGraded' };
  const [least, most] = [sum / weights, (sum + open) / weights];
  const noise = 1e-12;
  if (threshold === undefined) {
    if (isFailed) return { pass: false, value: least };
    return reason === undefined ? { pass: true, value: least } : { missing: reason };
  }
  if (most < threshold - noise) return { pass: false, value: least };
  if (least >= threshold - noise) return { pass: true, value: least };
  return { missing: reason ?? 'notGraded' };
}
