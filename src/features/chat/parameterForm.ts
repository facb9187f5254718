import { boundIssues, warningsOf, withOwn, type OwnBounds } from '../../core/api/bounds';
import type { ParameterIssue, ParameterWarning } from '../../core/api/parameters';
import { chatBounds } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import { numbersAt } from '../../core/parameters/parameterTable';
import { escaped, typedNumber, unescaped } from '../../core/parameters/typedValue';
import type { ParameterForm } from '../../protocol/chatParameters';

export interface FieldIssue {
  readonly name: ParameterName;
  /** `undefined` if the text is not a number. */
  readonly issue: ParameterIssue | undefined;
}

/** The parameters a form sets. A field with an issue sets nothing. */
export interface FormReading {
  readonly parameters: ChatParameters;
  readonly issues: readonly FieldIssue[];
}

const numbers = numbersAt('chat');

/** What is not in the form of a model that does not take it; its value is kept for others. */
export type Hideable = 'enable_thinking' | 'thinking_budget';

export function readForm(form: ParameterForm): FormReading {
  const issues: FieldIssue[] = [];
  const found: { -readonly [Name in ParameterName]?: ChatParameters[Name] } = {};
  for (const name of numbers) {
    const typed = form.numbers[name]?.trim() ?? '';
    if (typed === '') continue;
    const value = typedNumber(typed);
    const [issue] = value === undefined ? [] : boundIssues<ChatParameters>({ [name]: value }, chatBounds);
    if (value === undefined || issue) issues.push({ name, issue });
    else found[name] = value;
  }
  if (form.system.trim() !== '') found.system = form.system;
  const sequences = form.stop_sequences.map(unescaped).filter((sequence) => sequence !== '');
  if (sequences.length > 0) found.stop_sequences = sequences;
  if (form.prefill.trim() !== '') found.prefill = form.prefill;
  if (form.enable_thinking) found.enable_thinking = form.enable_thinking === 'on';
  return { parameters: found, issues };
}

export function toForm(parameters: ChatParameters, hidden: readonly Hideable[] = []): ParameterForm {
  const { enable_thinking: isOn } = parameters;
  const shown = numbers.filter((name) => !hidden.some((other) => other === name));
  return {
    system: parameters.system ?? '',
    numbers: Object.fromEntries(shown.map((name) => [name, parameters[name]?.toString() ?? ''])),
    stop_sequences: (parameters.stop_sequences ?? []).map(escaped),
    prefill: parameters.prefill ?? '',
    ...(!hidden.includes('enable_thinking') && {
      enable_thinking: isOn === undefined ? ('' as const) : isOn ? ('on' as const) : ('off' as const),
    }),
  };
}

/** Returns what of the parameters a form without these fields does not say. */
export function hiddenIn(form: ParameterForm, parameters: ChatParameters): ChatParameters {
  const { enable_thinking, thinking_budget } = parameters;
  return {
    ...(form.enable_thinking === undefined && enable_thinking !== undefined && { enable_thinking }),
    ...(form.numbers['thinking_budget'] === undefined && thinking_budget !== undefined && { thinking_budget }),
  };
}

/** Returns the values that are sent although the specification and the service's behaviour differ about them. */
export function parameterWarnings(
  { model, ...parameters }: ChatParameters & { readonly model?: string | undefined },
  own: OwnBounds,
): readonly ParameterWarning[] {
  const bounds = withOwn(chatBounds, own.chat);
  return warningsOf<ChatParameters & { readonly model?: string | undefined }>({ ...parameters, model }, bounds);
}
