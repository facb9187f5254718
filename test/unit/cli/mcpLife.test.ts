import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readEnvironment } from '../../../src/cli/mcp/environment';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { startHoldingService } from '../../support/holdingService';
import type { HoldingService } from '../../support/holdingService';
import { bundleMcp, openMcp } from '../../support/mcpServer';
import { filesIn } from '../../support/mediaEngines';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

describe('The lifecycle of the MCP server', function () {
  this.timeout(180_000);
  const folder = setUpFolder();
  let program = '';
  before(async () => (program = await bundleMcp()));

  const run = async (environment: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (said.err += String(chunk)));
    child.stdin.end();
    await once(child, 'close');
    return { code: child.exitCode, ...said };
  };

  const good = { INFERENCE_DESK_BASE_URL: 'https://api.example.com/v1', INFERENCE_DESK_API_KEY: 'sk-of-a-test-1234' };

  it('names missing environment variables, and exits with 2', async () => {
    const faults: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{}, /^INFERENCE_DESK_BASE_URL: Missing/],
      [{ ...good, INFERENCE_DESK_BASE_URL: 'http://api.example.com/v1' }, /Use https/],
      [{ ...good, INFERENCE_DESK_BASE_URL: 'https://a:b@api.example.com/v1' }, /Remove the user name and password/],
      [{ INFERENCE_DESK_BASE_URL: good.INFERENCE_DESK_BASE_URL }, /^INFERENCE_DESK_API_KEY: Missing/],
      [{ ...good, INFERENCE_DESK_API_KEY: 'sk-of a-test-1234' }, /without spaces or line breaks/],
      [{ ...good, INFERENCE_DESK_BASE_URL: 'sk-of-a-test-1234' }, /^INFERENCE_DESK_BASE_URL: This is a key/],
      [{ ...good, INFERENCE_DESK_API_KEY: 'https://api.example.com/v1' }, /^INFERENCE_DESK_API_KEY: This is a URL/],
      [{ ...good, INFERENCE_DESK_BASE_URL: 'http://10.0.0.9:8000/v1' }, /set INFERENCE_DESK_ALLOW_HTTP to 1/],
      [
        { INFERENCE_DESK_BASE_URL: 'https://api.anthropic.com/v1', INFERENCE_DESK_API_KEY: '' },
        /^INFERENCE_DESK_API_KEY: Missing/,
      ],
      [{ ...good, INFERENCE_DESK_KEY_HEADER: 'cookie' }, /^INFERENCE_DESK_KEY_HEADER must be bearer/],
      [{ ...good, INFERENCE_DESK_FOLDER: 'relative' }, /^INFERENCE_DESK_FOLDER must be .*absolute/],
      [{ ...good, INFERENCE_DESK_DAILY_TOKENS: '1e6' }, /^INFERENCE_DESK_DAILY_TOKENS must be .*whole number/],
      [{ ...good, INFERENCE_DESK_TOOL_TOKENS: 'many' }, /^INFERENCE_DESK_TOOL_TOKENS must be .*whole number/],
      [{ ...good, INFERENCE_DESK_DAILY_ORDERS: 'ten' }, /^INFERENCE_DESK_DAILY_ORDERS must be .*whole number/],
      [{ ...good, INFERENCE_DESK_SECRET_FILES: '**/plans/**' }, /^INFERENCE_DESK_SECRET_FILES must be .*JSON array/],
      [{ ...good, INFERENCE_DESK_DAILY_TOKENS: '-1' }, /^INFERENCE_DESK_DAILY_TOKENS must be .*whole number/],
    ];
    for (const [environment, words] of faults) {
      throws(
        () => readEnvironment(environment),
        ({ message }: Error) => words.test(message) && !message.includes('a-test-1234'),
      );
    }
    const { code, out, err } = await run({ ...good, INFERENCE_DESK_API_KEY: 'sk-of a-test-1234' });
    match(err, /^INFERENCE_DESK_API_KEY: Copy only the key/);
    deepEqual([code, out], [2, '']);
    ok(!err.includes('a-test-1234'), err);
  });

  it('needs no key for a service without keys, also over http in a private network', () => {
    const read = (address: string, more = {}) => {
      const { baseUrl, apiKey, keyHeader } = readEnvironment({ INFERENCE_DESK_BASE_URL: address, ...more });
      return [baseUrl, apiKey, keyHeader];
    };
    const gpu = 'http://10.0.0.9:8000/v1';
    deepEqual(read('http://localhost:11434/v1'), ['http://localhost:11434/v1', '', undefined]);
    deepEqual(read(gpu, { INFERENCE_DESK_API_KEY: '', INFERENCE_DESK_ALLOW_HTTP: '1' }), [gpu, '', undefined]);
    const header = { INFERENCE_DESK_API_KEY: 'sk-of-a-test-1234', INFERENCE_DESK_KEY_HEADER: 'x-api-key' };
    deepEqual(read('https://a.example/v1', header), ['https://a.example/v1', 'sk-of-a-test-1234', 'x-api-key']);
  });

  it('prints its usage, and ends when its input closes', async () => {
    const help = await run({}, ['--help']);
    deepEqual([help.code, help.out], [0, '']);
    match(help.err, /INFERENCE_DESK_API_KEY/);
    match(help.err, /or to the start folder, unless that contains your home\s+folder/);
    const silent = await run({ ...good, INFERENCE_DESK_STATE: folder.in('state') });
    deepEqual(silent, { code: 0, out: '', err: '' });
  });

  it('works in its start folder, unless that contains the home folder under any name', async () => {
    await mkdir(folder.in('people/me/project'), { recursive: true });
    await symlink(folder.in('people'), folder.in('alias'));
    const startedIn = (name: string) =>
      readEnvironment(good, { platform: 'linux', home: folder.in('alias/me'), workingFolder: folder.in(name) })
        .startedIn;
    equal(startedIn('people/me/project'), folder.in('people/me/project'));
    for (const name of ['people/me', 'alias/me', 'people', 'alias', '']) equal(startedIn(name), undefined, name);
  });

  it('stores jobs per service in the usual place for application state', () => {
    const at = (platform: NodeJS.Platform, more: Readonly<Record<string, string>> = {}) =>
      readEnvironment({ ...good, ...more }, { platform, home: '/home/me', workingFolder: '/home/me/project' });
    const own = 'inference-desk-mcp/api.example.com';
    equal(at('linux').state, `/home/me/.local/state/${own}`);
    equal(at('linux', { XDG_STATE_HOME: '/state' }).state, `/state/${own}`);
    equal(at('darwin').state, `/home/me/Library/Application Support/${own}`);
    equal(at('linux', { INFERENCE_DESK_STATE: '~/kept' }).state, '/home/me/kept/api.example.com');
    equal(at('linux').startedIn, '/home/me/project');
    for (const workingFolder of ['/', '/home/me']) {
      equal(readEnvironment(good, { platform: 'linux', home: '/home/me', workingFolder }).startedIn, undefined);
    }
  });

  describe('while an image is being paid for', () => {
    let demo: FilledDemo;
    let service: HoldingService;
    beforeEach(async () => {
      demo = await startFilledDemo({ pace: 'instant' });
      service = await startHoldingService(demo);
    });
    afterEach(async () => {
      await service.close();
      await demo.close();
    });
    const open = () => openMcp(program, folder.path(), { baseUrl: service.baseUrl, apiKey: demo.apiKey });
    const records = async (): Promise<readonly string[]> => {
      const at = folder.in('state/127.0.0.1/media/media');
      const names = (await readdir(at).catch((): string[] => [])).filter((name) => name.endsWith('.json'));
      return Promise.all(names.map((name) => readFile(path.join(at, name), 'utf8')));
    };
    const isAt = (stage: string) =>
      until(async () => ((await records()).some((text) => text.includes(`"${stage}"`)) ? true : undefined), stage);
    const saved = async () =>
      (await filesIn(folder.in('work/inference-desk'))).filter((name) => !name.endsWith('.part')).length;
    const ordered = async () =>
      (await demo.requests()).filter((request) => request.path === '/v1/images/generations').length;

    it('saves the image when the client cancels', async () => {
      service.hold('/images/generations');
      const server = await open();
      try {
        const stop = new AbortController();
        const calling = server.client.callTool(
          { name: 'inferenceDesk_generateImage', arguments: { prompt: 'A house' } },
          { signal: stop.signal },
        );
        await until(() => (service.held === 1 ? true : undefined), 'the order');
        stop.abort();
        await rejects(calling);
        // The server has read of it by now: it has answered what came later.
        await server.call('accountBalance');
        service.letGo();
        await isAt('ended');
        deepEqual([await saved(), await ordered()], [1, 1]);
      } finally {
        await server.close();
      }
    });

    it('saves the image when the client disconnects', async () => {
      service.hold('/images/generations');
      const server = await open();
      const calling = server.call('generateImage', { prompt: 'A house' }).catch(() => undefined);
      await until(() => (service.held === 1 ? true : undefined), 'the order');
      const closing = server.close();
      await setTimeout(500);
      service.letGo();
      await closing;
      await calling;
      deepEqual([await saved(), await ordered()], [1, 1]);
    });

    it('saves an image that is downloading when the client disconnects', async () => {
      await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint: 'GET asset', delayMs: 1000 });
      const server = await open();
      const calling = server.call('generateImage', { prompt: 'A house' }).catch(() => undefined);
      await isAt('fetching');
      await server.close();
      await calling;
      equal(await saved(), 1);
    });
  });

  describe('killed during video generation', () => {
    let demo: FilledDemo;
    const pace = { videoQueueMs: 0, videoWorkMs: 1500, clipFrames: 2 };
    beforeEach(async () => (demo = await startFilledDemo({ pace })));
    afterEach(() => demo.close());

    it('downloads the video once after a restart, without another request', async () => {
      await mkdir(folder.in('work'));
      const first = await openMcp(program, folder.path(), demo);
      const { text } = await first.call('submitVideo', { prompt: 'Waves' });
      const id = /Job ID: ([\w-]+)/.exec(text)?.[1] ?? '';
      process.kill(first.pid, 'SIGKILL');
      await first.close();

      const made = folder.in(path.join('work', 'inference-desk'));
      deepEqual(await filesIn(made), []);
      const second = await openMcp(program, folder.path(), demo);
      try {
        // Nobody asks: it is followed by itself.
        await until(
          async () => ((await filesIn(made)).some((name) => name.endsWith('.mp4')) ? true : undefined),
          'it',
          150_000,
        );
        match((await second.call('videoStatus', { id })).text, /is saved/);
        equal((await filesIn(made)).length, 1);
      } finally {
        await second.close();
      }
      const { requests } = (await demo.call('GET', '/_control/requests')) as {
        readonly requests: readonly { readonly path: string }[];
      };
      equal(requests.filter((request) => request.path === '/v1/video/submit').length, 1);
    });
  });
});
