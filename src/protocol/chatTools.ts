import * as z from 'zod/mini';
import { call, returns, type Accepted } from './call';
import type { Turn } from './chat';
import { id as turnId, longText, model } from './chatFields';

/** Longer than any tool's name; whether a name is valid is checked elsewhere, with a localized message. */
const name = z.string().check(z.maxLength(1000));
/** The id of a `ToolRow`. */
const id = name.check(z.minLength(1));

/** How the model may use the tools. */
const choice = z.strictObject({
  /** `unset`: not sent, so the model decides. */
  type: z.enum(['unset', 'auto', 'any', 'none', 'tool']),
  /** With `tool`: id of the tool that must be called. */
  tool: z.exactOptional(id),
  /** At most one call per answer. Ignored with `none`. */
  single: z.boolean(),
});
export type ToolChoiceForm = Accepted<typeof choice>;

/** A tool definition as typed. */
const form = z.strictObject({
  name,
  description: longText,
  /** JSON text of a JSON Schema for an object. */
  schema: longText,
});
export type OwnToolForm = Accepted<typeof form>;

/** With `asking`, any of them; with `awaitingResult`, all but `allow`. */
const decision = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), always: z.boolean() }),
  /** The model is informed that the user denied the call, with the user's words if any. */
  z.strictObject({ type: z.literal('deny'), words: longText }),
  z.strictObject({ type: z.literal('result'), text: longText, isError: z.boolean() }),
]);
export type ToolDecision = Accepted<typeof decision>;

/** The available tools, and which of them requests offer. */
export interface ToolsState {
  /**
   * The user's own tools first, then this extension's, then one group per MCP server, one per extension, and the editor's built-in tools;
   * offered tools that no longer exist come last.
   */
  readonly groups: readonly ToolGroup[];
  /** Number of tools offered, not counting missing ones. */
  readonly offered: number;
  /** Maximum number of tools in a request. */
  readonly limit: number;
  readonly choice: ToolChoiceForm;
  /** Localized reason, set if no editor tool can run: Restricted Mode. */
  readonly notRun?: string;
  /** Localized reason, set if the model has rejected tools and gets none. */
  readonly notTaken?: string;
}

export interface ToolGroup {
  readonly id: string;
  /** `desk`: from this extension. `editor`: from the editor and its built-in extensions. */
  readonly kind: 'own' | 'desk' | 'mcp' | 'extension' | 'editor' | 'gone';
  readonly label: string;
  readonly tools: readonly ToolRow[];
}

export interface ToolRow {
  /** Unique across all groups. */
  readonly id: string;
  /** The name the model uses. */
  readonly name: string;
  /** The name for users; often the same. */
  readonly label: string;
  /** The description sent to the model. */
  readonly description: string;
  /** JSON text; empty if the tool takes no input. */
  readonly schema: string;
  readonly offered: boolean;
  /** Runs in this conversation without confirmation. */
  readonly allowedAlways: boolean;
}

/** Input about tools that is neither saved nor sent yet. */
export interface TypedTools {
  /** `replaces` is the name of the saved tool being edited, if any. */
  readonly own?: { readonly form: OwnToolForm; readonly replaces?: string };
  /** Results of calls, by the page's own key for the call. */
  readonly results?: Readonly<Record<string, string>>;
}

export interface OwnToolIssue {
  readonly field: keyof OwnToolForm;
  /** Localized. */
  readonly text: string;
  /** UTF-16 offset in the field; absent if the issue concerns all of it. */
  readonly offset?: number;
  /** `line` and `column` of that offset, both from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The state of a tool call. */
export interface ToolCallView {
  /**
   * `asking`: runs once the user allows it. `awaitingResult`: nothing can run it, so the user enters its result. `stopped`: the user
   * stopped it while it ran. `notRun`: it was never answered and no longer can be.
   */
  readonly state: 'asking' | 'awaitingResult' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'notRun';
  /** The tool's name for users. */
  readonly label: string;
  /** As sent to the model. */
  readonly result?: string;
  /** Who provided the result. */
  readonly by?: 'tool' | 'person';
  /** It was allowed for the whole conversation. */
  readonly allowedAlways?: true;
  /** With `asking`: it can be allowed. If missing, `note` explains why not. */
  readonly canAllow?: true;
  /** Something the user should know before deciding, localized. */
  readonly note?: string;
}

/** The name of the saved tool that is replaced, if any. */
const replaces = z.exactOptional(name);
const tools = returns<ToolsState>();

/** Each call that returns `ToolsState` returns the resulting state. `model` is the one the next question is sent to. */
export const toolCalls = {
  'chat/tools': call(z.strictObject({ model }), tools),
  'chat/offerTools': call(
    z.strictObject({ model, ids: z.array(id).check(z.maxLength(5000)), offered: z.boolean() }),
    tools,
  ),
  'chat/toolChoice': call(z.strictObject({ model, choice }), tools),
  /** Validates typed values. Saves nothing. */
  'chat/checkOwnTool': call(
    z.strictObject({ form, replaces }),
    returns<{ readonly issues: readonly OwnToolIssue[] }>(),
  ),
  /** Saves the definition for all conversations and offers it in this one. Nothing is saved while there are issues. */
  'chat/saveOwnTool': call(
    z.strictObject({ model, form, replaces }),
    returns<{ readonly issues: readonly OwnToolIssue[]; readonly tools: ToolsState }>(),
  ),
  'chat/deleteOwnTool': call(z.strictObject({ model, name }), tools),
  /** Revokes the permission to run without confirmation. */
  'chat/forbidTool': call(z.strictObject({ model, id }), tools),
  /**
   * Decides on a tool call of the last turn. `block` is its index among the answer's blocks. The page must follow the answer afterwards,
   * because it may continue.
   */
  'chat/answerToolCall': call(
    z.strictObject({
      turnId,
      /** Absent for the attempt shown. */
      tryId: z.exactOptional(turnId),
      block: z.int().check(z.nonnegative(), z.maximum(10_000)),
      decision,
    }),
    returns<{ readonly turn: Turn }>(),
  ),
};
