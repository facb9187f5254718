import { nowSeconds, randomId } from './chatForm';
import { eventsOf, isRecord, streamHeaders, type Reply } from './loopbackService';
import { cut, logprobOf, scriptedContinuation, tokensOf, vectorOf } from './scriptedModel';

/** How servers with `/completions` differ. */
export interface CompletionStyle {
  readonly frame: Readonly<Record<string, unknown>>;
  /** Returns the logprobs of a choice's tokens, or `undefined` for none. Defaults to null. */
  readonly logprobs: (tokens: readonly string[], from: number) => unknown;
  /** Properties of the last chunk of a stream, in addition to the finish reason. */
  readonly last?: (usage: {
    readonly prompt: number;
    readonly completion: number;
  }) => Readonly<Record<string, unknown>>;
  /** The number of tokens without a limit. */
  readonly defaultTokens: number;
  /** The usage is sent in a separate chunk if `stream_options` requests it, and otherwise in the last one. */
  readonly usageApart?: boolean;
}

/** Returns the continuation of a prompt for a valid request. */
export function completionReply(body: Readonly<Record<string, unknown>>, style: CompletionStyle): Reply {
  const prompt = String(body['prompt']);
  const most =
    typeof body['max_tokens'] === 'number' && body['max_tokens'] > 0 ? body['max_tokens'] : style.defaultTokens;
  const { tokens, isWhole } = cut(scriptedContinuation(prompt), most);
  const finish = isWhole ? 'stop' : 'length';
  const count = typeof body['n'] === 'number' ? body['n'] : 1;
  const counts = { prompt: tokensOf(prompt).length, completion: tokens.length * count };
  const usage = usageOf(counts);
  const frame = {
    id: `cmpl-${randomId()}`,
    object: 'text_completion',
    created: nowSeconds(),
    model: body['model'],
    ...style.frame,
  };
  const echo = body['echo'] === true ? prompt : '';
  const indices = Array.from({ length: count }, (_, index) => index);
  if (body['stream'] !== true) {
    const choices = indices.map((index) => ({
      text: echo + tokens.join(''),
      index,
      logprobs: style.logprobs(tokens, 0) ?? null,
      finish_reason: finish,
    }));
    return { json: { ...frame, choices, usage, ...style.last?.(counts) } };
  }
  const chunk = (index: number, text: string, rest: object) => ({
    ...frame,
    choices: [{ text, index, logprobs: null, finish_reason: null, ...rest }],
  });
  const chunks: object[] = tokens.flatMap((token, at) =>
    indices.map((index) => chunk(index, token, { logprobs: style.logprobs([token], at) ?? null })),
  );
  const ends = indices.map((index) => chunk(index, '', { finish_reason: finish }));
  const options = body['stream_options'];
  const isAsked = isRecord(options) && options['include_usage'] === true;
  const last = style.usageApart ? (isAsked ? [{ ...frame, choices: [], usage }] : []) : [];
  const end = { ...ends.pop(), ...(!style.usageApart && { usage }), ...style.last?.(counts) };
  return { headers: streamHeaders, raw: eventsOf([...chunks, ...ends, end, ...last], 'data: [DONE]\n\n') };
}

export function usageOf({ prompt, completion }: { readonly prompt: number; readonly completion: number }) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Returns logprobs like OpenAI's completions. */
export function listedLogprobs(tokens: readonly string[], from: number): object {
  return {
    tokens,
    token_logprobs: tokens.map((_, index) => logprobOf(from + index)),
    top_logprobs: tokens.map((token, index) => ({ [token]: logprobOf(from + index), ' other': -3.25 })),
    text_offset: tokens.map((_, index) => tokens.slice(0, index).join('').length),
  };
}

/** Returns the embeddings of a valid `/embeddings` request. */
export function embeddingsReply(body: Readonly<Record<string, unknown>>): Reply {
  const { input, model, dimensions, encoding_format: format } = body;
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, typeof dimensions === 'number' ? dimensions : undefined);
    const base64 = () => Buffer.from(new Float32Array(vector).buffer).toString('base64');
    return { object: 'embedding', index, embedding: format === 'base64' ? base64() : vector };
  });
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
  return { json: { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } } };
}
