import type { Signal } from '@preact/signals';
import { HostError } from '../../src/protocol/caller';
import type { WireError } from '../../src/protocol/wire';
import { titled } from '../../src/protocol/sentences';

/** Where a page shows what its last step failed with, and how it says so to a screen reader. */
export interface ErrorDisplay {
  readonly trouble: Signal<WireError | undefined>;
  readonly say: (text: string) => void;
}

/** What was ended, because the person ended it or something else took its place, is no trouble. Throws on what the host did not tell. */
export function showError(error: unknown, { trouble, say }: ErrorDisplay): void {
  if (!(error instanceof HostError)) throw error;
  const { error: told } = error;
  if (told.kind === 'cancelled') return;
  trouble.value = told;
  say(titled(told.title, told.detail));
}

/** Does a step of a page; resolves with nothing where the host refused it. */
export async function attempt<Result>(work: () => Promise<Result>, place: ErrorDisplay): Promise<Result | undefined> {
  place.trouble.value = undefined;
  try {
    return await work();
  } catch (error) {
    showError(error, place);
    return undefined;
  }
}
