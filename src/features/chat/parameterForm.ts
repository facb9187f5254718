import { checkRequest, warningsOf } from '../../core/api/bounds';
import { isApiError } from '../../core/api/errors';
import { messageBounds } from '../../core/api/messages/messages.bounds';
import { messageRequest } from '../../core/api/messages/messages.schema';
import type { MessageRequest } from '../../core/api/messages/messages.schema';
import type { ParameterIssue, ParameterWarning } from '../../core/api/parameters';
import { parameterNames } from '../../core/conversation/chatParameters';
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

const numbers = numbersAt('messages');

export function readForm(form: ParameterForm): FormReading {
  const issues: FieldIssue[] = [];
  const found: { -readonly [Name in ParameterName]?: ChatParameters[Name] } = {};
  for (const name of numbers) {
    const typed = form.numbers[name]?.trim() ?? '';
    if (typed === '') continue;
    const value = typedNumber(typed);
    const issue = value === undefined ? undefined : issueOf({ [name]: value });
    if (value === undefined || issue) issues.push({ name, issue });
    else found[name] = value;
  }
  if (form.system.trim() !== '') found.system = form.system;
  const sequences = form.stop_sequences.map(unescaped).filter((sequence) => sequence !== '');
  if (sequences.length > 0) found.stop_sequences = sequences;
  if (form.prefill.trim() !== '') found.prefill = form.prefill;
  return { parameters: found, issues };
}

export function toForm(parameters: ChatParameters): ParameterForm {
  return {
    system: parameters.system ?? '',
    numbers: Object.fromEntries(numbers.map((name) => [name, parameters[name]?.toString() ?? ''])),
    stop_sequences: (parameters.stop_sequences ?? []).map(escaped),
    prefill: parameters.prefill ?? '',
  };
}

/** Returns the values that are sent although the specification and the service's behaviour differ about them. */
export function parameterWarnings(parameters: ChatParameters, model?: string): readonly ParameterWarning[] {
  return warningsOf({ ...requestWith(parameters), model }, messageBounds).filter(({ parameter }) =>
    parameterNames.some((name) => name === parameter),
  );
}

function issueOf(parameters: ChatParameters): ParameterIssue | undefined {
  try {
    checkRequest(requestWith(parameters), messageRequest, messageBounds);
    return undefined;
  } catch (error) {
    if (isApiError(error) && error.details.issue) return error.details.issue;
    throw error;
  }
}

/** Returns the smallest possible request, so that only the parameters are checked. */
function requestWith({
  prefill: _prefill,
  tools: _tools,
  tool_choice: _choice,
  ...parameters
}: ChatParameters): MessageRequest {
  return { model: 'any', messages: [{ role: 'user', content: 'any' }], ...parameters };
}
