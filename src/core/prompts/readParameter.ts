import { boundIssues, warningsOf } from '../api/bounds';
import { messageBounds } from '../api/messages/messages.bounds';
import type { MessageRequest } from '../api/messages/messages.schema';
import type { PromptParameter } from './prompt';
import type { PromptProblem } from './promptProblem';
import type { YamlReader, YamlValue } from './yamlReader';

/** Returns the value of a parameter; `undefined` if there is none, or if it must not be sent, which is reported to `add`. */
export function readParameter(
  name: PromptParameter,
  value: YamlValue,
  reader: YamlReader,
  add: (problem: PromptProblem) => void,
): number | string | readonly string[] | undefined {
  if (name === 'prefill') return reader.text(value, name);
  if (name === 'stop_sequences') {
    const sequences = reader.texts(value, name).map(({ text }) => text);
    return sequences.length > 0 ? sequences : undefined;
  }
  const number = reader.number(value, name);
  if (number === undefined) return undefined;
  const [issue] = boundIssues<MessageRequest>({ [name]: number }, messageBounds);
  if (issue) {
    add({ code: 'parameter.out-of-bounds', span: value.span, name, issue });
    return undefined;
  }
  const request: MessageRequest = { model: 'any', messages: [], [name]: number };
  for (const warning of warningsOf(request, messageBounds)) {
    if (warning.parameter === name) add({ code: 'parameter.unusual', span: value.span, name, issue: warning });
  }
  return number;
}
