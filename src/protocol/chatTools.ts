import type { Call } from './call';

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
  /** Localized reason, set if the model has rejected tools: none are sent to it. */
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

/** How the model may use the tools. `unset`: not sent, so the model decides. */
export interface ToolChoiceForm {
  readonly type: 'unset' | 'auto' | 'any' | 'none' | 'tool';
  /** With `tool`: id of the tool that must be called. */
  readonly tool?: string;
  /** At most one call per answer; ignored with `none`. */
  readonly single: boolean;
}

/** A tool definition as typed. */
export interface OwnToolForm {
  readonly name: string;
  readonly description: string;
  /** JSON text of a JSON Schema for an object. */
  readonly schema: string;
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
  /** With `asking`: it can be allowed; if absent, `note` says why not. */
  readonly canAllow?: true;
  /** Something the user should know before deciding, localized. */
  readonly note?: string;
}

/** With `asking`, any of them; with `awaitingResult`, all but `allow`. */
export type ToolDecision =
  | { readonly type: 'allow'; readonly always: boolean }
  /** The model is informed that the user denied the call, with the user's words if any. */
  | { readonly type: 'deny'; readonly words: string }
  | { readonly type: 'result'; readonly text: string; readonly isError: boolean };

/** `model` is the one the next question is sent to. */
interface About {
  readonly model: string;
}

/** Each call that returns `ToolsState` returns the resulting state. Ids are those of `ToolRow`. */
export interface ToolsCalls<Turn> {
  readonly 'chat/tools': Call<About, ToolsState>;
  readonly 'chat/offerTools': Call<About & { readonly ids: readonly string[]; readonly offered: boolean }, ToolsState>;
  readonly 'chat/toolChoice': Call<About & { readonly choice: ToolChoiceForm }, ToolsState>;
  /** Validates what is typed; saves nothing. */
  readonly 'chat/checkOwnTool': Call<
    { readonly form: OwnToolForm; readonly replaces?: string },
    { readonly issues: readonly OwnToolIssue[] }
  >;
  /** Saves the definition for all conversations and offers it in this one. Nothing is saved while there are issues. */
  readonly 'chat/saveOwnTool': Call<
    About & {
      readonly form: OwnToolForm;
      /** Name of the tool it replaces. */
      readonly replaces?: string;
    },
    { readonly issues: readonly OwnToolIssue[]; readonly tools: ToolsState }
  >;
  readonly 'chat/deleteOwnTool': Call<About & { readonly name: string }, ToolsState>;
  /** Revokes the permission to run without confirmation. */
  readonly 'chat/forbidTool': Call<About & { readonly id: string }, ToolsState>;
  /**
   * Decides on a tool call of the last turn. `block` is its index among the answer's blocks. The page must follow the answer afterwards,
   * because it may continue.
   */
  readonly 'chat/answerToolCall': Call<
    {
      readonly turnId: string;
      /** Absent for the attempt shown. */
      readonly tryId?: string;
      readonly block: number;
      readonly decision: ToolDecision;
    },
    { readonly turn: Turn }
  >;
}
