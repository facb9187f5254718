import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { isMeasureBody } from '../../usage/localCall';
import type { EvalAssertion } from '../evalConfig';
import { requestOf } from '../evalPlan';
import type { EvalCell } from '../evalPlan';
import { fillTemplate } from '../formats/template';
import type { Grade } from './score';

/** The body of a request for embeddings, or for a relevance score. */
type MeasureBody =
  | { readonly model: string; readonly input: readonly string[] }
  | { readonly model: string; readonly query: string; readonly documents: readonly string[] };

/** As in promptfoo. */
const leastSimilarity = 0.75;
const leastRelevance = 0.5;

/** Where requests for a measure go, as lines of a file name it. */
export function measureUrl(body: object): string | undefined {
  return isMeasureBody(body) ? ('input' in body ? '/v1/embeddings' : '/v1/rerank') : undefined;
}

/** Returns the model that an assertion names for its measure, or else the one that the run has. */
export function measuringModel({ type, config }: EvalAssertion, embeddings: string | undefined): string | undefined {
  const own = config?.[type === 'answer-relevance' ? 'reranker' : 'embeddings'];
  return typeof own === 'string' ? own : embeddings;
}

/**
 * The request that measures an answer, or its grade if that needs none. An embedding model gets the answer and all expected texts; a reranker
 * the answer and the question, which is the value of the assertion, the variable `query` or `question`, or the prompt. Undefined without a
 * model.
 */
export function measureOf(
  assertion: EvalAssertion,
  cell: EvalCell,
  { text, embeddings }: { readonly text: string; readonly embeddings: string | undefined },
): { readonly body: MeasureBody } | { readonly grade: Grade } | undefined {
  const model = measuringModel(assertion, embeddings);
  const vars = new Map<string, unknown>([...cell.row.vars, ['output', text]]);
  const written = (Array.isArray(assertion.value) ? (assertion.value as readonly unknown[]) : [assertion.value])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => fillTemplate(String(one), vars).text)
    .filter((one) => one.trim() !== '');
  const isRanked = assertion.type === 'answer-relevance';
  if (!isRanked && written.length === 0) return { grade: { missing: 'badExpectation' } };
  // Services reject empty texts.
  if (text.trim() === '') return { grade: turned(assertion, 0, false) };
  if (model === undefined) return undefined;
  if (!isRanked) return { body: { model, input: [text, ...written] } };
  const [query = questionOf(cell)] = written;
  return query === '' ? { grade: { missing: 'badExpectation' } } : { body: { model, query, documents: [text] } };
}

/** The question of a row: its variable `query` or `question`, or else the last message of the user. */
export function questionOf(cell: EvalCell): string {
  const known = [cell.row.vars.get('query'), cell.row.vars.get('question')].find((one) => typeof one === 'string');
  const content = known ?? requestOf(cell).body.messages.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? content.trim() : '';
}

function turned({ isNegated }: EvalAssertion, share: number, isPassed: boolean): Grade {
  const value = Math.min(1, Math.max(0, share));
  return isNegated ? { value: 1 - value, pass: !isPassed } : { value, pass: isPassed };
}

/** Reads what is kept of a measure. The best of several expected texts counts. */
export function readMeasure(assertion: EvalAssertion, answer: string): Grade {
  const read = parseJson(answer);
  const { type, threshold } = assertion;
  if (!isObject(read)) return { missing: 'unreadableVerdict' };
  if (type === 'answer-relevance') {
    const { relevance } = read;
    if (typeof relevance !== 'number') return { missing: 'unreadableVerdict' };
    return turned(assertion, relevance, relevance >= (threshold ?? leastRelevance));
  }
  const metric = type === 'similar' ? 'cosine' : type.replace(/^similar:/, '');
  const list = Array.isArray(read[metric]) ? (read[metric] as readonly unknown[]) : [];
  const known = list.filter((one) => typeof one === 'number');
  if (known.length === 0 || known.length < list.length) return { missing: 'unreadableVerdict' };
  const limit = threshold ?? leastSimilarity;
  const sorted = known.toSorted((a, b) => a - b);
  const [best, distance] = [sorted.at(-1)!, sorted[0]!];
  if (metric !== 'euclidean') return turned(assertion, best, best >= limit);
  return turned(assertion, 1 / (1 + distance), distance <= limit);
}
