import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { openConnection } from '../../../src/cli/mcp/connection';
import { readEnvironment } from '../../../src/cli/mcp/environment';
import { openFolders } from '../../../src/cli/mcp/folders';
import { openMediaRequests, type MediaRequests } from '../../../src/cli/mcp/mediaRequests';
import { startFilledDemo, type FilledDemo } from '../../support/filledDemo';
import { setUpFolder } from '../../support/temporaryFolder';

describe('an MCP server started by VS Code', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let media: MediaRequests | undefined;
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
  });
  afterEach(async () => {
    await media?.dispose();
    await demo.close();
  });

  const folder = setUpFolder();

  const open = async () => {
    const environment = readEnvironment({
      INFERENCE_DESK_BASE_URL: demo.baseUrl,
      INFERENCE_DESK_API_KEY: demo.apiKey,
      INFERENCE_DESK_STATE: folder.in('server'),
      INFERENCE_DESK_EDITOR_STORAGE: folder.in('editor'),
      INFERENCE_DESK_EDITOR_ACCOUNT: 'mine',
    });
    return (media = await openMediaRequests(
      folder.in('server/media'),
      openConnection(environment, () => undefined),
    ));
  };
  const records = () => folder.in('editor/media/jobs');
  const readRecord = async (id: string) =>
    JSON.parse(await readFile(`${records()}/${id}.json`, 'utf8')) as Record<string, unknown>;

  it('stores its jobs with those of the windows, as jobs of its account', async () => {
    await mkdir(folder.in('work'));
    const orders = await open();
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A house', image_size: '512x512' };
    const call = { folders: await openFolders([folder.in('work')]), signal: AbortSignal.timeout(30_000) };
    const { id } = await orders.generate({ request }, call);
    const { profileId, client, stage } = await readRecord(id);
    deepEqual([profileId, client, stage], ['mine', 'mcp', 'ended']);
  });

  it("doesn't change jobs of windows and other accounts", async () => {
    await mkdir(records(), { recursive: true });
    const old = Date.now() - 40 * 24 * 60 * 60 * 1000;
    const job = {
      version: 1,
      baseUrl: demo.baseUrl,
      createdAt: old,
      triedAt: old,
      order: { kind: 'image', request: { model: 'Qwen/Qwen-Image', prompt: 'A house' } },
      folder: folder.in('editor/media/files'),
    };
    // One is due at once, one ended long ago, and one is of the server of another account.
    const written = [
      { ...job, id: 'due', profileId: 'mine', stage: 'submitting' },
      { ...job, id: 'old', profileId: 'mine', stage: 'ended' },
      { ...job, id: 'other', profileId: 'other', client: 'mcp', stage: 'submitting' },
      { ...job, id: 'own', profileId: 'mine', client: 'mcp', stage: 'submitting' },
    ];
    for (const one of written) await writeFile(`${records()}/${one.id}.json`, JSON.stringify(one));
    const orders = await open();
    while ((await readRecord('own'))['stage'] === 'submitting') await new Promise(setImmediate);
    await orders.dispose();
    for (const one of written.slice(0, 3)) deepEqual(await readRecord(one.id), one);
    // The windows advance theirs: the server does not hold the lease that lets one window do that.
    const held = (await readdir(`${records()}/open`)).filter((name) => name.startsWith('poller.'));
    equal(held.length, 0);
    ok((await readRecord('own'))['lastError']);
  });
});
