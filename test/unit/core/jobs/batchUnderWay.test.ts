import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeRetryFolder, retriesOf } from '../../../../src/core/batch/results/retries';
import { createRunFolder, listRunFolders, readRunFolder } from '../../../../src/core/batch/results/runFolder';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { fastTime, idsIn, openEngine, submissionOf, recordsIn, writeBatchFile } from '../../../support/batchEngines';
import type { FilledDemo } from '../../../support/filledDemo';
import { setUpEngines } from '../../../support/setUpEngines';

const isEnded = ({ stage }: BatchJob) => stage === 'ended';

describe('a batch in progress', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let file: string;
  const bench = setUpEngines(openEngine);
  const { folder } = bench;
  const open = (options: Parameters<typeof bench.open>[0] = fastTime(20)) => bench.open(options);
  beforeEach(async () => {
    demo = bench.demo();
    file = await writeBatchFile(folder.path(), 3);
  });
  const all = ['line-1', 'line-2', 'line-3'];

  const came = async (job: BatchJob) => {
    const names = ['output.jsonl', 'errors.jsonl'];
    return (await Promise.all(names.map((name) => idsIn(join(job.folder ?? '', name))))).flat();
  };

  it('stops downloads when it is stopped', async () => {
    const engine = open();
    const long = folder.in('long.jsonl');
    await writeFile(long, '{}\n'.repeat(4_000_000));
    const stop = new AbortController();
    const read: number[] = [];
    const stopped = engine.submit(submissionOf(long, demo), {
      signal: stop.signal,
      onStep: (_, done = 0) => {
        read.push(done);
        stop.abort();
      },
    });
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.ok(read.length < 4, `${read.length} pieces were read`);
    assert.deepEqual(await recordsIn(folder.path()), []);
  });

  it('is reported unchanged if its record is removed during creation', async () => {
    const engine = open();
    for (const fault of [undefined, 'balance-402', 'reset-before-headers']) {
      if (fault !== undefined) await demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /batches' });
      let forgotten: { readonly id: string; readonly done: Promise<void> } | undefined;
      const job = await engine.submit(submissionOf(file, demo), {
        onStep(step) {
          const id = engine.jobs[0]?.id;
          if (step === 'creating' && id !== undefined) forgotten = { id, done: engine.forget(id) };
        },
      });
      await forgotten?.done;
      assert.equal(job.id, forgotten?.id, fault);
      assert.deepEqual([engine.jobs, await recordsIn(folder.path())], [[], []], fault);
    }
  });

  it('downloads each available result once, however often another one is missing', async () => {
    const engine = open(fastTime(100));
    const first = await engine.submit(submissionOf(file, demo));
    const { batch } = await engine.until(first.id, isEnded, 'the end');
    const output = batch?.outputFileId ?? '';
    for (const reported of [
      { output_file_id: 'file-wrong', error_file_id: output },
      { output_file_id: output, error_file_id: 'file-wrong' },
    ]) {
      const job = await engine.submit(submissionOf(file, demo));
      const before = (await demo.requests()).length;
      await demo.call('POST', '/_control/tell', { id: job.batch?.id, as: reported });
      const stuck = await engine.until(job.id, ({ lastError }) => lastError?.isFinal === true, 'the trouble');
      assert.equal(stuck.lastError?.kind, 'resultMissing');
      assert.deepEqual(await came(stuck), all);
      const asked = (await demo.requests()).slice(before).map(({ path }) => path);
      const times = (id: string) => asked.filter((path) => path.endsWith(`/files/${id}/content`)).length;
      assert.equal(times(output), 1);
      assert.ok(times('file-wrong') > 1, `${times('file-wrong')}`);
    }
  });

  it('stores its options in its results folder', async () => {
    const engine = open();
    const submission = submissionOf(file, demo, { replace: { model: 'deepseek-ai/DeepSeek-R1' }, retryOf: 'earlier' });
    const job = await engine.submit(submission);
    const ended = await engine.until(job.id, isEnded, 'the end');
    const { run } = (await readRunFolder(ended.folder ?? '')) ?? {};
    const { kind, name, profileId, baseUrl, batchId, jobId, model, input, retryOf } = run ?? {};
    const { inputTokens, ...sent } = job.input ?? {};
    assert.ok(inputTokens);
    assert.deepEqual(
      { kind, name, profileId, baseUrl, batchId, jobId, model, retryOf, input },
      {
        kind: 'batch',
        name: 'A test',
        profileId: 'mine',
        baseUrl: demo.baseUrl,
        batchId: ended.batch?.id,
        jobId: job.id,
        model: 'deepseek-ai/DeepSeek-R1',
        retryOf: 'earlier',
        input: sent,
      },
    );
  });

  it('has the results of a retry in the folder created for it, one batch alone', async () => {
    const run = await createRunFolder(folder.in('runs'), {
      kind: 'batch',
      name: 'tickets',
      createdAt: 1,
      files: {},
      ended: true,
    });
    const retry = await makeRetryFolder(run.path, () => false);
    const requests = join(retry, 'requests.jsonl');
    await copyFile(file, requests);
    const engine = open();
    const submission = submissionOf(requests, demo, { retryOf: run.path, folder: retry });
    const [first, second] = [await engine.submit(submission), await engine.submit(submission)];
    // Whoever takes over has it from the record.
    assert.deepEqual([engine.jobs.find(({ id }) => id === first.id)?.folder, second.folder], [retry, undefined]);
    for (const { id } of [first, second]) await engine.until(id, isEnded, 'the end');
    const jobs = [first, second].map(({ id }) => engine.jobs.find((job) => job.id === id)!);
    for (const job of jobs) assert.deepEqual(await came(job), all);
    assert.notEqual(jobs[1]?.folder, retry);
    const [own, ...others] = await retriesOf(run, await listRunFolders(folder.in('results')));
    assert.deepEqual([own?.path, own?.run.jobId, own?.run.retryOf], [retry, first.id, run.path]);
    assert.deepEqual(
      others.map(({ path }) => path),
      [jobs[1]?.folder],
    );
  });
});
