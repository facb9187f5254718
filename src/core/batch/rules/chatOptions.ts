import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import type { BatchRules } from '../services/batchRules';
import { bodyWords as words } from '../words/lineWords';

/** Reports options of a chat or response that the service can only reject. */
export function* chatOptions(body: JsonNode, { rules, kind, text }: Line): Iterable<Problem> {
  if (kind === 'chat') yield* answerLength(body, rules);
  const format = kind === 'responses' ? member(member(body, 'text')?.value, 'format') : member(body, 'response_format');
  if (format?.value.kind !== 'object') return;
  const type = member(format.value, 'type')?.value;
  if (type?.value === 'json_schema') yield* schema(kind === 'responses' ? format.value : undefined, format.value, type);
  else if (type?.value === 'json_object' && rules.needsJsonWord) {
    const said = [member(body, 'messages'), member(body, 'input'), member(body, 'instructions')];
    if (said.some((one) => one && /json/i.test(text.slice(one.value.start, one.value.end)))) return;
    yield { code: 'format.no-json-word', message: words.noJsonWord(), span: type };
  }
}

/** `own`: where the schema is itself; a chat has it one level deeper. */
function* schema(own: JsonNode | undefined, format: JsonNode, type: JsonNode): Iterable<Problem> {
  const holder = own ?? member(format, 'json_schema')?.value;
  const isThere = holder?.kind === 'object' && member(holder, 'schema')?.value.kind === 'object';
  if (!isThere) yield { code: 'format.no-schema', message: words.noSchema(), span: holder ?? type };
}

const patterns = new Map<string, RegExp>();

/** Whether a model at a service takes `max_completion_tokens` only. */
function takesCompletionTokensOnly(model: string, { completionTokensOnly }: BatchRules): boolean {
  if (completionTokensOnly === undefined) return false;
  let pattern = patterns.get(completionTokensOnly);
  if (!pattern) patterns.set(completionTokensOnly, (pattern = new RegExp(completionTokensOnly)));
  return pattern.test(model);
}

function* answerLength(body: JsonNode, rules: BatchRules): Iterable<Problem> {
  const model = member(body, 'model')?.value.value;
  const length = member(body, 'max_tokens');
  if (!length || length.value.kind === 'null' || typeof model !== 'string') return;
  if (!takesCompletionTokensOnly(model, rules)) return;
  const own = 'max_completion_tokens';
  const suggestions = member(body, own) ? [] : [own];
  const message = words.notForModel('max_tokens', own, model);
  yield { code: 'parameter.not-for-model', message, span: length.keySpan, suggestions };
}
