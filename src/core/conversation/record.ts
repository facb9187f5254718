import type { ContentBlock } from '../api/messages/messageEvents';
import type { Attachment } from './attachment';

/**
 * One line of a conversation's history. Lines are only ever added. A later version may add kinds; a reader skips what it
 * does not know. Times are Unix milliseconds.
 */
export type ConversationRecord =
  /** The first line. */
  | { readonly kind: 'conversation'; readonly version: number; readonly id: string; readonly createdAt: number }
  /** The person chose a model for what comes next. */
  | { readonly kind: 'model'; readonly model: string }
  /**
   * `parent` is the question it follows, so that a question edited later makes a branch beside it. `after` is the try at
   * an answer it follows; without it, the try that was shown when it was written down.
   */
  | {
      readonly kind: 'question';
      readonly id: string;
      readonly parent: string | null;
      readonly after?: string;
      readonly at: number;
      readonly text: string;
      /** What was sent in front of it. */
      readonly attachments?: readonly Attachment[];
    }
  /** One try at an answer. A question may have several; the one asked for or shown last is shown. */
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly question: string;
      readonly at: number;
      readonly model: string;
    }
  | {
      readonly kind: 'block';
      readonly answer: string;
      readonly index: number;
      readonly type: BlockType;
      readonly name?: string;
    }
  /** `from` is how many characters the block had before, so that a piece written twice counts once. */
  | {
      readonly kind: 'piece';
      readonly answer: string;
      readonly index: number;
      readonly from: number;
      readonly text: string;
    }
  /** A finished block that holds more than its text: a signature, a tool's input, fields this version does not know. */
  | { readonly kind: 'whole'; readonly answer: string; readonly index: number; readonly block: ContentBlock }
  | { readonly kind: 'end'; readonly answer: string; readonly at: number; readonly end: AnswerEnd }
  /** Later requests send only turns from `turn` on; `null`: all again. The newest of these lines counts. */
  | { readonly kind: 'start'; readonly at: number; readonly turn: string | null }
  /** The person went to this question, or to this try at its answer, among those that stand in its place. */
  | { readonly kind: 'shown'; readonly question: string; readonly try?: string }
  /** The person's name for the conversation; empty: the one made from its first question. */
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'pinned'; readonly pinned: boolean }
  /** All parameters the person set, in place of those before. Their shape is `ChatParameters`. */
  | { readonly kind: 'parameters'; readonly at: number; readonly parameters: Readonly<Record<string, unknown>> }
  /** The answer begins with words of the person's, which its first block and piece repeat. */
  | { readonly kind: 'prefill'; readonly answer: string; readonly text: string }
  /** An answer that has ended, or was cut off, goes on: later pieces are added to it and the next end is its end. */
  | { readonly kind: 'continue'; readonly answer: string; readonly at: number }
  /**
   * These tries at an answer are begun together and stand side by side; the newest such line of a question counts.
   * `leftOut`: by try, the parameters its model was known not to take.
   */
  | {
      readonly kind: 'compare';
      readonly question: string;
      readonly tries: readonly string[];
      readonly leftOut?: Readonly<Record<string, readonly string[]>>;
    }
  /** The conversation goes on with this one of the tries compared; `null`: they stand side by side again. */
  | { readonly kind: 'picked'; readonly question: string; readonly try: string | null }
  /** The models chosen for comparing, and whether the next question goes to all of them. */
  | { readonly kind: 'comparing'; readonly models: readonly string[]; readonly on: boolean }
  /** The tool that the block at `index` calls is run. Without a result nobody knows how that ended. */
  | { readonly kind: 'toolStart'; readonly answer: string; readonly index: number; readonly at: number }
  /** What that call gave, as it is sent back. The first one counts. */
  | {
      readonly kind: 'toolResult';
      readonly answer: string;
      readonly index: number;
      readonly at: number;
      readonly text: string;
      readonly isError: boolean;
      readonly by: ToolResultBy;
    }
  /** A tool of the editor runs in this conversation without being asked about, or no longer. */
  | { readonly kind: 'toolAllowed'; readonly at: number; readonly tool: string; readonly allowed: boolean }
  /** After so many rounds of tools in a row the answer does not go on by itself. */
  | { readonly kind: 'toolLimit'; readonly answer: string; readonly at: number; readonly rounds: number };

/** Who gave the result: the tool, a person who typed it, or nobody because the person denied or stopped the call. */
export type ToolResultBy = 'tool' | 'person' | 'denied' | 'stopped';

/** The version this code writes. It reads no later one, because it would write lines that version may misread. */
export const historyVersion = 1;

export type BlockType = ContentBlock['type'];

export interface AnswerEnd {
  readonly state: 'done' | 'stopped' | 'failed';
  readonly stopReason?: string;
  readonly stopSequence?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The service did not say. */
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  /** What the log calls its exchange; the exchange itself is kept while the window lives. */
  readonly exchangeId?: string;
  readonly error?: StoredError;
}

/** An error as it was worded when it happened. */
export interface StoredError {
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
}

/** One line each, ended. */
export function toLines(records: readonly ConversationRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/**
 * The records of a history in order. What is torn, foreign or of an unknown kind is left out, wherever it stands: a
 * crash may tear any line that others follow.
 */
export function readRecords(text: string): readonly ConversationRecord[] {
  return text.split('\n').flatMap((line) => {
    const record = line === '' ? undefined : readRecord(line);
    return record ? [record] : [];
  });
}

function readRecord(line: string): ConversationRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(fields, value['kind'])) return undefined;
  const wanted = Object.entries(fields[value['kind'] as ConversationRecord['kind']]);
  const record = value;
  return wanted.every(([name, type]) => fits(record[name], type))
    ? (record as unknown as ConversationRecord)
    : undefined;
}

type FieldType = 'string' | 'number' | 'boolean' | 'object' | 'strings' | 'stringOrNull';

/** The fields without which a record means nothing. */
const fields: { readonly [Kind in ConversationRecord['kind']]: Readonly<Record<string, FieldType>> } = {
  conversation: { version: 'number', id: 'string', createdAt: 'number' },
  model: { model: 'string' },
  question: { id: 'string', parent: 'stringOrNull', at: 'number', text: 'string' },
  answer: { id: 'string', question: 'string', at: 'number', model: 'string' },
  block: { answer: 'string', index: 'number', type: 'string' },
  piece: { answer: 'string', index: 'number', from: 'number', text: 'string' },
  whole: { answer: 'string', index: 'number', block: 'object' },
  end: { answer: 'string', at: 'number', end: 'object' },
  start: { at: 'number', turn: 'stringOrNull' },
  shown: { question: 'string' },
  title: { title: 'string' },
  pinned: { pinned: 'boolean' },
  parameters: { at: 'number', parameters: 'object' },
  prefill: { answer: 'string', text: 'string' },
  continue: { answer: 'string', at: 'number' },
  compare: { question: 'string', tries: 'strings' },
  picked: { question: 'string', try: 'stringOrNull' },
  comparing: { models: 'strings', on: 'boolean' },
  toolStart: { answer: 'string', index: 'number', at: 'number' },
  toolResult: { answer: 'string', index: 'number', at: 'number', text: 'string', isError: 'boolean', by: 'string' },
  toolAllowed: { at: 'number', tool: 'string', allowed: 'boolean' },
  toolLimit: { answer: 'string', at: 'number', rounds: 'number' },
};

function fits(value: unknown, type: FieldType): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'stringOrNull') return value === null || typeof value === 'string';
  return typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
