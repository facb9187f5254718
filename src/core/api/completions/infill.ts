// https://github.com/ggml-org/llama.cpp/tree/master/tools/server#post-infill-for-code-infilling
import '../../../schema/jitless';
import * as z from 'zod/mini';
import { present } from '../present';
import { lenientFlag, lenientNumber, lenientText } from '../tolerant';
import type { CompletionEvent } from './completionEvents';
import type { CompletionRequest } from './completions.schema';

/** llama.cpp's own endpoint for text with a suffix; its `/completions` silently ignores a suffix. */
export const infillPath = '/infill';

/** Returns the body of a request with a suffix for `/infill`. */
export function toInfill(request: CompletionRequest): object {
  const {
    prompt,
    suffix,
    max_tokens,
    repetition_penalty,
    logprobs: _,
    n: _several,
    stream_options: _usage,
    ...rest
  } = request;
  return {
    ...rest,
    input_prefix: prompt,
    input_suffix: suffix,
    prompt: '',
    ...present({ n_predict: max_tokens, repeat_penalty: repetition_penalty }),
  };
}

const infillChunk = z.looseObject({
  content: lenientText,
  model: lenientText,
  stop: lenientFlag,
  stop_type: lenientText,
  tokens_evaluated: lenientNumber,
  tokens_predicted: lenientNumber,
});

/** Whether a chunk is the last one, which contains the counts. */
export function isInfillEnd(data: unknown): boolean {
  return infillChunk.safeParse(data).data?.stop === true;
}

/** Converts the chunks of `/infill` into the events of a completion. */
export class InfillAssembler {
  private text = '';
  private hasStarted = false;

  push(data: unknown): readonly CompletionEvent[] {
    const { success, data: chunk } = infillChunk.safeParse(data);
    if (!success) return [{ type: 'unknown', raw: data }];
    const { content = '', model, stop, stop_type: stopType, tokens_evaluated: read, tokens_predicted: written } = chunk;
    const events: CompletionEvent[] = this.hasStarted ? [] : [{ type: 'start', ...present({ model }) }];
    this.hasStarted = true;
    this.text += content ?? '';
    if (content) events.push({ type: 'text', index: 0, text: content });
    if (stop !== true) return events;
    const reason = stopType === 'limit' ? 'length' : 'stop';
    const usage = present({ prompt_tokens: read, completion_tokens: written });
    const completion = {
      ...present({ model }),
      choices: [{ index: 0, text: this.text, finish_reason: reason }],
      usage,
    };
    events.push({ type: 'finish', index: 0, reason }, { type: 'usage', usage }, { type: 'end', completion });
    return events;
  }
}
