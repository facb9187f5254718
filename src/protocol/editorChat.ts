import * as z from 'zod/mini';
import { call, returns, type CallsOf } from './call';
import type { WireError } from './wire';

const nothing = z.strictObject({});
const uses = ['chat', 'utility', 'suggestions'] as const;
export type EditorChatUse = (typeof uses)[number];

/** A choice of a model for one use. Texts are localized. */
export interface EditorChatChoice {
  readonly use: EditorChatUse;
  /** The chosen model; empty for none. */
  readonly model: string;
  readonly models: readonly { readonly id: string; readonly label: string }[];
  readonly facts: readonly { readonly text: string; readonly state?: 'works' | 'fails' }[];
  /** Unset if this VS Code can't use a model of ours for it. */
  readonly isOffered?: true;
}

/** Everything the page shows. */
export interface EditorChatView {
  /** The name of the account. */
  readonly account: string;
  readonly choices: readonly EditorChatChoice[];
  /** The list of models could not be loaded. */
  readonly error?: WireError;
}

export const editorChatCalls = {
  'editorChat/ready': call(nothing, returns<EditorChatView>()),
  /** Saves a choice. */
  'editorChat/choose': call(
    z.strictObject({ use: z.enum(uses), model: z.string().check(z.maxLength(500)) }),
    returns<EditorChatView>(),
  ),
  /** Saves the choices as shown and opens VS Code's Chat. */
  'editorChat/open': call(nothing),
  /** Opens the check of the model for the chat. */
  'editorChat/check': call(nothing),
  'editorChat/showSpending': call(nothing),
  'editorChat/act': call(z.strictObject({ action: z.string().check(z.maxLength(1000)) })),
};

export interface EditorChatScreen {
  readonly state: Record<never, never>;
  readonly calls: CallsOf<typeof editorChatCalls>;
  readonly events: { readonly 'editorChat/changed': EditorChatView };
}
