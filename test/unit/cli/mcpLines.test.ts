import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { bundleMcp } from '../../support/mcpServer';
import { setUpFolder } from '../../support/temporaryFolder';
import { runs } from '../../support/runs';

interface Reported {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const megabyte = 1024 * 1024;
const request = (id: unknown, method = 'ping', params?: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('Input of the MCP server', function () {
  this.timeout(120_000);
  const folder = setUpFolder();
  let program = '';
  let server: ReturnType<typeof start> | undefined;
  before(async () => (program = await bundleMcp()));
  afterEach(async () => {
    await server?.kill();
    server = undefined;
  });

  const start = () => {
    const child = spawn(process.execPath, [program], {
      env: {
        INFERENCE_DESK_BASE_URL: 'https://api.example.com/v1',
        INFERENCE_DESK_API_KEY: 'sk-of-a-test-1234',
        INFERENCE_DESK_STATE: folder.in('state'),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const reported: Reported[] = [];
    let errors = '';
    let heard = () => undefined as void;
    const closed = once(child, 'close').then(() => heard());
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
    createInterface(child.stdout).on('line', (line) => {
      reported.push(JSON.parse(line) as Reported);
      heard();
    });
    let count = 0;
    return {
      child,
      closed,
      errors: () => errors,
      async write(this: void, ...parts: readonly (string | Uint8Array)[]) {
        for (const part of parts) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
      },
      /** What was answered when an honest request is, and as many others are; `undefined` where the server has ended. */
      async untilAnswered(this: void, others = 0): Promise<readonly Reported[] | undefined> {
        count += 1;
        const id = `honest-${count}`;
        child.stdin.write(`${request(id)}\n`);
        while (reported.length <= others || !reported.some((one) => one.id === id)) {
          if (child.exitCode !== null || child.signalCode !== null) return undefined;
          await new Promise<void>((resolve) => (heard = resolve));
        }
        return reported.splice(0).filter((one) => one.id !== id);
      },
      async end(this: void) {
        child.stdin.end();
        await closed;
      },
      async kill(this: void) {
        child.kill('SIGKILL');
        await closed;
      },
    };
  };
  const open = async () => {
    const opened = start();
    const clientInfo = { name: 'test', version: '1' };
    await opened.write(
      `${request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })}\n`,
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
    );
    equal((await opened.untilAnswered())?.length, 1);
    return opened;
  };
  const codes = (answers: readonly Reported[] | undefined) => answers?.map(({ id, error }) => [id, error?.code]);

  const notJson = -32700;
  const notRequest = -32600;
  const corpus: Readonly<Record<string, readonly [line: string | Uint8Array, answer?: readonly unknown[]]>> = {
    'invalid JSON': ['hello', [null, notJson]],
    'a truncated line': ['{"jsonrpc":"2.0","id":1,"meth', [null, notJson]],
    'an empty line': [''],
    'white space': [' \t\r'],
    'a number': ['5', [null, notRequest]],
    null: ['null', [null, notRequest]],
    'a string': ['"ping"', [null, notRequest]],
    'a batch': [`[${request(1)},${request(2)}]`, [null, notRequest]],
    'an empty batch': ['[]', [null, notRequest]],
    'an empty object': ['{}', [null, notRequest]],
    'brackets that never close': ['['.repeat(100_000), [null, notRequest]],
    'a line of brackets only': [nested(5_000_000), [null, notRequest]],
    'deep nesting': [nested(100_000), [null, notRequest]],
    'deep nesting in the parameters': [
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested(100_000)}}}`,
      [1, notRequest],
    ],
    'deep nesting in the arguments of a tool': [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inferenceDesk_rerank","arguments":{"query":"a","documents":${nested(100_000)}}}}`,
      [1, notRequest],
    ],
    'invalid UTF-8': [
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff\xfe"}}', 'latin1'),
      [1, notJson],
    ],
    'UTF-16': [Buffer.from(request(1), 'utf16le'), [null, notJson]],
    'NUL bytes': ['\0\0\0', [null, notJson]],
    'a NUL byte within': [`${request(1)}\0`, [null, notJson]],
    'two requests with a lone carriage return between': [`${request(1)}\r${request(2)}`, [null, notJson]],
    'a trailing carriage return': [`${request(1)}\r`, [1, undefined]],
    'a byte-order mark': [`\uFEFF${request(1)}`, [1, undefined]],
    'no version': ['{"id":1,"method":"ping"}', [1, notRequest]],
    'another version': ['{"jsonrpc":"1.0","id":1,"method":"ping"}', [1, notRequest]],
    'no method': ['{"jsonrpc":"2.0","id":1}', [1, notRequest]],
    "a method that isn't a string": ['{"jsonrpc":"2.0","id":1,"method":["ping"]}', [1, notRequest]],
    'an unknown method': [request(1, 'no/such'), [1, -32601]],
    'a method named __proto__': [request(1, '__proto__'), [1, -32601]],
    'a method named constructor': [request(1, 'constructor'), [1, -32601]],
    'an own __proto__': [
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"a":1}},"__proto__":null}',
      [1, notRequest],
    ],
    'a null ID': [request(null), [null, notRequest]],
    'a true ID': [request(true), [null, notRequest]],
    'an object as ID': [request({ a: 1 }), [null, notRequest]],
    'a fractional ID': [request(1.5), [null, notRequest]],
    'an infinite ID': ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', [null, notRequest]],
    'an empty ID': [request(''), ['', undefined]],
    'an ID named __proto__': [request('__proto__'), ['__proto__', undefined]],
    'string parameters': [request(1, 'tools/call', 'text'), [1, notRequest]],
    'array parameters': [request(1, 'tools/call', ['text']), [1, notRequest]],
    'null parameters': [request(1, 'tools/list', null), [1, notRequest]],
    'a tool call without parameters': [request(1, 'tools/call'), [1, -32602]],
    'a tool whose name is a number': [request(1, 'tools/call', { name: 5 }), [1, -32602]],
    'a tool named __proto__': [request(1, 'tools/call', { name: '__proto__' }), [1, -32602]],
    'string arguments': [request(1, 'tools/call', { name: 'inferenceDesk_rerank', arguments: 'x' }), [1, -32602]],
    'an invalid second handshake': [request(1, 'initialize', { protocolVersion: 5 }), [1, -32603]],
    'a notification with wrong parameters': ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}'],
    'a notification without a name': ['{"jsonrpc":"2.0","method":"notifications/progress"}'],
    'an unexpected response': ['{"jsonrpc":"2.0","id":77,"result":{}}'],
    'a response in another format': ['{"jsonrpc":"2.0","id":77,"result":"text"}'],
    'an unexpected error': ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}'],
  };

  describe('in sequence', () => {
    let shared: Awaited<ReturnType<typeof open>>;
    before(async () => (shared = await open()));
    after(() => shared.kill());

    for (const [what, [line, answer]] of Object.entries(corpus)) {
      it(`survives ${what}, and answers the valid requests`, async () => {
        const { write, untilAnswered } = shared;
        await write(line, '\n');
        deepEqual(codes(await untilAnswered(answer ? 1 : 0)), answer ? [answer] : []);
        await write(line, '\r\n', line, '\n');
        equal((await untilAnswered(answer ? 2 : 0))?.length, answer ? 2 : 0);
      });
    }
  });

  it('survives a bad first line', async () => {
    const some = ['invalid JSON', 'a batch', 'a byte-order mark', 'an unknown method', 'a response in another format'];
    for (const what of [...some, 'a notification with wrong parameters']) {
      server = start();
      await server.write(corpus[what]?.[0] ?? '', '\n');
      ok(await server.untilAnswered(), what);
      await server.end();
    }
  });

  it('rejects a line of more than 10 MB by its ID, and continues with the next line', async () => {
    const { write, untilAnswered } = (server = await open());
    const text = '{"id":"within","\\"":[{"id":3}]} \\\\\\" '.repeat((10 * megabyte) / 36 + 1);
    const params = { id: 'deeper', text };
    const lines: readonly (readonly [unknown, unknown?])[] = [
      [{ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, 7],
      [{ method: 'tools/call', params, jsonrpc: '2.0', id: 'the "last" \\ one' }, 'the "last" \\ one'],
      [{ method: 'tools/call', params, id: { a: 1 } }, null],
      [[{ method: 'tools/call', params, id: 1 }], null],
      [{ method: 'notifications/progress', params }],
      [{ jsonrpc: '2.0', id: 7, result: params }],
      [{ jsonrpc: '2.0', result: params, id: 7 }],
      [text, null],
    ];
    for (const [value, id] of lines) {
      await write(JSON.stringify(value), '\n');
      const answers = await untilAnswered();
      deepEqual(codes(answers), id === undefined ? [] : [[id, notRequest]]);
      for (const { error } of answers ?? []) match(error?.message ?? '', /longer than 10 MB/);
    }
  });

  it('answers a line just below the limit, among others in the same chunk', async () => {
    const { write, untilAnswered } = (server = await open());
    const long = request(1, 'ping', { text: 'x'.repeat(10 * megabyte - 100) });
    await write(`${request(2)}\n${long}\n${request(3)}\n${long}\n`);
    deepEqual(
      codes(await untilAnswered()),
      [2, 1, 3, 1].map((id) => [id, undefined]),
    );
  });

  it('discards a line that never ends', async () => {
    const { child, write, untilAnswered } = (server = await open());
    const piece = Buffer.alloc(megabyte, '{"a":["');
    const peakKb = async () =>
      Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => ''))?.[1] ?? 0);
    const before = await peakKb();
    await write(...Array.from({ length: runs(250, 400) }, () => piece), '\n');
    deepEqual(codes(await untilAnswered()), [[null, notRequest]]);
    ok((await peakKb()) - before < 200 * 1024);
  });

  it('answers valid requests between lines of any bytes, split anywhere', async () => {
    const { write, untilAnswered } = (server = await open());
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '"id"',
      '"method"',
      '"result"',
      '"jsonrpc":"2.0"',
      '1',
      'null',
      '\r',
      '\0',
      '\uFEFF',
      'é',
      '__proto__',
    );
    const anyLine = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
      fc.array(tokens, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
      fc.json().map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 5 }),
        fc.array(fc.nat(300), { maxLength: 3 }),
        async (lines, cuts) => {
          const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted((a, b) => a - b);
          await write(...places.map((place, at) => bytes.subarray(place, places[at + 1] ?? place)));
          ok(await untilAnswered());
        },
      ),
      { numRuns: runs(100, 200) },
    );
  });

  const many = runs(3000, 10_000);
  it(`answers each of ${many} quick requests once`, async () => {
    const { write, untilAnswered, errors } = (server = await open());
    const ids = Array.from({ length: many }, (_, id) => id);
    await write(ids.map((id) => `${request(id, id % 2 === 0 ? 'ping' : 'tools/list')}\n`).join(''));
    deepEqual(
      (await untilAnswered())?.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b)),
      ids,
    );
    equal(errors(), '');
  });

  it('ends cleanly if its input ends within a line', async () => {
    const { child, write, end } = (server = await open());
    await write(request(1).slice(0, 20));
    await end();
    equal(child.exitCode, 0);
  });

  it('ends cleanly when its output closes', async () => {
    const { child, write, closed, errors } = (server = await open());
    child.stdout.destroy();
    await write(`${request(1)}\n`.repeat(1000));
    await closed;
    equal(child.exitCode, 0, errors());
    ok(!errors().includes('    at '), errors());
  });

  it('continues when its error output closes', async () => {
    const { child, write, untilAnswered } = (server = await open());
    child.stderr.destroy();
    for (let time = 0; time < 20; time += 1) {
      await write('{"jsonrpc":"2.0","id":77,"result":"text"}\n');
      ok(await untilAnswered());
    }
  });
});
