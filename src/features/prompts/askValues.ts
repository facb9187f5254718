import { l10n } from 'vscode';
import type { PromptVariable } from '../../core/prompts/prompt';
import { askPick, askText } from '../../platform/quickInput';
import type { StepResult } from '../../platform/quickInput';

/** Asks for the values of variables one after the other, with a way back. `undefined` if the person cancels. */
export async function askValues(
  title: string,
  variables: readonly PromptVariable[],
  before: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = new Map(Object.entries(before));
  for (let index = 0; index < variables.length;) {
    const variable = variables[index]!;
    const steps = variables.length > 1 ? { step: index + 1, totalSteps: variables.length } : {};
    const frame = { title, ...steps, canGoBack: index > 0 };
    const answer = await askValue(variable, values.get(variable.name) ?? variable.default, frame);
    if (answer.kind === 'cancelled') return undefined;
    if (answer.kind === 'value') values.set(variable.name, answer.value);
    index += answer.kind === 'value' ? 1 : -1;
  }
  return new Map(variables.map(({ name }) => [name, values.get(name) ?? '']));
}

interface Frame {
  readonly title: string;
  readonly canGoBack: boolean;
}

function askValue(
  { name, description, options }: PromptVariable,
  value: string | undefined,
  frame: Frame,
): Promise<StepResult<string>> {
  const words = description === undefined ? name : `${name}: ${description}`;
  if (options.length === 0) {
    return askText({ ...frame, prompt: words, value: value ?? '', check: () => undefined });
  }
  const items = options.map((option) => ({ label: option === '' ? l10n.t('(nothing)') : option, value: option }));
  return askPick({
    ...frame,
    placeholder: words,
    canFilter: true,
    items,
    ...(value !== undefined && { current: value }),
  });
}
