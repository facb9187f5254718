import type { Call } from './call';

/** Which tools requests offer, and which there are. */
export interface ToolsState {
  /** The person's own first, ours, then one for each MCP server, each extension, and what the editor has of its own; what is offered but gone last. */
  readonly groups: readonly ToolGroup[];
  /** How many are offered, those that are gone not counted. */
  readonly offered: number;
  /** The most a request may offer. */
  readonly limit: number;
  readonly choice: ToolChoiceForm;
  /** Set where no tool of the editor is run, worded: Restricted Mode. */
  readonly notRun?: string;
  /** Set where the model was seen to refuse tools, worded: none are sent to it. */
  readonly notTaken?: string;
}

export interface ToolGroup {
  readonly id: string;
  /** `desk`: of this extension. `editor`: comes with the editor, its built-in extensions included. */
  readonly kind: 'own' | 'desk' | 'mcp' | 'extension' | 'editor' | 'gone';
  readonly label: string;
  readonly tools: readonly ToolRow[];
}

export interface ToolRow {
  /** Unique among all tools of all groups. */
  readonly id: string;
  /** As the model calls it. */
  readonly name: string;
  /** As a person calls it; often the name. */
  readonly label: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON text; empty where the tool takes nothing. */
  readonly schema: string;
  readonly offered: boolean;
  /** Runs in this conversation without being asked about. */
  readonly allowedAlways: boolean;
}

/** What the model may do with the tools. `unset`: nothing is sent of it, the model decides. */
export interface ToolChoiceForm {
  readonly type: 'unset' | 'auto' | 'any' | 'none' | 'tool';
  /** Id of the row that must be called, with `tool`. */
  readonly tool?: string;
  /** At most one call in an answer; nothing with `none`. */
  readonly single: boolean;
}

/** A tool definition as typed. */
export interface OwnToolForm {
  readonly name: string;
  readonly description: string;
  /** JSON text of a JSON Schema for an object. */
  readonly schema: string;
}

/** What was typed about tools and neither saved nor sent. */
export interface TypedTools {
  /** With the name of the kept tool that is being changed, if one is. */
  readonly own?: { readonly form: OwnToolForm; readonly replaces?: string };
  /** Results of calls, by the page's own key of the call. */
  readonly results?: Readonly<Record<string, string>>;
}

export interface OwnToolIssue {
  readonly field: keyof OwnToolForm;
  /** Worded. */
  readonly text: string;
  /** Where in the field, in UTF-16 offsets; absent: all of it. */
  readonly offset?: number;
  /** Both from 1, of that offset. */
  readonly line?: number;
  readonly column?: number;
}

/** Where a call of a tool stands. */
export interface ToolCallView {
  /**
   * `asking`: runs when the person allows it. `awaitingResult`: nothing can run it, the person types its result in.
   * `stopped`: the person stopped it while it ran. `notRun`: never answered, and no longer to be answered.
   */
  readonly state: 'asking' | 'awaitingResult' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'notRun';
  /** The tool as a person calls it. */
  readonly label: string;
  /** As the model gets it. */
  readonly result?: string;
  /** Who gave the result. */
  readonly by?: 'tool' | 'person';
  /** It was allowed for the whole conversation. */
  readonly allowedAlways?: true;
  /** With `asking`: it can be allowed; absent: `note` says why not. */
  readonly canAllow?: true;
  /** Something the person should know before deciding, worded. */
  readonly note?: string;
}

/** With `asking` any of them, with `awaitingResult` all but `allow`. */
export type ToolDecision =
  | { readonly type: 'allow'; readonly always: boolean }
  /** The model is told that the person denied it, with the person's words if there are any. */
  | { readonly type: 'deny'; readonly words: string }
  | { readonly type: 'result'; readonly text: string; readonly isError: boolean };

/** `model` is the one the next question goes to. */
interface About {
  readonly model: string;
}

/** Each is answered with what holds after it. Ids are those of rows. */
export interface ToolsCalls<Turn> {
  readonly 'chat/tools': Call<About, ToolsState>;
  readonly 'chat/offerTools': Call<About & { readonly ids: readonly string[]; readonly offered: boolean }, ToolsState>;
  readonly 'chat/toolChoice': Call<About & { readonly choice: ToolChoiceForm }, ToolsState>;
  /** Judges what is typed; saves nothing. */
  readonly 'chat/checkOwnTool': Call<
    { readonly form: OwnToolForm; readonly replaces?: string },
    { readonly issues: readonly OwnToolIssue[] }
  >;
  /** Keeps the definition for all conversations and offers it in this one. Nothing is saved while there are issues. */
  readonly 'chat/saveOwnTool': Call<
    About & {
      readonly form: OwnToolForm;
      /** The name of the one it takes the place of. */
      readonly replaces?: string;
    },
    { readonly issues: readonly OwnToolIssue[]; readonly tools: ToolsState }
  >;
  readonly 'chat/deleteOwnTool': Call<About & { readonly name: string }, ToolsState>;
  /** Takes back that a tool runs without being asked about. */
  readonly 'chat/forbidTool': Call<About & { readonly id: string }, ToolsState>;
  /**
   * Decides about a call of the last turn. `block` is its place among the answer's blocks. The answer is to be followed then, as
   * it may go on.
   */
  readonly 'chat/answerToolCall': Call<
    {
      readonly turnId: string;
      /** Absent: the try that is shown. */
      readonly tryId?: string;
      readonly block: number;
      readonly decision: ToolDecision;
    },
    { readonly turn: Turn }
  >;
}
