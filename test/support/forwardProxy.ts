import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ForwardProxyOptions {
  /** Names that only this proxy knows: `inference.test:443` to a port on loopback. Others are rejected with 502. */
  readonly routes: Readonly<Record<string, number>>;
  /** Basic credentials. Requests without them are rejected with 407. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined;
  /** The authentication challenge, Basic by default. VS Code asks the user only for schemes that it supports. */
  readonly challenge?: string | undefined;
}

export interface ForwardProxy {
  readonly url: URL;
  /** `CONNECT host:port` or `METHOD host:port`, in order, including rejected requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a real forward proxy on loopback, with plain requests by absolute URL, and tunnels. */
export async function startForwardProxy({
  routes,
  credentials,
  challenge = 'Basic realm="test"',
}: ForwardProxyOptions): Promise<ForwardProxy> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const expected =
    credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  const isAllowed = (headers: http.IncomingHttpHeaders) =>
    expected === undefined || headers['proxy-authorization'] === expected;

  const server = http.createServer((request, response) => {
    const target = new URL(request.url ?? '', 'http://nowhere.test');
    const address = `${target.hostname}:${target.port || 80}`;
    requests.push(`${request.method} ${address}`);
    if (!isAllowed(request.headers)) {
      response.writeHead(407, { 'proxy-authenticate': challenge }).end();
      return;
    }
    const port = routes[address];
    if (port === undefined) {
      response.writeHead(502).end('unknown host');
      return;
    }
    const { 'proxy-authorization': _authorization, ...headers } = request.headers;
    const onward = http.request({
      host: '127.0.0.1',
      port,
      method: request.method,
      path: target.pathname + target.search,
      headers,
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: http.IncomingMessage, socket: Duplex) => {
    requests.push(`CONNECT ${request.url}`);
    const port = routes[request.url ?? ''];
    if (!isAllowed(request.headers)) {
      socket.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}\r\nContent-Length: 0\r\n\r\n`,
      );
    } else if (port === undefined) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    } else {
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      sockets.add(onward);
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.on('close', () => onward.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
