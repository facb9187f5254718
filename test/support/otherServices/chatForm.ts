import { randomBytes } from 'node:crypto';
import { eventsOf, isRecord, recordsOf, streamHeaders, type Reply } from './loopbackService';
import { cut, logprobOf, scriptedAnswer, tokensOf, type Asking } from './scriptedModel';

/** How servers with `/chat/completions` differ. */
export interface ChatStyle {
  /** Properties of each response and each chunk. */
  readonly frame: Readonly<Record<string, unknown>>;
  /** The first delta of a stream. For a tool call, it contains the call as OpenAI's does. */
  readonly first: Readonly<Record<string, unknown>>;
  readonly callIsInFirst?: boolean;
  /** The arguments of a call arrive with its name, not in chunks. */
  readonly callIsWhole?: boolean;
  /** The model's preceding reasoning. Omitted if it isn't returned. */
  readonly reasoning?: (text: string) => Readonly<Record<string, unknown>>;
  /** Properties of each choice of a response and of a chunk. */
  readonly choice?: Readonly<Record<string, unknown>>;
  /** Properties of a response's message. */
  readonly message?: Readonly<Record<string, unknown>>;
  readonly usage: (usage: ChatUsage) => Readonly<Record<string, unknown>>;
  /** The usage is sent without a request for it. */
  readonly alwaysUsage?: boolean;
  /** Earlier chunks have it as null on request. */
  readonly nullUsage?: boolean;
  /** Properties of the last chunk or of the response. */
  readonly last?: (usage: ChatUsage) => Readonly<Record<string, unknown>>;
  readonly callId: () => string;
  /** Lines of the stream before its first chunk. */
  readonly opening?: string;
}

export interface ChatUsage {
  readonly prompt: number;
  readonly completion: number;
}

type Body = Readonly<Record<string, unknown>>;

export const randomId = (bytes = 12): string => randomBytes(bytes).toString('hex');
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Returns the text of a content that is a string, a list of parts, or null. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n');
}

export function askingOf(body: Body): Asking {
  const messages = recordsOf(body['messages']);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const tools = body['tool_choice'] === 'none' ? [] : recordsOf(body['tools']);
  return {
    question: textOf(messages[last]?.['content']),
    tools: tools.flatMap(({ function: offered }) =>
      isRecord(offered) ? { name: String(offered['name']), schema: offered['parameters'] ?? {} } : [],
    ),
    results: messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? textOf(content) : [])),
    mustCall: body['tool_choice'] === 'required' || isRecord(body['tool_choice']),
  };
}

/** Returns the model's response to a valid request, complete or as a stream. */
export function chatReply(body: Body, style: ChatStyle): Reply {
  const answer = scriptedAnswer(askingOf(body));
  const most = body['max_completion_tokens'] ?? body['max_tokens'] ?? undefined;
  const { tokens, isWhole } = cut(answer.text, typeof most === 'number' && most > 0 ? most : undefined);
  const finish = isWhole ? (answer.call ? 'tool_calls' : 'stop') : 'length';
  const call = isWhole && answer.call ? callOf(answer.call, style.callId()) : undefined;
  const prompt = recordsOf(body['messages']).reduce(
    (sum, { content }) => sum + tokensOf(textOf(content)).length + 4,
    0,
  );
  const usage = { prompt, completion: tokens.length + (call ? 12 : 0) + tokensOf(answer.reasoning).length };
  const made = { reasoning: answer.reasoning, tokens, call, finish, usage };
  return body['stream'] === true ? streamed(body, style, made) : whole(body, style, made);
}

interface Made {
  readonly reasoning: string;
  readonly tokens: readonly string[];
  readonly call: ReturnType<typeof callOf> | undefined;
  readonly finish: string;
  readonly usage: ChatUsage;
}

function callOf({ name, input }: NonNullable<ReturnType<typeof scriptedAnswer>['call']>, id: string) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

const frameOf = ({ model }: Body, object: string, style: ChatStyle) => ({
  id: `chatcmpl-${randomId()}`,
  object,
  created: nowSeconds(),
  model,
  ...style.frame,
});

function whole(body: Body, style: ChatStyle, { reasoning, tokens, call, finish, usage }: Made): Reply {
  const reported = style.reasoning ? style.reasoning(reasoning) : {};
  const content = { content: tokens.join(''), ...(call && { tool_calls: [call] }) };
  const message = { role: 'assistant', ...reported, ...content, ...style.message };
  const logprobs = body['logprobs'] === true && { logprobs: { content: chatLogprobs(tokens) } };
  const choice = { index: 0, message, ...style.choice, ...logprobs, finish_reason: finish };
  const json = { ...frameOf(body, 'chat.completion', style), choices: [choice], usage: style.usage(usage) };
  return { json: { ...json, ...style.last?.(usage) } };
}

function streamed(body: Body, style: ChatStyle, made: Made): Reply {
  const { usage, finish } = made;
  const options = body['stream_options'];
  const isAsked = isRecord(options) && options['include_usage'] === true;
  const frame = {
    ...frameOf(body, 'chat.completion.chunk', style),
    ...(isAsked && style.nullUsage && { usage: null }),
  };
  const chunk = (delta: object, reason: string | null, logprobs = {}) => ({
    ...frame,
    choices: [{ index: 0, delta, ...style.choice, ...logprobs, finish_reason: reason }],
  });
  const chunks: object[] = deltasOf(style, made).map(({ delta, token }, index) =>
    chunk(
      delta,
      null,
      body['logprobs'] === true && token ? { logprobs: { content: chatLogprobs([token], index) } } : {},
    ),
  );
  chunks.push(chunk({}, finish));
  if (isAsked || style.alwaysUsage) chunks.push({ ...frame, choices: [], usage: style.usage(usage) });
  const last = { ...chunks.pop(), ...style.last?.(usage) };
  return { headers: streamHeaders, raw: withOpening(style.opening, eventsOf([...chunks, last], 'data: [DONE]\n\n')) };
}

function* withOpening(opening: string | undefined, events: Iterable<string>): Generator<string> {
  if (opening) yield opening;
  yield* events;
}

interface Piece {
  readonly delta: object;
  readonly token?: string;
}

function deltasOf(style: ChatStyle, { reasoning, tokens, call }: Made): readonly Piece[] {
  const thought = style.reasoning ? tokensOf(reasoning).map((token) => ({ delta: style.reasoning!(token) })) : [];
  const text = tokens.map((token) => ({ delta: { content: token }, token }));
  if (!call) return [{ delta: style.first }, ...thought, ...text];
  const { function: called, ...named } = call;
  const { name, arguments: input } = called;
  if (style.callIsWhole) {
    return [{ delta: style.first }, ...thought, ...text, { delta: { tool_calls: [{ index: 0, ...call }] } }];
  }
  const opening = { tool_calls: [{ index: 0, ...named, function: { name, arguments: '' } }] };
  const pieces = (input.match(/.{1,7}/gs) ?? []).map((piece) => ({
    delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] },
  }));
  // OpenAI's models usually send no text before a call.
  if (style.callIsInFirst) return [{ delta: { ...style.first, content: null, ...opening } }, ...pieces];
  return [{ delta: style.first }, ...thought, ...text, { delta: opening }, ...pieces];
}

/** Returns logprobs like chat's `logprobs.content`, which llama.cpp's completions also use. */
export function chatLogprobs(tokens: readonly string[], from = 0): readonly object[] {
  return tokens.map((token, index) => {
    const logprob = logprobOf(from + index);
    const bytes = [...Buffer.from(token)];
    const other = { token: ' other', bytes: [...Buffer.from(' other')], logprob: -3.25 };
    return { token, bytes, logprob, top_logprobs: [{ token, bytes, logprob }, other] };
  });
}
