import '../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../schema/immutable';
import type { ToolHost } from './toolHost';
import type { AgentToolName } from './toolNames';

/** A tool's result for the model. Never contains the API key or an address of the service. */
export interface AgentAnswer {
  /** Compact and bounded, the facts first. */
  readonly text: string;
  /** The same as plain JSON, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The call failed; the text says why, and what to do. */
  readonly isError?: boolean;
  readonly pictures?: readonly AgentImage[];
}

/** An image with the bytes of its file. */
export interface AgentImage {
  readonly bytes: Uint8Array;
  /** `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  readonly contentType: string;
}

/** `little`: some tokens, within the daily budget. `paid`: a user must agree first. */
type ToolCost = 'nothing' | 'little' | 'paid';

/** A tool that a model can call. Its texts are English regardless of the user's language, because models read them. */
export interface AgentTool<Input = unknown> {
  readonly name: AgentToolName;
  readonly title: string;
  /** For the model: what the tool does, when to use it, and what it returns. `describedFor` adds its cost. */
  readonly description: string;
  readonly input: z.ZodMiniType<Input>;
  /** Changes nothing, so it can be called again at will. */
  readonly readOnly: boolean;
  readonly costs: ToolCost;
  /** The endpoints without which it can do nothing. */
  readonly needs?: readonly string[];
  /** Throws `AgentProblem` and `ApiError`, and the signal's reason if aborted. */
  run(input: Input, host: ToolHost, signal: AbortSignal): Promise<AgentAnswer>;
}

/** Why a tool cannot do what was requested, and what to do about it, worded for a model. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem';
}

/** Works across bundles, where `instanceof` may not. */
export function isAgentProblem(error: unknown): error is AgentProblem {
  return error instanceof Error && error.name === 'AgentProblem';
}

/** How the user confirms a paid call: VS Code asks, the server doesn't. */
const costWords = {
  editor: 'Costs money. VS Code asks the user first, unless this tool is allowed.',
  server: "Costs money. This server does not ask for confirmation. Get the user's agreement first.",
};

/** Returns the description for models in the editor, or for clients of the MCP server. */
export function describedFor({ description, costs }: AgentTool, where: keyof typeof costWords): string {
  return costs === 'paid' ? `${description} ${costWords[where]}` : description;
}

/** Infers the input type from the schema and erases it, so that the tool fits in a list with others. */
export function agentTool<Schema extends z.ZodMiniType>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Schema;
    readonly run: (input: Immutable<z.infer<Schema>>, host: ToolHost, signal: AbortSignal) => Promise<AgentAnswer>;
  },
): AgentTool {
  return tool as unknown as AgentTool;
}

/** Returns the input as JSON schema, for manifests and other agents. */
export function inputSchemaOf({ input }: AgentTool): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

/** How long a status tool may wait for the job or batch to end. */
export const waitSeconds = z.optional(
  z
    .int()
    .check(
      z.minimum(0),
      z.maximum(300),
      z.describe('Maximum number of seconds to wait for the job to end. Defaults to 0.'),
    ),
);
