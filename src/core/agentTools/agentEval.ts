import { priceToSend } from '../evals/evalFacts';
import type { PlannedEval, PriceBook } from '../evals/evalFacts';
import type { EvalConfig } from '../evals/evalConfig';
import { hashOf } from '../evals/evalPlan';
import type { EvalRequest } from '../evals/run/runFolder';
import type { StoredRun } from '../evals/run/storedRun';
import { oneLine } from './answerText';
import type { AgentEval } from './toolHost';

const mostProblems = 10;

/** Converts a run to the form that models receive. `due`: what another run would send. */
export function toAgentEval(
  { title, facts }: PlannedEval,
  run: StoredRun,
  due: readonly EvalRequest[],
  prices: PriceBook,
): AgentEval {
  const [batch, now] = [priceToSend(due, 'batch', prices), priceToSend(due, 'now', prices)];
  return { title, facts, run, due: { requests: due.length, batch, now } };
}

/** Returns a hash of requests, which differs for others. */
export function dueDigest(requests: readonly EvalRequest[]): string {
  return hashOf(requests.map(({ key }) => key).join('\n'), 24);
}

/** Explains to a model why an eval cannot run. */
export function evalProblem({ problems }: EvalConfig): string {
  const errors = problems.filter(({ kind }) => kind === 'error');
  if (errors.length === 0) return 'The eval was not run, because it has no rows, no prompts, or no model.';
  const lines = errors
    .slice(0, mostProblems)
    .map(({ path, message, file }) => oneLine([file, path, message].filter(Boolean).join(': '), 300));
  return `The eval has ${errors.length} error${errors.length === 1 ? '' : 's'}, so it was not run. Fix them: ${lines.join(' | ')}`;
}
