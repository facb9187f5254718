import '../../core/api/jitless';
import * as z from 'zod/mini';
import { parameterNames, readChatParameters } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';

export interface StoredPreset {
  readonly id: string;
  readonly name: string;
  readonly parameters: ChatParameters;
}

/** That a model of a profile refused parameters. */
export interface Refusals {
  readonly profile: string;
  readonly model: string;
  readonly parameters: readonly ParameterName[];
}

/** What is kept beside the conversations. */
export interface ParameterFile {
  readonly presets: readonly StoredPreset[];
  readonly refused: readonly Refusals[];
}

const shape = z.object({
  presets: z.array(z.object({ id: z.string(), name: z.string(), parameters: z.unknown() })),
  refused: z.array(z.object({ profile: z.string(), model: z.string(), parameters: z.array(z.string()) })),
});

/** `undefined` for what is no such file. */
export function readParameterFile(raw: unknown): ParameterFile | undefined {
  const read = shape.safeParse(raw);
  if (!read.success) return undefined;
  return {
    presets: read.data.presets.map(({ id, name, parameters }) => ({
      id,
      name,
      parameters: readChatParameters(parameters),
    })),
    refused: read.data.refused.map((entry) => ({
      ...entry,
      parameters: parameterNames.filter((name) => entry.parameters.includes(name)),
    })),
  };
}
