import { type OriginServer, readAll, startOrigin } from '../originServer';

export interface GatewayRequest {
  /** For example, `POST /v1/messages`. */
  readonly line: string;
  readonly body: string;
}

export interface GatewayService {
  readonly baseUrl: string;
  readonly asked: readonly GatewayRequest[];
  close(): Promise<void>;
}

/** The number of tool rounds before the answer. */
export const gatewayRounds = 4;

/** One pixel. */
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Starts a gateway with both chat endpoints, each of which supports only half, as some do: `/messages` rejects tools, and
 * `/chat/completions` rejects requests without tools. A chat with tools takes four rounds with signed calls, before an answer with sources
 * and an image.
 */
export async function startGatewayService(): Promise<GatewayService> {
  const asked: GatewayRequest[] = [];
  const origin: OriginServer = await startOrigin(async (request, response) => {
    const { method = '', url = '' } = request;
    const body = String(await readAll(request));
    const line = `${method} ${url}`;
    asked.push({ line, body });
    const json = (status: number, value: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (line === 'GET /v1/models') return json(200, { object: 'list', data: [{ id: 'both-ways', object: 'model' }] });
    if (method !== 'POST') return json(404, { error: { message: 'Not Found' } });
    const sent = JSON.parse(body) as { readonly tools?: unknown; readonly messages: readonly { role: string }[] };
    const isMessages = url.endsWith('/messages');
    if (isMessages === (sent.tools !== undefined))
      return json(400, { error: { message: 'This route is not configured for the request.', code: 400 } });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = isMessages
      ? message('Over messages.')
      : round(sent.messages.filter(({ role }) => role === 'tool').length);
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });
  return { baseUrl: new URL('v1', origin.url).href, asked, close: () => origin.close() };
}

function message(text: string): readonly object[] {
  return [
    {
      type: 'message_start',
      message: { id: 'm1', type: 'message', role: 'assistant', content: [], model: 'both-ways' },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 1, output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

function round(done: number): readonly object[] {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
    id: 'c1',
    model: 'both-ways',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
  const usage = { usage: { prompt_tokens: 9, completion_tokens: 9 } };
  if (done >= gatewayRounds) {
    const citations = ['https://canals.example/ghent', 'https://towers.example/belfry'];
    return [
      chunk({ content: 'Ghent has canals [1] and a belfry [2].' }),
      chunk({ images: [{ type: 'image_url', image_url: { url: image } }] }),
      chunk({}, 'stop', { citations, ...usage }),
    ];
  }
  const call = {
    index: 0,
    id: `call_${done}`,
    type: 'function',
    function: { name: 'lookUp', arguments: `{"round":${done}}` },
    extra_content: { google: { thought_signature: `signature-${done}` } },
  };
  const detail = { type: 'reasoning.encrypted', index: 0, data: `thought-${done}` };
  return [chunk({ content: null, reasoning_details: [detail] }), chunk({ tool_calls: [call] }, 'tool_calls', usage)];
}
