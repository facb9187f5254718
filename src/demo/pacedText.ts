import { tokenise } from './answers/tokens';
import type { Service } from './service';
import { wait } from './wait';

/** How many tokens go out at once where no time passes between them. */
const burst = 4;

/** The pieces of a text as they are "generated": one token at a time, with a little unevenness. */
export async function* pacedText(text: string, { pace, random }: Service, signal: AbortSignal): AsyncGenerator<string> {
  const pieces = tokenise(text);
  for (let at = 0; at < pieces.length;) {
    const { tokenMs } = pace();
    const count = tokenMs > 0 ? 1 : burst;
    if (tokenMs > 0) await wait(tokenMs * (0.5 + random()), signal);
    yield pieces.slice(at, at + count).join('');
    at += count;
  }
}
