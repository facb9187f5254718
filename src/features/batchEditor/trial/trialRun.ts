import { createTrialRecorder } from '../../../core/batch/trial/trialAnswer';
import type { TrialRecorder } from '../../../core/batch/trial/trialAnswer';
import type { TrialEnd } from '../../../core/batch/trial/trialText';
import { trialUsage } from '../../../core/batch/trial/trialUsage';
import { nearestIds } from '../../../core/catalogue/nearestIds';
import { budgetState } from '../../../core/usage/usage';
import { step } from '../../../platform/errors/errorActions';
import { isCancellation } from '../../../platform/errors/report';
import { describe } from '../../../platform/errors/reportError';
import { budgetUsedUp } from '../../../services/usage/tokenBudget';
import type { UsageLedger } from '../../../core/usage/usageLedger';
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

export interface TrialParts extends Services {
  readonly ledger: UsageLedger;
}

export function createTrialRun(tried: TriedLine): TrialRun {
  return { tried, recorder: createTrialRecorder(Date.now), cancelling: new AbortController(), actions: [] };
}

/** Throws if today's token budget is used up. */
export async function checkBudget({ settings, ledger, profiles }: TrialParts): Promise<void> {
  const budget = settings.get('chat.dailyTokenBudget');
  const today = await ledger.total(profiles.active?.id ?? '', Date.now());
  if (budgetState(today, budget) === 'hard') throw budgetUsedUp(today, budget.hard);
}

/** Sends the line and records the response and the outcome in the run. Adds its actual or possible usage to the ledger. Never rejects. */
export async function answerTrial(run: TrialRun, parts: TrialParts, onPiece: () => void): Promise<void> {
  const { connections, profiles, ledger } = parts;
  const { body, model } = run.tried.trial;
  const profileId = profiles.active?.id;
  let startedAt = Date.now();
  const totalMs = () => Date.now() - startedAt;
  let failure: unknown;
  try {
    const { chatCompletions } = await connections.client();
    // The time to start the service first is not part of the response time.
    startedAt = Date.now();
    run.recorder.begin();
    for await (const event of chatCompletions.streamWritten({ ...body, model }, run.cancelling.signal)) {
      run.recorder.add(event);
      onPiece();
    }
    run.end = { kind: 'done', totalMs: totalMs() };
    run.actions = exchangeSteps(parts, startedAt);
  } catch (error) {
    failure = error;
    if (run.cancelling.signal.aborted && isCancellation(error)) {
      run.end = { kind: 'stopped', totalMs: totalMs() };
      run.actions = exchangeSteps(parts, startedAt);
    } else {
      const { actions, ...trouble } = failureWords(error, model, parts);
      run.end = { kind: 'failed', totalMs: totalMs(), trouble };
      run.actions = actions;
    }
  }
  const used = trialUsage(body, run.recorder.read(), failure);
  if (used && profileId !== undefined) await ledger.add(profileId, { at: startedAt, model, ...used });
}

function exchangeSteps({ exchanges }: TrialParts, since: number): readonly WireAction[] {
  const sent = exchanges.recent.find(({ path, at }) => path.endsWith('/chat/completions') && at >= since);
  return sent ? [step('showExchange', sent.id)] : [];
}

function failureWords(error: unknown, model: string, { models, log }: TrialParts) {
  const listed = models.state.models.map(({ id }) => id);
  const { kind, title, detail, actions } = describe(error, { nearestModels: nearestIds(model, listed) });
  if (kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
  else log.warn(`${title}: ${detail}`);
  return { title, detail, actions };
}
