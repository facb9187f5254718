import type { FilledDemo } from './filledDemo';
import { type OriginServer, readAll, startOrigin } from './originServer';

/**
 * Starts a gateway with one of the two chat endpoints, in front of a demo service. `answerTo` returns the gateway's own text for a message
 * by the body of the request. Without one, the demo service answers.
 */
export function startChatGateway(
  demo: FilledDemo,
  answerTo: (body: string) => string | undefined,
): Promise<OriginServer> {
  return startOrigin(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = String(await readAll(request));
    if (url.endsWith('/chat/completions')) return void response.writeHead(404).end('404 page not found');
    const text = url.endsWith('/messages') ? answerTo(body) : undefined;
    if (text !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(streamOf(text));
    }
    const answer = await fetch(new URL(url, demo.baseUrl), {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

/** Returns an answer as a stream in the service's format. */
function streamOf(text: string): string {
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 1, output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
