import { parseArgs } from 'node:util';
import { attachOrStart } from './attachOrStart';
import { type PaceName, paces } from './pace';
import { startDemo } from './server';

const usage =
  'Usage: node demo.js [--port <n>] [--data <folder>] [--key <sk-…>] [--pace reading|fast|instant] [--attach] [--with-parent]\n';

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
        attach: { type: 'boolean', default: false },
        'with-parent': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { port, data, key, pace, attach, 'with-parent': withParent, help } = readArguments();
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) fail(`--port ${port} is no port`);
if (!Object.hasOwn(paces, pace)) fail(`--pace ${pace} is not known`);

try {
  const options = {
    dataDir: data,
    port: Number(port),
    pace: pace as PaceName,
    ...(key === undefined ? {} : { apiKey: key }),
  };
  // With `--attach`, reports the folder's running service instead of starting a second one, and exits.
  const demo = attach
    ? await attachOrStart(options, (message) => process.stderr.write(`${message}\n`))
    : { ...(await startDemo(options)), attached: false };
  if (!demo.attached) {
    const stop = () => void demo.close().then(() => process.exit(0));
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    // The parent holds the other end of stdin: however the parent ends, the service ends too.
    if (withParent) process.stdin.resume().once('end', stop).once('close', stop).once('error', stop);
  }
  process.stdout.write(`${JSON.stringify({ baseUrl: demo.baseUrl, apiKey: demo.apiKey })}\n`);
} catch (error) {
  process.stderr.write(`The demo service could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
