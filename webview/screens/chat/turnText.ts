import type { TurnView } from './conversation';

/** Returns the text of an answer as it is copied: without thinking and tool calls. */
export function answerText({ blocks }: TurnView): string {
  return blocks.value
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.value)
    .join('\n\n');
}
