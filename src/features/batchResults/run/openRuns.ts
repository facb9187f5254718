import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import { keyOf } from './resultsTarget';
import type { ResultsTarget } from './resultsTarget';
import { createRunReading } from './readings';
import type { RunReading } from './readings';
import { createShownRun } from './shownRun';
import type { ShownRun } from './shownRun';

/** A run and the reader of its results. Shared: both are disposed with the last user. */
export interface OpenRun extends Disposable {
  readonly run: ShownRun;
  readonly reading: RunReading;
}

/** The runs being shown: each is watched and read once, however many users it has. */
export interface OpenRuns extends Disposable {
  open(target: ResultsTarget): OpenRun;
}

interface Shared extends Disposable {
  readonly run: ShownRun;
  readonly reading: RunReading;
  users: number;
}

export function createOpenRuns(services: Services): OpenRuns {
  const runs = new Map<string, Shared>();
  const begin = (target: ResultsTarget): Shared => {
    const run = createShownRun(services, target);
    const reading = createRunReading(services.context.extensionUri, run);
    const dispose = () => {
      reading.dispose();
      run.dispose();
    };
    return { run, reading, users: 0, dispose };
  };
  return {
    open(target) {
      const key = keyOf(target);
      const shared = runs.get(key) ?? begin(target);
      runs.set(key, shared);
      shared.users++;
      let isOpen = true;
      const dispose = () => {
        if (!isOpen) return;
        isOpen = false;
        if (--shared.users > 0) return;
        runs.delete(key);
        shared.dispose();
      };
      return { run: shared.run, reading: shared.reading, dispose };
    },
    dispose() {
      for (const shared of runs.values()) shared.dispose();
      runs.clear();
    },
  };
}
