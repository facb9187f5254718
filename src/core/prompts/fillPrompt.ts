import type { ChatParameters } from '../conversation/chatParameters';
import { fillPlaceholders } from './placeholders';
import { providedNames } from './prompt';
import type { ProvidedName, Prompt, PromptVariable } from './prompt';

/** What is asked once all values are there. */
export interface FilledPrompt {
  readonly text: string;
  readonly parameters: ChatParameters;
}

/** Puts the values in their places: those given, else the variables' own. A place without either stays as it stands. */
export function fillPrompt(
  { text, system, parameters, variables }: Prompt,
  given: ReadonlyMap<string, string>,
): FilledPrompt {
  const values = new Map([...ownValues(variables), ...given]);
  const { prefill } = parameters;
  return {
    text: fillPlaceholders(text, values),
    parameters: {
      ...(system !== '' && { system: fillPlaceholders(system, values) }),
      ...parameters,
      ...(prefill !== undefined && { prefill: fillPlaceholders(prefill, values) }),
    },
  };
}

/** By their names, the values that variables have without being asked for. */
export function ownValues(variables: readonly PromptVariable[]): ReadonlyMap<string, string> {
  return new Map(variables.flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default] as const])));
}

/** The names in the places of a prompt, each once, in the order in which they stand there. */
export function usedNames({ places }: Pick<Prompt, 'places'>): readonly string[] {
  return [...new Set(places.map(({ name }) => name))];
}

/**
 * What a person is asked for: each variable in a place that has no value of its own or is one of several, in the order in which
 * they are declared, then those nobody declared.
 */
export function askedVariables(prompt: Pick<Prompt, 'places' | 'variables'>): readonly PromptVariable[] {
  const used = usedNames(prompt);
  const declared = prompt.variables.filter(({ name }) => used.includes(name));
  const isKnown = (name: string) => declared.some((one) => one.name === name) || isGiven(name);
  const others = used
    .filter((name) => !isKnown(name))
    .map((name) => ({ name, options: [], span: { start: 0, end: 0 } }));
  return [...declared.filter((one) => one.default === undefined || one.options.length > 0), ...others];
}

/** What the editor is asked for. */
export function providedPlaceholders(prompt: Pick<Prompt, 'places' | 'variables'>): readonly ProvidedName[] {
  const used = usedNames(prompt).filter((name) => !prompt.variables.some((one) => one.name === name));
  return providedNames.filter((name) => used.includes(name));
}

function isGiven(name: string): name is ProvidedName {
  return providedNames.some((one) => one === name);
}
