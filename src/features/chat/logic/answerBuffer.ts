import type { ContentBlock, MessageEvent } from '../../../core/api/messages/messageEvents';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import { blockText } from '../../../core/conversation/transcript';
import type { ConversationRecord } from '../../../core/conversation/record';
import type { ChatClock } from './chatServices';

export interface AnswerBuffer {
  add(event: MessageEvent): void;
  /** Resolves once everything added before is written and reported. Never rejects. */
  flush(): Promise<void>;
}

/**
 * The one buffer between stream, history and page: collects the events of a stream as records, writes them, and only then reports them, so
 * that a page may show them. The first event does not wait.
 */
export function createAnswerBuffer(
  clock: ChatClock,
  { conversation, answerId }: { readonly conversation: Conversation; readonly answerId: string },
  beginning: AnswerBeginning,
  onRecorded: (records: readonly ConversationRecord[]) => void,
): AnswerBuffer {
  const recorder = createAnswerRecorder(answerId, beginning);
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async () => {
    const records = recorder.take();
    if (records.length === 0) return;
    await conversation.record(records);
    onRecorded(records);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = clock.now();
    writing = writing.then(writeNow);
    return writing;
  };
  return {
    flush,
    add(event) {
      recorder.add(event);
      timer ??= setTimeout(() => void flush(), Math.max(0, clock.updateMs - (clock.now() - lastFlush)));
    },
  };
}

/** Converts the events of a stream into records of one answer. */
interface AnswerRecorder {
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

export function createAnswerRecorder(answer: string, beginning: AnswerBeginning): AnswerRecorder {
  return new Recorder(answer, beginning);
}

class Recorder implements AnswerRecorder {
  private records: ConversationRecord[] = [];
  /** Characters recorded per block. */
  private readonly written: number[];
  private readonly positions: ReturnType<typeof createPositions>;
  private isNew: boolean;

  constructor(
    private readonly answer: string,
    private readonly beginning: AnswerBeginning,
  ) {
    this.written = beginning.blocks.map(({ length }) => length);
    this.positions = createPositions(this.written);
    this.isNew = beginning.blocks.length === 0;
    this.positions.continueIn(beginning.unfinished);
  }

  add(event: MessageEvent): void {
    switch (event.type) {
      case 'blockStart':
        this.begin();
        this.open(event.index, event.block);
        return;
      case 'text':
      case 'thinking':
      case 'toolInput':
        this.addText(this.positions.of(event.index).index, event.text);
        return;
      case 'blockStop':
        this.finish(this.positions.of(event.index), event.block);
        return;
      case 'replace':
        this.replace(this.positions.of(event.index).index, event.block);
        return;
      case 'start':
      case 'unknown':
      case 'end':
    }
  }

  take(): readonly ConversationRecord[] {
    const taken = this.records;
    this.records = [];
    return taken;
  }

  private begin(): void {
    const { prefill } = this.beginning;
    if (!this.isNew || prefill === '') return;
    this.isNew = false;
    for (const one of prefillRecords(this.answer, prefill)) this.records.push(one);
    this.written[0] = prefill.length;
    this.positions.continueIn(0);
  }

  private open(streamIndex: number, block: StartedBlock): void {
    const { answer } = this;
    const { index, isOwn } = this.positions.open(streamIndex, block.type);
    if (isOwn) this.records.push({ kind: 'block', answer, index, type: block.type, ...nameOf(block) });
  }

  private addText(index: number, text: string): void {
    const from = this.written[index] ?? 0;
    this.written[index] = from + text.length;
    addPiece(this.records, { kind: 'piece', answer: this.answer, index, from, text });
  }

  private finish({ index, from }: BlockPosition, block: ContentBlock): void {
    const missing = (this.written[index] ?? 0) === from ? blockText(block) : '';
    if (missing !== '') this.addText(index, missing);
    if (holdsMore(block)) this.records.push({ kind: 'whole', answer: this.answer, index, block });
  }

  private replace(index: number, block: ContentBlock): void {
    this.written[index] = blockText(block).length;
    this.records.push({ kind: 'replaced', answer: this.answer, index, block });
  }
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

interface BlockPosition {
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
function createPositions(written: number[]) {
  const positions = new Map<number, BlockPosition>();
  let unfinished = -1;

  const open = (streamIndex: number, type: string): BlockPosition => {
    const isOwn = type !== 'text' || unfinished < 0;
    const index = isOwn ? written.length : unfinished;
    if (!isOwn) unfinished = -1;
    const position = { index, from: (written[index] ??= 0), isOwn };
    positions.set(streamIndex, position);
    return position;
  };
  return {
    open,
    continueIn: (index: number) => void (unfinished = index),
    of: (streamIndex: number): BlockPosition => positions.get(streamIndex) ?? open(streamIndex, 'text'),
  };
}

type StartedBlock = Extract<MessageEvent, { readonly type: 'blockStart' }>['block'];

function nameOf(block: StartedBlock): { readonly name?: string } {
  if (block.type === 'tool_use') return { name: block.name };
  if (block.type !== 'unknown') return {};
  return typeof block.raw['type'] === 'string' ? { name: block.raw['type'] } : {};
}

function holdsMore(block: ContentBlock): boolean {
  return (
    block.type === 'tool_use' ||
    block.type === 'image' ||
    block.type === 'unknown' ||
    (block.type === 'thinking' && (block.signature !== undefined || block.isFromText === true))
  );
}
