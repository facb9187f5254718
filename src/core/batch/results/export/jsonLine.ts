import { toJson } from '../../scan/jsonValue';
import type { Choice } from '../resultChoices';
import type { ExportedRow } from './exportedRow';

/**
 * Formats a row as a line of JSON: `custom_id`, `state`, `request` (its body), `answer` (its text; a list if there are several),
 * `error`, `usage`, and other members.
 */
export function toJsonLine(row: ExportedRow): string {
  const { customId, state, line, request, choices, other, failure, status, model, tokensIn, tokensOut } = row;
  const [first] = choices;
  const isOne = choices.length < 2;
  return toJson({
    custom_id: customId,
    state,
    ...(line !== undefined && { line }),
    ...(model !== undefined && { model }),
    request: request ?? null,
    answer: first ? (isOne ? first.text : choices.map(({ text }) => text)) : (other ?? null),
    ...(first && isOne && furtherOf(first)),
    ...(!isOne && { choices: choices.map((choice) => ({ text: choice.text, ...furtherOf(choice) })) }),
    error: failure ? { ...(status !== undefined && { status }), ...failure } : null,
    usage: { prompt_tokens: tokensIn ?? null, completion_tokens: tokensOut ?? null },
  });
}

/** Returns what an answer contains besides its text. */
function furtherOf({ reasoning, refusal, calls, finish }: Choice) {
  return {
    ...(reasoning !== '' && { reasoning }),
    ...(refusal !== '' && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(finish !== undefined && { finish_reason: finish }),
  };
}
