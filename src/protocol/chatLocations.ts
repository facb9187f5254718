import type { Call } from './call';

/** The locations that can show a conversation. */
export type ChatLocationKind = 'sideBar' | 'editor';

type Nothing = Record<never, never>;

/** Calls that exist because a conversation can be shown in several locations. */
export interface LocationCalls {
  /** The page received focus: commands that name no location apply to it. */
  readonly 'chat/used': Call<Nothing, Nothing>;
  /** Scroll position of the log, for the page that shows the conversation next; -1 is the end. */
  readonly 'chat/scrolled': Call<{ readonly scrollTop: number }, Nothing>;
  /** Shows a conversation in an editor tab, reusing its tab if there is one. */
  readonly 'chat/openInEditor': Call<{ readonly id: string }, Nothing>;
}
