import { tokenise } from './answers/tokens';
import type { Service } from './service';
import { wait } from './wait';

/** Number of tokens sent at once if there is no delay between them. */
const burst = 4;

/**
 * Yields the tokens of a text as they are "generated": one at a time, with slight jitter. Each has its own due time, so that a busy machine
 * delays single tokens but not the entire answer.
 */
export async function* pacedText(text: string, { pace, random }: Service, signal: AbortSignal): AsyncGenerator<string> {
  const pieces = tokenise(text);
  let due = performance.now();
  for (let at = 0; at < pieces.length;) {
    const { tokenMs } = pace();
    const count = tokenMs > 0 ? 1 : burst;
    due += tokenMs * (0.5 + random());
    const early = due - performance.now();
    if (early > 0) await wait(early, signal);
    yield pieces.slice(at, at + count).join('');
    at += count;
  }
}
