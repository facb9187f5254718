import '../api/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../api/immutable';
import type { ToolHost } from './toolHost';
import type { AgentToolName } from './toolNames';

/** What a tool tells a model. Never holds the key or an address of the service. */
export interface AgentAnswer {
  /** Compact and bounded, the facts first. */
  readonly text: string;
  /** The same as plain JSON, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** It did not work; the text says why, and what to do. */
  readonly isError?: boolean;
  readonly pictures?: readonly AgentImage[];
}

/** As its file is. */
export interface AgentImage {
  readonly bytes: Uint8Array;
  /** `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  readonly contentType: string;
}

/** `little`: some tokens, held to the budget of the day. `paid`: a person is to agree first. */
export type ToolCost = 'nothing' | 'little' | 'paid';

/** Something a model can use. Its words are English, whatever the language of the person: models read them. */
export interface AgentTool<Input = unknown> {
  readonly name: AgentToolName;
  readonly title: string;
  /** For the model: what it does, when to use it, what comes back; what it costs is said by `describedFor`. */
  readonly description: string;
  readonly input: z.ZodMiniType<Input>;
  /** Changes nothing anywhere: it may be called again at will. */
  readonly readOnly: boolean;
  readonly costs: ToolCost;
  /** Throws `AgentProblem` and `ApiError`, and the signal's reason where it was stopped. */
  run(input: Input, host: ToolHost, signal: AbortSignal): Promise<AgentAnswer>;
}

/** Why a tool cannot do it, and what to do, in words for a model. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem';
}

/** Holds across bundles, where `instanceof` may not. */
export function isAgentProblem(error: unknown): error is AgentProblem {
  return error instanceof Error && error.name === 'AgentProblem';
}

/** Who asks the person before something is paid for: the editor does, the server asks nobody. */
const costWords = {
  editor: 'It costs money; the editor asks the person first, unless they allowed it before.',
  server: 'It costs money, and this server asks nobody: have the person agree before you call it.',
};

/** The description for models of the editor, or of a client of the MCP server. */
export function describedFor({ description, costs }: AgentTool, where: keyof typeof costWords): string {
  return costs === 'paid' ? `${description} ${costWords[where]}` : description;
}

/** Lets the input's type follow from its schema, and the tool stand in a list with others. */
export function agentTool<Schema extends z.ZodMiniType>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Schema;
    readonly run: (input: Immutable<z.infer<Schema>>, host: ToolHost, signal: AbortSignal) => Promise<AgentAnswer>;
  },
): AgentTool {
  return tool as unknown as AgentTool;
}

/** The input as JSON schema, as manifests and other agents want it. */
export function inputSchemaOf({ input }: AgentTool): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
