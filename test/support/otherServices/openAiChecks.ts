import { textOf } from './chatForm';
import { isRecord, recordsOf } from './loopbackService';
import { refuse } from './openAiErrors';
import { tokensOf } from './scriptedModel';

/**
 * OpenAI's rejections of requests in its words: https://github.com/openai/openai-openapi (2026-08) for names and limits, and recorded
 * rejections for the messages.
 */
type Body = Readonly<Record<string, unknown>>;

export interface OpenAiModel {
  readonly id: string;
  readonly created: number;
  readonly job: 'chat' | 'completion' | 'embedding' | 'image' | 'speech';
  /** Reasons before the answer. Accepts `max_completion_tokens` only, and no sampling parameters. */
  readonly isReasoning?: boolean;
}

export const openAiModels: readonly OpenAiModel[] = [
  { id: 'gpt-4o-mini', created: 1721172741, job: 'chat' },
  { id: 'o4-mini', created: 1744225351, job: 'chat', isReasoning: true },
  { id: 'gpt-3.5-turbo-instruct', created: 1692901427, job: 'completion' },
  { id: 'text-embedding-3-small', created: 1705948997, job: 'embedding' },
  { id: 'gpt-image-1', created: 1745517030, job: 'image' },
  { id: 'gpt-4o-mini-tts', created: 1742403959, job: 'speech' },
];

const contextTokens = 128_000;

const chatParameters =
  words(`messages model modalities verbosity reasoning_effort max_completion_tokens frequency_penalty
  presence_penalty web_search_options top_logprobs response_format audio store moderation stream stop logit_bias logprobs max_tokens n
  prediction seed stream_options tools tool_choice parallel_tool_calls function_call functions temperature top_p user metadata
  service_tier safety_identifier prompt_cache_key prompt_cache_retention`);
const completionParameters =
  words(`model prompt best_of echo frequency_penalty logit_bias logprobs max_tokens n presence_penalty seed
  stop stream stream_options suffix temperature top_p user`);
const embeddingParameters = words('input model encoding_format dimensions user');
/** Parameters of the GPT image models. `response_format` and `style` belong to DALL·E. */
const imageParameters =
  words(`prompt model n quality output_format output_compression stream partial_images size moderation background
  user`);
const speechParameters = words('input model instructions voice response_format speed stream_format');

const messageMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  system: words('role content name'),
  developer: words('role content name'),
  user: words('role content name'),
  assistant: words('role content name refusal audio tool_calls function_call'),
  tool: words('role content tool_call_id'),
  function: words('role content name'),
};
const partMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  text: words('type text'),
  image_url: words('type image_url'),
  input_audio: words('type input_audio'),
  file: words('type file'),
};
const bounds: Readonly<Record<string, readonly [least: number, most: number]>> = {
  temperature: [0, 2],
  top_p: [0, 1],
  frequency_penalty: [-2, 2],
  presence_penalty: [-2, 2],
  n: [1, 128],
  top_logprobs: [0, 20],
};
const notOfReasoning = [
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'stop',
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

export function checkChat(body: Body): void {
  known(body, chatParameters);
  const model = modelFor(body, 'chat');
  if (body['messages'] === undefined) {
    refuse("Missing required parameter: 'messages'.", { param: 'messages', code: 'missing_required_parameter' });
  }
  checkMessages(body['messages']);
  checkNumbers(body);
  checkStop(body['stop']);
  checkTools(body);
  checkStream(body);
  if (model.isReasoning) checkReasoning(body);
  if (typeof body['top_logprobs'] === 'number' && body['logprobs'] !== true) {
    refuse("Invalid value for 'top_logprobs': 'top_logprobs' is only allowed when 'logprobs' is enabled.", {
      param: 'top_logprobs',
      code: 'invalid_value',
    });
  }
}

export function checkCompletion(body: Body): void {
  known(body, completionParameters);
  modelFor(body, 'completion');
  if (typeof body['prompt'] !== 'string') refuse('you must provide a prompt parameter');
  checkNumbers(body);
  checkStop(body['stop']);
  checkStream(body);
  if (typeof body['logprobs'] === 'number' && body['logprobs'] > 5) {
    refuse(
      "Invalid 'logprobs': integer above maximum value. Expected a value <= 5, but got " +
        `${body['logprobs']} instead.`,
      {
        param: 'logprobs',
        code: 'integer_above_max_value',
      },
    );
  }
}

export function checkEmbedding(body: Body): void {
  known(body, embeddingParameters);
  modelFor(body, 'embedding');
  const { input } = body;
  if (typeof input !== 'string' && !(Array.isArray(input) && input.length > 0)) {
    refuse("'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.");
  }
}

export function checkImage(body: Body): void {
  knownByName(body, imageParameters);
  modelFor(body, 'image');
  if (typeof body['prompt'] !== 'string') {
    refuse("Missing required parameter: 'prompt'.", { param: 'prompt', code: 'missing_required_parameter' });
  }
  oneOf(body, 'size', ['1024x1024', '1024x1536', '1536x1024', 'auto']);
  oneOf(body, 'output_format', ['png', 'webp', 'jpeg']);
  checkCount(body['n'], 10);
}

export function checkSpeech(body: Body): void {
  knownByName(body, speechParameters);
  modelFor(body, 'speech');
  for (const name of ['input', 'voice']) {
    if (body[name] === undefined) {
      refuse(`Missing required parameter: '${name}'.`, { param: name, code: 'missing_required_parameter' });
    }
  }
  oneOf(body, 'voice', [
    'alloy',
    'ash',
    'ballad',
    'coral',
    'echo',
    'fable',
    'nova',
    'onyx',
    'sage',
    'shimmer',
    'verse',
  ]);
  oneOf(body, 'response_format', ['mp3', 'wav', 'pcm']);
}

function known(body: Body, names: ReadonlySet<string>): void {
  const odd = Object.keys(body).filter((name) => !names.has(name));
  if (odd.length === 1) refuse(`Unrecognized request argument supplied: ${odd[0]}`);
  if (odd.length > 1) refuse(`Unrecognized request arguments supplied: ${odd.join(', ')}`);
}

/** The wording of newer endpoints. */
function knownByName(body: Body, names: ReadonlySet<string>, path = ''): void {
  const odd = Object.keys(body).find((name) => !names.has(name));
  if (odd !== undefined)
    refuse(`Unknown parameter: '${path}${odd}'.`, { param: path + odd, code: 'unknown_parameter' });
}

function modelFor({ model: id }: Body, job: OpenAiModel['job']): OpenAiModel {
  if (typeof id !== 'string' || id === '') refuse('you must provide a model parameter');
  const model = openAiModels.find((one) => one.id === id);
  if (!model) {
    return refuse(`The model \`${id}\` does not exist or you do not have access to it.`, {
      status: 404,
      code: 'model_not_found',
    });
  }
  if (model.job === job) return model;
  const reported = { status: 404, param: 'model' };
  if (job === 'completion' && model.job === 'chat') {
    refuse(
      'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?',
      reported,
    );
  }
  if (job === 'chat') {
    refuse(
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      reported,
    );
  }
  return refuse(`The model '${id}' does not support this endpoint.`, { param: 'model', code: 'invalid_model' });
}

function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages)) {
    refuse("Invalid type for 'messages': expected an array of objects, but got something else instead.", {
      param: 'messages',
      code: 'invalid_type',
    });
  }
  if (messages.length === 0) {
    refuse(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      {
        param: 'messages',
        code: 'empty_array',
      },
    );
  }
  const all = recordsOf(messages);
  all.forEach(checkMessage);
  all.forEach((message, index) => checkCalls(all, message, index));
  const tokens = all.reduce((sum, { content }) => sum + tokensOf(textOf(content)).length, 0);
  if (tokens > contextTokens) {
    refuse(
      `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      { param: 'messages', code: 'context_length_exceeded' },
    );
  }
}

function checkMessage(message: Body, index: number): void {
  const { role, content } = message;
  const at = `messages[${index}]`;
  const members = messageMembers[String(role)];
  if (!members) {
    return refuse(
      `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      { param: `${at}.role`, code: 'invalid_value' },
    );
  }
  knownByName(message, members, `${at}.`);
  if (content === null || content === undefined) {
    if (role === 'assistant' && message['tool_calls'] !== undefined) return;
    refuse(`Invalid value for 'content': expected a string, got null.`, { param: `${at}.content` });
  }
  for (const [place, part] of recordsOf(content).entries()) {
    const type = String(part['type']);
    const allowed = partMembers[type];
    if (!allowed) {
      return refuse(
        `Invalid value: '${type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`,
        {
          param: `${at}.content[${place}].type`,
          code: 'invalid_value',
        },
      );
    }
    knownByName(part, allowed, `${at}.content[${place}].`);
  }
}

function checkCalls(messages: readonly Body[], { role, tool_calls: calls }: Body, index: number): void {
  if (role === 'tool') {
    const before = messages.slice(0, index).findLast((one) => one['role'] !== 'tool');
    const ids = recordsOf(before?.['tool_calls']).map(({ id }) => id);
    if (ids.includes(messages[index]?.['tool_call_id'])) return;
    refuse(
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      {
        param: `messages.[${index}].role`,
      },
    );
  }
  const answered: unknown[] = [];
  for (const next of messages.slice(index + 1)) {
    if (next['role'] !== 'tool') break;
    answered.push(next['tool_call_id']);
  }
  const open = recordsOf(calls).flatMap(({ id }) => (answered.includes(id) ? [] : String(id)));
  if (open.length === 0) return;
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    { param: `messages.[${index + 1}].role` },
  );
}

function checkNumbers(body: Body): void {
  for (const [name, [least, most]] of Object.entries(bounds)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') {
      refuse(`Invalid type for '${name}': expected a decimal, but got a ${typeof value} instead.`, {
        param: name,
        code: 'invalid_type',
      });
    }
    if (value > most) {
      refuse(`Invalid '${name}': decimal above maximum value. Expected a value <= ${most}, but got ${value} instead.`, {
        param: name,
        code: 'decimal_above_max_value',
      });
    }
    if (value < least) {
      refuse(
        `Invalid '${name}': decimal below minimum value. Expected a value >= ${least}, but got ${value} instead.`,
        {
          param: name,
          code: 'decimal_below_min_value',
        },
      );
    }
  }
}

function checkStop(stop: unknown): void {
  if (!Array.isArray(stop) || stop.length <= 4) return;
  refuse(
    `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${stop.length} instead.`,
    { param: 'stop', code: 'array_above_max_length' },
  );
}

function checkTools(body: Body): void {
  const { tools, tool_choice: choice } = body;
  if (choice !== undefined && choice !== null && recordsOf(tools).length === 0) {
    refuse("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", {
      param: 'tool_choice',
    });
  }
  if (Array.isArray(tools) && tools.length === 0) {
    refuse("Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.", {
      param: 'tools',
      code: 'empty_array',
    });
  }
  for (const [index, { type, function: offered }] of recordsOf(tools).entries()) {
    const at = `tools[${index}]`;
    if (type !== 'function' || !isRecord(offered)) {
      return refuse(`Missing required parameter: '${at}.function'.`, {
        param: `${at}.function`,
        code: 'missing_required_parameter',
      });
    }
    knownByName(offered, words('name description parameters strict'), `${at}.function.`);
    if (/^[a-zA-Z0-9_-]{1,64}$/.test(String(offered['name']))) continue;
    refuse(
      `Invalid '${at}.function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      { param: `${at}.function.name`, code: 'invalid_value' },
    );
  }
}

function checkStream({ stream, stream_options: options }: Body): void {
  if (options === undefined || options === null || stream === true) return;
  refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", { param: 'stream_options' });
}

function checkReasoning(body: Body): void {
  const isSet = (name: string) => body[name] !== undefined && body[name] !== null;
  const code = 'unsupported_parameter';
  if (isSet('max_tokens')) {
    refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code },
    );
  }
  if (isSet('temperature') && body['temperature'] !== 1) {
    refuse(
      `Unsupported value: 'temperature' does not support ${Number(body['temperature'])} with this model. Only the default (1) value is supported.`,
      { param: 'temperature', code: 'unsupported_value' },
    );
  }
  const odd = notOfReasoning.find(isSet);
  if (odd !== undefined)
    refuse(`Unsupported parameter: '${odd}' is not supported with this model.`, { param: odd, code });
}

function oneOf(body: Body, name: string, values: readonly string[]): void {
  const { [name]: value } = body;
  if (value === undefined || value === null || values.some((one) => one === value)) return;
  const list = values.map((one) => `'${one}'`);
  refuse(
    `Invalid value: ${JSON.stringify(value).replaceAll('"', "'")}. Supported values are: ${list.slice(0, -1).join(', ')}, and ${list.at(-1)}.`,
    {
      param: name,
      code: 'invalid_value',
    },
  );
}

function checkCount(n: unknown, most: number): void {
  if (n === undefined || n === null || (typeof n === 'number' && n >= 1 && n <= most)) return;
  refuse(
    `Invalid 'n': integer above maximum value. Expected a value <= ${most}, but got ${JSON.stringify(n)} instead.`,
    {
      param: 'n',
      code: 'integer_above_max_value',
    },
  );
}
