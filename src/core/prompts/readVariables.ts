import { nearestIds } from '../catalogue/nearestIds';
import { variableKeys } from './prompt';
import type { PromptVariable } from './prompt';
import type { PromptProblem } from './promptProblem';
import type { YamlEntry, YamlReader, YamlValue } from './yamlReader';

/**
 * Reads the variables of a prompt file: `name: value`, `name:` for one to ask for, `name: [one, two]` for one with options, or a
 * mapping of description, default and options.
 */
export function readVariables(
  value: YamlValue,
  reader: YamlReader,
  add: (problem: PromptProblem) => void,
): readonly PromptVariable[] {
  return reader.entries(value, { name: 'variables' }).flatMap((entry) => {
    const { name, span } = entry;
    if (name.trim() === '' || name !== name.trim() || /[{}]/.test(name)) {
      add({ code: 'variable.bad-name', span, name });
      return [];
    }
    return [{ name, span, ...readVariable(entry, reader, add) }];
  });
}

function readVariable(
  { name, value }: YamlEntry,
  reader: YamlReader,
  add: (problem: PromptProblem) => void,
): Omit<PromptVariable, 'name' | 'span'> {
  if (reader.isList(value)) return { options: optionsOf(value, name, reader) };
  if (!reader.isMapping(value)) {
    const text = reader.text(value, name);
    return { options: [], ...(text !== undefined && { default: text }) };
  }
  const entries = reader.entries(value, { name });
  for (const entry of entries) {
    if (variableKeys.some((key) => key === entry.name)) continue;
    add({ code: 'key.unknown', span: entry.span, name: entry.name, suggestions: nearestIds(entry.name, variableKeys) });
  }
  const valueOf = (key: (typeof variableKeys)[number]) => entries.find((entry) => entry.name === key)?.value;
  const textAt = (key: 'description' | 'default') => {
    const found = valueOf(key);
    return found && reader.text(found, key);
  };
  const [description, usual, listed] = [textAt('description'), textAt('default'), valueOf('options')];
  const options = listed ? optionsOf(listed, 'options', reader) : [];
  const place = valueOf('default');
  if (place && usual !== undefined && options.length > 0 && !options.includes(usual)) {
    const suggestions = nearestIds(usual, options);
    add({ code: 'variable.default-not-option', span: place.span, name, suggestions });
  }
  return {
    options,
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
  };
}

function optionsOf(value: YamlValue, name: string, reader: YamlReader): readonly string[] {
  return [...new Set(reader.texts(value, name).map(({ text }) => text))];
}
