import type { TranscriptAnswer, TranscriptTurn } from './transcript';

/** How many messages the vendor's page allows in one request; services were seen to take more. */
export const documentedMessageLimit = 10;

/** One message of a request, text only. */
export interface RequestMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/**
 * The messages that ask the last of `turns`, with what came before. Answers without text (failed, refused) are left out, and
 * what then stands side by side from the same role is joined, because the service refuses two messages of one role in a row.
 * Partial answers are sent as far as they came; thinking is not sent back.
 */
export function toRequestMessages(turns: readonly TranscriptTurn[]): readonly RequestMessage[] {
  const messages: RequestMessage[] = [];
  const say = (role: RequestMessage['role'], content: string) => {
    if (content.trim() === '') return;
    const last = messages.at(-1);
    if (last?.role === role) messages[messages.length - 1] = { role, content: `${last.content}\n\n${content}` };
    else messages.push({ role, content });
  };
  turns.forEach((turn, index) => {
    say('user', turn.question);
    const shown = turn.answers.at(-1);
    if (shown && index < turns.length - 1) say('assistant', textOf(shown));
  });
  return messages;
}

/** The answer's text blocks, joined. */
export function textOf(answer: TranscriptAnswer): string {
  return answer.blocks
    .flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []))
    .join('\n\n');
}
