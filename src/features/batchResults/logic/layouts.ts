import type { Memento } from 'vscode';
import type { ResultsLayout } from '../../../protocol/batchResults';

const layoutsKey = 'batchResults.layouts';
/** Older entries are dropped. */
const mostLayouts = 50;

/** The columns as someone arranged them, by batch file. */
export function createLayouts(memento: Memento) {
  const all = () => memento.get<Readonly<Record<string, ResultsLayout>>>(layoutsKey, {});
  return {
    of(key: string): ResultsLayout {
      const known = all();
      return (Object.hasOwn(known, key) ? known[key] : undefined) ?? { columns: null, widths: {} };
    },
    async set(key: string, layout: ResultsLayout): Promise<void> {
      const { [key]: _before, ...others } = all();
      await memento.update(
        layoutsKey,
        Object.fromEntries([...Object.entries(others).slice(1 - mostLayouts), [key, layout]]),
      );
    },
  };
}
