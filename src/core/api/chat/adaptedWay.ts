import { createHash } from 'node:crypto';
import type { ApiError } from '../errors';
import { toolSchemaWords } from '../errorWords';
import { isObject } from '../isObject';
import type { MessageParam, MessageRequest } from '../messages/messages.schema';
import type { Attempt } from './chatAttempts';
import { refusesStream, refusesUsage, type ChatWay, type WayFacts } from './chatWays';

type Block = Exclude<MessageParam['content'], string>[number];

/** What a rejection shows about a model. `change` is the effect that users notice. `wire` has none. */
export interface Adaptation {
  readonly way: Partial<WayFacts>;
  readonly change: 'stream' | 'thinking' | 'prefill' | 'sampling' | 'system' | 'roles' | 'tools' | 'wire';
}

const samplers = ['temperature', 'top_p', 'top_k'] as const;

/**
 * Returns how a request must be sent after a rejection of something that the user did not choose, or that its model never accepts;
 * `undefined` if the rejection is about something else. Read from public reports of OpenAI, Anthropic, vLLM, llama.cpp, LM Studio and
 * gateways before them.
 */
export function adaptedWay(
  { way, dialect }: Attempt,
  request: MessageRequest,
  error: ApiError,
): Adaptation | undefined {
  const { message, details } = error;
  // Servers report what their chat template rejects with 500, and gateways what an organization may not do with 403.
  if (details.status === undefined || error.kind === 'auth' || error.kind === 'balance' || error.kind === 'rateLimit')
    return undefined;
  if (dialect === 'messages' && way.thinkingInMessages === 'budgeted' && /\badaptive\b/.test(message))
    return { way: { thinkingInMessages: 'adaptive' }, change: 'wire' };
  if (dialect === 'chatCompletions' && way.asksUsage && refusesUsage(message))
    return { way: { asksUsage: false }, change: 'wire' };
  if (dialect === 'chatCompletions' && way.lengthName === 'max_tokens' && message.includes('max_completion_tokens'))
    return { way: { lengthName: 'max_completion_tokens' }, change: 'wire' };
  if (dialect === 'chatCompletions' && way.lengthName === 'max_completion_tokens' && refusesNewLength.test(message))
    return { way: { lengthName: 'max_tokens' }, change: 'wire' };
  // Qwen of Alibaba.
  if (
    dialect === 'chatCompletions' &&
    !way.thinksOnlyInStreams &&
    /enable_thinking.{0,60}non-streaming|enable_thinking only support stream/i.test(message)
  )
    return { way: { thinksOnlyInStreams: true }, change: 'wire' };
  if (way.takesParallel && (details.parameter === 'parallel_tool_calls' || /parallel_tool_calls/.test(message)))
    return { way: { takesParallel: false }, change: 'wire' };
  if (way.takesAnySchema && (request.tools ?? []).length > 0 && toolSchemaWords.test(message))
    return { way: { takesAnySchema: false }, change: 'wire' };
  if (way.takesAnyId && hasToolCalls(request.messages) && idWords.test(message))
    return { way: { takesAnyId: false }, change: 'wire' };
  const calls = dialect === 'chatCompletions' ? aboutCalls(way, request, error) : undefined;
  if (calls) return { way: calls, change: 'wire' };
  if (way.streams && refusesStream(error)) return { way: { streams: false }, change: 'stream' };
  // The error of a request that may have been charged, such as a crash, mentions settings without rejecting them.
  const aboutSetting =
    details.maybeBilled === true
      ? undefined
      : (aboutSampling(way, request, error) ?? aboutThinking(way, request, message));
  return aboutPrefill(way, request, message) ?? aboutSetting ?? aboutHistory(way, request, message);
}

/** How older deployments of OpenAI's models reject the newer name of the length. */
const refusesNewLength =
  /(?:unrecognized|unknown|unsupported|extra|unexpected)\b.{0,60}\bmax_completion_tokens|max_completion_tokens\W{0,3} (?:is|are) (?:not (?:supported|permitted|allowed)|unsupported)/is;

/** How Mistral, then Anthropic, Bedrock and OpenAI say that they accept no IDs of calls in the form of another service. */
const idWords =
  /tool[ _]?call[ _]?id.{0,200}(?:length|characters|alphanumeric|a-z|pattern)|(?:tool_use\.id|tool_use_id|toolUseId|tool_calls\[\d+\]\.id)\b.{0,120}(?:pattern|match|too long|length)/is;

/** Newer models of Anthropic and OpenAI reject every value, others know only some of the parameters. */
function aboutSampling(way: ChatWay, request: MessageRequest, { message, details }: ApiError): Adaptation | undefined {
  if (
    !/deprecated|not (?:supported|allowed|accept|permitted)|unsupported|(?:does not|doesn't|do not|don't) support|cannot both|can't both|no longer|\bonly \S+ is (?:allowed|supported)|extra_forbidden|unknown (?:name|field|parameter)|unrecognized|unexpected|\bunset\b|may only be set|only supports temperature|must be 1(?:\.0)? for|is fixed|not a valid parameter|invalid parameter\W{1,3}\w+\W*$|不支持/i.test(
      message,
    )
  )
    return undefined;
  const named = samplers.filter(
    (name) =>
      request[name] != null &&
      !way.leavesOut.includes(name) &&
      (details.parameter === name || new RegExp(`\\b${name}\\b`).test(message)),
  );
  // Keeps the first of two parameters that exclude each other.
  const rejected = /both/i.test(message) ? named.slice(1) : named;
  if (rejected.length === 0) return undefined;
  return { way: { leavesOut: [...way.leavesOut, ...rejected] }, change: 'sampling' };
}

/**
 * Reads what a service requires for the calls of a conversation that another model or an earlier version of the service made: Databricks
 * and Moonshot; Moonshot and DeepSeek; Google; Mistral and Groq.
 */
function aboutCalls(
  way: ChatWay,
  { messages }: MessageRequest,
  { message, details: { maybeBilled } }: ApiError,
): Partial<WayFacts> | undefined {
  if (!hasToolCalls(messages)) return undefined;
  const isBad =
    /not (?:supported|permitted|allowed)|unsupported|unexpected|unknown|unrecognized|extra (?:inputs|fields?)|extra_forbidden|additional propert/i;
  if (
    way.takesEmptyText &&
    /(?:content|text)\b.{0,60}(?:\bempty\b|non-?(?:empty|whitespace)|at least 1 char|too short|minLength)|empty (?:text|content)|message\b.{0,60}must not be empty/is.test(
      message,
    )
  )
    return { takesEmptyText: false };
  const isAboutReasoning = /\breasoning(?:_content|_details)?\b(?! effort)|thinking_blocks|extra_content/i.test(
    message,
  );
  const isRejected = isBad.test(message) || /please remove the reasoning/i.test(message);
  if (way.takesReasoning && maybeBilled !== true && isAboutReasoning && isRejected) return { takesReasoning: false };
  if (
    !way.needsReasoning &&
    /reasoning_content.{0,80}(?:missing|required|must be|passed back)|missing.{0,40}reasoning_content/is.test(message)
  )
    return { needsReasoning: true, takesReasoning: true };
  if (
    !way.needsSignatures &&
    /missing.{0,40}thought_?signature|thought_?signature.{0,80}(?:missing|required)/is.test(message)
  )
    return { needsSignatures: true };
  return undefined;
}

function aboutPrefill(way: ChatWay, request: MessageRequest, message: string): Adaptation | undefined {
  if (!way.prefills || request.messages.at(-1)?.role !== 'assistant') return undefined;
  const isPrefill =
    /pre-?fill|prefix mode|(?:last|final) (?:message|role|turn)|final \W?assistant\W? message|最后一[条个]?消息|end(?:s|ing)? with (?:a |an )?(?:user|assistant)|assistant (?:message|turn|response)s? (?:at the end|as the last)|add_generation_prompt|continue_final_message/i;
  return isPrefill.test(message) ? { way: { prefills: false }, change: 'prefill' } : undefined;
}

/** A model that does not think, or always does, and a service that does not know the setting. */
function aboutThinking(way: ChatWay, request: MessageRequest, message: string): Adaptation | undefined {
  const isAbout =
    /\b(?:think|enable_thinking|thinking_budget|chat_template_kwargs|reasoning|reasoning_effort|thinking)\b/i;
  const isRejected =
    /not (?:supported|permitted|allowed)|unsupported|(?:does not|doesn't) support|unexpected|unknown|unrecognized|extra (?:inputs|fields?)|extra_forbidden|(?:cannot|can't|can not) be (?:disabled|turned off)|is (?:mandatory|always on)|only works in thinking mode|restricted to true|must be one of|\(must be ["']|must be \W?enabled|mode is required/i;
  if (!way.takesThinking || request.thinking == null || !isAbout.test(message) || !isRejected.test(message))
    return undefined;
  return { way: { takesThinking: false }, change: 'thinking' };
}

function aboutHistory(way: ChatWay, request: MessageRequest, message: string): Adaptation | undefined {
  const onlyTwoRoles =
    /only (?:the )?\W?user\W?(?:,| and| or) \W?(?:assistant|model)\W?(?: and| or)?[^.]{0,20}\brole|valid role: user, model|\brole\W+(?:input )?(?:must|should) be (?:one of )?\W{0,2}user\W+(?:(?:and|or)\W+)?assistant/i;
  const isAboutSystem =
    onlyTwoRoles.test(message) ||
    (/\bsystem\b|\bdeveloper instruction/i.test(message) &&
      /not (?:supported|allowed|accepted|permitted|enabled)|unsupported|does not support|doesn't support|unexpected role \W?system|(?:only|expected|should be|must be|values are)[^.]*(?:user|assistant)/i.test(
        message,
      ));
  const takesSystem = /optional system|should be \W?system/i.test(message);
  if (way.takesSystem && request.system != null && isAboutSystem && !takesSystem)
    return { way: { takesSystem: false }, change: 'system' };
  if (
    !way.alternates &&
    /\balternat(?:e|es|ing)\b|in a row|should be in turn|(?:consecutive|successive) (?:user|assistant|messages)|same role|(?:odd|even) index in the messages/i.test(
      message,
    )
  ) {
    // Templates that require alternating roles count the system message too.
    const system = way.takesSystem && request.system != null ? { takesSystem: false } : {};
    return { way: { alternates: true, ...system }, change: 'roles' };
  }
  const isAboutTools =
    onlyTwoRoles.test(message) ||
    /function (?:call|response) (?:turn|parts?)\b/i.test(message) ||
    (/\btool(?:s|_calls?|_use|_result)?\b|function_call/i.test(message) &&
      /role|messages?|content|block|history/i.test(message) &&
      /not (?:supported|allowed|accepted|permitted)|unsupported|unexpected|unknown|invalid|not a permitted|(?:only|expected|should be)\b/i.test(
        message,
      ));
  if (way.takesToolParts && isAboutTools && hasToolCalls(request.messages))
    return { way: { takesToolParts: false }, change: 'tools' };
  return undefined;
}

/** For models that do not continue a last message of the assistant. English, because only models read it. */
const continuation =
  'Continue your last message exactly where it ends. Write only what follows, and do not repeat any of it.';

/** Returns a request as a model accepts it. */
export function fitted(request: MessageRequest, way: ChatWay): MessageRequest {
  let { messages } = request;
  if (!way.takesToolParts) messages = toolCallsAsText(messages);
  else if (!way.takesAnyId) messages = messages.map(withShortIds);
  if (!way.prefills && messages.at(-1)?.role === 'assistant')
    messages = [...messages, { role: 'user', content: continuation }];
  const leavesOut: readonly string[] = way.takesThinking ? way.leavesOut : [...way.leavesOut, 'thinking'];
  const { system, ...rest } = request;
  const isMoved = system != null && !way.takesSystem;
  if (isMoved)
    messages = withSystem(
      messages,
      typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n\n'),
    );
  if (way.alternates) messages = merged(messages);
  messages = withoutLastSpace(messages);
  const remaining = isMoved ? rest : request;
  const plain = request.tools && !way.takesAnySchema ? { tools: request.tools.map(withPlainSchema) } : {};
  return {
    ...Object.fromEntries(Object.entries({ ...remaining, ...plain }).filter(([name]) => !leavesOut.includes(name))),
    messages,
  } as MessageRequest;
}

/** Mistral's form of IDs, which every service accepts. */
const shortId = /^[a-zA-Z\d]{9}$/;

/** Returns the ID that stands for another one where only short IDs are accepted: always the same, for the call and its result. */
function shortened(id: string): string {
  return shortId.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function withShortIds(message: MessageParam): MessageParam {
  if (!hasToolParts(message)) return message;
  const content = (message.content as readonly Block[]).map((block): Block => {
    if (block.type === 'tool_use') return { ...block, id: shortened(block.id) };
    return block.type === 'tool_result' ? { ...block, tool_use_id: shortened(block.tool_use_id) } : block;
  });
  return { ...message, content };
}

type Json = Readonly<Record<string, unknown>>;
type Tool = NonNullable<MessageRequest['tools']>[number];

/** Deeper schemas, and larger ones, become text, because definitions can contain themselves. */
const deepestSchema = 12;
const largestSchema = 2000;

/** Writes the schema of a tool's input in the few words that every service knows. */
function withPlainSchema(tool: Tool): Tool {
  const schema = tool.input_schema;
  const named = { ...schemasIn(schema['definitions']), ...schemasIn(schema['$defs']) };
  let left = largestSchema;
  const plain = (value: unknown, depth: number): Json => {
    left -= 1;
    const one = isObject(value) && depth < deepestSchema && left > 0 ? resolved(value, named) : {};
    const { description, enum: values } = one;
    const type = typeIn(one);
    const texts = Array.isArray(values) && type === 'string' ? values.map(String) : undefined;
    const properties = type === 'object' ? Object.entries(schemasIn(one['properties'])) : [];
    const required = Array.isArray(one['required']) ? one['required'] : [];
    const known = required.filter((name) => properties.some(([key]) => key === name));
    return {
      type,
      ...(typeof description === 'string' && { description }),
      ...(texts && { enum: texts }),
      ...(type === 'object' && {
        properties: Object.fromEntries(properties.map(([name, inner]) => [name, plain(inner, depth + 1)])),
      }),
      ...(known.length > 0 && { required: known }),
      ...(type === 'array' && { items: plain(one['items'], depth + 1) }),
    };
  };
  return { ...tool, input_schema: { ...plain({ ...schema, type: 'object' }, 0) } };
}

function schemasIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** Resolves references and choices, of which the first that is not null counts, in up to `steps` steps. */
function resolved(schema: Json, named: Json, steps = 8): Json {
  const { $ref: reference, anyOf, oneOf, allOf, const: only, ...rest } = schema;
  const referred = typeof reference === 'string' ? named[reference.split('/').at(-1)!] : undefined;
  const [choices, all] = [[anyOf, oneOf], [allOf]].map((lists) => lists.flat().filter(isObject));
  const inner = [referred, choices!.find(({ type }) => type !== 'null'), ...all!].filter(isObject);
  if (rest['type'] === undefined && inner.length > 0 && steps > 0)
    return resolved(Object.assign({}, ...inner, rest) as Json, named, steps - 1);
  return only === undefined ? rest : { enum: [only], ...rest };
}

function typeIn({ type, properties, items }: Json): string {
  const [first]: readonly unknown[] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  if (typeof first === 'string') return first;
  return isObject(properties) ? 'object' : items === undefined ? 'string' : 'array';
}

/** Whether messages contain calls of tools or their results. */
export function hasToolCalls(messages: readonly MessageParam[]): boolean {
  return messages.some(hasToolParts);
}

/** Returns messages whose calls of tools and results are text, for services that accept nothing else. */
export function toolCallsAsText(messages: readonly MessageParam[]): readonly MessageParam[] {
  return messages.map(withoutToolParts);
}

function hasToolParts({ content }: MessageParam): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_use' || type === 'tool_result');
}

function withoutToolParts(message: MessageParam): MessageParam {
  if (typeof message.content === 'string' || !hasToolParts(message)) return message;
  const content = message.content.map((block): Block => {
    if (block.type === 'tool_use')
      return { type: 'text', text: `[Called the tool ${block.name} with ${JSON.stringify(block.input)}]` };
    if (block.type !== 'tool_result') return block;
    const parts =
      typeof block.content === 'string'
        ? [block.content]
        : (block.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { type: 'text', text: `[The tool returned: ${parts.join('\n\n')}]` };
  });
  return { ...message, content };
}

function withSystem(messages: readonly MessageParam[], system: string): readonly MessageParam[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  if (first < 0) return [{ role: 'user', content: system }, ...messages];
  return messages.map((message, at) =>
    at === first ? { ...message, content: joined(system, message.content) } : message,
  );
}

/** Removes the white space at the end of a prefill, which Anthropic rejects. Readers of the answer expect it there once more. */
function withoutLastSpace(messages: readonly MessageParam[]): readonly MessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return messages;
  const { content } = last;
  const before = messages.slice(0, -1);
  if (typeof content === 'string') {
    const text = content.trimEnd();
    return text === '' ? before : [...before, { ...last, content: text }];
  }
  const end = content.at(-1);
  if (end?.type !== 'text') return messages;
  return [...before, { ...last, content: [...content.slice(0, -1), { ...end, text: end.text.trimEnd() }] }];
}

/** Merges consecutive messages of one role. */
function merged(messages: readonly MessageParam[]): readonly MessageParam[] {
  const all: MessageParam[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.role === message.role) all[all.length - 1] = { ...last, content: joined(last.content, message.content) };
    else all.push(message);
  }
  return all;
}

function joined(first: MessageParam['content'], second: MessageParam['content']): MessageParam['content'] {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const blocks = (content: MessageParam['content']): readonly Block[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...blocks(first), ...blocks(second)];
}
