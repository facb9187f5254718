import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readActivity, readSpendTable } from '../../src/features/activity/activityView';
import { ServerOffer } from '../../src/features/mcp/serverOffer';
import { createCosts } from '../../src/services/usage/costs';
import { UsageService } from '../../src/services/usage/usage';
import type { Services } from '../../src/services/services';
import { createTestClient } from '../support/apiClient';
import { beginAnew, deskServices, ensureSettings, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

const chatModel = 'deepseek-ai/DeepSeek-R1';
const lake = 'A lake between mountains. '.repeat(40);
const question = { model: chatModel, messages: [{ role: 'user' as const, content: lake }], max_tokens: 400 };
const ranking = { model: 'Qwen/Qwen3-Reranker-8B', query: 'lakes', documents: Array.from({ length: 9 }, () => lake) };
const image = { model: 'black-forest-labs/FLUX.2-pro', prompt: 'a lake' };
const video = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'a lake', image_size: '1280x720' };
const speechModel = 'FunAudioLLM/CosyVoice2-0.5B';
const speech = { model: speechModel, input: lake, voice: `${speechModel}:alex` };

describe('the total on the activity page without a known price', function () {
  this.timeout(150_000);
  let services: Services;
  let demo: FilledDemo;
  const folder = setUpFolder();
  const profile = randomUUID();
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, profile, demo);
    await ensureSettings(services.settings, { 'mcp.enabled': true });
    await services.account.refresh();
    await until(async () => await (await services.usage()).spentToday(profile), 'the first reading');
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
  });
  after(async () => {
    await ensureSettings(services.settings, { 'mcp.enabled': false });
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await beginAnew(services);
    await demo.close();
  });

  const balance = async () => {
    const { client } = createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey });
    return Number((await client.account.info()).totalBalance);
  };
  const today = { days: 1, by: 'client', account: profile } as const;
  const charged = async (of = services) =>
    (await readSpendTable(of, today))
      .split('\n')
      .slice(1, -1)
      .reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0);
  const failing = async (fault: string, endpoint: string, work: () => Promise<unknown>) => {
    await demo.call('POST', '/_control/arm', { fault, endpoint });
    await work().catch(() => undefined);
  };
  const client = () => services.connections.client(profile);
  const ended = (jobs: () => readonly { readonly id: string; readonly stage: string }[], id: string) =>
    until(() => jobs().find((job) => job.id === id && !['running', 'fetching'].includes(job.stage)), 'the end', 60_000);
  const generate = async (task: { readonly kind: 'image' | 'video'; readonly request: object }) => {
    const { id } = await (await services.media()).submit(task as never);
    await ended(() => services.media.jobs, id);
  };
  const submitBatch = async () => {
    const path = folder.in('requests.jsonl');
    const lines = ['a', 'b', 'c'].map((id) => `${requestLine(id, lake, { model: chatModel, max_tokens: 400 })}\n`);
    writeFileSync(path, lines.join(''));
    const { id } = await (await services.batchJobs()).submit({ path, completion_window: '24h' });
    await ended(() => services.batchJobs.jobs, id);
  };
  const ask = async () => {
    for await (const _ of (await client()).chat.stream(question));
  };
  const speak = async () => {
    const { speech: noun } = await client();
    await services.costs.around(
      profile,
      async () => {
        for await (const _ of (await noun.create(speech)).body);
      },
      () => ({ kind: 'speech', model: speechModel, count: 1, of: randomUUID() }),
    );
  };
  /** Calls a tool of the MCP server, and kills the server as soon as the demo has charged for it. */
  const killDuring = async (name: string, input: object, pace: object) => {
    const offer = new ServerOffer(services);
    const [definition] = await offer.provide();
    const { command, args, env } = await offer.resolve(definition!);
    const texts = Object.entries(env).map(([variable, value]) => [variable, String(value)] as const);
    const variables = { ...Object.fromEntries(texts), INFERENCE_DESK_FOLDER: folder.path() };
    const transport = new StdioClientTransport({ command, args, env: variables, stderr: 'ignore' });
    const server = new McpClient({ name: 'test', version: '1' });
    await server.connect(transport);
    await demo.call('POST', '/_control/pace', { pace });
    const before = await balance();
    server.callTool({ name: `inferenceDesk_${name}`, arguments: { ...input } }).catch(() => undefined);
    await until(async () => (await balance()) < before || undefined, 'the charge');
    process.kill(transport.pid!, 'SIGKILL');
    await server.close();
  };

  /** What the service doesn't charge. */
  const free = new Set(['a video that fails']);
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    'a chat': ask,
    'a chat whose response breaks off': () => failing('cut-stream', 'POST /messages', ask),
    'a chat whose response is an error in the middle': () => failing('error-event', 'POST /messages', ask),
    'a ranking': async () => (await client()).rerank.create(ranking),
    'a ranking whose response is lost': () =>
      failing('reset-after-headers', 'POST /rerank', async () => (await client()).rerank.create(ranking)),
    'a ranking of an MCP server that is killed before the response': () =>
      killDuring('rerank', ranking, { workMs: 3_600_000 }),
    'an image': () => generate({ kind: 'image', request: image }),
    'an image without a URL': () =>
      failing('no-address', 'POST /images/generations', () => generate({ kind: 'image', request: image })),
    'an image whose response is lost': () =>
      failing('reset-after-headers', 'POST /images/generations', () => generate({ kind: 'image', request: image })),
    'a video': () => generate({ kind: 'video', request: video }),
    'a video that fails': () =>
      failing('failed-job', 'POST /video/submit', () => generate({ kind: 'video', request: video })),
    speech: speak,
    'speech that breaks off': () => failing('cut-body', 'POST /audio/speech', speak),
    'a batch': submitBatch,
    'a batch with unconfirmed creation': () => failing('reset-after-headers', 'POST /batches', submitBatch),
  };
  for (const [what, work] of Object.entries(kinds))
    it(`grows by the decrease of the balance, within 1%, for ${what}`, async () => {
      const [shownBefore, balanceBefore] = [await charged(), await balance()];
      await work();
      let last = '';
      await until(
        async () => {
          await services.account.refresh();
          const [fell, shown] = [balanceBefore - (await balance()), (await charged()) - shownBefore];
          last = `${shown} instead of ${fell}`;
          const isCharged = fell > 0 || free.has(what);
          return (isCharged && Math.abs(shown - fell) <= fell / 100) || undefined;
        },
        'the same amounts',
        60_000,
      ).catch((error: unknown) => {
        throw new Error(last, { cause: error });
      });
    });

  it('is the same after a reload, and complete', async () => {
    const costs = createCosts(services);
    try {
      const again = { ...services, costs, usage: async () => new UsageService({ ...services, costs }) } as Services;
      const before = await charged();
      // Charges count in their window before they are on disk.
      await until(
        async () => Math.abs((await charged(again)) - before) <= before / 100 || undefined,
        'the same amount',
      );
      const { total } = (await readActivity(again, today)).spend;
      ok(!total.charged.includes('≥'), total.charged);
      equal((await readActivity(again, today)).spend.unit, 'Charged');
    } finally {
      costs.dispose();
    }
  });
});
