import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInputs } from '../../../../src/core/assets/inputs';
import { openReport } from '../../../../src/core/batch/job/runCheckJob';
import { createRunFolder, updateRun } from '../../../../src/core/batch/results/runFolder';
import { createConversationTrash } from '../../../../src/core/conversation/conversationTrash';
import { createConversationFolder, createHistoryFile } from '../../../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../../../src/core/conversation/conversationIndex';
import { openAppendLog } from '../../../../src/core/storage/appendLog';
import { copyAtomic, openAtomic, writeAtomic } from '../../../../src/core/storage/atomicFile';
import { Leases } from '../../../../src/core/storage/leases';
import { openFile, tightenAll, writeFile as writePrivate } from '../../../../src/core/storage/privateFiles';
import { createUploadMemory } from '../../../../src/core/files/uploadMemory';
import { createJudgementFile } from '../../../../src/core/ranking/judgementFile';
import { hashOf, createVectorStore, tidyVectors } from '../../../../src/core/search/vectorStore';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { createVoiceNotes } from '../../../../src/core/voices/voiceNotes';
import { createDailyLimit } from '../../../../src/cli/mcp/dailyLimits';
import { attachOrStart } from '../../../../src/demo/attachOrStart';
import { createUnfinishedRuns } from '../../../../src/features/batchLocal/logic/unfinishedRuns';
import { createRunStore } from '../../../../src/features/images/logic/runStore';
import { createSampleStore } from '../../../../src/features/voiceUpload/logic/sampleStore';
import { createJsonFile } from '../../../../src/core/storage/storedFile';
import { fastTime, openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import { imageTask, openMediaEngine } from '../../../support/mediaEngines';
import { setUpFolder } from '../../../support/temporaryFolder';
import { modeOf, wideFiles } from '../../../support/wideFiles';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const run = { kind: 'batch', name: 'a run', createdAt: 1, jobId: 'job', files: {}, ended: false } as const;
const noProblem = (error: unknown) => assert.fail(String(error));

/** All that keeps something, each in the folder it is given. */
const writers: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'a JSON file': (folder) => createJsonFile(join(folder, 'deep', 'a.json'), (raw) => raw).write({ a: 1 }),
  async 'a conversation with its draft, index, and trash'(folder) {
    const history = createHistoryFile(join(folder, 'one.jsonl'));
    await history.append([
      { kind: 'conversation', version: 1, id: 'one', createdAt: 1 },
      { kind: 'question', id: 'q', parent: null, at: 1, text: 'What?' },
    ]);
    await history.close();
    const conversation = await createConversationFolder(folder, Date.now).open('two');
    await conversation?.writeDraft('A draft');
    await conversation?.close();
    await createConversationIndex(folder).list();
    await createConversationTrash(folder, 1e9).put('one');
    const again = createHistoryFile(join(folder, 'one.jsonl'));
    await again.append([{ kind: 'conversation', version: 1, id: 'one', createdAt: 1 }]);
    await again.close();
  },
  'the tokens of the day': (folder) =>
    createUsageLedger(folder, noProblem).add('me', { at: 1, model: 'm', inputTokens: 1, outputTokens: 1 } as never),
  async vectors(folder) {
    const record = (name: string) => ({ hash: hashOf(name), vector: Float32Array.from([1, 2]) });
    for (const name of ['a', 'b', 'c']) await createVectorStore(join(folder, 'model')).add([record(name)]);
    await tidyVectors(folder, { bytes: 1e9, files: 2, quietSince: Date.now() + 1000 });
    await createVectorStore(join(folder, 'model')).add([record('d')]);
  },
  async leases(folder) {
    const leases = new Leases(folder, () => 'here');
    await leases.take(randomUUID());
    leases.dispose();
  },
  'input images': (folder) => createInputs(folder).keep({ bytes: png }),
  uploads: (folder) =>
    createUploadMemory(folder).remember(
      { profileId: 'me', baseUrl: 'https://service.example/v1' },
      { fileId: 'f', path: '/a', sha256: 'ab'.repeat(32), bytes: 1, uploadedAt: Date.now() },
    ),
  'notes on voices': (folder) =>
    createVoiceNotes(folder, () => {}).write('speech:x', { text: 'mine', isAllowed: true }),
  judgements: (folder) =>
    createJudgementFile(join(folder, 'j.jsonl')).add({ query: 'q', document: 'd', relevant: true, at: 1 }),
  async 'a report of problems'(folder) {
    await mkdir(folder, { mode: 0o700 });
    const report = openReport(join(folder, `${randomUUID()}.txt`));
    await report.finish();
    report.close();
  },
  async 'results in the storage folder'(folder) {
    const made = await createRunFolder(folder, run);
    await updateRun(made.path, { ended: true });
    const log = await openAppendLog(join(made.path, 'output.jsonl'));
    await log.append('{}\n');
    await log.close();
  },
  'unfinished runs': (folder) => createUnfinishedRuns(folder).add({ folder: '/a', input: '/b' }),
  async 'image runs'(folder) {
    const store = createRunStore(folder);
    await store.load();
    await store.save({ version: 1, id: 'one', createdAt: 1, profileId: 'me', baseUrl: 'x', items: [] } as never);
  },
  'voice samples': (folder) => createSampleStore(folder).keep(png, 'a.wav'),
  'orders of the day': (folder) =>
    createDailyLimit({ state: folder, dailyRequests: 5 }).within(async () => ({ stage: 'refused' }) as never),
};

describe('stored files', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);
  const closings: (() => Promise<unknown>)[] = [];
  let umask = 0;
  before(() => {
    umask = process.umask(0o022);
  });
  after(() => void process.umask(umask));
  // Before the folder is removed.
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });
  const folder = setUpFolder();

  for (const [name, write] of Object.entries(writers)) {
    it(`are private to the user: ${name}`, async () => {
      const place = folder.in('kept');
      await write(place);
      assert.ok((await readdir(place)).length > 0);
      assert.deepEqual(await wideFiles(place), []);
    });
  }

  it('are restricted when they are written again, and their folder when it is opened', async () => {
    const writeEach = async () => {
      for (const name of ['a JSON file', 'the tokens of the day', 'judgements', 'orders of the day'])
        await writers[name]?.(folder.in(name));
      const history = createHistoryFile(folder.in('conversations/one.jsonl'));
      await history.append([{ kind: 'conversation', version: 1, id: 'one', createdAt: 1 }]);
      await history.close();
    };
    await writeEach();
    for (const entry of await readdir(folder.path(), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      await chmod(join(entry.parentPath, entry.name), 0o644);
      await chmod(entry.parentPath, 0o755);
    }
    assert.equal((await wideFiles(folder.path())).length, 10);
    await writeEach();
    assert.deepEqual(await wideFiles(folder.path()), []);
  });

  it('are restricted completely if an earlier version wrote them, without following links', async () => {
    const [saved, outside] = [folder.in('kept'), folder.in('outside')];
    await mkdir(join(saved, 'deep'), { recursive: true, mode: 0o755 });
    await writeFile(join(saved, 'deep', 'a'), 'a');
    await writeFile(outside, 'b');
    await chmod(join(saved, 'deep', 'a'), 0o755);
    await symlink(outside, join(saved, 'link'));
    await tightenAll(saved);
    assert.deepEqual(
      [
        await modeOf(saved),
        await modeOf(join(saved, 'deep')),
        await modeOf(join(saved, 'deep', 'a')),
        await modeOf(outside),
      ],
      ['700', '700', '700', '644'],
    );
    await tightenAll(folder.in('gone'));
  });

  it('are restricted before anything is written to them', async () => {
    await writeFile(folder.in('a'), 'before');
    const handle = await openFile(folder.in('a'), 'r+');
    assert.equal(await modeOf(folder.in('a')), '600');
    await handle.close();
    await assert.rejects(writePrivate(folder.in('a'), 'x', { flag: 'wx' }), { code: 'EEXIST' });
    assert.equal(await readFile(folder.in('a'), 'utf8'), 'before');
  });

  it('are private where images and batches are stored, and in the demo service', async () => {
    const demo = await attachOrStart({ dataDir: folder.in('demo'), pace: 'instant' });
    closings.push(() => demo.close());
    const pictures = openMediaEngine(folder.in('media'), demo);
    closings.push(() => pictures.dispose());
    const batches = openEngine(folder.in('batches'), demo, fastTime(20));
    closings.push(() => batches.dispose());
    const from = { profileId: 'me', baseUrl: demo.baseUrl, folder: folder.in('media/own') };
    const { id } = await pictures.submit({ ...from, task: imageTask('A lighthouse') });
    await mkdir(folder.in('given'));
    const job = await batches.submit(submissionOf(await writeBatchFile(folder.in('given'), 2), demo));
    const made = await pictures.until(id, ({ stage }) => stage === 'ended', 'the picture');
    const ended = await batches.until(job.id, ({ stage }) => stage === 'ended', 'the batch');
    assert.ok(made.results?.[0]?.path?.startsWith(folder.in('media/own')));
    assert.ok((await readdir(ended.folder ?? '')).includes('output.jsonl'));
    for (const name of ['demo', 'media', 'batches']) assert.deepEqual(await wideFiles(folder.in(name)), []);
  });

  it('have the usual modes if the user selected the folder, even if it is private', async () => {
    const demo = await attachOrStart({ dataDir: folder.in('demo'), pace: 'instant' });
    closings.push(() => demo.close());
    const pictures = openMediaEngine(folder.in('media'), demo);
    closings.push(() => pictures.dispose());
    const place = { root: () => folder.in('chosen results'), fallback: folder.in('own results') };
    const batches = openEngine(folder.in('batches'), demo, { ...fastTime(20), place });
    closings.push(() => batches.dispose());
    await mkdir(folder.in('chosen'), { mode: 0o700 });
    const from = { profileId: 'me', baseUrl: demo.baseUrl, folder: folder.in('chosen') };
    const { id } = await pictures.submit({ ...from, task: imageTask('A lighthouse') });
    await mkdir(folder.in('given'));
    const job = await batches.submit(submissionOf(await writeBatchFile(folder.in('given'), 2), demo));
    const made = await pictures.until(id, ({ stage }) => stage === 'ended', 'the picture');
    const ended = await batches.until(job.id, ({ stage }) => stage === 'ended', 'the batch');
    const picture = made.results?.[0]?.path ?? '';
    const results = ended.folder ?? '';
    const modes = [
      picture,
      `${picture}.recipe.json`,
      results,
      join(results, 'run.json'),
      join(results, 'output.jsonl'),
    ];
    assert.deepEqual(await Promise.all(modes.map(modeOf)), ['644', '644', '755', '644', '644']);

    // What is copied out of the own folders does not take their modes along.
    await writePrivate(folder.in('private'), 'a');
    await copyAtomic(folder.in('private'), folder.in('out/copy'), { replace: false, isPrivate: false });
    await writeAtomic(folder.in('out/text'), 'a', { replace: true, isPrivate: false });
    const rows = await openAtomic(folder.in('out/rows'), { isPrivate: false });
    await rows.close();
    await rows.place({ replace: false });
    await writeFile(folder.in('public'), 'a');
    await copyAtomic(folder.in('public'), folder.in('taken in'));
    const copied = ['out', 'out/copy', 'out/text', 'out/rows', 'taken in'];
    assert.deepEqual(await Promise.all(copied.map((name) => modeOf(folder.in(name)))), [
      '755',
      '644',
      '644',
      '644',
      '600',
    ]);
    assert.equal(await readFile(folder.in('out/copy'), 'utf8'), 'a');
  });
});
