import { requestParameters } from '../../conversation/chatParameters';
import { ownValues } from '../../prompts/fillPrompt';
import { readPrompt } from '../../prompts/readPrompt';
import type { EvalPrompt } from '../evalConfig';
import { itemsOf } from './configTree';
import type { ConfigNode } from './configTree';

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

/** Prompts as a list, or by the names of their files with their labels. */
export function promptNodes(node: ConfigNode | undefined): readonly ConfigNode[] {
  const names = node?.entries;
  if (!node || !names || ['raw', 'id', 'label'].some((name) => names.has(name))) return itemsOf(node);
  return Array.from(names, ([name, label]) => {
    const raw = { ...label, scalar: name, entries: undefined, items: undefined };
    return {
      ...node,
      entries: new Map([
        ['raw', raw],
        ['label', label],
      ]),
    };
  });
}

/** Returns the first words of a prompt, or the name of its file, as its label. */
export function shortLabel(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
