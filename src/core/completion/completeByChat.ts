import type { CompletionEvent } from '../api/completions/completionEvents';
import type { CompletionRequest } from '../api/completions/completions.schema';
import type { MessageEvent } from '../api/messages/messageEvents';
import type { MessageRequest } from '../api/messages/messages.schema';

const instructions =
  'Continue the text of the user. Answer only with what comes next, as it would stand in the same document: no introduction, no quotation marks, no explanation, and nothing of the text itself. If it stops within a sentence, go on within that sentence.';

/** The chat model that answers the request. */
interface ChatModel {
  stream(request: MessageRequest, signal: AbortSignal): AsyncIterable<MessageEvent>;
}

/** Continues a text with a chat model, where a service has no completions. Yields the events of one completion. */
export async function* completeByChat(
  chat: ChatModel,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent> {
  const { model, prompt, stop, max_tokens, temperature, top_p, top_k } = request;
  const body = {
    model,
    system: instructions,
    messages: [{ role: 'user', content: prompt }],
    ...defined({ max_tokens, temperature, top_p, top_k }),
    ...(stop ? { stop_sequences: typeof stop === 'string' ? [stop] : stop } : {}),
  } as const;
  let text = '';
  for await (const event of chat.stream(body, signal)) {
    if (event.type === 'start') yield { type: 'start', ...defined({ id: event.id, model: event.model }) };
    else if (event.type === 'text') {
      text += event.text;
      yield { type: 'text', index: 0, text: event.text };
    } else if (event.type === 'end') {
      const { id, model: answering, stop_reason, usage } = event.message;
      const finish_reason = stop_reason === 'max_tokens' ? 'length' : stop_reason;
      yield {
        type: 'end',
        completion: {
          ...defined({ id, model: answering }),
          choices: [{ index: 0, text, ...defined({ finish_reason }) }],
          usage: defined({ prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens }),
        },
      };
    }
  }
}

/** The fields that have a value. */
function defined<T extends object>(fields: T): { readonly [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    readonly [Key in keyof T]?: NonNullable<T[Key]>;
  };
}
