import { createTrialRecorder } from '../../../core/batch/trial/trialAnswer';
import type { TrialRecorder } from '../../../core/batch/trial/trialAnswer';
import type { TrialEnd } from '../../../core/batch/trial/trialText';
import { nearestIds } from '../../../core/catalogue/nearestIds';
import { step } from '../../../platform/errors/errorActions';
import { isCancellation } from '../../../platform/errors/report';
import { describe } from '../../../platform/errors/reportError';
import type { WireAction } from '../../../protocol/wire';
import type { Services } from '../../../services/services';
import type { TriedLine } from './triedLine';

/** A running or finished trial of a line. */
export interface TrialRun {
  readonly tried: TriedLine;
  readonly recorder: TrialRecorder;
  readonly cancelling: AbortController;
  /** Unset while the response is streaming. */
  end?: TrialEnd;
  /** The actions available after it ended. */
  actions: readonly WireAction[];
}

export function createTrialRun(tried: TriedLine): TrialRun {
  return { tried, recorder: createTrialRecorder(Date.now), cancelling: new AbortController(), actions: [] };
}

/** Sends the line and records the response and the outcome in the run. Never rejects. */
export async function answerTrial(run: TrialRun, services: Services, onPiece: () => void): Promise<void> {
  const { body, model } = run.tried.trial;
  let startedAt = Date.now();
  const totalMs = () => Date.now() - startedAt;
  try {
    const { chatCompletions } = await services.connections.client();
    // The time to start the service first is not part of the response time.
    startedAt = Date.now();
    run.recorder.begin();
    for await (const event of chatCompletions.streamWritten({ ...body, model }, run.cancelling.signal)) {
      run.recorder.add(event);
      onPiece();
    }
    run.end = { kind: 'done', totalMs: totalMs() };
    run.actions = exchangeSteps(services, startedAt);
  } catch (error) {
    if (run.cancelling.signal.aborted && isCancellation(error)) {
      run.end = { kind: 'stopped', totalMs: totalMs() };
      run.actions = exchangeSteps(services, startedAt);
    } else {
      const { actions, ...trouble } = failureWords(error, model, services);
      run.end = { kind: 'failed', totalMs: totalMs(), trouble };
      run.actions = actions;
    }
  }
}

function exchangeSteps({ exchanges }: Services, since: number): readonly WireAction[] {
  const sent = exchanges.recent.find(({ path, at }) => path.endsWith('/chat/completions') && at >= since);
  return sent ? [step('showExchange', sent.id)] : [];
}

function failureWords(error: unknown, model: string, { models, log }: Services) {
  const listed = models.state.models.map(({ id }) => id);
  const { kind, title, detail, actions } = describe(error, { nearestModels: nearestIds(model, listed) });
  if (kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
  else log.warn(`${title}: ${detail}`);
  return { title, detail, actions };
}
