import { readCompletionParameters, refusableNames } from '../../../core/completion/completionParameters';
import type { CompletionParameters, RefusableName } from '../../../core/completion/completionParameters';
import { readParameterMemory } from '../../../services/parameters/parameterMemory';
import { isObject } from '../../../core/api/isObject';
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
  /** Its model is the one chosen last with any account. */
  readonly setup: CompletionSetup;
  /** The model chosen with each account; an empty text for the default. */
  readonly models?: Readonly<Record<string, string>>;
}

export const emptySetup: CompletionSetup = { parameters: {} };

/** `undefined` if it is not such a file. */
export function readCompletionFile(raw: unknown): CompletionFile | undefined {
  const memory = readParameterMemory(raw, { read: readCompletionParameters, names: refusableNames });
  if (!memory) return undefined;
  const { setup, models } = raw as { readonly setup?: unknown; readonly models?: unknown };
  return { ...memory, setup: readSetup(setup), ...(isObject(models) && { models: readModels(models) }) };
}

function readModels(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const read = Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(read);
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
