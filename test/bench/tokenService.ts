import { startOrigin } from '../support/originServer';

/** A stream that the bench writes step by step. */
export interface TokenStream {
  /** The first word is sent together with the start of its block. */
  write(word: string): void;
  end(): void;
}

export interface TokenService {
  readonly baseUrl: string;
  /** Resolves to the stream of the next request, once its head has been written. */
  nextStream(): Promise<TokenStream>;
  close(): Promise<void>;
}

const event = (data: { readonly type: string } & Readonly<Record<string, unknown>>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const head = event({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 0 },
  },
});
const blockStart = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
const tail = [
  event({ type: 'content_block_stop', index: 0 }),
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 3 },
  }),
  event({ type: 'message_stop' }),
].join('');

/** Starts a service on loopback that begins an answer to every request, and sends what it is given. */
export async function startTokenService(): Promise<TokenService> {
  let begin: (stream: TokenStream) => void = () => {};
  const server = await startOrigin((request, response) => {
    request.resume();
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(head);
    let isOpen = false;
    begin({
      write(word) {
        const delta = event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } });
        response.write(isOpen ? delta : blockStart + delta);
        isOpen = true;
      },
      end: () => response.end(tail),
    });
  });
  return {
    baseUrl: new URL('v1', server.url).href,
    nextStream: () => new Promise((resolve) => (begin = resolve)),
    close: () => server.close(),
  };
}
