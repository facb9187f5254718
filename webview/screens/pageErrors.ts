import type { Signal } from '@preact/signals';
import { HostError } from '../../src/protocol/caller';
import type { WireError } from '../../src/protocol/wire';
import { titled } from '../../src/protocol/sentences';

/** How a page shows the error of its last action, and announces it to screen readers. */
export interface ErrorDisplay {
  readonly trouble: Signal<WireError | undefined>;
  readonly say: (text: string) => void;
}

/** Shows an error the host reported, except a cancelled call. Rethrows any other error. */
export function showError(error: unknown, { trouble, say }: ErrorDisplay): void {
  if (!(error instanceof HostError)) throw error;
  const { error: told } = error;
  if (told.kind === 'cancelled') return;
  trouble.value = told;
  say(titled(told.title, told.detail));
}

/** Runs an action of a page; shows an error the host reports and resolves with `undefined` then. */
export async function attempt<Result>(work: () => Promise<Result>, place: ErrorDisplay): Promise<Result | undefined> {
  place.trouble.value = undefined;
  try {
    return await work();
  } catch (error) {
    showError(error, place);
    return undefined;
  }
}
