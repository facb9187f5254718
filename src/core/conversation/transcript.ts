import type { ContentBlock } from '../api/messages/messageEvents';
import type { AnswerEnd, BlockType, ConversationRecord } from './record';

export interface TranscriptBlock {
  readonly type: BlockType;
  /** Of a tool call its input as JSON text; of a block this version does not know its JSON. */
  readonly text: string;
  /** The tool, or the unknown block's own type. */
  readonly name?: string;
  /** The finished block as the service sent it, where it holds more than its text. */
  readonly whole?: ContentBlock;
}

export interface TranscriptAnswer {
  readonly id: string;
  readonly model: string;
  readonly startedAt: number;
  readonly blocks: readonly TranscriptBlock[];
  /** `undefined`: it goes on, or was cut off by the end of the editor. */
  readonly end: AnswerEnd | undefined;
}

export interface TranscriptTurn {
  readonly id: string;
  /** The turn before it; `null` for the first. */
  readonly parent: string | null;
  readonly question: string;
  readonly askedAt: number;
  /** Every try, oldest first; empty when nothing was sent yet. */
  readonly answers: readonly TranscriptAnswer[];
}

/** A conversation as its records tell it. Everything that happens to it is a record, on disk and here alike. */
export interface Transcript {
  apply(record: ConversationRecord): void;
  /** The turns from the first to the newest question, along its parents. */
  turns(): readonly TranscriptTurn[];
  /** Those of `turns` that requests send: from the one the person started fresh from, all where it is on another branch. */
  sentTurns(): readonly TranscriptTurn[];
  turn(id: string): TranscriptTurn | undefined;
  answer(id: string): TranscriptAnswer | undefined;
  /** The one chosen or asked last. */
  readonly model: string | undefined;
  readonly createdAt: number | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type GrowingBlock = Mutable<TranscriptBlock>;
type GrowingAnswer = Omit<Mutable<TranscriptAnswer>, 'blocks'> & { readonly blocks: GrowingBlock[] };
type GrowingTurn = Omit<TranscriptTurn, 'answers'> & { readonly answers: GrowingAnswer[] };

/** What is returned grows with later records: copy what must not. */
export function createTranscript(records: Iterable<ConversationRecord> = []): Transcript {
  const turns = new Map<string, GrowingTurn>();
  const answers = new Map<string, GrowingAnswer>();
  let newest: GrowingTurn | undefined;
  let model: string | undefined;
  let createdAt: number | undefined;
  let start: string | null = null;

  const addTurn = ({ id, parent, at, text }: RecordOf<'question'>) => {
    if (turns.has(id)) return;
    newest = { id, parent, question: text, askedAt: at, answers: [] };
    turns.set(id, newest);
  };
  const addAnswer = (record: RecordOf<'answer'>) => {
    const { id, at } = record;
    const turn = turns.get(record.question);
    if (!turn || answers.has(id)) return;
    model = record.model;
    const answer: GrowingAnswer = { id, model, startedAt: at, blocks: [], end: undefined };
    turn.answers.push(answer);
    answers.set(id, answer);
  };
  const apply = (record: ConversationRecord): void => {
    if (record.kind === 'conversation') createdAt ??= record.createdAt;
    else if (record.kind === 'model') model = record.model;
    else if (record.kind === 'question') addTurn(record);
    else if (record.kind === 'answer') addAnswer(record);
    else if (record.kind === 'start') start = record.turn;
    else grow(answers.get(record.answer), record);
  };
  for (const record of records) apply(record);

  return {
    apply,
    turns: () => pathTo(newest, turns),
    sentTurns() {
      const path = pathTo(newest, turns);
      return path.slice(Math.max(0, start === null ? 0 : path.findIndex(({ id }) => id === start)));
    },
    turn: (id) => turns.get(id),
    answer: (id) => answers.get(id),
    get model() {
      return model;
    },
    get createdAt() {
      return createdAt;
    },
  };
}

type RecordOf<Kind extends ConversationRecord['kind']> = Extract<ConversationRecord, { readonly kind: Kind }>;

function pathTo(
  newest: TranscriptTurn | undefined,
  turns: ReadonlyMap<string, TranscriptTurn>,
): readonly TranscriptTurn[] {
  const path: TranscriptTurn[] = [];
  const walked = new Set<string>();
  for (let turn = newest; turn && !walked.has(turn.id); turn = turns.get(turn.parent ?? '')) {
    walked.add(turn.id);
    path.push(turn);
  }
  return path.reverse();
}

/** More blocks than any answer has; a line that names a later one is damaged. */
const maxBlocks = 10_000;

function grow(
  answer: GrowingAnswer | undefined,
  record: Extract<ConversationRecord, { readonly answer: string }>,
): void {
  if (!answer) return;
  if (record.kind === 'end') {
    answer.end ??= record.end;
    return;
  }
  const { index } = record;
  if (!Number.isInteger(index) || index < 0 || index >= maxBlocks) return;
  const isNew = index >= answer.blocks.length;
  // Where the line that opened a block was lost its text is not, and text is what it most likely was.
  while (answer.blocks.length <= index) answer.blocks.push({ type: 'text', text: '' });
  const block = answer.blocks[index]!;
  if (record.kind === 'piece') block.text += record.text.slice(Math.max(0, block.text.length - record.from));
  else if (record.kind === 'whole') block.whole = record.block;
  else if (isNew) {
    block.type = record.type;
    if (record.name !== undefined) block.name = record.name;
  }
}
