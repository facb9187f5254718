import { tokenise } from './answers/tokens';
import type { Service } from './service';
import { wait } from './wait';

/** How many tokens go out at once where no time passes between them. */
const burst = 4;

/**
 * The pieces of a text as they are "generated": one token at a time, with a little unevenness. Each has its due time, so
 * that a busy machine delays single tokens but not the whole.
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
