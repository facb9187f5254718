import type { ChatLocationKind } from './chatLocations';

/** A conversation as the list shows it. */
export interface ConversationRow {
  readonly id: string;
  /** Empty while nothing was asked and no name given. */
  readonly title: string;
  readonly pinned: boolean;
  /** When something was last asked or answered, Unix milliseconds, and how long ago that is in words. */
  readonly at: number;
  readonly age: string;
  readonly running: boolean;
  /** Some of it is in memory only. */
  readonly unsaved?: true;
  readonly current: boolean;
  /** Another window has it open; the name of that, which may be empty. */
  readonly elsewhere?: string;
  /** Where it is shown, be it here. */
  readonly location?: ChatLocationKind;
  /** What of its text was found, where that was searched for and is not the title. */
  readonly found?: string;
}

export interface ConversationList {
  readonly conversations: readonly ConversationRow[];
  /** Deleted last, and still to be had back. */
  readonly deleted?: { readonly id: string; readonly title: string };
}
