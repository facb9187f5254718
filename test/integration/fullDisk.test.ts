import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readRecords } from '../../src/core/conversation/record';
import { createTranscript } from '../../src/core/conversation/transcript';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import { HostError } from '../../src/protocol/caller';
import type { ChatSnapshot, Turn } from '../../src/protocol/chat';
import { jobErrorText } from '../../src/services/batches/batchMessages';
import { mediaErrorText } from '../../src/services/media/mediaMessages';
import type { Services } from '../../src/services/services';
import { describe as words } from '../../src/platform/errors/reportError';
import { writeBatchFile } from '../support/batchEngines';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { canFill, fillUnder, mountSmallDisk } from '../support/fullDisk';
import type { FullDisk, SmallDisk } from '../support/fullDisk';
import { imageTask } from '../support/mediaEngines';
import { createPageEnd } from '../support/pageEnd';
import type { PageEnd } from '../support/pageEnd';
import { setUpFolder } from '../support/temporaryFolder';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

describe('a full or read-only disk', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let disk: SmallDisk | undefined;
  const folder = setUpFolder();
  beforeEach(async function () {
    disk = await mountSmallDisk();
    if (!disk) this.skip();
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'mine', demo);
  });
  afterEach(async () => {
    if (!disk) return;
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await services.settings.set('media.folder', '');
    await services.settings.set('batch.resultsFolder', '');
    await beginAnew(services);
    await demo.close();
    await disk.remove();
  });

  it('is reported for an image in a full folder, which is saved elsewhere', async () => {
    ok(disk);
    const { media, settings } = services;
    await settings.set('media.folder', disk.folder);
    await disk.fill(0);
    const job = await (await media()).whenEnded((await (await media()).submit(imageTask('A fjord'))).id);
    equal(job.lastError?.kind, 'savedElsewhere');
    const text = mediaErrorText(job.lastError, job);
    match(text, /No space left on the disk\. .*Free up some space, then try again\.$/);
    doesNotMatch(text, /ENOSPC|mistake/);
    equal(job.results?.length, 1);
  });

  it('is reported for batch results in a full folder, which are saved elsewhere', async () => {
    ok(disk);
    const { batchJobs, settings } = services;
    await settings.set('batch.resultsFolder', disk.folder);
    await disk.fill(0);
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await (await batchJobs()).submit({ path, completion_window: '24h' });
    const found = () => batchJobs.jobs.find((job) => job.id === id && job.stage === 'ended');
    await until(batchJobs.onDidChange, () => found() !== undefined);
    const { lastError } = found() ?? {};
    equal(lastError?.kind, 'savedElsewhere');
    const text = jobErrorText(lastError);
    match(text, /No space left on the disk\. .*Free up some space, then try again\.$/);
    doesNotMatch(text, /ENOSPC|mistake/);
  });

  it('is reported for a file in a read-only location', async () => {
    ok(disk);
    await disk.makeReadOnly();
    const uri = vscode.Uri.file(join(disk.folder, 'conversation.md'));
    await rejects(Promise.resolve(vscode.workspace.fs.writeFile(uri, Buffer.from('# Why?'))), (error: unknown) => {
      const { kind, title, detail } = words(error);
      deepEqual([kind, title], ['disk', 'The disk is read-only']);
      match(detail, /^Couldn't save "conversation\.md"\./);
      return true;
    });
  });
});

describe('the chat on a disk that fills up during an answer', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let runtime: ChatRuntime;
  let end: PageEnd<'chat'>;

  before(function () {
    if (!canFill) this.skip();
  });
  beforeEach(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: { firstTokenMs: 20, tokenMs: 5 } });
    await signInAnew(services, 'chatting', demo);
    await services.models.refresh();
    runtime = new ChatRuntime(services);
    end = createPageEnd<'chat'>();
    runtime.show(end.view);
    await runtime.locations.current.startNew();
  });
  afterEach(async () => {
    await runtime.dispose();
    await beginAnew(services);
    await demo.close();
  });

  const ready = (): Promise<ChatSnapshot> => end.page.call('chat/ready', {});
  const act = (action: string) => end.page.call('chat/act', { action });
  const ask = async (text: string): Promise<Turn> => (await end.page.call('chat/ask', { text, model })).turn;
  const wordsOf = (blocks: readonly { readonly text: string }[] = []) => blocks.map(({ text }) => text).join('');
  const fileOf = (id: string) => join(services.context.globalStorageUri.fsPath, 'conversations', `${id}.jsonl`);
  const onDisk = async (id: string, turnId: string) => {
    const [answer] = createTranscript(readRecords(await readFile(fileOf(id), 'utf8'))).turn(turnId)?.answers ?? [];
    return { words: wordsOf(answer?.blocks), end: answer?.end?.state };
  };
  /** Resolves with the first snapshot the page is told that `is` so. */
  const reported = (is: (snapshot: ChatSnapshot) => boolean) =>
    new Promise<ChatSnapshot>((resolve) =>
      end.page.on('chat/changed', (snapshot) => is(snapshot) && resolve(snapshot)),
    );

  it('is reported immediately, and loses no text unless the window closes', async () => {
    const { id: turnId } = await ask('Write 400 words about fjords');
    const { conversationId } = await ready();
    let disk: FullDisk | undefined;
    const refused = reported(({ unsaved }) => unsaved !== undefined);
    const followed = end.page.call(
      'chat/follow',
      { turnId, have: [] },
      { onChunk: (chunk) => void (chunk.type === 'append' && (disk ??= fillUnder(fileOf(conversationId)))) },
    );
    const { unsaved, turns } = await refused;
    equal(unsaved?.title, "The response isn't saved");
    match(unsaved.detail, /^No space left on the disk\. Free up some space, .* when this window closes\.$/);
    deepEqual(
      unsaved.actions.map(({ id }) => id),
      ['saveUnsaved', 'copyUnsaved', 'exportUnsaved'],
    );
    equal(turns[0]?.answer.state, 'streaming');

    const { answer } = await followed;
    equal(answer.state, 'done');
    const words = wordsOf(answer.blocks);
    ok(words.length > 100);
    ok((await onDisk(conversationId, turnId)).words.length < words.length);

    await act('copyUnsaved');
    equal(await vscode.env.clipboard.readText(), words);
    await rejects(ask('And the weather?'), (error: unknown) => {
      ok(error instanceof HostError);
      equal(error.error.title, "Couldn't save the question");
      match(error.error.detail, /^The question wasn't sent because .* No space left on the disk\./);
      return true;
    });
    await act('saveUnsaved');
    equal((await ready()).unsaved?.title, "The response still isn't saved");

    await runtime.locations.current.startNew();
    equal((await ready()).unsaved, undefined);
    const { conversations } = await end.page.call('chat/conversations', { query: '' });
    equal(conversations.find(({ id }) => id === conversationId)?.unsaved, true);
    end = createPageEnd<'chat'>();
    runtime.show(end.view);
    const back = await end.page.call('chat/openConversation', { id: conversationId });
    equal(back.unsaved?.title, "The response still isn't saved");
    equal(wordsOf(back.turns[0]?.answer.blocks), words);

    const saved = reported((snapshot) => snapshot.unsaved === undefined);
    await disk!.makeRoom();
    await act('saveUnsaved');
    equal(wordsOf((await saved).turns[0]?.answer.blocks), words);
    deepEqual(await onDisk(conversationId, turnId), { words, end: 'done' });
  });

  it("refuses a question that it can't save, and explains why", async () => {
    const { conversationId } = await ready();
    await mkdir(fileOf(conversationId), { recursive: true });
    const before = (await demo.requests()).length;
    await rejects(ask('Why?'), (error: unknown) => {
      ok(error instanceof HostError);
      match(
        error.error.detail,
        /^The question wasn't sent because .* A folder has the same name as the file\. ".*\.jsonl" is a folder\./,
      );
      return true;
    });
    equal((await demo.requests()).length, before);
    await rmdir(fileOf(conversationId));
  });
});
