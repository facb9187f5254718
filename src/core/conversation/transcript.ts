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
  /** Of a tool call its input as JSON text; of a block this version does not know its JSON. */
  readonly text: string;
  /** The tool, or the unknown block's own type. */
  readonly name?: string;
  /** The finished block as the service sent it, where it holds more than its text. */
  readonly whole?: ContentBlock;
  /** When the tool it calls was run last, Unix milliseconds. */
  readonly toolStartedAt?: number;
  /** What that gave, as it is sent back. */
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
  readonly startedAt: number;
  readonly blocks: readonly TranscriptBlock[];
  /** `undefined`: it goes on, or was cut off by the end of the editor. */
  readonly end: AnswerEnd | undefined;
  /** Where it was continued: the ends before the last, added up, and about how many tokens of its blocks they account for. */
  readonly endBefore?: AnswerEnd;
  readonly counted?: number;
  /** The person's words its first block begins with. */
  readonly prefill?: string;
  /** How many blocks there were each time it went on. */
  readonly goesOnAt?: readonly number[];
  /** It stopped after so many rounds of tools in a row. */
  readonly toolLimit?: number;
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
  /** Absent: its tries were never compared. */
  readonly comparison?: TurnComparison | undefined;
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
  /** Of every answer and every try, also those that are not shown; an estimate where the service did not count. */
  usage(): Usage;
  /** The person's name for it, else one made from its first question; empty without either. */
  readonly title: string;
  /** The one chosen or asked last. */
  readonly model: string | undefined;
  readonly comparedModels: ComparedModels;
  /** As set last; empty: none was ever set. */
  readonly parameters: ChatParameters;
  /** The editor's tools that run without being asked about. */
  readonly allowedTools: ReadonlySet<string>;
  readonly createdAt: number | undefined;
}

type GrowingTurn = Omit<TranscriptTurn, 'answers' | 'shown' | 'comparison'> & {
  readonly answers: GrowingAnswer[];
  shown: GrowingAnswer | undefined;
  comparison: TurnComparison | undefined;
};

/** What is returned grows with later records: copy what must not. */
export function createTranscript(records: Iterable<ConversationRecord> = []): Transcript {
  const branches = createBranches<GrowingAnswer, GrowingTurn>();
  const answers = new Map<string, GrowingAnswer>();
  const told: Told = { ...nothingTold, allowedTools: new Set() };

  const apply = createApply(branches, answers, told);
  for (const record of records) apply(record);

  return {
    apply,
    turns: () => branches.path(),
    sentTurns: () => from(told.start, branches.path()),
    siblings: (id) => branches.siblings(id),
    turn: (id) => branches.turn(id),
    answer: (id) => answers.get(id),
    usage: () => [...answers.values()].reduce((sum, answer) => addUsage(sum, usageOf(answer)), noUsage),
    get title() {
      return told.title === '' ? autoTitle(told.question ?? '') : told.title;
    },
    get model() {
      return told.model;
    },
    get parameters() {
      return told.parameters;
    },
    get comparedModels() {
      return told.comparedModels;
    },
    allowedTools: told.allowedTools,
    get createdAt() {
      return told.createdAt;
    },
  };
}

/** Takes a record over into what is known. */
function createApply(
  branches: Branches<GrowingAnswer, GrowingTurn>,
  answers: Map<string, GrowingAnswer>,
  told: Told,
): Transcript['apply'] {
  const addAnswer = (record: RecordOf<'answer'>) => {
    const { id, at } = record;
    if (!branches.turn(record.question) || answers.has(id)) return;
    told.model = record.model;
    const answer: GrowingAnswer = { id, model: record.model, startedAt: at, blocks: [], end: undefined };
    branches.addTry(record.question, answer);
    answers.set(id, answer);
  };
  return (record) => {
    if ('answer' in record) return grow(answers.get(record.answer), record);
    switch (record.kind) {
      case 'question':
        told.question ??= record.text;
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
      case 'title':
        note(told, record);
        return;
      case 'pinned':
        return;
    }
  };
}

/** What is known besides turns and answers. */
interface Told {
  /** The name a person gave it; empty: none. */
  title: string;
  /** The first that was asked. */
  question: string | undefined;
  parameters: ChatParameters;
  comparedModels: ComparedModels;
  model: string | undefined;
  createdAt: number | undefined;
  /** The turn requests begin with. */
  start: string | null;
  readonly allowedTools: Set<string>;
}

const nothingTold: Omit<Told, 'allowedTools'> = {
  title: '',
  question: undefined,
  model: undefined,
  createdAt: undefined,
  start: null,
  parameters: {},
  comparedModels: noComparedModels,
};

/** The turns from this one on; all where it is not among them. */
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
  told: Told,
  record: RecordOf<'conversation' | 'model' | 'start' | 'parameters' | 'comparing' | 'toolAllowed' | 'title'>,
): void {
  if (record.kind === 'conversation') told.createdAt ??= record.createdAt;
  else if (record.kind === 'title') told.title = record.title;
  else if (record.kind === 'model') told.model = record.model;
  else if (record.kind === 'parameters') told.parameters = readChatParameters(record.parameters);
  else if (record.kind === 'comparing') told.comparedModels = { models: record.models, on: record.on };
  else if (record.kind === 'start') told.start = record.turn;
  else if (record.allowed) told.allowedTools.add(record.tool);
  else told.allowedTools.delete(record.tool);
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
