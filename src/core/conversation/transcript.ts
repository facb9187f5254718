import type { ContentBlock } from '../api/messages/messageEvents';
import { readAttachments } from './attachment';
import type { Attachment } from './attachment';
import { usageOf } from './answerUsage';
import { autoTitle } from './autoTitle';
import { createBranches } from './branches';
import type { Branches } from './branches';
import { compareOn, noComparedModels } from './comparison';
import type { ComparedModels, TurnComparison } from './comparison';
import { addUsage, noUsage } from '../usage/usage';
import type { Usage } from '../usage/usage';
import { readChatParameters } from './chatParameters';
import type { ChatParameters } from './chatParameters';
import { grow } from './growAnswer';
import type { GrowingAnswer } from './growAnswer';
import type { AnswerEnd, BlockType, ConversationRecord, ToolResultBy } from './record';

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
  /** All answers, oldest first; empty if nothing was sent yet. */
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
        state.question ??= record.text;
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
    'conversation' | 'model' | 'start' | 'parameters' | 'comparing' | 'toolAllowed' | 'callsAsText' | 'title'
  >,
): void {
  if (record.kind === 'conversation') state.createdAt ??= record.createdAt;
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
