import { randomUUID } from 'node:crypto';
import { HeldElsewhere } from '../../core/storage/leases';
import { MissingInput } from '../../core/assets/inputs';
import { RequestProblem } from '../../core/jobs/requestProblem';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import type { Job } from '../../core/jobs/job';

/** Profile id in the job records: the server has a single account. */
export const accountId = 'mcp';

/** What a job engine needs from its environment. */
export const surroundings = {
  where: () => `MCP server ${process.pid}`,
  now: Date.now,
  newId: randomUUID,
  setTimer: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** How often to look for changes written by other servers, besides every explicit query. */
const refreshMs = 10_000;

/** Refreshes the engine from disk at intervals. Returns a function that stops it. */
export function keepFresh(engine: { refresh(): Promise<void> }, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => void engine.refresh().catch(onError), refreshMs);
  return () => clearInterval(timer);
}

export interface Watch<J extends Job> {
  /** Call this when any job has changed. */
  changed(this: void): void;
  /** Resolves to the job once it is over or after `ms`, whichever comes first. Throws the signal's reason on abort. */
  until(
    id: string,
    isOver: (job: J) => boolean,
    options: { readonly ms?: number; readonly signal: AbortSignal },
  ): Promise<J>;
}

export function createWatch<J extends Job>(jobs: () => readonly J[]): Watch<J> {
  const looks = new Set<() => void>();
  return {
    changed: () => {
      for (const look of looks) look();
    },
    until: (id, isOver, { ms, signal }) => {
      let done = (): void => undefined;
      const ended = new Promise<J>((resolve, reject) => {
        const look = (isLate = false) => {
          const job = jobs().find((one) => one.id === id);
          if (!job) reject(new RequestProblem('noSuchJob'));
          else if (isLate || isOver(job)) resolve(job);
        };
        const onChange = () => look();
        const stop = () => reject(signal.reason);
        const timer = ms === undefined ? undefined : setTimeout(() => look(true), ms);
        signal.addEventListener('abort', stop);
        looks.add(onChange);
        done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          looks.delete(onChange);
        };
        if (signal.aborted) stop();
        else look(ms === 0);
      });
      return ended.finally(() => done());
    },
  };
}

/** Returns a function that returns how much of `ms` is left, counted from now. */
export function countDown(ms: number): () => number {
  const until = performance.now() + ms;
  return () => Math.max(0, until - performance.now());
}

/** Explains to a model why a job request is not possible; `undefined` for any other error. */
export function requestProblemText(error: unknown): string | undefined {
  if (error instanceof HeldElsewhere) return 'Another server is working on this job. Try again in a moment.';
  if (error instanceof MissingInput) return 'The input image is missing on this machine.';
  return error instanceof RequestProblem ? problemWords[error.kind] : undefined;
}

const problemWords: Readonly<Record<RequestProblemKind, string>> = {
  noSuchJob: 'This job does not exist on this machine.',
  notRunning: 'No result is available for download yet.',
  notRefused: 'The job was already started and will not be started again.',
  maybeRunning: 'This batch might already be in progress. Wait until that one ends.',
  takenOver: 'Another server has taken over this job.',
  inputChanged: 'The file changed after the check, so it was not sent. Check it again.',
};
