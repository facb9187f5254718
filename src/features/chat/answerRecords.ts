import type { ContentBlock, MessageEvent } from '../../core/api/messages/messageEvents';
import type { ConversationRecord } from '../../core/conversation/record';

/** Converts the events of a stream into records of one answer. */
export interface AnswerRecorder {
  add(event: MessageEvent): void;
  /** Returns the records added since the last call; adjacent text of one block is joined. */
  take(): readonly ConversationRecord[];
}

export interface AnswerBeginning {
  /** The blocks the answer already has when it is continued, with their lengths in characters. */
  readonly blocks: readonly { readonly length: number }[];
  /** The block in which the next text continues; -1 for none. */
  readonly unfinished: number;
  /** The text the answer must begin with; recorded with the first event that starts a block. Empty for none. */
  readonly prefill: string;
}

export function createAnswerRecorder(answer: string, { blocks, unfinished, prefill }: AnswerBeginning): AnswerRecorder {
  let records: ConversationRecord[] = [];
  /** Characters recorded per block. */
  const written = blocks.map(({ length }) => length);
  const locations = createPlaces(written);
  let isNew = blocks.length === 0;
  locations.goOn(unfinished);

  const begin = () => {
    if (!isNew || prefill === '') return;
    isNew = false;
    records.push(...prefillRecords(answer, prefill));
    written[0] = prefill.length;
    locations.goOn(0);
  };

  const open = (streamIndex: number, block: StartedBlock) => {
    const { index, isOwn } = locations.open(streamIndex, block.type);
    if (isOwn) records.push({ kind: 'block', answer, index, type: block.type, ...nameOf(block) });
  };
  const addText = (index: number, text: string) => {
    const from = written[index] ?? 0;
    written[index] = from + text.length;
    addPiece(records, { kind: 'piece', answer, index, from, text });
  };

  return {
    add(event) {
      switch (event.type) {
        case 'blockStart':
          begin();
          open(event.index, event.block);
          return;
        case 'text':
        case 'thinking':
        case 'toolInput':
          addText(locations.of(event.index).index, event.text);
          return;
        case 'blockStop': {
          const { block } = event;
          const { index, from } = locations.of(event.index);
          const missing = (written[index] ?? 0) === from ? textOf(block) : '';
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

/** Joins the text to the previous record if both belong to the same block. */
function addPiece(records: ConversationRecord[], piece: Extract<ConversationRecord, { readonly kind: 'piece' }>): void {
  const last = records.at(-1);
  if (last?.kind !== 'piece' || last.index !== piece.index) records.push(piece);
  else records[records.length - 1] = { ...last, text: last.text + piece.text };
}

/** The block and the piece are for readers that do not know `prefill` records. */
function prefillRecords(answer: string, text: string): readonly ConversationRecord[] {
  return [
    { kind: 'prefill', answer, text },
    { kind: 'block', answer, index: 0, type: 'text' },
    { kind: 'piece', answer, index: 0, from: 0, text },
  ];
}

interface Place {
  /** The index of the answer's block. */
  readonly index: number;
  /** The block's length in characters when the stream reached it. */
  readonly from: number;
  /** Whether the block is new. */
  readonly isOwn: boolean;
}

/**
 * Maps the blocks of a stream to blocks of the answer (`written`, which grows): the first text continues the unfinished text block,
 * everything else gets a new block.
 */
function createPlaces(written: number[]) {
  const locations = new Map<number, Place>();
  let unfinished = -1;

  const open = (streamIndex: number, type: string): Place => {
    const isOwn = type !== 'text' || unfinished < 0;
    const index = isOwn ? written.length : unfinished;
    if (!isOwn) unfinished = -1;
    const location = { index, from: (written[index] ??= 0), isOwn };
    locations.set(streamIndex, location);
    return location;
  };
  return {
    open,
    goOn: (index: number) => void (unfinished = index),
    of: (streamIndex: number): Place => locations.get(streamIndex) ?? open(streamIndex, 'text'),
  };
}

type StartedBlock = Extract<MessageEvent, { readonly type: 'blockStart' }>['block'];

function nameOf(block: StartedBlock): { readonly name?: string } {
  if (block.type === 'tool_use') return { name: block.name };
  if (block.type !== 'unknown') return {};
  return typeof block.raw['type'] === 'string' ? { name: block.raw['type'] } : {};
}

/** The text to show for a finished block of which no delta arrived. */
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
