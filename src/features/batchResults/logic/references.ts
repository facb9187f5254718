import type { Memento } from 'vscode';
import { keyOf, readTarget, type ResultsTarget } from './resultsTarget';

const key = 'batchResults.references';
/** Older entries are dropped. */
const mostReferences = 100;

/** The runs that others are compared with, in a column of their results. */
export function createReferences(memento: Memento) {
  const all = () => memento.get<Readonly<Record<string, unknown>>>(key, {});
  return {
    of(run: ResultsTarget): ResultsTarget | undefined {
      return readTarget(all()[keyOf(run)]);
    },
    /** `null` ends the comparison. */
    async set(run: ResultsTarget, reference: ResultsTarget | null): Promise<void> {
      const { [keyOf(run)]: _before, ...others } = all();
      const recent = Object.entries(others).slice(1 - mostReferences);
      await memento.update(key, Object.fromEntries(reference ? [...recent, [keyOf(run), reference]] : recent));
    },
  };
}
