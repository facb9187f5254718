import type { ToolDefinition } from '../../../core/conversation/tools';
import { namedTools } from '../../../core/conversation/tools';
import type { Transcript } from '../../../core/conversation/transcript';

/** A tool registered with the editor, under its own name. */
export interface EditorTool extends ToolDefinition {
  /** The display name. */
  readonly label: string;
  readonly group: {
    readonly id: string;
    readonly kind: 'desk' | 'mcp' | 'extension' | 'editor';
    readonly label: string;
  };
}

/** A tool's result as it is sent back to the model. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** The tools registered with the editor. */
export interface EditorTools {
  /** Returns the currently registered tools. */
  list(): readonly EditorTool[];
  /** Never rejects: a failure becomes an error result. Ends soon after `signal` aborts. */
  run(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>;
  /** False in Restricted Mode, where no tool runs. */
  readonly mayRun: boolean;
}

/** A tool that is offered in a conversation and available. */
export interface ReachableTool {
  readonly source: 'editor' | 'own';
  /** The tool's own name. */
  readonly name: string;
  readonly label: string;
}

/** Resolves the tool calls of a conversation to tools. */
export interface ToolAccess extends Pick<EditorTools, 'run' | 'mayRun'> {
  /** Returns the offered tools by their names in the request. */
  offered(transcript: Transcript): ReadonlyMap<string, ReachableTool>;
}

export function createToolAccess(tools: EditorTools): ToolAccess {
  return {
    offered({ parameters: { tools: offered = [] } }) {
      const editorTools = offered.some(({ source }) => source === 'editor') ? tools.list() : [];
      return new Map(
        namedTools(offered, editorTools).map(({ offered: { source, name }, definition }) => {
          const label = source === 'editor' ? editorTools.find((tool) => tool.name === name)?.label : undefined;
          return [definition.name, { source, name, label: label ?? name }];
        }),
      );
    },
    run: (name, input, signal) => tools.run(name, input, signal),
    get mayRun() {
      return tools.mayRun;
    },
  };
}
