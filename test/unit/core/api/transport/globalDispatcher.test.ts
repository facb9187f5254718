import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { setUpFolder } from '../../../../support/temporaryFolder';

/** Runs in a process of its own, as other extensions' code would beside ours; prints what it found as JSON. */
const neighbour = `
// Importing node:http as a module reads all its exports, and so loads Node's own undici; this does not.
const http = process.getBuiltinModule('node:http');
const symbols = [1, 2].map((version) => Symbol.for('undici.globalDispatcher.' + version));
const early = process.argv[3] === 'early' ? { dispatch() { throw new Error('theirs was asked'); } } : undefined;
if (early) globalThis[symbols[0]] = early;
const { createUndiciStack } = await import(process.argv[2]);
const untouched = symbols.map((symbol, index) => globalThis[symbol] === (index === 0 ? early : undefined));
const server = http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = new URL('http://127.0.0.1:' + server.address().port);
const stack = createUndiciStack();
const timers = { connectMs: 5000, firstByteMs: 5000, idleMs: 5000, totalMs: 5000 };
const response = await stack.send({ method: 'GET', url, headers: {}, timers });
for await (const chunk of response.body);
const theirs = await fetch(url).then((answer) => answer.text(), (error) => String(error.cause ?? error));
const afterwards = early ? globalThis[symbols[0]] === early : globalThis[symbols[0]] !== undefined;
await stack.close();
server.close();
console.log(JSON.stringify({ untouched, ours: response.status, theirs, afterwards }));
`;

describe('loading undici', () => {
  const folder = setUpFolder();

  const run = async (...args: readonly string[]) => {
    const outfile = folder.in('stack.mjs');
    await build({
      entryPoints: ['src/core/api/transport/undiciTransport.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const script = folder.in('neighbour.mjs');
    await writeFile(script, neighbour);
    const { stdout } = await promisify(execFile)(process.execPath, [script, outfile, ...args]);
    return JSON.parse(stdout);
  };

  it('sets no process-wide dispatcher, and leaves the global fetch to set its own', async () => {
    assert.deepEqual(await run(), { untouched: [true, true], ours: 200, theirs: 'ok', afterwards: true });
  });

  it('keeps a dispatcher that another extension has set', async () => {
    assert.deepEqual(await run('early'), {
      untouched: [true, true],
      ours: 200,
      theirs: 'Error: theirs was asked',
      afterwards: true,
    });
  });
});
