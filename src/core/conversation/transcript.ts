import type { ContentBlock } from '../api/messages/messageEvents';
import { estimateTokens } from '../tokens/estimate';
import { type Attachment, nameOfQuestion, readAttachments } from './attachment';
import { autoTitle } from './autoTitle';
import { type Branches, createBranches } from './branches';
import { type ComparedModels, type TurnComparison, compareOn, noComparedModels } from './comparison';
import { type Usage, addUsage, noUsage } from '../usage/usage';
import { type ChatParameters, readChatParameters } from './chatParameters';
import type { AnswerEnd, BlockType, ConversationRecord, ToolResultBy } from './record';
import { uniqueCitations } from '../api/messages/messageEvents';

export interface TranscriptBlock {
  readonly type: BlockType;
  /** For a tool call, its input as JSON text; for an unknown block, its JSON. */
  readonly text: string;
  /** The tool's name, or the unknown block's type. */
  readonly name?: string;
  /** The finished block as the service sent it, if it has more than its text. */
  readonly whole?: ContentBlock;
  /** When the called tool was last started, Unix milliseconds. */
  readonly toolStartedAt?: number;
  /** The tool's result as sent back. */
  readonly result?: ToolResult;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly by: ToolResultBy;
}

export interface TranscriptAnswer {
  readonly id: string;
  readonly model: string;
  /** The id of the account that it was requested from; absent in records of earlier versions. */
  readonly account?: string;
  readonly startedAt: number;
  readonly blocks: readonly TranscriptBlock[];
  /** `undefined` while it is being received, or if closing the editor cut it off. */
  readonly end: AnswerEnd | undefined;
  /** For a continued answer: the sum of all ends but the last, and an estimate of the tokens of its blocks they account for. */
  readonly endBefore?: AnswerEnd;
  readonly counted?: number;
  /** The user's text with which its first block begins. */
  readonly prefill?: string;
  /** The number of blocks each time the answer was continued. */
  readonly goesOnAt?: readonly number[];
  /** Set if the answer stopped after this many consecutive tool rounds. */
  readonly toolLimit?: number;
}

export interface TranscriptTurn {
  readonly id: string;
  /** The previous turn; `null` for the first. */
  readonly parent: string | null;
  readonly question: string;
  /** Sent before the question. */
  readonly attachments?: readonly Attachment[];
  readonly askedAt: number;
  /** All answers, oldest first. Empty if no request was sent yet. */
  readonly answers: readonly TranscriptAnswer[];
  /** The answer shown, which later questions on its branch follow; absent: the last. */
  readonly shown?: TranscriptAnswer | undefined;
  /** Absent if its answers were never compared. */
  readonly comparison?: TurnComparison | undefined;
}

/** Returns the answer shown, if any. */
export function shownAnswer({ shown, answers }: TranscriptTurn): TranscriptAnswer | undefined {
  return shown ?? answers.at(-1);
}

/** A conversation as the result of its records. Every change is a record, both on disk and here. */
export interface Transcript {
  apply(record: ConversationRecord): void;
  /** Returns the turns of the branch shown, from its first question to its last. */
  turns(): readonly TranscriptTurn[];
  /** Returns those of `turns` that requests send: from the user's chosen start on, or all if that is on another branch. */
  sentTurns(): readonly TranscriptTurn[];
  /** Returns this question and its siblings, which follow the same answer of the same turn, oldest first. */
  siblings(id: string): readonly TranscriptTurn[];
  turn(id: string): TranscriptTurn | undefined;
  answer(id: string): TranscriptAnswer | undefined;
  /** Returns the usage of all answers, including those not shown; an estimate if the service did not count. */
  usage(): Usage;
  /** The user's title, else one derived from the first question; empty without either. */
  readonly title: string;
  /** The model chosen or used last. */
  readonly model: string | undefined;
  /** All models chosen or used, each once, the latest first. */
  readonly models: readonly string[];
  readonly comparedModels: ComparedModels;
  /** The last parameters set; empty if none were. */
  readonly parameters: ChatParameters;
  /** The editor's tools that run without confirmation. */
  readonly allowedTools: ReadonlySet<string>;
  /** The models that are sent tool calls and their results as text. */
  readonly callsAsText: ReadonlySet<string>;
  /** Whether requests contain standing instructions. */
  readonly usesInstructions: boolean;
  readonly createdAt: number | undefined;
}

type GrowingTurn = Omit<TranscriptTurn, 'answers' | 'shown' | 'comparison'> & {
  readonly answers: GrowingAnswer[];
  shown: GrowingAnswer | undefined;
  comparison: TurnComparison | undefined;
};

/** Returned objects change with later records: copy what must not. */
export function createTranscript(records: Iterable<ConversationRecord> = []): Transcript {
  const branches = createBranches<GrowingAnswer, GrowingTurn>();
  const answers = new Map<string, GrowingAnswer>();
  const state: TranscriptState = {
    ...initialState,
    allowedTools: new Set(),
    callsAsText: new Set(),
    models: new Set(),
  };

  const apply = createApply(branches, answers, state);
  for (const record of records) apply(record);

  return {
    apply,
    turns: () => branches.path(),
    sentTurns: () => from(state.start, branches.path()),
    siblings: (id) => branches.siblings(id),
    turn: (id) => branches.turn(id),
    answer: (id) => answers.get(id),
    usage: () => [...answers.values()].reduce((sum, answer) => addUsage(sum, usageOf(answer)), noUsage),
    get title() {
      return state.title === '' ? autoTitle(state.question ?? '') : state.title;
    },
    get model() {
      return [...state.models].at(-1);
    },
    get models() {
      return [...state.models].toReversed();
    },
    get parameters() {
      return state.parameters;
    },
    get comparedModels() {
      return state.comparedModels;
    },
    allowedTools: state.allowedTools,
    callsAsText: state.callsAsText,
    get usesInstructions() {
      return state.usesInstructions;
    },
    get createdAt() {
      return state.createdAt;
    },
  };
}

/** Returns the function that applies a record to the state. */
function createApply(
  branches: Branches<GrowingAnswer, GrowingTurn>,
  answers: Map<string, GrowingAnswer>,
  state: TranscriptState,
): Transcript['apply'] {
  const addAnswer = (record: RecordOf<'answer'>) => {
    const { id, at, account } = record;
    if (!branches.turn(record.question) || answers.has(id)) return;
    addModel(state, record.model);
    const known = { id, model: record.model, startedAt: at, ...(account !== undefined && { account }) };
    const answer: GrowingAnswer = { ...known, blocks: [], end: undefined };
    branches.addTry(record.question, answer);
    answers.set(id, answer);
  };
  return (record) => {
    if ('answer' in record) return grow(answers.get(record.answer), record);
    switch (record.kind) {
      case 'question':
        state.question ??= nameOfQuestion(record.text, record.attachments);
        branches.addQuestion(newTurn(record), record.after);
        return;
      case 'answer':
        addAnswer(record);
        return;
      case 'shown':
        branches.show(record.question, record.try);
        return;
      case 'compare':
      case 'picked':
        compare(branches.turn(record.question), record);
        return;
      case 'conversation':
      case 'model':
      case 'start':
      case 'parameters':
      case 'comparing':
      case 'toolAllowed':
      case 'callsAsText':
      case 'instructions':
      case 'title':
        note(state, record);
        return;
      case 'pinned':
        return;
    }
  };
}

/** The state besides turns and answers. */
interface TranscriptState {
  /** The user's title; empty if none. */
  title: string;
  /** The first question. */
  question: string | undefined;
  parameters: ChatParameters;
  comparedModels: ComparedModels;
  /** The latest last. */
  readonly models: Set<string>;
  usesInstructions: boolean;
  createdAt: number | undefined;
  /** The turn that requests begin with. */
  start: string | null;
  readonly allowedTools: Set<string>;
  readonly callsAsText: Set<string>;
}

const initialState: Omit<TranscriptState, 'allowedTools' | 'callsAsText' | 'models'> = {
  title: '',
  question: undefined,
  createdAt: undefined,
  usesInstructions: true,
  start: null,
  parameters: {},
  comparedModels: noComparedModels,
};

/** Returns the turns from this one on; all if it is not among them. */
function from(start: string | null, turns: readonly TranscriptTurn[]): readonly TranscriptTurn[] {
  return turns.slice(
    Math.max(
      0,
      turns.findIndex(({ id }) => id === start),
    ),
  );
}

function compare(turn: GrowingTurn | undefined, record: RecordOf<'compare' | 'picked'>): void {
  if (turn) turn.comparison = compareOn(turn.comparison, record, (id) => turn.answers.some((one) => one.id === id));
}

function note(
  state: TranscriptState,
  record: RecordOf<
    | 'conversation'
    | 'model'
    | 'start'
    | 'parameters'
    | 'comparing'
    | 'toolAllowed'
    | 'callsAsText'
    | 'instructions'
    | 'title'
  >,
): void {
  if (record.kind === 'conversation') state.createdAt ??= record.createdAt;
  else if (record.kind === 'instructions') state.usesInstructions = record.on;
  else if (record.kind === 'title') state.title = record.title;
  else if (record.kind === 'model') addModel(state, record.model);
  else if (record.kind === 'parameters') state.parameters = readChatParameters(record.parameters);
  else if (record.kind === 'comparing') state.comparedModels = { models: record.models, on: record.on };
  else if (record.kind === 'callsAsText') state.callsAsText.add(record.model);
  else if (record.kind === 'start') state.start = record.turn;
  else if (record.allowed) state.allowedTools.add(record.tool);
  else state.allowedTools.delete(record.tool);
}

function addModel(state: TranscriptState, model: string): void {
  state.models.delete(model);
  state.models.add(model);
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
    comparison: undefined,
  };
}

type RecordOf<Kind extends ConversationRecord['kind']> = Extract<ConversationRecord, { readonly kind: Kind }>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type GrowingBlock = Mutable<TranscriptBlock>;
/** An answer to which records are added. */
type GrowingAnswer = Omit<Mutable<TranscriptAnswer>, 'blocks' | 'goesOnAt'> & {
  readonly blocks: GrowingBlock[];
  goesOnAt?: number[];
};

/** More blocks than any answer has; a line with a higher index is damaged. */
const maxBlocks = 10_000;

/** Further continuations of one answer are not counted one by one: each count reads all of its text. */
const mostCounted = 200;

/** Applies a record to an answer. */
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
    if ((answer.goesOnAt?.length ?? 0) < mostCounted) {
      const before = endSoFar(answer);
      if (before) answer.endBefore = before;
      answer.counted = tokensIn(answer);
    }
    answer.end = undefined;
    (answer.goesOnAt ??= []).push(answer.blocks.length);
    delete answer.toolLimit;
    return;
  }
  if (record.kind === 'toolLimit') {
    answer.toolLimit = record.rounds;
    return;
  }
  if (record.kind === 'prefill') {
    answer.prefill = record.text;
    return;
  }
  if (record.kind === 'toolStart' || record.kind === 'toolResult') return noteCall(answer.blocks[record.index], record);
  const { index } = record;
  if (!Number.isInteger(index) || index < 0 || index >= maxBlocks) return;
  const isNew = index >= answer.blocks.length;
  // If the line that opened a block was lost, its text was not, and the block was most likely text.
  while (answer.blocks.length <= index) answer.blocks.push({ type: 'text', text: '' });
  const block = answer.blocks[index]!;
  if (record.kind === 'piece') block.text += record.text.slice(Math.max(0, block.text.length - record.from));
  else if (record.kind === 'whole') block.whole = record.block;
  else if (record.kind === 'replaced') answer.blocks[index] = replacement(record.block);
  else if (isNew) {
    block.type = record.type;
    if (record.name !== undefined) block.name = record.name;
  }
}

function replacement(block: ContentBlock): GrowingBlock {
  const name = block.type === 'tool_use' ? { name: block.name } : {};
  return { type: block.type, text: blockText(block), ...name, whole: block };
}

/** Returns the text to show for a finished block. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return typeof block.input === 'string' ? block.input : JSON.stringify(block.input, undefined, 2);
    case 'image':
      return block.alternative ?? '';
    case 'unknown':
      return JSON.stringify(block.raw, undefined, 2);
  }
}

function noteCall(
  block: GrowingBlock | undefined,
  record: Extract<ConversationRecord, { readonly kind: 'toolStart' | 'toolResult' }>,
): void {
  if (block?.type !== 'tool_use') return;
  if (record.kind === 'toolStart') block.toolStartedAt = record.at;
  else block.result ??= { text: record.text, isError: record.isError, by: record.by };
}

/** Returns the total usage of an answer; any part without a recorded end is estimated from its text. */
function usageOf(answer: TranscriptAnswer): Usage {
  const { inputTokens = 0, outputTokens = 0, inputIsEstimate, outputIsEstimate } = answer.end ?? endSoFar(answer) ?? {};
  const isEstimate = inputIsEstimate ?? outputIsEstimate;
  return { inputTokens, outputTokens, ...(isEstimate && { isEstimate }) };
}

/** Returns the end of an answer before it is continued. For one interrupted by closing VS Code, estimates the usage from its text. */
function endSoFar(answer: TranscriptAnswer): AnswerEnd | undefined {
  if (answer.end) return answer.end;
  const outputTokens = Math.max(0, tokensIn(answer) - (answer.counted ?? estimateTokens(answer.prefill ?? '')));
  if (outputTokens === 0) return answer.endBefore;
  const cut = { state: 'stopped', outputTokens, outputIsEstimate: true } as const;
  return answer.endBefore ? together(answer.endBefore, cut) : cut;
}

/** Estimates the tokens of all its blocks. */
function tokensIn({ blocks }: TranscriptAnswer): number {
  return estimateTokens(blocks.map(({ text }) => text).join(''));
}

/** Returns the end of a continued answer: its last outcome, with the usage of all its parts. */
function together(before: AnswerEnd, last: AnswerEnd): AnswerEnd {
  const { firstTokenMs, ...rest } = last;
  const first = before.firstTokenMs ?? firstTokenMs;
  const waited = before.firstTokenMs === undefined ? 0 : (firstTokenMs ?? 0);
  return {
    ...rest,
    ...sum('inputTokens', before.inputTokens, last.inputTokens),
    ...sum('outputTokens', before.outputTokens, last.outputTokens),
    ...sum('cost', before.cost, last.cost),
    ...(before.citations && { citations: uniqueCitations([...before.citations, ...(last.citations ?? [])]) }),
    ...(before.inputIsEstimate && { inputIsEstimate: true }),
    ...(before.outputIsEstimate && { outputIsEstimate: true }),
    // Excludes the second wait for a first token, so that the time after the first one remains the time of writing.
    ...sum('totalMs', before.totalMs, last.totalMs === undefined ? undefined : last.totalMs - waited),
    ...(first === undefined ? {} : { firstTokenMs: first }),
  };
}

function sum(name: 'inputTokens' | 'outputTokens' | 'cost' | 'totalMs', ...parts: readonly (number | undefined)[]) {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? {} : { [name]: known.reduce((all, part) => all + part, 0) };
}
