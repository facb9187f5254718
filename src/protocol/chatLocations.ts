import * as z from 'zod/mini';
import { call } from './call';
import { conversationId } from './chatFields';

/** The locations that can show a conversation. */
export type ChatLocationKind = 'sideBar' | 'editor';

/** Calls that exist because a conversation can be shown in several locations. */
export const locationCalls = {
  /** The page received focus: commands that name no location apply to it. */
  'chat/used': call(z.strictObject({})),
  /** Scroll position of the log, for the page that shows the conversation next; -1 is the end. */
  'chat/scrolled': call(z.strictObject({ scrollTop: z.number().check(z.gte(-1)) })),
  /** Shows a conversation in an editor tab, reusing its tab if there is one. */
  'chat/openInEditor': call(z.strictObject({ id: conversationId })),
};
