import type { ToolDefinition } from '../../../core/conversation/tools';
import { namedTools } from '../../../core/conversation/tools';
import type { Transcript } from '../../../core/conversation/transcript';

/** A tool of the editor, under its own name. */
export interface EditorTool extends ToolDefinition {
  /** As a person calls it. */
  readonly label: string;
  readonly group: {
    readonly id: string;
    readonly kind: 'desk' | 'mcp' | 'extension' | 'editor';
    readonly label: string;
  };
}

/** What a tool gave, as it is sent back. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** The editor's tools. */
export interface EditorTools {
  /** Those that are registered now. */
  list(): readonly EditorTool[];
  /** Never rejects: what goes wrong is an error in the tool's words. Ends soon after `signal` aborts. */
  run(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>;
  /** False in Restricted Mode, where none is run. */
  readonly mayRun: boolean;
}

/** A tool that is offered in a conversation and is there. */
export interface ReachableTool {
  readonly source: 'editor' | 'own';
  /** Its own name. */
  readonly name: string;
  readonly label: string;
}

/** Which tools the calls of a conversation mean. */
export interface ToolAccess extends Pick<EditorTools, 'run' | 'mayRun'> {
  /** By what the wire calls them. */
  offered(transcript: Pick<Transcript, 'parameters'>): ReadonlyMap<string, ReachableTool>;
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
