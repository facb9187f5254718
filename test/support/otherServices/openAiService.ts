import { chatReply, nowSeconds, randomId, type ChatStyle, type ChatUsage } from './chatForm';
import { completionReply, embeddingsReply, listedLogprobs, usageOf } from './completionForm';
import {
  jsonOf,
  Refusal,
  startLoopbackService,
  type Asked,
  type OtherService,
  type Reply,
  type ServiceAt,
} from './loopbackService';
import { pictureOf, speechReply } from './mediaForm';
import { checkChat, checkCompletion, checkEmbedding, checkImage, checkSpeech, openAiModels } from './openAiChecks';
import { masked, openAiError, refuse } from './openAiErrors';
import { openAiFiles } from './openAiFiles';
import { tokensOf } from './scriptedModel';

type Body = Readonly<Record<string, unknown>>;

/**
 * Starts a service with exactly what OpenAI has: no `/messages`, no `/rerank`, no `/completions` for chat models. Written from its API
 * description (https://github.com/openai/openai-openapi, 2026-08) and from recorded responses.
 */
export function startOpenAiService(at: ServiceAt = {}): Promise<OtherService> {
  const { key = 'sk-proj-otherservices0123456789abcdef' } = at;
  const posted = {
    'POST /chat/completions': (body: Body) => {
      checkChat(body);
      return chatReply(body, openAiChat);
    },
    'POST /completions': (body: Body) => {
      checkCompletion(body);
      return completionReply(body, openAiCompletions);
    },
    'POST /embeddings': (body: Body) => {
      checkEmbedding(body);
      return embeddingsReply(body);
    },
    'POST /images/generations': (body: Body) => {
      checkImage(body);
      return images(body);
    },
    'POST /audio/speech': (body: Body) => {
      checkSpeech(body);
      return speechReply(body);
    },
  };
  const ofLine = (path: string, body: Body): Reply => {
    const route = posted[`POST ${path.replace('/v1', '')}` as keyof typeof posted];
    try {
      return route?.(body) ?? openAiError(`Invalid URL (POST ${path})`, { status: 404 });
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };
  const fromJson = Object.entries(posted).map(([endpoint, route]) => [
    endpoint,
    (asked: Asked) => route(jsonOf(asked) ?? refuse(notJson)),
  ]);
  return startLoopbackService(
    {
      root: '/v1',
      routes: {
        'GET /models': () => ({ json: { object: 'list', data: openAiModels.map(listed) } }),
        'GET /models/{id}': ({ id }) => {
          const model = openAiModels.find((one) => one.id === id);
          if (model) return { json: listed(model) };
          return openAiError(`The model '${id}' does not exist`, {
            status: 404,
            param: 'model',
            code: 'model_not_found',
          });
        },
        ...Object.fromEntries(fromJson),
        ...openAiFiles(ofLine),
      },
      admit: ({ headers }) => admit(headers.authorization, key),
      missing: ({ method, path }, isKnownPath) =>
        isKnownPath
          ? openAiError(
              `Not allowed to ${method} on ${path}. (HINT: Perhaps you meant to use a different HTTP method?)`,
              {
                status: 405,
                code: 'method_not_supported',
              },
            )
          : openAiError(`Invalid URL (${method} ${path})`, { status: 404 }),
      headers: () => ({
        'x-request-id': `req_${randomId(16)}`,
        'openai-version': '2020-10-01',
        'openai-processing-ms': '12',
      }),
      failed: () =>
        openAiError('The server had an error while processing your request. Sorry about that!', {
          status: 500,
          type: 'server_error',
        }),
    },
    { ...at, key },
  );
}

const notJson =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";

const listed = ({ id, created }: { readonly id: string; readonly created: number }) => ({
  id,
  object: 'model',
  created,
  owned_by: 'system',
});

function admit(authorization: string | undefined, key: string): void {
  const [, provided] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
  if (provided === undefined) {
    refuse(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. You can obtain an API key from https://platform.openai.com/account/api-keys.",
      { status: 401 },
    );
  }
  if (provided === key) return;
  refuse(
    `Incorrect API key provided: ${masked(provided)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    { status: 401, code: 'invalid_api_key' },
  );
}

const chatUsage = ({ prompt, completion }: ChatUsage) => ({
  ...usageOf({ prompt, completion }),
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

const openAiChat: ChatStyle = {
  frame: { service_tier: 'default', system_fingerprint: 'fp_560af6e559' },
  first: { role: 'assistant', content: '', refusal: null },
  callIsInFirst: true,
  choice: { logprobs: null },
  message: { refusal: null, annotations: [] },
  usage: chatUsage,
  nullUsage: true,
  callId: () => `call_${randomId()}`,
};

const openAiCompletions = {
  frame: {},
  logprobs: listedLogprobs,
  defaultTokens: 16,
  usageApart: true,
};

function images(body: Body): Reply {
  const asked = typeof body['size'] === 'string' && body['size'] !== 'auto' ? body['size'] : '1024x1024';
  const [width = 1024, height = 1024] = asked.split('x').map(Number);
  const count = typeof body['n'] === 'number' ? body['n'] : 1;
  const data = Array.from({ length: count }, (_, index) => ({
    b64_json: pictureOf(width, height, index).toString('base64'),
  }));
  const look = { background: 'opaque', output_format: 'png', quality: 'high', size: asked };
  const tokens = tokensOf(String(body['prompt'])).length;
  const details = { text_tokens: tokens, image_tokens: 0 };
  const usage = {
    input_tokens: tokens,
    input_tokens_details: details,
    output_tokens: 4160,
    total_tokens: tokens + 4160,
  };
  return { json: { created: nowSeconds(), ...look, data, usage } };
}
