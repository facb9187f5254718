import { readCompletionParameters, refusableNames } from '../../../core/completion/completionParameters';
import type { CompletionParameters, RefusableName } from '../../../core/completion/completionParameters';
import { readParameterMemory } from '../../../services/parameters/parameterMemory';
import type { ParameterMemoryFile } from '../../../services/parameters/parameterMemory';

/** The model and parameters of completions. */
export interface CompletionSetup {
  /** Absent: the default model for completions. */
  readonly model?: string;
  readonly parameters: CompletionParameters;
  /** The parameters as JSON text edited by the user, including errors and unknown names. Absent if it equals the JSON of `parameters`. */
  readonly text?: string;
}

export interface CompletionFile extends ParameterMemoryFile<CompletionParameters, RefusableName> {
  readonly setup: CompletionSetup;
}

export const emptySetup: CompletionSetup = { parameters: {} };

/** `undefined` if it is not such a file. */
export function readCompletionFile(raw: unknown): CompletionFile | undefined {
  const memory = readParameterMemory(raw, { read: readCompletionParameters, names: refusableNames });
  if (!memory) return undefined;
  return { ...memory, setup: readSetup((raw as { readonly setup?: unknown }).setup) };
}

function readSetup(raw: unknown): CompletionSetup {
  if (typeof raw !== 'object' || raw === null) return emptySetup;
  const { model, parameters, text } = raw as Readonly<Record<string, unknown>>;
  return {
    parameters: readCompletionParameters(parameters),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(typeof text === 'string' ? { text } : {}),
  };
}
