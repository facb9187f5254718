import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { cp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCosts } from '../../src/core/account/costs';
import { createAssetIndex } from '../../src/core/assets/assetIndex';
import { findResults } from '../../src/core/batch/local/resultFiles';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { listRunFolders, resultPaths } from '../../src/core/batch/results/runFolder';
import { isLimitsFile, readLimits } from '../../src/core/capabilities/learnedLimits';
import { readCachedModels, readPicks } from '../../src/core/catalogue/catalogueFile';
import { createConversationFolder } from '../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../src/core/conversation/conversationIndex';
import { createConversationTrash } from '../../src/core/conversation/conversationTrash';
import { createTranscript } from '../../src/core/conversation/transcript';
import { Leases } from '../../src/core/storage/leases';
import { createUploadMemory } from '../../src/core/files/uploadMemory';
import { readBatchJob } from '../../src/core/jobs/batch/batchJob';
import { createJobStore } from '../../src/core/jobs/jobStore';
import { readMediaJob } from '../../src/core/jobs/media/mediaEngine';
import { createJudgementFile } from '../../src/core/ranking/judgementFile';
import { hashOf, createVectorStore } from '../../src/core/search/vectorStore';
import { createUsageLedger } from '../../src/core/usage/usageLedger';
import { createVoiceNotes } from '../../src/core/voices/voiceNotes';
import { openStore } from '../../src/demo/store';
import { createUnfinishedRuns } from '../../src/features/batchLocal/logic/unfinishedRuns';
import { readParameterFile } from '../../src/features/chat/logic/parameterService';
import { readOwnToolFile } from '../../src/features/chat/logic/toolSettings';
import { createAnswerHistory } from '../../src/features/completion/logic/answerHistory';
import { readCompletionFile } from '../../src/features/completion/logic/settingsFile';
import { createRunStore } from '../../src/features/images/logic/runStore';
import { createRerankStore } from '../../src/features/rerank/logic/rerankStore';
import { createJsonFile } from '../../src/core/storage/storedFile';
import { createNetworkMemory } from '../../src/services/account/networkMemory';
import { setUpFolder } from '../support/temporaryFolder';
import { sampleRecords } from './core/conversation/recordSamples';

/** Written by version 0.1.0. `$STORAGE` stands for the folder itself where that version stored absolute paths. */
const fixture = 'test/fixtures/storage-0.1.0';
const at = Date.UTC(2026, 10, 20, 10);
const first = '2f0c9a51-0000-4000-8000-000000000001';
const deleted = '2f0c9a51-0000-4000-8000-000000000002';
const fail = (error: unknown) => {
  throw error;
};

describe('storage written by version 0.1.0', () => {
  const storage = setUpFolder();
  const read = <T>(name: string, parse: (raw: unknown) => T | undefined) =>
    createJsonFile(storage.in(name), parse).read();

  beforeEach(async () => {
    await cp(fixture, storage.path(), { recursive: true });
    for (const entry of await readdir(storage.path(), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.jsonl?$/.test(file)) continue;
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('$STORAGE', storage.path()));
    }
  });

  it('still has the conversation, its draft and attachments, whose window was killed', async () => {
    const lease = storage.in(`conversations/open/${first}.1`);
    // Its window ran on another machine, a minute longer ago than a lease lives.
    await utimes(lease, new Date(), new Date(Date.now() - 180_000));
    const leases = new Leases(storage.in('conversations/open'), () => 'another window');
    const opened = await createConversationFolder(storage.in('conversations'), Date.now, leases).open(first);
    ok(opened);
    const expected = createTranscript([{ kind: 'conversation', version: 1, id: first, createdAt: at }]);
    // That version wrote no records of this kind.
    for (const record of sampleRecords.slice(1)) if (record.kind !== 'replaced') expected.apply(record);
    deepEqual(opened.transcript.turns(), expected.turns());
    equal(opened.transcript.createdAt, at);
    equal(await opened.readDraft(), 'A question that is not sent yet');
    deepEqual(
      opened.attached.list.map(({ label }) => label),
      ['src/parse.ts:1-2'],
    );
    await opened.record([{ kind: 'title', title: 'Renamed' }]);
    await opened.close();
    leases.dispose();
    const listed = await createConversationIndex(storage.in('conversations')).list();
    deepEqual(
      listed.map(({ id, title, pinned }) => [id, title, pinned]),
      [[first, 'Renamed', true]],
    );
  });

  it('still restores the conversation deleted last', async () => {
    const trash = createConversationTrash(storage.in('conversations'), 3_600_000, () => at + 1);
    deepEqual(await trash.last(), { id: deleted, title: 'Deleted by mistake?' });
    equal(await trash.restore(deleted), true);
    const opened = await createConversationFolder(storage.in('conversations'), Date.now).open(deleted);
    deepEqual(
      opened?.transcript.turns().map(({ question }) => question),
      ['Deleted by mistake?'],
    );
  });

  it('still has presets, rejected parameters, tools, and the last completion', async () => {
    const chat = await read('chat-parameters.json', readParameterFile);
    deepEqual(chat?.presets, [{ id: 'p1', name: 'Terse', parameters: { system: 'Be brief.', temperature: 0 } }]);
    deepEqual(chat.refused, [{ profile: 'work', model: 'vendor/one', parameters: ['top_k'] }]);
    deepEqual(
      (await read('chat-tools.json', readOwnToolFile))?.tools.map(({ name }) => name),
      ['weather'],
    );
    const completion = await read('completion.json', readCompletionFile);
    deepEqual(completion?.setup, { model: 'vendor/own', parameters: { n: 3 }, text: '{"n": 3, "later": 1}' });
    deepEqual(
      [completion.presets, completion.refused],
      [
        [{ id: 'p1', name: 'Three', parameters: { n: 3 } }],
        [{ profile: 'work', model: 'vendor/own', parameters: ['seed'] }],
      ],
    );
    equal((await createAnswerHistory(storage.path(), fail).read())?.choices[0]?.text, ' a time');
  });

  it('still has models, selections, costs, and learned facts about services', async () => {
    deepEqual(
      (await read('models/work.models.json', readCachedModels))?.models.map(({ id }) => id),
      ['vendor/one'],
    );
    deepEqual((await read('models/work.picks.json', readPicks))?.pins, ['vendor/one']);
    equal((await read('costs/work.json', readCosts))?.[0]?.fell, '0.12');
    const limits = await read('languageModel/refusals.json', (raw) => (isLimitsFile(raw) ? raw : undefined));
    deepEqual(readLimits(limits), [{ profile: 'work', model: 'vendor/one', lesson: { tools: false } }]);
    const network = createNetworkMemory(storage.in('network'));
    equal((await network.stacks()).get('https://api.example.com'), 'editor');
    const offers = await readFile(storage.in('network/offers-work.json'), 'utf8');
    match(offers, /"batches": 1795168800000/);
  });

  it('still has the usage of the day, ratings, embeddings, notes on voices, and uploads', async () => {
    const usage = createUsageLedger(storage.in('usage'), fail);
    deepEqual(await usage.total('work', at), { inputTokens: 107, outputTokens: 10, isEstimate: true });
    const judgements = await createJudgementFile(storage.in('judgements.jsonl')).read();
    deepEqual(
      ['A document', 'Another', 'Withdrawn'].map((document) => judgements.get('q', document)),
      [true, false, undefined],
    );
    const vectors = await createVectorStore(storage.in('vectors/model')).read(new Set([hashOf('one')]), 2);
    deepEqual([...(vectors.get(hashOf('one')) ?? [])], [1, 2]);
    const notes = createVoiceNotes(storage.in('voiceNotes'), fail);
    equal((await notes.read('speech:mine:abc:def'))?.text, 'What is said');
    deepEqual(await notes.samples(), ['/home/me/sample.wav']);
    const account = { profileId: 'work', baseUrl: 'https://api.example.com/v1' };
    equal((await createUploadMemory(storage.in('uploads'), () => at).byFile(account, 'file-1'))?.bytes, 12);
  });

  it('still has batches, their results, and the unfinished local run', async () => {
    const { jobs, unreadable } = await createJobStore(storage.in('jobs'), readBatchJob).list();
    deepEqual(unreadable, []);
    deepEqual(
      jobs.map(({ stage, input, fetched, lastError, options }) => [
        stage,
        input?.requests,
        fetched?.output?.lines,
        lastError?.kind,
        options.metadata?.['name'],
      ]),
      [['ended', 3, 3, 'cutShort', 'A test']],
    );
    const runs = await listRunFolders(storage.in('results'));
    deepEqual(
      runs.map(({ run, isGuessed }) => [run.kind, run.name, isGuessed]),
      [
        ['batch', 'A test', false],
        ['local', 'requests', false],
      ],
    );
    equal(jobs[0]?.folder, runs[0]?.path);
    const { outputs } = await resultPaths(runs[0]!);
    equal((await readFile(outputs[0]!, 'utf8')).split('\n').length, 4);
    // All runs open as tables of results.
    for (const [number, answers] of [3, 3].entries()) {
      const paths = await resultPaths(runs[number]!);
      const { input } = runs[number]!.run;
      const table = await ResultsTable.open(
        { ...paths, ...(input && { input: { path: input.path } }) },
        { signal: AbortSignal.any([]), onProgress: () => undefined },
      );
      equal(table.summary.answered, answers);
      table.close();
    }
    const [unfinished] = await createUnfinishedRuns(storage.in('localRuns')).list();
    equal(unfinished?.folder, runs[1]?.path);
    const { answered, failed, unanswered } = await findResults(runs[1]!.path, { repair: true });
    deepEqual([answered, failed, unanswered.size], [3, 0, 0]);
  });

  it('still has generated files, image jobs, stopped runs, and rankings', async () => {
    const { jobs } = await createJobStore(storage.in('media/jobs'), readMediaJob).list();
    const [asset] = await createAssetIndex().list([storage.in('media/files')]);
    equal(asset?.recipe.request.model, 'black-forest-labs/FLUX.2-pro');
    deepEqual(
      jobs.map(({ stage, results, task }) => [stage, results?.[0]?.path, task.kind]),
      [['ended', asset.path, 'image']],
    );
    deepEqual(
      (await createRunStore(storage.in('images')).load()).map(({ id, halt, items }) => [
        id,
        halt?.problem?.title,
        items[0]?.problem?.kind,
      ]),
      [['run-1', 'No connection', 'network']],
    );
    const rerank = createRerankStore(storage.in('rerank'), fail);
    const [earlier] = await rerank.ranked();
    equal(earlier?.query, 'q');
    const page = await rerank.find(earlier.id);
    deepEqual(page?.record.excluded, { lines: [1] });
    const { slices: [slice] = [], parameters } = page.record.rankings.lines ?? {};
    deepEqual([slice?.scores[0]?.score, slice?.problems[0]?.kind, parameters?.query], [0.5, 'missing', 'q']);
    equal(page.record.comparisons.lines?.columns[0]?.error?.title, 'Key rejected');
  });

  it('still has the state of the demo service', async () => {
    const { state } = await openStore(storage.in('demo'), undefined);
    deepEqual([state.apiKey, state.voices[0]?.customName], ['demo-key', 'mine']);
  });
});
