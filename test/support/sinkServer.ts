import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Accepts any body and discards it. `/small` responds like a model list. Prints its URL. */
const small = JSON.stringify({
  object: 'list',
  data: Array.from({ length: 20 }, (_, index) => ({ id: `vendor/model-${index}`, object: 'model' })),
});

const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    const isSmall = request.url === '/small';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(isSmall ? small : JSON.stringify({ bytes }));
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
