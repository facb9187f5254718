import type { Call } from './call';

/** Where a conversation can be shown. */
export type ChatLocationKind = 'sideBar' | 'editor';

type Nothing = Record<never, never>;

/** What a page asks for because a conversation can be shown in several places. */
export interface LocationCalls {
  /** The page got the focus: commands that name no place mean this one. */
  readonly 'chat/used': Call<Nothing, Nothing>;
  /** Where the log stands, for the page that goes on with the conversation elsewhere; -1 is its end. */
  readonly 'chat/scrolled': Call<{ readonly scrollTop: number }, Nothing>;
  /** Shows a conversation in an editor tab; the one it is in already, if there is one. */
  readonly 'chat/openInEditor': Call<{ readonly id: string }, Nothing>;
}
