import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PaidEnd } from '../../src/core/account/costs';
import { findModel } from '../../src/demo/catalogue';
import { batchDetails } from '../../src/features/batches/batchDrawing';
import { createBatchRows } from '../../src/features/batches/logic/batchRows';
import { SubmitController } from '../../src/features/batchSubmit/submitController';
import { PageMemory } from '../../src/features/batchSubmit/submitSession';
import { StoredTabs } from '../../src/platform/webview/screenTabs';
import type { SubmitView } from '../../src/protocol/batchSubmit';
import type { ModelCost } from '../../src/protocol/wire';
import { lastCosts } from '../../src/services/usage/costMessages';
import { createCosts } from '../../src/services/usage/costs';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createPageEnd } from '../support/pageEnd';
import { readSpendTable } from '../../src/features/activity/activityView';
import { UsageService } from '../../src/services/usage/usage';
import { createTestClient } from '../support/apiClient';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const imageModel = 'black-forest-labs/FLUX.2-pro';
const chatModel = 'deepseek-ai/DeepSeek-R1';
const rerankModel = 'Qwen/Qwen3-Reranker-8B';
const videoModel = 'Wan-AI/Wan2.2-T2V-A14B';
const speechModel = 'FunAudioLLM/CosyVoice2-0.5B';

describe('costs', function () {
  this.timeout(150_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  // Another one where the tests run again: what was paid for just before counts.
  const profile = randomUUID();
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'costs-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, profile, demo);
  });
  after(async () => {
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const makeImage = async () =>
    (await (await services.media()).submit({ kind: 'image', request: { model: imageModel, prompt: 'a lake' } })).id;
  const costOf = (id: string) =>
    until(
      () => {
        const cost = services.costs.of(id);
        return cost && 'fell' in cost ? cost : undefined;
      },
      'what it cost',
      60_000,
    );
  const readings = async () => (await demo.requests()).filter((one) => one.path.endsWith('/user/info')).length;

  it('of a batch are determined from the balance, and kept after a reload', async () => {
    const before = await readings();
    const file = path.join(folder, 'two.jsonl');
    writeFileSync(file, ['a', 'b'].map((id) => `${requestLine(id, 'Hello', { model: chatModel })}\n`).join(''));
    // A page that is open meanwhile says so by itself.
    const end = createPageEnd<'batchSubmit'>();
    const stored = new StoredTabs(services.context.workspaceState, 'batchSubmit.pages');
    const memory = new PageMemory(stored, 'costs', { kind: 'disk', path: file });
    const shown = new SubmitController(services, { panel: end.panel, id: 'costs' }, memory, () => Promise.resolve());
    const said: SubmitView[] = [];
    end.page.on('submit/changed', (view) => void said.push(view));
    const { id } = await (await services.batchJobs()).submit({ path: file, completion_window: '24h' });
    const cost = await costOf(id);
    ok((await readings()) - before <= 3);
    await until(() => said.find(({ costs }) => costs.length > 0), 'the cost on the page');
    shown.dispose();
    deepEqual([cost.kind, cost.model, cost.count], ['batch', chatModel, 2]);
    const [row] = createBatchRows()({ batches: [], readAt: 0, jobs: services.batchJobs.jobs, costs: services.costs });
    const detail = batchDetails(row!, Date.now()).find(({ label }) => label === 'Cost');
    match(String(detail?.description), /^0\.\d+ \(measured by the decrease in your balance\)$/);
    match(JSON.stringify(detail?.tooltip), new RegExp(`^"Your balance decreased by ${cost.fell.replace('.', '\\.')}`));

    // What a window that opens now knows.
    const again = createCosts(services);
    await until(async () => {
      await again.ready();
      return again.of(id);
    }, 'what is kept');
    const [{ model, text }] = lastCosts(again, 'batch') as [ModelCost];
    equal(model, chatModel);
    match(text, /^Last batch with this model: about 0\.\d+ for 2 requests$/);
    again.dispose();
  });

  it('of a day equal the decrease of the balance, also for failed requests', async () => {
    const { client } = createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey });
    const balance = async () => Number((await client.account.info()).totalBalance);
    await services.account.refresh();
    const usage = await services.usage();
    await until(async () => await usage.spentToday(profile), 'the first reading');
    const [spentBefore, balanceBefore] = [(await usage.spentToday(profile)) ?? 0, await balance()];
    const { messages, rerank } = await services.connections.client();
    const question = { model: chatModel, messages: [{ role: 'user' as const, content: 'Hello' }], max_tokens: 200 };
    await messages.create(question);
    await rerank.create({ model: 'Qwen/Qwen3-Reranker-8B', query: 'lakes', documents: ['a lake', 'a river'] });
    await makeImage();
    await demo.call('POST', '/_control/arm', { fault: 'html-502', endpoint: 'POST /messages' });
    await messages.create(question).catch(() => undefined);
    const fell = balanceBefore - (await balance());
    ok(fell > 0);
    await services.account.refresh();
    await until(
      async () =>
        Math.abs(((await usage.spentToday(profile)) ?? 0) - spentBefore - fell) <= fell / 100 ? true : undefined,
      'the spending of today',
    );
    // What a window that opens now knows, once the charges are on disk.
    const again = new UsageService(services);
    const isSame = (spent: number) => Math.abs(spent - spentBefore - fell) <= fell / 100;
    await until(async () => isSame((await again.spentToday(profile)) ?? 0) || undefined, 'the same spending');
  });

  describe('of a day with entered prices and an unreported balance', () => {
    const own = randomUUID();
    const balance = async () =>
      Number(
        (await createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey }).client.account.info()).totalBalance,
      );
    const lake = 'A lake between mountains. '.repeat(40);
    const question = { model: chatModel, messages: [{ role: 'user' as const, content: lake }], max_tokens: 400 };
    const prices = () =>
      Object.fromEntries(
        [chatModel, rerankModel, imageModel, videoModel, speechModel].map((id) => {
          const price = (findModel(id)?.price ?? 0) / 1e6;
          const perMillion = price * 1000;
          return [id, { input: perMillion, output: perMillion, image: price, video: price, clip: price }];
        }),
      );
    before(async () => {
      await signInAnew(services, own, demo);
      await ensureSettings(services.settings, { prices: prices() as never });
      await demo.call('POST', '/_control/arm', { fault: 'gone', endpoint: 'GET /user/info' });
      await services.account.refresh();
      equal(services.account.state.status, 'notOffered');
    });
    after(async () => {
      await ensureSettings(services.settings, { prices: {} });
      await signInAnew(services, profile, demo);
    });

    const ofJob = (jobs: () => readonly { readonly id: string; readonly stage: string }[], id: string) =>
      until(() => jobs().find((job) => job.id === id && job.stage === 'ended'), 'the end of the job', 60_000);
    const speak = async (ended: () => PaidEnd) => {
      const { speech } = await services.connections.client();
      const request = { model: speechModel, input: 'a'.repeat(1000), voice: `${speechModel}:alex` };
      await services.costs.around(
        own,
        async () => {
          for await (const _ of (await speech.create(request)).body);
        },
        ended,
        { piece: 'clip', model: speechModel, count: 1 },
      );
    };
    const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
      chat: async () => (await services.connections.client()).messages.create(question),
      rankings: async () =>
        (await services.connections.client()).rerank.create({
          model: rerankModel,
          query: 'lakes',
          documents: Array.from({ length: 20 }, () => lake),
        }),
      images: async () => ofJob(() => services.media.jobs, await makeImage()),
      videos: async () => {
        const request = { model: videoModel, prompt: 'a lake', image_size: '1280x720' };
        await ofJob(() => services.media.jobs, (await (await services.media()).submit({ kind: 'video', request })).id);
      },
      speech: () => speak(() => ({ kind: 'speech', model: speechModel, count: 1, of: 'clip' })),
      'speech without a usable result': () => speak(() => 'unsure'),
      batches: async () => {
        const file = path.join(folder, 'long.jsonl');
        const lines = ['a', 'b', 'c'].map((id) => `${requestLine(id, lake, { model: chatModel, max_tokens: 400 })}\n`);
        writeFileSync(file, lines.join(''));
        await ofJob(
          () => services.batchJobs.jobs,
          (await (await services.batchJobs()).submit({ path: file, completion_window: '24h' })).id,
        );
      },
    };
    it('stay on the activity page after their jobs are removed from the list', async () => {
      const shown = async () => {
        const table = await readSpendTable(services, { days: 1, by: 'client', account: own });
        return table
          .split('\n')
          .slice(1, -1)
          .reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0);
      };
      const before = await shown();
      const image = await makeImage();
      await ofJob(() => services.media.jobs, image);
      const file = path.join(folder, 'removed.jsonl');
      writeFileSync(file, `${requestLine('a', lake, { model: chatModel, max_tokens: 400 })}\n`);
      const batch = (await (await services.batchJobs()).submit({ path: file, completion_window: '24h' })).id;
      await ofJob(() => services.batchJobs.jobs, batch);
      const usage = await services.usage();
      const noted = async () => {
        const jobs = (await usage.history(1, [own])).map(({ job }) => job);
        return [image, batch].every((id) => jobs.includes(id)) || undefined;
      };
      await until(noted, 'the charges');
      const withJobs = await shown();
      ok(withJobs > before);
      // What was charged doesn't change with the prices.
      const tenfold = Object.entries(prices()).map(([id, one]) => [
        id,
        Object.fromEntries(Object.entries(one).map(([unit, price]) => [unit, price * 10])),
      ]);
      await ensureSettings(services.settings, { prices: Object.fromEntries(tenfold) as never });
      equal((await shown()).toFixed(9), withJobs.toFixed(9));
      await ensureSettings(services.settings, { prices: prices() as never });
      await (await services.media()).forget(image);
      await (await services.batchJobs()).forget(batch);
      equal((await shown()).toFixed(9), withJobs.toFixed(9));
    });

    for (const [kind, work] of Object.entries(kinds))
      it(`equal the charge for ${kind}, also after a reload`, async () => {
        const spent = async () => (await (await services.usage()).spentToday(own)) ?? 0;
        /** The sum of the charges on the page of activity. */
        const shown = async () => {
          const table = await readSpendTable(services, { days: 1, by: 'client', account: own });
          const lines = table.split('\n').slice(1, -1);
          return lines.reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0);
        };
        const [spentBefore, shownBefore, balanceBefore] = [await spent(), await shown(), await balance()];
        await work();
        const fell = balanceBefore - (await balance());
        ok(fell > 0);
        const isSame = (now: number) => Math.abs(now - spentBefore - fell) <= fell / 100;
        await until(async () => (isSame(await spent()) ? true : undefined), `${fell}`).catch(async (error: unknown) => {
          throw new Error(`${(await spent()) - spentBefore} instead of ${fell}`, { cause: error });
        });
        // The charge counts in its window before it is on disk, where the next window finds it.
        const next = new UsageService(services);
        await until(async () => isSame((await next.spentToday(own)) ?? 0) || undefined, 'the charge on disk');
        const more = (await shown()) - shownBefore;
        ok(Math.abs(more - fell) <= fell / 100, `${more} on the page instead of ${fell}`);
      });
  });

  it("aren't derived from the balance if the service doesn't report it; chat requests count as charged", async () => {
    const { begun: before } = services.connections.paidCalls(profile);
    await (
      await services.connections.client()
    ).messages.create({
      model: chatModel,
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 20,
    });
    const { begun, open } = services.connections.paidCalls(profile);
    deepEqual([begun - before, open], [1, 0]);

    await demo.call('POST', '/_control/arm', { fault: 'gone', endpoint: 'GET /user/info' });
    await services.account.refresh();
    equal(services.account.state.status, 'notOffered');
    const readBefore = await readings();
    await makeImage();
    equal(await readings(), readBefore);
  });
});
