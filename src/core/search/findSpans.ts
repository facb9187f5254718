import { createContext, Script } from 'node:vm';

/** A range of a text, from start to end (exclusive), in UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Thrown for an expression whose search of one text does not finish in time. */
export class SlowPatternError extends Error {
  override readonly name = 'SlowPatternError';
}

/** Returns at most `most` ranges that match a pattern in a text; empty matches are ignored. */
export type SpanFinder = (text: string, most: number) => readonly Span[];

/** Only the engine itself can stop an expression with catastrophic backtracking: as a script with a time limit. */
const script = new Script(`(() => {
  const { text, source, flags, most } = job;
  const pattern = new RegExp(source, flags);
  const spans = [];
  for (let found; spans.length < most && (found = pattern.exec(text)) !== null; ) {
    if (found[0] === '') pattern.lastIndex += 1;
    else spans.push({ start: found.index, end: pattern.lastIndex });
  }
  return JSON.stringify(spans);
})()`);

/** The finder throws `SlowPatternError` if one text takes longer than `timeoutMs`. */
export function createSpanFinder({ source, flags }: RegExp, timeoutMs = 500): SpanFinder {
  const job = { text: '', source, flags, most: 0 };
  const context = createContext({ job });
  return (text, most) => {
    Object.assign(job, { text, most });
    try {
      return JSON.parse(script.runInContext(context, { timeout: timeoutMs }) as string) as readonly Span[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new SlowPatternError('The expression takes too long.');
    } finally {
      job.text = '';
    }
  };
}
