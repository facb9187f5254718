import type { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import type { AnswerBlock, AnswerChunk } from '../../../../src/protocol/chat';

/** Follows like a page: puts chunks together. */
export function createPage(session: ChatSession, turnId: string, have: readonly AnswerBlock[] = []) {
  const blocks: AnswerBlock[] = [...have];
  const chunks: AnswerChunk[] = [];
  const leaving = new AbortController();
  let wake = () => {};
  const answer = session.follow(
    { turnId, have: blocks.map((block) => block.text.length) },
    {
      signal: leaving.signal,
      emit(chunk) {
        chunks.push(chunk);
        if (chunk.type === 'append') {
          const before = blocks[chunk.block]?.text ?? '';
          const named = chunk.name === undefined ? {} : { name: chunk.name };
          blocks[chunk.block] = { kind: chunk.kind, ...named, text: before + chunk.text } as AnswerBlock;
        }
        if (chunk.type === 'replace') blocks[chunk.block] = chunk.as;
        wake();
      },
    },
  );
  const shows = async (requested: string) => {
    while (!blocks.some((block) => block.text.includes(requested)))
      await new Promise<void>((resolve) => (wake = resolve));
  };
  return { blocks, chunks, answer, shows, leave: () => leaving.abort() };
}
