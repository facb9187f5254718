import type { ContentBlock, MessageEvent } from '../../core/api/messages/messageEvents';
import type { ConversationRecord } from '../../core/conversation/record';

/** Turns what a stream says into records of one answer. */
export interface AnswerRecorder {
  add(event: MessageEvent): void;
  /** What was added since the last call, pieces of one block joined. */
  take(): readonly ConversationRecord[];
}

export function createAnswerRecorder(answer: string): AnswerRecorder {
  let records: ConversationRecord[] = [];
  /** Characters written per block. */
  const written: number[] = [];

  const addText = (index: number, text: string) => {
    const from = written[index] ?? 0;
    written[index] = from + text.length;
    const last = records.at(-1);
    if (last?.kind === 'piece' && last.index === index) {
      records[records.length - 1] = { ...last, text: last.text + text };
    } else {
      records.push({ kind: 'piece', answer, index, from, text });
    }
  };

  return {
    add(event) {
      switch (event.type) {
        case 'blockStart': {
          const { index, block } = event;
          const name = nameOf(block);
          records.push({ kind: 'block', answer, index, type: block.type, ...(name === undefined ? {} : { name }) });
          return;
        }
        case 'text':
        case 'thinking':
        case 'toolInput':
          addText(event.index, event.text);
          return;
        case 'blockStop': {
          const { index, block } = event;
          const missing = (written[index] ?? 0) === 0 ? textOf(block) : '';
          if (missing !== '') addText(index, missing);
          if (holdsMore(block)) records.push({ kind: 'whole', answer, index, block });
          return;
        }
        case 'start':
        case 'unknown':
        case 'end':
          return;
      }
    },
    take() {
      const taken = records;
      records = [];
      return taken;
    },
  };
}

type StartedBlock = Extract<MessageEvent, { readonly type: 'blockStart' }>['block'];

function nameOf(block: StartedBlock): string | undefined {
  if (block.type === 'tool_use') return block.name;
  if (block.type !== 'unknown') return undefined;
  return typeof block.raw['type'] === 'string' ? block.raw['type'] : undefined;
}

/** What a finished block shows where no piece of it came. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return JSON.stringify(block.input, undefined, 2);
    case 'unknown':
      return JSON.stringify(block.raw, undefined, 2);
  }
}

function holdsMore(block: ContentBlock): boolean {
  return (
    block.type === 'tool_use' ||
    block.type === 'unknown' ||
    (block.type === 'thinking' && block.signature !== undefined)
  );
}
