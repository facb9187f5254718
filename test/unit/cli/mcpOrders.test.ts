import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { openConnection } from '../../../src/cli/mcp/connection';
import { readEnvironment } from '../../../src/cli/mcp/environment';
import { openFolders } from '../../../src/cli/mcp/folders';
import { openMediaRequests } from '../../../src/cli/mcp/mediaRequests';
import type { MediaRequests } from '../../../src/cli/mcp/mediaRequests';
import { createWatch } from '../../../src/cli/mcp/requests';
import type { Watch } from '../../../src/cli/mcp/requests';
import { openFolder } from '../../../src/cli/mcp/openFolder';
import { mediaAnswer } from '../../../src/core/agentTools/tools/media';
import type { MediaJob } from '../../../src/core/jobs/media/mediaJob';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { Leases } from '../../../src/core/storage/leases';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

describe('Jobs of the MCP server', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let orders: MediaRequests;
  afterEach(async () => {
    await orders.dispose();
    await demo.close();
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
    await mkdir(folder.in('work'));
    orders = await open();
  });

  it("don't write files through a link that leads out of the folder", async () => {
    await mkdir(folder.in('outside'));
    await symlink(folder.in('outside'), folder.in('work/inference-desk'));
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A house', image_size: '512x512' };
    const folders = await openFolders([folder.in('work')]);
    const media = await orders.generate({ request }, { folders, signal: AbortSignal.timeout(30_000) });
    match(media.problem ?? '', /links to a location outside the working folder/);
    ok(media.files[0]?.path.startsWith(folder.in('state')), JSON.stringify(media.files));
    const batches = { names: ['inference-desk', 'batches'], fallback: folder.in('state') };
    equal((await openFolder(folders, batches)).folder, folder.in('state'));
    deepEqual(await readdir(folder.in('outside')), []);
  });

  const open = (longestSavingMs = 30_000) =>
    openMediaRequests(
      folder.in('state'),
      openConnection(environment(), () => undefined),
      longestSavingMs,
    );
  const environment = () =>
    readEnvironment({
      INFERENCE_DESK_BASE_URL: demo.baseUrl,
      INFERENCE_DESK_API_KEY: demo.apiKey,
      INFERENCE_DESK_STATE: folder.in('server'),
      INFERENCE_DESK_DAILY_ORDERS: '0',
    });

  it('drop records that ended more than thirty days ago at startup, and keep their files', async () => {
    const folders = await openFolders([folder.in('work')]);
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A house', image_size: '512x512' };
    const call = { folders, signal: AbortSignal.timeout(30_000) };
    const [old, young] = [await orders.generate({ request }, call), await orders.generate({ request }, call)];
    await orders.dispose();
    const recordOf = ({ id }: { readonly id: string }) => folder.in(`state/media/${id}.json`);
    const record = JSON.parse(await readFile(recordOf(old), 'utf8')) as object;
    const longAgo = Date.now() - 31 * 24 * 60 * 60 * 1000;
    await writeFile(recordOf(old), JSON.stringify({ ...record, createdAt: longAgo, triedAt: longAgo }));
    orders = await open();
    await until(() => (existsSync(recordOf(old)) ? undefined : true), 'the old record to go');
    ok(existsSync(recordOf(young)) && existsSync(old.files[0]!.path));
  });

  it("report the known state of another server's job without waiting", async () => {
    await demo.call('POST', '/_control/pace', { pace: { videoWorkMs: 60_000 } });
    const folders = await openFolders([folder.in('work')]);
    const request = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'Waves', image_size: '1280x720' } as const;
    const signal = AbortSignal.timeout(30_000);
    const { id } = await orders.submitVideo({ request }, { folders, signal });
    const other = new Leases(folder.in('state/media/open'), () => 'another server');
    const lease = await until(async () => other.take(id).catch(() => undefined), 'the order');
    equal((await orders.video(id, 0, signal)).state, 'working');
    await lease.release();
    other.dispose();
  });

  it('report a video of another server on request', async () => {
    const folders = await openFolders([folder.in('work')]);
    const signal = AbortSignal.timeout(30_000);
    const other = await open();
    try {
      const request = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'Waves', image_size: '1280x720' } as const;
      const { id } = await other.submitVideo({ request }, { folders, signal });
      equal((await orders.video(id, 0, signal)).id, id);
    } finally {
      await other.dispose();
    }
    await rejects(orders.video('nobody', 0, signal), /not submitted a video with the ID nobody/);
  });

  it("report why an image isn't saved yet", async () => {
    await demo.call('POST', '/_control/arm', { fault: 'reset-before-headers', endpoint: 'GET asset', times: 100 });
    await orders.dispose();
    orders = await open(200);
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A house', image_size: '512x512' };
    const call = { folders: await openFolders([folder.in('work')]), signal: new AbortController().signal };
    const media = await orders.generate({ request }, call);
    equal(media.state, 'working');
    const text = await until(async () => {
      const asked = mediaAnswer(await orders.video(media.id, 0, call.signal), 'The image').text;
      return asked.includes('could not be downloaded') ? asked : undefined;
    }, 'why it is not saved');
    match(text, /Job ID: [\w-]+\. The result could not be downloaded.*Do not request it again/);
  });
});

describe('Waiting for a job of the MCP server', () => {
  const begun = { id: 'a', stage: 'running' } as MediaJob;
  const over = { ...begun, stage: 'ended' } as MediaJob;
  const isOver = ({ stage }: MediaJob) => stage === 'ended';
  let jobs: readonly MediaJob[];
  let watch: Watch<MediaJob>;
  beforeEach(() => {
    jobs = [begun];
    watch = createWatch(() => jobs);
  });
  const change = (now: readonly MediaJob[]) => {
    jobs = now;
    watch.changed();
  };
  const signal = new AbortController().signal;

  it('ends with the job, also if it had ended before, or after the time limit', async () => {
    const waiting = watch.until('a', isOver, { signal });
    change([{ ...begun }]);
    change([over]);
    equal(await waiting, over);
    equal(await watch.until('a', isOver, { signal }), over);
    change([begun]);
    for (const ms of [0, 1]) equal(await watch.until('a', isOver, { ms, signal }), begun);
  });

  it('ends when the call is canceled or the job is removed', async () => {
    const reason = new Error('cancelled');
    await rejects(watch.until('a', isOver, { signal: AbortSignal.abort(reason) }), reason);
    const stop = new AbortController();
    const cancelled = watch.until('a', isOver, { signal: stop.signal });
    const forgotten = watch.until('a', isOver, { signal });
    stop.abort(reason);
    // What would go on for ever fails here.
    const late = setTimeout(() => change([over]), 2000);
    await rejects(cancelled, reason);
    clearTimeout(late);
    change([]);
    await rejects(forgotten, { kind: 'noSuchJob' });
    await rejects(watch.until('a', isOver, { signal }), { kind: 'noSuchJob' });
  });
});
