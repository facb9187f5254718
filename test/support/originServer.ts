import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export type OriginHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface OriginServerOptions {
  /** PEM. If set, the server uses TLS. */
  readonly identity?: { readonly key: string; readonly certificate: string } | undefined;
  /** The host name in `url`. Defaults to 127.0.0.1. */
  readonly hostname?: string | undefined;
  /** 0, the default, selects any free port. */
  readonly port?: number | undefined;
}

export interface OriginServer {
  /** Ends with `/`. */
  readonly url: URL;
  readonly port: number;
  /** `METHOD path` of each request, in order. */
  readonly requests: readonly string[];
  /** The total number of connections. */
  connections(): number;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real HTTP server on loopback with the handler's behavior. */
export async function startOrigin(handler: OriginHandler, options: OriginServerOptions = {}): Promise<OriginServer> {
  const { identity, hostname = '127.0.0.1', port: requestedPort = 0 } = options;
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    void handler(request, response);
  };
  const server: Server = identity
    ? https.createServer({ key: identity.key, cert: identity.certificate }, listener)
    : http.createServer(listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) server.emit('empty');
    });
  });
  server.listen(requestedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${identity ? 'https' : 'http'}://${hostname}:${port}/`),
    port,
    requests,
    connections: () => connections,
    async allClosed() {
      if (sockets.size > 0) await once(server, 'empty');
    },
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a complete body as a copy, because a sender might reuse its buffer. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
