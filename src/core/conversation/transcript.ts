import type { ContentBlock } from '../api/messages/messageEvents';
import { readAttachments } from './attachment';
import type { Attachment } from './attachment';
import { createBranches } from './branches';
import { addUsage, noUsage } from '../usage/usage';
import type { Usage } from '../usage/usage';
import { readChatParameters } from './chatParameters';
import type { ChatParameters } from './chatParameters';
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
  /** Where it was continued: the ends before the last, added up. */
  readonly endBefore?: AnswerEnd;
  /** The person's words its first block begins with. */
  readonly prefill?: string;
}

export interface TranscriptTurn {
  readonly id: string;
  /** The turn before it; `null` for the first. */
  readonly parent: string | null;
  readonly question: string;
  /** What was sent in front of the question. */
  readonly attachments?: readonly Attachment[];
  readonly askedAt: number;
  /** Every try, oldest first; empty when nothing was sent yet. */
  readonly answers: readonly TranscriptAnswer[];
  /** The try that is shown, and that later questions on its branch follow; absent: the last. */
  readonly shown?: TranscriptAnswer | undefined;
}

/** The try at the answer that is shown, if there is any. */
export function shownAnswer({ shown, answers }: TranscriptTurn): TranscriptAnswer | undefined {
  return shown ?? answers.at(-1);
}

/** A conversation as its records tell it. Everything that happens to it is a record, on disk and here alike. */
export interface Transcript {
  apply(record: ConversationRecord): void;
  /** The turns of the branch that is shown, from its first question to its last. */
  turns(): readonly TranscriptTurn[];
  /** Those of `turns` that requests send: from the one the person started fresh from, all where it is on another branch. */
  sentTurns(): readonly TranscriptTurn[];
  /** The questions in the place of this one, it included, oldest first: they follow the same try of the same turn. */
  siblings(id: string): readonly TranscriptTurn[];
  turn(id: string): TranscriptTurn | undefined;
  answer(id: string): TranscriptAnswer | undefined;
  /** Of every answer and every try, also those that are not shown. */
  usage(): Usage;
  /** The one chosen or asked last. */
  readonly model: string | undefined;
  /** As set last; empty: none was ever set. */
  readonly parameters: ChatParameters;
  readonly createdAt: number | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type GrowingBlock = Mutable<TranscriptBlock>;
type GrowingAnswer = Omit<Mutable<TranscriptAnswer>, 'blocks'> & { readonly blocks: GrowingBlock[] };
type GrowingTurn = Omit<TranscriptTurn, 'answers' | 'shown'> & {
  readonly answers: GrowingAnswer[];
  shown: GrowingAnswer | undefined;
};

/** What is returned grows with later records: copy what must not. */
export function createTranscript(records: Iterable<ConversationRecord> = []): Transcript {
  const branches = createBranches<GrowingAnswer, GrowingTurn>();
  const answers = new Map<string, GrowingAnswer>();
  const told: Told = { model: undefined, createdAt: undefined, start: null, parameters: {} };

  const addAnswer = (record: RecordOf<'answer'>) => {
    const { id, at } = record;
    if (!branches.turn(record.question) || answers.has(id)) return;
    told.model = record.model;
    const answer: GrowingAnswer = { id, model: record.model, startedAt: at, blocks: [], end: undefined };
    branches.addTry(record.question, answer);
    answers.set(id, answer);
  };
  const apply = (record: ConversationRecord): void => {
    if ('answer' in record) return grow(answers.get(record.answer), record);
    switch (record.kind) {
      case 'question':
        branches.addQuestion(newTurn(record), record.after);
        return;
      case 'answer':
        addAnswer(record);
        return;
      case 'shown':
        branches.show(record.question, record.try);
        return;
      case 'conversation':
      case 'model':
      case 'start':
      case 'parameters':
        note(told, record);
        return;
      case 'title':
      case 'pinned':
        return;
    }
  };
  for (const record of records) apply(record);

  return {
    apply,
    turns: () => branches.path(),
    sentTurns: () => from(told.start, branches.path()),
    siblings: (id) => branches.siblings(id),
    turn: (id) => branches.turn(id),
    answer: (id) => answers.get(id),
    usage: () => [...answers.values()].reduce((sum, { end }) => addUsage(sum, countsOf(end)), noUsage),
    get model() {
      return told.model;
    },
    get parameters() {
      return told.parameters;
    },
    get createdAt() {
      return told.createdAt;
    },
  };
}

function countsOf({ inputTokens = 0, outputTokens = 0 }: Partial<Usage> = {}): Usage {
  return { inputTokens, outputTokens };
}

/** What is known besides turns and answers. */
interface Told {
  parameters: ChatParameters;
  model: string | undefined;
  createdAt: number | undefined;
  /** The turn requests begin with. */
  start: string | null;
}

/** The turns from this one on; all where it is not among them. */
function from(start: string | null, turns: readonly TranscriptTurn[]): readonly TranscriptTurn[] {
  return turns.slice(
    Math.max(
      0,
      turns.findIndex(({ id }) => id === start),
    ),
  );
}

function note(told: Told, record: RecordOf<'conversation' | 'model' | 'start' | 'parameters'>): void {
  if (record.kind === 'conversation') told.createdAt ??= record.createdAt;
  else if (record.kind === 'model') told.model = record.model;
  else if (record.kind === 'parameters') told.parameters = readChatParameters(record.parameters);
  else told.start = record.turn;
}

function newTurn({ id, parent, at, text, attachments }: RecordOf<'question'>): GrowingTurn {
  return {
    id,
    parent,
    question: text,
    attachments: readAttachments(attachments),
    askedAt: at,
    answers: [],
    shown: undefined,
  };
}

type RecordOf<Kind extends ConversationRecord['kind']> = Extract<ConversationRecord, { readonly kind: Kind }>;

/** More blocks than any answer has; a line that names a later one is damaged. */
const maxBlocks = 10_000;

function grow(
  answer: GrowingAnswer | undefined,
  record: Extract<ConversationRecord, { readonly answer: string }>,
): void {
  if (!answer) return;
  if (record.kind === 'end') {
    answer.end ??= answer.endBefore ? together(answer.endBefore, record.end) : record.end;
    return;
  }
  if (record.kind === 'continue') {
    if (answer.end) answer.endBefore = answer.end;
    answer.end = undefined;
    return;
  }
  if (record.kind === 'prefill') {
    answer.prefill = record.text;
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

/** The end of an answer that was continued: how it ended at last, and what all of it took. */
function together(before: AnswerEnd, last: AnswerEnd): AnswerEnd {
  const { firstTokenMs, ...rest } = last;
  const first = before.firstTokenMs ?? firstTokenMs;
  const waited = before.firstTokenMs === undefined ? 0 : (firstTokenMs ?? 0);
  return {
    ...rest,
    ...sum('inputTokens', before.inputTokens, last.inputTokens),
    ...sum('outputTokens', before.outputTokens, last.outputTokens),
    // Without the second wait for a first token, so that the time after the first one stays the time of writing.
    ...sum('totalMs', before.totalMs, last.totalMs === undefined ? undefined : last.totalMs - waited),
    ...(first === undefined ? {} : { firstTokenMs: first }),
  };
}

function sum(name: 'inputTokens' | 'outputTokens' | 'totalMs', ...parts: readonly (number | undefined)[]) {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? {} : { [name]: known.reduce((all, part) => all + part, 0) };
}
