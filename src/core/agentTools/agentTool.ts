import '../api/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../api/immutable';
import type { AgentDesk } from './agentDesk';
import type { AgentToolName } from './toolNames';

/** What a tool tells a model. Never holds the key or an address of the service. */
export interface AgentAnswer {
  /** Compact and bounded, the facts first. */
  readonly text: string;
  /** The same as plain JSON, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** It did not work; the text says why, and what to do. */
  readonly isError?: boolean;
}

/** `little`: some tokens, held to the budget of the day. `paid`: a person is to agree first. */
export type ToolCost = 'nothing' | 'little' | 'paid';

/** Something a model can use. Its words are English, whatever the language of the person: models read them. */
export interface AgentTool<Input = unknown> {
  readonly name: AgentToolName;
  readonly title: string;
  /** For the model: what it does, when to use it, what comes back. */
  readonly description: string;
  readonly input: z.ZodMiniType<Input>;
  /** Changes nothing anywhere: it may be called again at will. */
  readonly readOnly: boolean;
  readonly costs: ToolCost;
  /** Throws `AgentProblem` and `ApiError`, and the signal's reason where it was stopped. */
  run(input: Input, desk: AgentDesk, signal: AbortSignal): Promise<AgentAnswer>;
}

/** Why a tool cannot do it, and what to do, in words for a model. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem';
}

/** Holds across bundles, where `instanceof` may not. */
export function isAgentProblem(error: unknown): error is AgentProblem {
  return error instanceof Error && error.name === 'AgentProblem';
}

/** Lets the input's type follow from its schema, and the tool stand in a list with others. */
export function agentTool<Schema extends z.ZodMiniType>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Schema;
    readonly run: (input: Immutable<z.infer<Schema>>, desk: AgentDesk, signal: AbortSignal) => Promise<AgentAnswer>;
  },
): AgentTool {
  return tool as unknown as AgentTool;
}

/** The input as JSON schema, as manifests and other agents want it. */
export function inputSchemaOf({ input }: AgentTool): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
