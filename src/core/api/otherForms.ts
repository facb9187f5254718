import { isObject } from './isObject';
import { present } from './present';
import { snakeName, toText } from './tolerant';

type Json = Readonly<Record<string, unknown>>;

/** The properties in which gateways wrap the response of the service they call. */
const wrappers = ['data', 'result', 'response', 'Response', 'output', 'body'] as const;

/**
 * Returns an answer, or an event of one, in the form of chat completions or messages: takes it out of its wrapping, and converts it from
 * the form of the Responses API and of the own endpoints of Ollama, Cloudflare, Google, Alibaba, Cohere, Bedrock, Baidu, Tencent and
 * text-generation-inference, which gateways pass on. Returns `undefined` for anything else.
 */
export function inKnownForm(json: unknown): Json | undefined {
  if (!isObject(json)) return undefined;
  if (isKnownForm(json)) return json;
  return fromOthers(json) ?? wrapped(json);
}

function isKnownForm({ choices, type }: Json): boolean {
  return Array.isArray(choices) || (typeof type === 'string' && /^(?:message(?:_|$)|content_block_)/.test(type));
}

/** Looks two levels deep, as `{"data":{"response":…}}` needs. */
function wrapped(json: Json, depth = 0): Json | undefined {
  for (const name of wrappers) {
    const inner = json[name];
    if (!isObject(inner)) continue;
    const known = isKnownForm(inner) ? inner : fromOthers(inner);
    const found = known ?? (depth < 1 ? wrapped(inner, depth + 1) : undefined);
    if (found) return { ...present({ usage: json['usage'] }), ...found };
  }
  return undefined;
}

function fromOthers(json: Json): Json | undefined {
  for (const read of readers) {
    const known = read(json);
    if (known) return known;
  }
  return undefined;
}

const readers: readonly ((json: Json) => Json | undefined)[] = [
  fromResponses,
  fromOllama,
  fromWorkersAi,
  fromGoogle,
  fromAlibaba,
  fromCohere,
  fromBedrock,
  fromBaidu,
  fromTencent,
  fromTextGeneration,
];

function chunk(head: Json, choice?: Json): Json {
  return { ...head, choices: choice ? [{ index: 0, ...choice }] : [] };
}

/** Reads what Ollama streams from `/api/chat` and `/api/generate`. */
function fromOllama(json: Json): Json | undefined {
  const { model, message, response, done, thinking } = json;
  const isGenerated = typeof response === 'string';
  if (typeof done !== 'boolean' || (!isGenerated && !isObject(message))) return undefined;
  const said = isGenerated ? { content: response, thinking } : (message as Json);
  const calls = Array.isArray(said['tool_calls']) ? said['tool_calls'].filter(isObject) : [];
  const images = Array.isArray(said['images']) ? said['images'].filter((image) => typeof image === 'string') : [];
  const delta = present({
    content: toText(said['content']),
    thinking: toText(said['thinking']),
    tool_calls: calls.length > 0 ? calls.map((call) => ({ ...call, id: callId(call) })) : undefined,
    images: images.length > 0 ? images.map((data) => `data:image/png;base64,${data}`) : undefined,
  });
  const usage = present({ prompt_tokens: json['prompt_eval_count'], completion_tokens: json['eval_count'] });
  return chunk(
    { ...present({ model }), ...(done && Object.keys(usage).length > 0 && { usage }) },
    { delta, finish_reason: done ? (toText(json['done_reason']) ?? 'stop') : null },
  );
}

/** Reads what Cloudflare's own endpoint sends, in a stream or complete. */
function fromWorkersAi({ response, usage, tool_calls: calls }: Json): Json | undefined {
  if (typeof response !== 'string') return undefined;
  const delta = present({
    content: response,
    tool_calls: Array.isArray(calls) && calls.length > 0 ? calls : undefined,
  });
  return chunk(present({ usage }), { delta });
}

/** Reads what Google's own endpoint sends, in a stream or complete. */
function fromGoogle(json: Json): Json | undefined {
  const { candidates, responseId: id, modelVersion: model, usageMetadata } = json;
  if (!Array.isArray(candidates)) return undefined;
  const choices = candidates.filter(isObject).map((candidate) => {
    const { index = 0, content, finishReason, groundingMetadata } = candidate;
    const parts = isObject(content) && Array.isArray(content['parts']) ? content['parts'].filter(isObject) : [];
    const calls = parts.flatMap(({ functionCall: called, thoughtSignature: signature }) => {
      if (!isObject(called)) return [];
      const google = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
      return [
        {
          ...present({ id: called['id'] }),
          function: { name: called['name'], arguments: called['args'] ?? {} },
          ...google,
        },
      ];
    });
    const thoughts = parts.filter(({ thought }) => thought === true).map(({ text }) => toText(text) ?? '');
    const delta = present({
      content: parts.filter(({ thought }) => thought !== true),
      reasoning_content: thoughts.length > 0 ? thoughts.join('') : undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    });
    return { index, delta, ...present({ finishReason, groundingMetadata }) };
  });
  return { ...present({ id, model, usageMetadata }), choices };
}

/** Reads what Alibaba's own endpoint sends for models that answer with a text alone. */
function fromAlibaba({ output, usage, request_id: id }: Json): Json | undefined {
  if (!isObject(output) || typeof output['text'] !== 'string' || id === undefined) return undefined;
  const { text, finish_reason } = output;
  return chunk(present({ id, usage }), { message: { content: text }, finish_reason });
}

const cohereEvent = /^(?:message|content|tool-plan|tool-call|citation)-(?:start|delta|end)$/;

/** Reads what Cohere's second version sends, in a stream or complete. */
function fromCohere(json: Json): Json | undefined {
  const { id, type, delta: added, index = 0 } = json;
  const isEvent = typeof type === 'string' && cohereEvent.test(type);
  const answer = isEvent ? (isObject(added) ? added : {}) : json;
  const message = isObject(answer['message']) ? answer['message'] : {};
  const { finish_reason, usage } = answer;
  if (!isEvent && (typeof finish_reason !== 'string' || message['role'] !== 'assistant')) return undefined;
  const { content, tool_plan: plan, tool_calls: calls } = message;
  // A piece of thinking has no type.
  const isThought = isObject(content) && content['thinking'] !== undefined;
  const sources = listOf(message['citations']).flatMap((citation) => listOf(citation['sources']));
  const said = present({
    content: isThought ? { ...content, type: 'thinking' } : content,
    reasoning_content: toText(plan) || undefined,
    tool_calls: isObject(calls) ? [{ index, ...calls }] : calls,
    annotations: sources.map(({ document }) => document),
  });
  const { tokens, billed_units: billed } = isObject(usage) ? usage : {};
  return chunk(present({ id, usage: tokens ?? billed }), {
    [isEvent ? 'delta' : 'message']: said,
    finish_reason: finish_reason ?? null,
  });
}

/** Returns the objects of a list, or the only one, which may come without it. */
function listOf(value: unknown): readonly Json[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

const bedrockEvents = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'];

/** Reads what Bedrock's Converse sends, in a stream, whose events may have lost their names, or complete. */
function fromBedrock(json: Json): Json | undefined {
  const { output, metadata } = json;
  const whole = isObject(output) && isObject(output['message']) ? output['message'] : undefined;
  const isCounted = isObject(metadata) && isObject(metadata['usage']);
  const named = bedrockEvents.find((name) => isObject(json[name]));
  const isBare = typeof json['contentBlockIndex'] === 'number' || typeof json['stopReason'] === 'string';
  if (named === undefined && !isCounted && !isBare) return undefined;
  const event = (named === undefined ? (isCounted ? metadata : json) : json[named]) as Json;
  const { stopReason, usage, contentBlockIndex: index } = event;
  const parts = whole ? listOf(whole['content']) : [event['start'], event['delta']].filter(isObject);
  const thoughts = parts.map(({ reasoningContent: thought }) => (isObject(thought) ? thought : {}));
  const calls = parts.flatMap(({ toolUse: call }) => (isObject(call) ? [call] : []));
  const said = present({
    content: parts.map(({ text }) => toText(text) ?? '').join(''),
    reasoning_content:
      thoughts
        .map(
          ({ text, reasoningText: inside }) => toText(text) ?? (isObject(inside) ? toText(inside['text']) : '') ?? '',
        )
        .join('') || undefined,
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map(({ toolUseId: id, name, input }) => ({
            ...present({ index, id }),
            function: present({ name, arguments: input }),
          })),
  });
  const counts = isObject(usage)
    ? present({
        prompt_tokens: usage['inputTokens'],
        completion_tokens: usage['outputTokens'],
        total_tokens: usage['totalTokens'],
        cache_read_input_tokens: usage['cacheReadInputTokens'],
        cache_creation_input_tokens: usage['cacheWriteInputTokens'],
      })
    : undefined;
  return chunk(present({ usage: counts }), { [whole ? 'message' : 'delta']: said, finish_reason: stopReason ?? null });
}

/** Reads what Baidu's own endpoints send, in a stream or complete. */
function fromBaidu(json: Json): Json | undefined {
  const {
    id,
    result,
    is_end: isEnd,
    is_truncated: isCut,
    function_call: call,
    finish_reason,
    usage,
    search_info,
  } = json;
  const isOfBaidu = isCut !== undefined || isEnd !== undefined || json['need_clear_history'] !== undefined;
  if (typeof result !== 'string' || !isOfBaidu) return undefined;
  const reason =
    isCut === true ? 'length' : ((toText(finish_reason) || undefined) ?? (call ? 'function_call' : 'stop'));
  return chunk(present({ id, usage, search_info }), {
    delta: present({ content: result, function_call: call ?? undefined }),
    finish_reason: isEnd === false ? null : reason,
  });
}

/** Reads what Tencent's own endpoint sends, in a stream or complete: the usual names with capitals in place of underscores. */
function fromTencent(json: Json): Json | undefined {
  return Array.isArray(json['Choices']) ? (withUnderscores(json, 0) as Json) : undefined;
}

/** Calls and sources are this deep. */
const deepestName = 8;

function withUnderscores(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => withUnderscores(one, depth));
  if (!isObject(value) || depth > deepestName) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeName(name), withUnderscores(inner, depth + 1)]),
  );
}

/** Reads what text-generation-inference sends from `/generate` and `/generate_stream`. */
function fromTextGeneration({ token, generated_text: text, details }: Json): Json | undefined {
  const isPiece = isObject(token) && typeof token['text'] === 'string';
  const isWhole = typeof text === 'string';
  if (!isPiece && !isWhole) return undefined;
  const { finish_reason, generated_tokens, input_length } = isObject(details) ? details : {};
  const usage = present({ prompt_tokens: input_length, completion_tokens: generated_tokens });
  return chunk(Object.keys(usage).length > 0 ? { usage } : {}, {
    delta: { content: !isPiece ? text : token['special'] === true ? '' : token['text'] },
    finish_reason: toText(finish_reason) ?? (isWhole ? 'stop' : null),
  });
}

/** Ollama sends each call complete, in a chunk with the index 0 or none, so that only an ID tells them apart. */
function callId({ id, function: called }: Json): string {
  const index = isObject(called) ? called['index'] : undefined;
  return toText(id) ?? (typeof index === 'number' ? `call_${index}` : '');
}

/** Reads the events of the Responses API, and its complete answer. */
function fromResponses(json: Json): Json | undefined {
  const { type, object, response } = json;
  if (object === 'response' && Array.isArray(json['output'])) return wholeResponse(json);
  if (typeof type !== 'string' || !type.startsWith('response.')) return undefined;
  const event = type.slice('response.'.length);
  if (isObject(response)) {
    const isOver = /^(?:completed|incomplete|done)$/.test(event);
    return isOver ? wholeResponse(response) : chunk(present({ id: response['id'], model: response['model'] }));
  }
  return chunk({}, choiceOf(event, json));
}

/** Returns what one event adds; `undefined` for those that only repeat what others said. */
function choiceOf(event: string, json: Json): Json | undefined {
  const { delta, item, annotation, output_index: index = 0 } = json;
  switch (event) {
    case 'output_text.delta':
    case 'refusal.delta':
      return { delta: { content: delta } };
    case 'reasoning_text.delta':
    case 'reasoning_summary_text.delta':
      return { delta: { reasoning_content: delta } };
    case 'function_call_arguments.delta':
      return { delta: { tool_calls: [{ index, function: { arguments: delta } }] } };
    case 'output_text.annotation.added':
      return isObject(annotation) ? { delta: { annotations: [annotation] } } : undefined;
    case 'output_item.added':
      return isObject(item) && item['type'] === 'function_call'
        ? { delta: { tool_calls: [callOf(item, index)] } }
        : undefined;
    case 'output_item.done':
      return isObject(item) && typeof item['result'] === 'string'
        ? { delta: { images: [`data:image/png;base64,${item['result']}`] } }
        : undefined;
    default:
      return undefined;
  }
}

function callOf(item: Json, index: unknown): Json {
  const id = toText(item['call_id']) ?? toText(item['id']);
  return { index, ...present({ id }), function: { name: item['name'], arguments: toText(item['arguments']) ?? '' } };
}

/** Its `message` counts only if no event before it brought a piece of the answer. */
function wholeResponse(response: Json): Json {
  const items = (Array.isArray(response['output']) ? response['output'] : []).filter(isObject);
  const parts = (type: string, name: string) =>
    items
      .filter((item) => item['type'] === type)
      .flatMap((item) => (Array.isArray(item[name]) ? item[name].filter(isObject) : []));
  const texts = parts('message', 'content');
  const thoughts = [...parts('reasoning', 'summary'), ...parts('reasoning', 'content')];
  const calls = items.filter((item) => item['type'] === 'function_call');
  const images = items.map((item) => item['result']).filter((data) => typeof data === 'string');
  const annotations = texts.flatMap(({ annotations: notes }) => (Array.isArray(notes) ? notes.filter(isObject) : []));
  const message = {
    content: texts.map((part) => toText(part['text']) ?? toText(part['refusal']) ?? '').join(''),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.map((part) => toText(part['text']) ?? '').join('\n\n') }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => callOf(call, index)) }),
    ...(images.length > 0 && { images: images.map((data) => `data:image/png;base64,${data}`) }),
    ...(annotations.length > 0 && { annotations }),
  };
  const { usage, id, model } = response;
  const counts = isObject(usage)
    ? { prompt_tokens: usage['input_tokens'], completion_tokens: usage['output_tokens'] }
    : {};
  const head = present({ id, model, ...(isObject(usage) && { usage: present(counts) }) });
  return chunk(head, { message, finish_reason: reasonOf(response, calls.length > 0) });
}

function reasonOf({ status, incomplete_details: details }: Json, hasCalls: boolean): string {
  const reason = isObject(details) ? toText(details['reason']) : undefined;
  if (status === 'incomplete' || reason !== undefined) {
    return reason === undefined || reason === 'max_output_tokens' ? 'length' : reason;
  }
  return hasCalls ? 'tool_calls' : 'stop';
}
