import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart } from '../../../src/demo/attachOrStart';
import { startDemo } from '../../../src/demo/server';

type Notes = { port: number; apiKey: string; pid: number; [more: string]: unknown };

describe('demo service: proof before a key is sent', () => {
  let folder = '';
  let closings: (() => Promise<unknown>)[] = [];
  const seen: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
    seen.length = 0;
  });
  afterEach(async () => {
    await Promise.all(closings.splice(0).map((close) => close()));
    closings = [];
    await rm(folder, { recursive: true, force: true });
  });

  const attach = async () => {
    const reported: string[] = [];
    const demo = await attachOrStart({ dataDir: folder, pace: 'instant' }, (message) => reported.push(message));
    closings.push(() => demo.close());
    return { ...demo, reported };
  };
  const notes = async () => JSON.parse(await readFile(join(folder, 'service.json'), 'utf8')) as Notes;
  const note = (changed: object) => writeFile(join(folder, 'service.json'), JSON.stringify(changed));

  /** Notes all that reaches it and answers as the test wants. */
  async function squat(port: number, answer: RequestListener): Promise<number> {
    const server = createServer((request, response) => {
      seen.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`);
      answer(request, response);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    closings.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  /** The folder's service ended, and another program is at its port. */
  async function leftTo(answer: RequestListener): Promise<Notes> {
    const first = await attach();
    await first.close();
    const left = await notes();
    await squat(left.port, answer);
    return left;
  }

  async function startsItsOwn(left: Notes): Promise<void> {
    const own = await attach();
    assert.equal(own.attached, false);
    assert.notEqual(own.port, left.port);
    assert.equal(own.reported.length, 1);
    assert.match(own.reported[0] ?? '', new RegExp(`${left.port}.*${own.port}`));
    assert.ok(seen.length > 0, 'the stranger was asked for its proof');
    assert.ok(!seen.join('\n').includes(own.apiKey), 'the key reached the stranger');
    assert.ok(!/authorization/i.test(seen.join('\n')));
    const again = await attach();
    assert.deepEqual([again.attached, again.port], [true, own.port]);
  }

  it("is required from any server at the port, and one with only the service's name gets no key", async () => {
    const left = await leftTo((_, response) => response.end('{"service":"inference-desk-demo","proof":"00"}'));
    await startsItsOwn(left);
  });

  it("isn't a repeated nonce or an endless response", async () => {
    for (const answer of [
      ((request, response) => {
        const nonce = /[\da-f]{64}/.exec(request.url ?? '')?.[0] ?? '';
        response.end(JSON.stringify({ service: 'inference-desk-demo', proof: nonce }));
      }) satisfies RequestListener,
      ((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }) satisfies RequestListener,
    ]) {
      await startsItsOwn(await leftTo(answer));
      await Promise.all(closings.splice(0).map((close) => close()));
    }
  });

  it("is valid only for its own port, so a stranger that relays the challenge isn't trusted", async () => {
    const genuine = await attach();
    const relay = await squat(0, (request, response) => {
      void fetch(`http://127.0.0.1:${genuine.port}${request.url}`)
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });
    await note({ ...(await notes()), port: relay });
    const own = await attach();
    assert.equal(own.attached, false);
    assert.ok(seen.length > 0);
    assert.ok(!seen.join('\n').includes(own.apiKey));
  });

  it('changes at each start, so notes of an earlier start prove nothing', async () => {
    const first = await attach();
    const before = await notes();
    await first.close();
    const second = await attach();
    assert.equal(second.port, first.port);
    assert.notEqual((await notes())['secret'], before['secret']);
    assert.ok(!seen.join('').includes(String(before['secret'])));
  });

  it('is missing in a service of an earlier version, which is left running', async () => {
    const earlier = await startDemo({ dataDir: join(folder, 'earlier'), pace: 'instant' });
    closings.push(() => earlier.close());
    await note({ port: earlier.port, apiKey: earlier.apiKey, pid: process.pid });
    const own = await attach();
    assert.deepEqual([own.attached, own.port === earlier.port], [false, false]);
    assert.equal((await fetch(`${earlier.baseUrl}/models`)).status, 401);
  });

  it('survives truncated, empty, or invalid notes', async () => {
    for (const left of [
      '',
      '{"port":',
      '[]',
      'null',
      '{"port":"x","apiKey":1,"secret":{}}',
      '{"port":99999,"apiKey":"sk-x","secret":"y"}',
    ]) {
      await writeFile(join(folder, 'service.json'), left);
      const own = await attach();
      assert.equal(own.attached, false);
      await own.close();
    }
  });

  it('is derived from data that only its user can read', async function () {
    if (process.platform === 'win32') return this.skip();
    await attach();
    const { secret } = await notes();
    assert.match(String(secret), /^[\da-f]{64}$/);
    assert.equal((await stat(join(folder, 'service.json'))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });
});
