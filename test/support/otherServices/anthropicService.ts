import { randomId, textOf } from './chatForm';
import {
  isRecord,
  jsonOf,
  recordsOf,
  Refusal,
  startLoopbackService,
  type Asked,
  type OtherService,
  type Reply,
  type ServiceAt,
} from './loopbackService';
import { messageBatches, type BatchPace } from './inlineBatches';
import { anthropicId, messagesReply, type MessagesStyle } from './messagesForm';
import { tokensOf } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

interface Model {
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
  /** The supported kind of `thinking`. */
  readonly thinking: 'enabled' | 'adaptive';
  /** Rejects a sampling parameter that isn't its default. */
  readonly isSamplingFixed?: boolean;
}

/** Newest first, as the service lists them. */
const models: readonly Model[] = [
  {
    id: 'claude-opus-5-5',
    display_name: 'Claude Opus 5.5',
    created_at: '2026-09-22T00:00:00Z',
    thinking: 'adaptive',
    isSamplingFixed: true,
  },
  {
    id: 'claude-sonnet-4-6',
    display_name: 'Claude Sonnet 4.6',
    created_at: '2026-02-17T00:00:00Z',
    thinking: 'enabled',
  },
  {
    id: 'claude-haiku-4-5-20251001',
    display_name: 'Claude Haiku 4.5',
    created_at: '2025-10-01T00:00:00Z',
    thinking: 'enabled',
  },
];

/** The versions of the API. The newest has no sampling parameters. */
const versions = ['2023-06-01', '2026-10-21'];

const parameters =
  `model messages max_tokens system stop_sequences stream thinking tool_choice tools metadata service_tier container
  cache_control inference_geo output_config context_management mcp_servers`.split(/\s+/);
const sampling = ['temperature', 'top_p', 'top_k'];

const contextTokens = 200_000;

/**
 * Starts a service with exactly Anthropic's endpoints and documented headers: `x-api-key` and `anthropic-version`. Written from
 * https://platform.claude.com/docs/en/api (versions 2023-06-01 and 2026-10-21), the types of its library (1.11), and recorded rejections.
 * The real service also accepts keys as `Authorization: Bearer` since the newer version. Gateways before it don't, so this one doesn't
 * either.
 */
export function startAnthropicService({ batchMs, ...at }: ServiceAt & BatchPace = {}): Promise<OtherService> {
  const { key = 'sk-ant-api03-otherservices0123456789' } = at;
  const answer = (body: Body) => {
    checkMessages(body, versions[0] ?? '');
    return messagesReply(body, style);
  };
  return startLoopbackService(
    {
      root: '/v1',
      routes: {
        'GET /models': ({ query }) => modelPage(query),
        'GET /models/{id}': ({ id }) => {
          const model = models.find((one) => one.id === id);
          return model ? { json: listed(model) } : anthropicError(404, 'not_found_error', `model: ${id}`);
        },
        'POST /messages': (asked) => {
          const body = jsonOf(asked) ?? refuse('The request body is not valid JSON: expected value at line 1 column 1');
          checkMessages(body, String(asked.headers['anthropic-version']));
          return messagesReply(body, style);
        },
        ...messageBatches((_, body) => answer(body), refuse, batchMs === undefined ? {} : { batchMs }),
      },
      admit: (asked) => admit(asked, key),
      missing: ({ method }, isKnownPath) =>
        isKnownPath
          ? anthropicError(405, 'invalid_request_error', `Method Not Allowed: ${method}`)
          : anthropicError(404, 'not_found_error', 'Not Found'),
      headers: () => ({ 'request-id': `req_01${randomId(11)}`, 'anthropic-organization-id': 'org-other' }),
      failed: () => anthropicError(500, 'api_error', 'Internal server error'),
    },
    { ...at, key },
  );
}

const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk';

const style: MessagesStyle = {
  messageId: () => anthropicId('msg'),
  callId: () => anthropicId('toolu'),
  thinks: ({ thinking }) => isRecord(thinking) && thinking['type'] !== 'disabled',
  signature,
  pings: true,
  usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, service_tier: 'standard' },
};

function anthropicError(status: number, type: string, message: string): Reply {
  return { status, json: { type: 'error', error: { type, message }, request_id: `req_01${randomId(11)}` } };
}

function refuse(message: string, status = 400, type = 'invalid_request_error'): never {
  throw new Refusal(anthropicError(status, type, message));
}

function admit({ headers }: Asked, key: string): void {
  const provided = headers['x-api-key'];
  if (provided === undefined) {
    const isBearer = headers.authorization !== undefined;
    refuse(isBearer ? 'Invalid bearer token' : 'x-api-key header is required', 401, 'authentication_error');
  }
  if (provided !== key) refuse('invalid x-api-key', 401, 'authentication_error');
  const version = headers['anthropic-version'];
  if (version === undefined) refuse('anthropic-version: header is required');
  if (!versions.includes(String(version))) {
    refuse(`anthropic-version: "${String(version)}" is not a valid version. Hint: use "2023-06-01"`);
  }
}

const supported = (isSupported: boolean) => ({ supported: isSupported });

function listed({ id, display_name, created_at, thinking }: Model) {
  const types = { enabled: supported(thinking === 'enabled'), adaptive: supported(thinking === 'adaptive') };
  return {
    type: 'model',
    id,
    display_name,
    created_at,
    max_input_tokens: contextTokens,
    max_tokens: 64_000,
    capabilities: {
      batch: supported(true),
      citations: supported(true),
      image_input: supported(true),
      pdf_input: supported(true),
      structured_outputs: supported(true),
      thinking: { supported: true, types },
    },
  };
}

function modelPage(query: URLSearchParams): Reply {
  const odd = [...query.keys()].find((name) => !['limit', 'before_id', 'after_id'].includes(name));
  if (odd !== undefined) refuse(`${odd}: Extra inputs are not permitted`);
  const limit = Number(query.get('limit') ?? 20);
  if (!(limit >= 1 && limit <= 1000)) refuse('limit: Input should be less than or equal to 1000');
  const after = query.get('after_id');
  const from = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const page = models.slice(from, from + limit);
  const ids = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
  return { json: { data: page.map(listed), has_more: from + limit < models.length, ...ids } };
}

function checkMessages(body: Body, version: string): void {
  const isNew = version === versions[1];
  const allowed = isNew ? parameters : [...parameters, ...sampling];
  for (const name of ['model', 'messages', 'max_tokens']) {
    if (body[name] === undefined) refuse(`${name}: Field required`);
  }
  const odd = Object.keys(body).find((name) => !allowed.includes(name));
  if (odd !== undefined) refuse(`${odd}: Extra inputs are not permitted`);
  const model = models.find(({ id }) => id === body['model'] || id.replace(/-\d{8}$/, '') === body['model']);
  if (!model) return refuse(`model: ${String(body['model'])}`, 404, 'not_found_error');
  const most = body['max_tokens'];
  if (typeof most !== 'number' || most < 1) refuse('max_tokens: Input should be greater than or equal to 1');
  if (most > 64_000)
    refuse(`max_tokens: ${most} > 64000, which is the maximum allowed number of output tokens for ${model.id}`);
  checkSampling(body, model);
  checkThinking(body, model, most);
  checkTools(body);
  checkTurns(recordsOf(body['messages']), isRecord(body['thinking']) && body['thinking']['type'] === 'enabled');
}

function checkSampling(body: Body, { isSamplingFixed = false }: Model): void {
  const { temperature, top_p: topP } = body;
  const set = sampling.find((name) => body[name] !== undefined && body[name] !== null);
  if (set !== undefined && isSamplingFixed && !(set === 'temperature' && temperature === 1)) {
    refuse(`\`${set}\` is deprecated for this model.`);
  }
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1)) refuse('temperature: range: 0..1');
  if (typeof topP === 'number' && (topP < 0 || topP > 1)) refuse('top_p: range: 0..1');
  if (typeof temperature === 'number' && typeof topP === 'number') {
    refuse('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
  }
}

function checkThinking(body: Body, model: Model, most: number): void {
  const { thinking, temperature } = body;
  if (!isRecord(thinking) || thinking['type'] === 'disabled') return;
  const { type, budget_tokens: budget } = thinking;
  if (type !== 'enabled' && type !== 'adaptive') {
    refuse(
      `thinking: Input tag '${String(type)}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
    );
  }
  if (type === 'enabled' && model.thinking === 'adaptive') {
    refuse(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    );
  }
  if (typeof temperature === 'number' && temperature !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.');
  }
  if (type === 'adaptive') return;
  if (typeof budget !== 'number') refuse('thinking.enabled.budget_tokens: Field required');
  if (budget < 1024) refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= most) refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
}

function checkTools({ tools, tool_choice: choice }: Body): void {
  for (const [index, tool] of recordsOf(tools).entries()) {
    const at = `tools.${index}.custom`;
    const odd = Object.keys(tool).find(
      (name) => !['type', 'name', 'description', 'input_schema', 'cache_control', 'strict'].includes(name),
    );
    if (odd !== undefined) refuse(`${at}.${odd}: Extra inputs are not permitted`);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool['name']))) {
      refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    const schema = tool['input_schema'];
    if (!isRecord(schema) || schema['type'] !== 'object') refuse(`${at}.input_schema.type: Field required`);
  }
  if (isRecord(choice) && choice['type'] !== 'none' && recordsOf(tools).length === 0) {
    refuse('tool_choice: tool_choice may only be specified while providing tools');
  }
}

const blockMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations', 'cache_control'],
  image: ['source', 'cache_control'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input', 'cache_control'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
};

function checkTurns(messages: readonly Body[], isThinking: boolean): void {
  if (messages.length === 0) refuse('messages: at least one message is required');
  for (const [index, { role, content, ...rest }] of messages.entries()) {
    const at = `messages.${index}`;
    if (role !== 'user' && role !== 'assistant') {
      refuse(
        `messages: Unexpected role "${String(role)}". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
      );
    }
    const odd = Object.keys(rest)[0];
    if (odd !== undefined) refuse(`${at}.${odd}: Extra inputs are not permitted`);
    if (content === '')
      refuse(`${at}: all messages must have non-empty content except for the optional final assistant message`);
    recordsOf(content).forEach((block, place) => checkBlock(block, `${at}.content.${place}`));
    checkPairs(messages, index);
    if (isThinking) checkThought(messages, index);
  }
  if (messages[0]?.['role'] !== 'user') refuse('messages: first message must use the "user" role');
  const tokens = messages.reduce((sum, { content }) => sum + tokensOf(textOf(content)).length, 0);
  if (tokens > contextTokens) refuse(`prompt is too long: ${tokens} tokens > ${contextTokens} maximum`);
}

function checkBlock(block: Body, at: string): void {
  const type = String(block['type']);
  const members = blockMembers[type];
  if (!members) {
    return refuse(
      `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${Object.keys(
        blockMembers,
      )
        .map((one) => `'${one}'`)
        .join(', ')}`,
    );
  }
  const odd = Object.keys(block).find((name) => name !== 'type' && !members.includes(name));
  if (odd !== undefined) refuse(`${at}.${type}.${odd}: Extra inputs are not permitted`);
  if (type === 'text' && block['text'] === '') refuse('messages: text content blocks must be non-empty');
  if (type === 'thinking' && block['signature'] === undefined) refuse(`${at}.thinking.signature: Field required`);
  if (type === 'thinking' && block['signature'] !== signature)
    refuse(`${at}: Invalid \`signature\` in \`thinking\` block`);
}

/** Requires each tool call to have its result in the next message, and each result its call in the previous one. */
function checkPairs(messages: readonly Body[], index: number): void {
  const blocks = (at: number, type: string) =>
    recordsOf(messages[at]?.['content']).filter((block) => block['type'] === type);
  const results = blocks(index + 1, 'tool_result').map((block) => block['tool_use_id']);
  const open = blocks(index, 'tool_use').flatMap(({ id }) => (results.includes(id) ? [] : String(id)));
  if (open.length > 0) {
    refuse(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  const calls = blocks(index - 1, 'tool_use').map(({ id }) => id);
  for (const [place, { tool_use_id: id }] of blocks(index, 'tool_result').entries()) {
    if (calls.includes(id)) continue;
    refuse(
      `messages.${index}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
}

/** Requires the thinking before a tool call to be returned with it while the model thinks. */
function checkThought(messages: readonly Body[], index: number): void {
  const isLastOfAssistant = messages.findLastIndex(({ role }) => role === 'assistant') === index;
  const blocks = recordsOf(messages[index]?.['content']);
  if (!isLastOfAssistant || !blocks.some(({ type }) => type === 'tool_use')) return;
  const first = String(blocks[0]?.['type']);
  if (first === 'thinking' || first === 'redacted_thinking') return;
  refuse(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  );
}
