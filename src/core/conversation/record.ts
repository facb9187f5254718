import type { Citation, ContentBlock } from '../api/messages/messageEvents';
import type { Attachment } from './attachment';
import { isObject } from '../api/isObject';

/**
 * One line of a conversation's history. Lines are only ever appended. A later version can add kinds, and a reader skips unknown ones. Times
 * are Unix milliseconds.
 */
export type ConversationRecord =
  /** The first line. */
  | { readonly kind: 'conversation'; readonly version: number; readonly id: string; readonly createdAt: number }
  /** The user chose a model for the next requests. */
  | { readonly kind: 'model'; readonly model: string }
  /**
   * `parent` is the question it follows, so that an edited question starts a branch next to the original. `after` is the answer it follows,
   * and defaults to the one shown when the line was written.
   */
  | {
      readonly kind: 'question';
      readonly id: string;
      readonly parent: string | null;
      readonly after?: string;
      readonly at: number;
      readonly text: string;
      /** Sent before the question. */
      readonly attachments?: readonly Attachment[];
    }
  /** One of possibly several answers to a question; the one requested or shown last is shown. */
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly question: string;
      readonly at: number;
      readonly model: string;
      /** The id of the account that it was requested from. */
      readonly account?: string;
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
  /** A finished block that has more than its text: a signature, a tool's input, fields this version does not know. */
  | { readonly kind: 'whole'; readonly answer: string; readonly index: number; readonly block: ContentBlock }
  /** All of the text of a block was something else, such as thinking: this one. */
  | { readonly kind: 'replaced'; readonly answer: string; readonly index: number; readonly block: ContentBlock }
  | { readonly kind: 'end'; readonly answer: string; readonly at: number; readonly end: AnswerEnd }
  /** Later requests send only turns from `turn` on; `null`: all again. The newest such line wins. */
  | { readonly kind: 'start'; readonly at: number; readonly turn: string | null }
  /** The user switched to this question, or to this answer to it, among its siblings. */
  | { readonly kind: 'shown'; readonly question: string; readonly try?: string }
  /** The user's title for the conversation; empty: derived from the first question. */
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'pinned'; readonly pinned: boolean }
  /** All parameters the user set, replacing the previous ones. Their shape is `ChatParameters`. */
  | { readonly kind: 'parameters'; readonly at: number; readonly parameters: Readonly<Record<string, unknown>> }
  /** The answer begins with the user's text, which its first block and piece repeat. */
  | { readonly kind: 'prefill'; readonly answer: string; readonly text: string }
  /** An answer that has ended or was cut off is continued: later pieces are added to it, and the next end is its end. */
  | { readonly kind: 'continue'; readonly answer: string; readonly at: number }
  /**
   * These answers are started together and shown side by side. The newest such line of a question counts. `leftOut`: by answer ID, the
   * parameters its model was known to reject.
   */
  | {
      readonly kind: 'compare';
      readonly question: string;
      readonly tries: readonly string[];
      readonly leftOut?: Readonly<Record<string, readonly string[]>>;
    }
  /** The conversation continues from this one of the compared answers; `null`: they are shown side by side again. */
  | { readonly kind: 'picked'; readonly question: string; readonly try: string | null }
  /** The models chosen for comparison, and whether the next question goes to all of them. */
  | { readonly kind: 'comparing'; readonly models: readonly string[]; readonly on: boolean }
  /** The tool called in the block at `index` was started. Without a result, its outcome is unknown. */
  | { readonly kind: 'toolStart'; readonly answer: string; readonly index: number; readonly at: number }
  /** The call's result as sent back. The first one wins. */
  | {
      readonly kind: 'toolResult';
      readonly answer: string;
      readonly index: number;
      readonly at: number;
      readonly text: string;
      readonly isError: boolean;
      readonly by: ToolResultBy;
    }
  /** Whether a VS Code tool can run in this conversation without confirmation. */
  | { readonly kind: 'toolAllowed'; readonly at: number; readonly tool: string; readonly allowed: boolean }
  /** Whether requests contain the user's and the project's standing instructions. */
  | { readonly kind: 'instructions'; readonly at: number; readonly on: boolean }
  /** Requests to this model contain tool calls and their results as text, and offer no tools. */
  | { readonly kind: 'callsAsText'; readonly at: number; readonly model: string }
  /** After this many consecutive tool rounds, the answer no longer continues automatically. */
  | { readonly kind: 'toolLimit'; readonly answer: string; readonly at: number; readonly rounds: number };

/** Origin of a result: the tool, the user who typed it, or none because the user denied or stopped the call. */
export type ToolResultBy = 'tool' | 'person' | 'denied' | 'stopped';

/** The version this code writes. It reads no later one, because it would append lines that version may misread. */
export const historyVersion = 1;

export type BlockType = ContentBlock['type'];

/** What the service named: the model that answered, and what it sent. */
export interface AnswerNames {
  /** The model that answered, if the service named another than the requested one. */
  readonly answeredBy?: string;
  /** The service's ids: of the message or completion, of the request, and of its trace. */
  readonly responseId?: string;
  readonly requestId?: string;
  readonly traceId?: string;
}

export interface AnswerEnd extends AnswerNames {
  readonly state: 'done' | 'stopped' | 'failed';
  readonly stopReason?: string;
  readonly stopSequence?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Set if the service did not report the count. */
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
  /** Its cost, reported by the service or by known prices. Missing if neither is known. */
  readonly cost?: number;
  /** The currency of the cost. Missing if unknown. */
  readonly currency?: string;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  /** The id of its exchange in the log, which is retained only until the window closes. */
  readonly exchangeId?: string;
  readonly error?: StoredError;
  /** The sources that its text cites, in the order of their numbers. */
  readonly citations?: readonly Citation[];
  /** The model wrote a tool call as text that could not be read as one. */
  readonly unreadCall?: true;
}

/** An error as worded when it occurred. */
export interface StoredError {
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
}

/** Serializes each record as one terminated line. */
export function toLines(records: readonly ConversationRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/**
 * Returns the records of a history in order. Skips torn, foreign or unknown lines anywhere, because a crash may tear any line that
 * others follow.
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
  const expected = Object.entries(fields[value['kind'] as ConversationRecord['kind']]);
  const record = value;
  return expected.every(([name, type]) => fits(record[name], type))
    ? (record as unknown as ConversationRecord)
    : undefined;
}

type FieldType = 'string' | 'number' | 'boolean' | 'object' | 'strings' | 'stringOrNull';

/** The fields without which a record is meaningless. */
const fields: { readonly [Kind in ConversationRecord['kind']]: Readonly<Record<string, FieldType>> } = {
  conversation: { version: 'number', id: 'string', createdAt: 'number' },
  model: { model: 'string' },
  question: { id: 'string', parent: 'stringOrNull', at: 'number', text: 'string' },
  answer: { id: 'string', question: 'string', at: 'number', model: 'string' },
  block: { answer: 'string', index: 'number', type: 'string' },
  piece: { answer: 'string', index: 'number', from: 'number', text: 'string' },
  whole: { answer: 'string', index: 'number', block: 'object' },
  replaced: { answer: 'string', index: 'number', block: 'object' },
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
  instructions: { at: 'number', on: 'boolean' },
  callsAsText: { at: 'number', model: 'string' },
  toolLimit: { answer: 'string', at: 'number', rounds: 'number' },
};

function fits(value: unknown, type: FieldType): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'stringOrNull') return value === null || typeof value === 'string';
  return typeof value === type;
}
