import { requestParameters } from '../../conversation/chatParameters';
import { ownValues } from '../../prompts/fillPrompt';
import { readPrompt } from '../../prompts/readPrompt';
import type { EvalPrompt } from '../evalConfig';

/** Reads a prompt file as a prompt of an eval: its system text and its text as messages, with its parameters and default values. */
export function promptFile(text: string, label: string): EvalPrompt & { readonly models: readonly string[] } {
  const { prompt } = readPrompt(text);
  const { system, models, model } = prompt;
  const messages = [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: prompt.text },
  ];
  const { prefill: _, ...parameters } = prompt.parameters;
  return {
    label,
    text: system === '' ? prompt.text : JSON.stringify(messages),
    canRun: prompt.text !== '',
    parameters: { ...requestParameters(parameters, { notTaken: [], editorTools: [], instructions: '' }) },
    defaults: ownValues(prompt.variables),
    models: models.length > 0 ? models.map(({ id }) => id) : model ? [model.id] : [],
  };
}
