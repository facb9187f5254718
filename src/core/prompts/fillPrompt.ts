import { requestParameters, requestPrefill } from '../conversation/chatParameters';
import type { ChatParameters } from '../conversation/chatParameters';
import { fillPlaceholders } from './placeholders';
import { providedNames } from './prompt';
import type { ProvidedName, Prompt, PromptVariable } from './prompt';
import { defaultMaxTokens } from '../api/messages/messages.bounds';
import type { MessageRequest } from '../api/messages/messages.schema';
import { goingOnFrom } from '../conversation/requestMessages';

/** The messages to send once all values are known. */
export interface FilledPrompt {
  readonly text: string;
  readonly parameters: ChatParameters;
}

/** Replaces placeholders by the provided values, or else the variables' defaults. A placeholder without either remains as it is. */
export function fillPrompt(
  { text, system, parameters, variables }: Prompt,
  provided: ReadonlyMap<string, string>,
): FilledPrompt {
  const values = new Map([...ownValues(variables), ...provided]);
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

/** Returns the variables' default values by name. */
export function ownValues(variables: readonly PromptVariable[]): ReadonlyMap<string, string> {
  return new Map(variables.flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default] as const])));
}

/** Returns the distinct names in a prompt's placeholders, in order of occurrence. */
function usedNames({ places }: Prompt): readonly string[] {
  return [...new Set(places.map(({ name }) => name))];
}

/** Returns the variables to ask a user for: used ones without a default or with options, in declaration order, then the undeclared ones. */
export function requestedVariables(prompt: Prompt): readonly PromptVariable[] {
  const used: ReadonlySet<string> = new Set(usedNames(prompt));
  const declared = prompt.variables.filter(({ name }) => used.has(name));
  const names: ReadonlySet<string> = new Set(declared.map(({ name }) => name));
  const isKnown = (name: string) => names.has(name) || isProvided(name);
  const others = [...used]
    .filter((name) => !isKnown(name))
    .map((name) => ({ name, options: [], span: { start: 0, end: 0 } }));
  return [...declared.filter((one) => one.default === undefined || one.options.length > 0), ...others];
}

/** Returns the used names whose values the editor provides. */
export function providedPlaceholders(prompt: Prompt): readonly ProvidedName[] {
  const used: ReadonlySet<string> = new Set(usedNames(prompt));
  const declared: ReadonlySet<string> = new Set(prompt.variables.map(({ name }) => name));
  return providedNames.filter((name) => used.has(name) && !declared.has(name));
}

function isProvided(name: string): name is ProvidedName {
  return providedNames.some((one) => one === name);
}

/** Builds the request for a filled prompt on its own. */
export function promptRequest({ text, parameters }: FilledPrompt, model: string): MessageRequest {
  return {
    model,
    max_tokens: defaultMaxTokens(model),
    ...requestParameters(parameters, { notTaken: [], editorTools: [], instructions: '' }),
    messages: goingOnFrom([{ role: 'user', content: text }], requestPrefill(parameters, [])),
  };
}
