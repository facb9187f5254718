import { parseArgs } from 'node:util';
import { type PaceName, paces } from './pace';
import { startDemo } from './server';

const usage =
  'usage: node demo.js [--port <n>] [--data <folder>] [--key <sk-…>] [--pace reading|fast|instant] [--with-parent]\n';

function fail(message: string): never {
  process.stderr.write(`${message}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string', default: '.inference-desk-demo' },
        key: { type: 'string' },
        pace: { type: 'string', default: 'reading' },
        'with-parent': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { port, data, key, pace, 'with-parent': withParent } = readArguments();
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) fail(`--port ${port} is no port`);
if (!Object.hasOwn(paces, pace)) fail(`--pace ${pace} is not known`);

try {
  const demo = await startDemo({
    dataDir: data,
    port: Number(port),
    pace: pace as PaceName,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  process.stdout.write(`${JSON.stringify({ baseUrl: demo.baseUrl, apiKey: demo.apiKey })}\n`);
  const stop = () => void demo.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // The parent holds the other end of stdin: when it ends, however it ends, so does the service.
  if (withParent) process.stdin.resume().once('end', stop).once('close', stop).once('error', stop);
} catch (error) {
  process.stderr.write(`The demo service could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
