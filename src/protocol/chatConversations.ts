import type { ChatLocationKind } from './chatLocations';

/** A conversation in the list. */
export interface ConversationRow {
  readonly id: string;
  /** Empty until it has a question, a draft or a name. */
  readonly title: string;
  readonly pinned: boolean;
  /** Time of the last question or answer, in Unix milliseconds; `age` is the same in words, relative to now. */
  readonly at: number;
  readonly age: string;
  /** The model and the account of the last answer; absent if unknown. */
  readonly model?: string;
  readonly account?: string;
  readonly running: boolean;
  /** It was never asked: it holds a question that is not sent yet. */
  readonly draft?: true;
  /** Part of it is in memory only. */
  readonly unsaved?: true;
  readonly current: boolean;
  /** Name of the other window that has it open; may be empty. */
  readonly elsewhere?: string;
  /** Where it is shown, including here. */
  readonly location?: ChatLocationKind;
  /** The matching text, set if the search matched something other than the title. */
  readonly found?: string;
}

export interface ConversationList {
  readonly conversations: readonly ConversationRow[];
  /** The last one deleted, while it can still be restored. */
  readonly deleted?: { readonly id: string; readonly title: string };
}
