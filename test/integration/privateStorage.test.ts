import { deepEqual, equal, ok } from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import { tightenStorage } from '../../src/platform/tightenStorage';
import type { Services } from '../../src/services/services';
import { writeBatchFile } from '../support/batchEngines';
import { beginAnew, deskServices, until } from '../support/deskServices';
import { imageTask } from '../support/mediaEngines';
import { createPageEnd } from '../support/pageEnd';
import { setUpFolder } from '../support/temporaryFolder';
import { modeOf, wideFiles } from '../support/wideFiles';

describe("the extension's files on disk", function () {
  if (process.platform === 'win32') return;
  this.timeout(120_000);
  let services: Services;
  afterEach(async () => {
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    await beginAnew(services);
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    services = await deskServices();
    await beginAnew(services);
  });

  /** Of the demo service that the extension runs. */
  const setDemoPace = async (pace: string): Promise<void> => {
    const { id, baseUrl } = services.profiles.active!;
    const response = await fetch(new URL('/_control/pace', baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${await services.profiles.key(id)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ pace }),
    });
    ok(response.ok, `${response.status}`);
  };

  it('are readable only by their user after a chat, an image, and a batch with the demo service', async () => {
    const { context, media, batchJobs, models } = services;
    const storage = context.globalStorageUri.fsPath;
    // What other tests put there by themselves is none of the product's.
    const before = await wideFiles(storage).catch((): readonly string[] => []);
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    await setDemoPace('instant');
    await models.refresh();

    const chat = new ChatRuntime(services);
    const end = createPageEnd<'chat'>();
    chat.show(end.view);
    await chat.locations.current.startNew();
    const { turn } = await end.page.call('chat/ask', { text: 'Hello', model: 'Qwen/Qwen3-30B-A3B-Instruct-2507' });
    equal(
      (await end.page.call('chat/follow', { turnId: turn.id, have: [] }, { onChunk: () => {} })).answer.state,
      'done',
    );
    await end.page.call('chat/conversations', { query: '' });
    await chat.dispose();

    const picture = await (await media()).whenEnded((await (await media()).submit(imageTask('A lighthouse'))).id);
    ok(picture.results?.[0]?.path?.startsWith(storage));
    const path = await writeBatchFile(folder.path(), 2);
    const { id } = await (await batchJobs()).submit({ path, completion_window: '24h' });
    const ended = () => batchJobs.jobs.find((job) => job.id === id && job.stage === 'ended');
    await until(batchJobs.onDidChange, () => ended() !== undefined);
    ok(ended()?.folder?.startsWith(storage));
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');

    const after = (await wideFiles(storage)).filter((line) => !before.includes(line));
    deepEqual(after, []);
    equal(await modeOf(context.logUri.fsPath), '700');
  });

  it('are restricted once if an earlier version wrote them', async () => {
    const { globalStorageUri } = services.context;
    const old = join(globalStorageUri.fsPath, 'tightening', 'conversations', 'old.jsonl');
    await mkdir(dirname(old), { recursive: true });
    await writeFile(old, '{}');
    await chmod(old, 0o644);
    const saved = new Map<string, unknown>();
    const memory = {
      get: (key: string) => saved.get(key),
      update: async (key: string, value: unknown) => void saved.set(key, value),
    } as unknown as vscode.ExtensionContext['globalState'];
    const own = { globalState: memory, workspaceState: memory, storageUri: undefined };
    const context: vscode.ExtensionContext = { ...services.context, ...own };
    await tightenStorage(context);
    deepEqual([await modeOf(dirname(old)), await modeOf(old)], ['700', '600']);
    await chmod(old, 0o644);
    await tightenStorage(context);
    equal(await modeOf(old), '644');
    await rm(join(globalStorageUri.fsPath, 'tightening'), { recursive: true });
  });
});
