import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { ApiError } from '../../../../src/core/api/errors';
import { readRunFolder } from '../../../../src/core/batch/results/runFolder';
import { jobKey } from '../../../../src/core/jobs/batch/batchJob';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import type { BatchService } from '../../../../src/core/jobs/batch/batchService';
import { fetchResults } from '../../../../src/core/jobs/batch/fetchResults';
import { StepFailure } from '../../../../src/core/jobs/job';
import { RequestProblem } from '../../../../src/core/jobs/requestProblem';
import { fastTime, idsIn, openEngine, submissionOf, recordsIn, writeBatchFile } from '../../../support/batchEngines';
import type { FilledDemo } from '../../../support/filledDemo';
import { setUpEngines } from '../../../support/setUpEngines';
import { setUpFolder } from '../../../support/temporaryFolder';
import { until } from '../../../support/until';

const isEnded = ({ stage }: BatchJob) => stage === 'ended';
const isProblem = (kind: string) => (error: unknown) => error instanceof RequestProblem && error.kind === kind;

describe('a batch from its file to its results', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let file: string;
  const bench = setUpEngines(openEngine);
  const { folder, close } = bench;
  const open = (options: Parameters<typeof bench.open>[0] = fastTime(60)) => bench.open(options);
  beforeEach(async () => {
    demo = bench.demo();
    file = await writeBatchFile(folder.path(), 3);
  });

  const arm = (fault: string, endpoint: string, times = 1) =>
    demo.call('POST', '/_control/arm', { fault, endpoint, times });
  const tell = (job: BatchJob, as?: object) =>
    demo.call('POST', '/_control/tell', { id: job.batch?.id, ...(as && { as }) });
  const posts = async () => {
    return (await demo.requests()).filter(({ method, path }) => method === 'POST' && path === '/v1/batches').length;
  };
  const outputOf = (job: BatchJob) => idsIn(join(job.folder ?? '', 'output.jsonl'));
  const errorsOf = (job: BatchJob) => idsIn(join(job.folder ?? '', 'errors.jsonl'));
  const all = ['line-1', 'line-2', 'line-3'];

  it('is uploaded, created, tracked, and reported once, with its results in a folder', async () => {
    const engine = open();
    const steps: string[] = [];
    const job = await engine.submit(submissionOf(file, demo), { onStep: (step) => steps.push(step) });
    assert.equal(job.stage, 'running');
    assert.deepEqual([...new Set(steps)], ['reading', 'uploading', 'creating']);
    assert.deepEqual([job.input?.requests, job.batch?.metadata], [3, { name: 'A test', [jobKey]: job.id }]);
    const ended = await engine.until(job.id, ({ toldEndAt }) => toldEndAt !== undefined, 'the notice');
    assert.deepEqual(await outputOf(ended), all);
    assert.deepEqual(await recordsIn(folder.path()), [`${job.id}.json`]);
    await until(() => engine.notices[0], 'the notice');
    assert.deepEqual([engine.notices, engine.errors], [[`end ${job.id}`], []]);
  });

  it('stores the sent requests, whatever happens to the file: with its results, and until then with its record', async () => {
    const text = await readFile(file, 'utf8');
    const engine = open();
    const { id, sent = '' } = await engine.submit(submissionOf(file, demo));
    assert.equal(await readFile(sent, 'utf8'), text);
    await writeFile(file, `${text}{}\n`);
    const ended = await engine.until(id, isEnded, 'the end');
    assert.equal(await readFile(join(ended.folder ?? '', 'requests.jsonl'), 'utf8'), text);
    const { run } = (await readRunFolder(ended.folder ?? '')) ?? {};
    const { model } = (JSON.parse(text.split('\n')[0] ?? '') as { readonly body: { readonly model: string } }).body;
    assert.deepEqual([run?.input?.model, run?.status, run?.counts], [model, 'completed', { answered: 3, failed: 0 }]);
    assert.equal(run?.ended, true);
    assert.equal(ended.sent, undefined);
    await assert.rejects(readFile(sent));
  });

  it("fails with the service's errors for lines, and keeps the sent requests until its record is removed", async () => {
    await writeFile(file, '{"custom_id":"a"}\n\nno JSON\n');
    const engine = open();
    const { id } = await engine.submit(submissionOf(file, demo));
    const { batch, folder: results, sent = '' } = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([batch?.status, results], ['failed', undefined]);
    assert.deepEqual(batch?.errors, [
      { line: 1, message: 'body is missing' },
      { line: 3, message: 'not a JSON object' },
    ]);
    assert.match(await readFile(sent, 'utf8'), /no JSON/);
    await engine.forget(id);
    await assert.rejects(readFile(sent));
  });

  it('is found by its ID after a lost creation response, and not created twice', async () => {
    for (const fault of ['reset-before-headers', 'reset-after-headers', 'cut-body', 'not-json']) {
      await demo.call('POST', '/_control/reset', {});
      await arm(fault, 'POST /batches');
      const engine = open();
      const job = await engine.submit(submissionOf(file, demo));
      if (fault === 'not-json') break;
      assert.deepEqual([job.stage, job.lastError?.kind], ['unknown', 'answerLost'], fault);
      const ended = await engine.until(job.id, isEnded, `the end after ${fault}`);
      assert.deepEqual([await outputOf(ended), await posts(), ended.lastError], [all, 1, undefined]);
      await close(engine);
    }
  });

  it("isn't created again automatically if its outcome is unknown, but on the user's request", async () => {
    await arm('server-60000', 'POST /batches');
    const engine = open(fastTime(100));
    const { id } = await engine.submit(submissionOf(file, demo));
    const doubtful = await engine.until(id, ({ toldDoubtAt }) => toldDoubtAt !== undefined, 'the doubt');
    // It is marked as told before it is told.
    await until(() => engine.notices[0], 'the notice');
    assert.deepEqual([doubtful.stage, engine.notices, await posts()], ['unknown', [`doubt ${id}`], 1]);
    assert.equal((await engine.createAgain(id)).stage, 'running');
    await engine.until(id, isEnded, 'the end');
    assert.equal(await posts(), 2);
    await assert.rejects(engine.createAgain(id), isProblem('notRefused'));
  });

  it("isn't created again on the user's request if it exists after all", async () => {
    await arm('reset-before-headers', 'POST /batches');
    const engine = open({ ...fastTime(1), setTimer: () => () => undefined });
    await arm('timeout-504-text', 'GET /batches', 3);
    const { id } = await engine.submit(submissionOf(file, demo));
    await engine.until(id, ({ failures }) => failures === 1, 'a look that failed');
    const job = await engine.createAgain(id);
    assert.deepEqual([job.stage, await posts()], ['running', 1]);
  });

  it('keeps the upload when the service rejects it, and reuses it', async () => {
    await arm('balance-402', 'POST /batches');
    const engine = open();
    const refused = await engine.submit(submissionOf(file, demo));
    assert.deepEqual(
      [refused.stage, refused.lastError?.kind, refused.lastError?.error?.kind],
      ['refused', 'refused', 'balance'],
    );
    assert.ok(refused.inputFileId);
    const again = await engine.createAgain(refused.id);
    assert.deepEqual([again.stage, again.inputFileId, again.lastError], ['running', refused.inputFileId, undefined]);
    const { data } = (await demo.call('GET', '/files?purpose=batch')) as {
      readonly data: { readonly data: readonly unknown[] };
    };
    assert.equal(data.data.length, 1);
  });

  it('uploads a file again if the service no longer has it', async () => {
    const engine = open();
    const refused = await engine.submit(submissionOf(file, demo, { inputFileId: 'file-of-last-month' }));
    assert.deepEqual([refused.stage, refused.inputFileId], ['refused', 'file-of-last-month']);
    const again = await engine.createAgain(refused.id);
    assert.deepEqual([again.stage, again.inputFileId === refused.inputFileId], ['running', false]);
  });

  it('leaves no files if it is stopped before creation, or if its file has changed', async () => {
    const engine = open();
    const stop = new AbortController();
    const stopped = engine.submit(submissionOf(file, demo), {
      signal: stop.signal,
      onStep: (step) => step === 'uploading' && stop.abort(),
    });
    await assert.rejects(stopped, { name: 'AbortError' });
    await assert.rejects(engine.submit(submissionOf(file, demo, { sha256: 'another' })), isProblem('inputChanged'));
    await assert.rejects(engine.submit(submissionOf(folder.in('none.jsonl'), demo)), { code: 'ENOENT' });
    assert.deepEqual([await recordsIn(folder.path()), engine.jobs, await posts()], [[], [], 0]);
  });

  it('is reported once if it ended while VS Code was closed', async () => {
    const first = open();
    const { id } = await first.submit(submissionOf(file, demo));
    await close(first);
    const second = open();
    await second.refresh();
    const ended = await second.until(id, ({ toldEndAt }) => toldEndAt !== undefined, 'the notice');
    assert.deepEqual([second.notices, await outputOf(ended)], [[`end ${id}`], all]);
    await close(second);
    const third = open();
    await third.refresh();
    await close(third);
    assert.deepEqual(third.notices, []);
  });

  it('is tracked by one of several windows, by another when that closes, and reported once', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchLineMs: 2000 } });
    const asked = [0, 0, 0];
    const windows = asked.map((_, index) =>
      open({ ...fastTime(20), beforeConnect: async () => void (asked[index] = (asked[index] ?? 0) + 1) }),
    );
    const { id } = await windows[1]!.submit(submissionOf(file, demo));
    asked.fill(0);
    await Promise.all(windows.map((engine) => engine.refresh()));
    await windows[0]!.until(id, ({ looks = 0, batch }) => batch?.status === 'in_progress' && looks > 1, 'some looks');
    await Promise.all(windows.map((engine) => engine.refresh()));
    assert.equal(windows.filter(({ isPolling }) => isPolling).length, 1);
    assert.deepEqual(asked.filter((times) => times > 0).length, 1, asked.join(' '));
    const gone = windows.find(({ isPolling }) => isPolling)!;
    await close(gone);
    const left = windows.filter((engine) => engine !== gone);
    await Promise.all(left.map((engine) => engine.refresh()));
    await Promise.all(left.map((engine) => engine.until(id, ({ toldEndAt }) => toldEndAt !== undefined, 'the notice')));
    assert.deepEqual(
      windows.flatMap(({ notices }) => notices),
      [`end ${id}`],
    );
  });

  it('is tracked despite a rejected key, a missing endpoint, a busy service, and invalid responses', async () => {
    const engine = open(fastTime(100));
    const { id } = await engine.submit(submissionOf(file, demo));
    const faults = { 'token-invalid': 2, gone: 1, 'rate-limit-rpm': 5, 'html-502': 3, 'wrong-shape': 1 };
    for (const [fault, times] of Object.entries(faults)) await arm(fault, 'GET /batches/{id}', times);
    const problems = new Set<string | undefined>();
    await engine.until(
      id,
      (job) => {
        problems.add(job.lastError?.error?.kind);
        return isEnded(job);
      },
      'the end',
    );
    assert.ok(problems.has('auth'), [...problems].join(' '));
    assert.deepEqual(engine.errors, []);
  });

  it('is kept and reported once when its profile is missing, and tracked when the profile returns', async () => {
    let isGone = false;
    const beforeConnect = async () => {
      if (isGone) throw new StepFailure({ kind: 'profileGone', message: 'mine' });
    };
    const engine = open({ ...fastTime(50), beforeConnect });
    await demo.call('POST', '/_control/pace', { pace: { batchLineMs: 200 } });
    const { id } = await engine.submit(submissionOf(file, demo));
    isGone = true;
    const lost = await engine.until(id, ({ failures = 0 }) => failures > 2, 'the trouble');
    assert.deepEqual([lost.stage, lost.lastError?.kind, engine.notices], ['running', 'profileGone', [`doubt ${id}`]]);
    isGone = false;
    await engine.wake();
    const ended = await engine.until(id, ({ toldEndAt }) => toldEndAt !== undefined, 'the notice');
    assert.deepEqual([await outputOf(ended), engine.notices], [all, [`doubt ${id}`, `end ${id}`]]);
  });

  it('shows an unknown status, and detects its end by its time', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchLineMs: 200 } });
    const engine = open();
    const job = await engine.submit(submissionOf(file, demo));
    await tell(job, { status: 'reticulating' });
    const strange = await engine.until(job.id, ({ batch }) => batch?.status === 'reticulating', 'the status');
    assert.equal(strange.stage, 'running');
    const ended = await engine.until(job.id, isEnded, 'the end');
    assert.deepEqual([ended.batch?.status, await outputOf(ended)], ['reticulating', all]);
  });

  it('has the partial results if it expired, was canceled, or failed', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchLineMs: 120 } });
    const engine = open();
    await demo.call('POST', '/_control/batches', { failAfter: 2 });
    const failed = await engine.submit(submissionOf(file, demo));
    const failedEnd = await engine.until(failed.id, isEnded, 'the failure');
    assert.deepEqual([failedEnd.batch?.status, await outputOf(failedEnd)], ['failed', ['line-1', 'line-2']]);
    await demo.call('POST', '/_control/batches', { failAfter: 1000 });
    const many = await writeBatchFile(folder.path(), 40);
    const cancelled = await engine.submit(submissionOf(many, demo));
    await engine.until(cancelled.id, ({ batch }) => (batch?.requestCounts?.completed ?? 0) > 0, 'a line');
    await engine.cancel(cancelled.id);
    const cancelledEnd = await engine.until(cancelled.id, isEnded, 'the cancellation');
    assert.equal(cancelledEnd.batch?.status, 'cancelled');
    assert.ok((await outputOf(cancelledEnd)).length > 0);
    await demo.call('POST', '/_control/batches', { windowSeconds: 2 });
    const expired = await engine.submit(submissionOf(many, demo));
    const expiredEnd = await engine.until(expired.id, isEnded, 'the expiry');
    assert.equal(expiredEnd.batch?.status, 'expired');
    const [done, rest] = [await outputOf(expiredEnd), await errorsOf(expiredEnd)];
    assert.ok(done.length > 0 && rest.length > 0);
    assert.equal(done.length + rest.length, 40);
  });

  it('downloads results by URL too, and requests a new URL when it has expired', async () => {
    await demo.call('POST', '/_control/batches', { outputAs: 'url' });
    const engine = open();
    await arm('expired-url', 'GET /batches/{id}', 1);
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
    const { id } = await engine.submit(submissionOf(file, demo));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.match(ended.batch?.outputFileId ?? '', /^http/);
    assert.deepEqual(await outputOf(ended), all);
    const requests = await demo.requests();
    const assets = requests.filter(({ path }) => path.startsWith('/assets/'));
    assert.ok(assets.length > 0);
    assert.deepEqual(
      assets.filter(({ headers }) => 'authorization' in headers),
      [],
    );
  });

  it('reports a missing result, and downloads it when it exists', async () => {
    const engine = open(fastTime(100));
    const job = await engine.submit(submissionOf(file, demo));
    await tell(job, { output_file_id: 'file-wrong' });
    const stuck = await engine.until(job.id, ({ lastError }) => lastError?.isFinal === true, 'the trouble');
    assert.deepEqual([stuck.stage, stuck.lastError?.kind], ['fetching', 'resultMissing']);
    assert.deepEqual(engine.notices, [`end ${job.id}`]);
    await tell(job);
    const fetched = await engine.fetchResults(job.id);
    assert.deepEqual([fetched.stage, fetched.lastError, await outputOf(fetched)], ['ended', undefined, all]);
    assert.deepEqual(engine.notices, [`end ${job.id}`]);
  });

  it("reports a result that isn't named, isn't valid, or isn't returned", async () => {
    const engine = open(fastTime(200));
    const silent = await engine.submit(submissionOf(file, demo));
    await tell(silent, { output_file_id: null });
    assert.equal((await engine.until(silent.id, isEnded, 'the end')).lastError?.kind, 'noResults');
    const wrong = await engine.submit(submissionOf(file, demo));
    await tell(wrong, { output_file_id: wrong.inputFileId });
    const none = await engine.until(wrong.id, ({ lastError }) => lastError?.kind === 'notResults', 'the trouble');
    assert.equal(none.stage, 'fetching');
    const withheld = await engine.submit(submissionOf(file, demo));
    await arm('path-missing', 'GET /files/{id}/content', 20);
    const saved = await engine.until(withheld.id, ({ lastError }) => lastError?.kind === 'notOffered', 'the refusal');
    assert.equal(saved.lastError?.isFinal, true);
  });

  it('keeps the complete lines of a truncated result, and downloads it again', async () => {
    const engine = open(fastTime(200));
    await arm('cut-body', 'GET /files/{id}/content', 1000);
    const { id } = await engine.submit(submissionOf(await writeBatchFile(folder.path(), 9), demo));
    const cut = await engine.until(id, ({ lastError }) => lastError?.isFinal === true, 'the trouble');
    assert.deepEqual([cut.stage, cut.lastError?.kind], ['fetching', 'cutShort']);
    const saved = await outputOf(cut);
    assert.ok(saved.length >= 2 && saved.length < 9, `${saved.length} whole lines`);
    await demo.call('POST', '/_control/reset', {});
    const fetched = await engine.fetchResults(id);
    assert.deepEqual([fetched.stage, (await outputOf(fetched)).length], ['ended', 9]);
  });

  it('reports fewer results than the service counted, and keeps them', async () => {
    const engine = open(fastTime(100));
    const job = await engine.submit(submissionOf(file, demo));
    await tell(job, { request_counts: { total: 5, completed: 5, failed: 0 } });
    const ended = await engine.until(job.id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, ended.lastError?.message], ['cutShort', '3 of 5 results came.']);
    assert.deepEqual(await outputOf(ended), all);
  });

  it("is still tracked if early results at an unknown status can't be downloaded", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchLineMs: 300 } });
    const engine = open();
    const job = await engine.submit(submissionOf(file, demo));
    await tell(job, { status: 'reticulating', output_file_id: 'file-wrong' });
    await engine.until(job.id, ({ lastError }) => lastError?.kind === 'resultMissing', 'the trouble');
    await tell(job);
    const ended = await engine.until(job.id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, await outputOf(ended)], [undefined, all]);
  });

  it('has its results in the requested folder, whichever window downloads them', async () => {
    const first = open({ setTimer: () => () => undefined });
    const sent = await first.submit(submissionOf(file, demo, { resultsRoot: folder.in('mine') }));
    await close(first);
    const another = open({
      ...fastTime(20),
      place: { root: () => folder.in('other'), fallback: folder.in('storage') },
    });
    await another.refresh();
    const ended = await another.until(sent.id, isEnded, 'the end');
    assert.ok(ended.folder?.startsWith(folder.in('mine')), ended.folder);
    assert.deepEqual(await outputOf(ended), all);
  });

  it("saves results elsewhere if the selected folder isn't writable, and reports that", async () => {
    await writeFile(folder.in('in the way'), '');
    const place = { root: () => folder.in('in the way/results'), fallback: folder.in('storage') };
    const engine = open({ ...fastTime(20), place });
    const { id } = await engine.submit(submissionOf(file, demo));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, await outputOf(ended)], ['savedElsewhere', all]);
    assert.ok(ended.folder?.startsWith(place.fallback));
  });

  it('saves nothing through a link that replaced its folders after submission, but elsewhere, and reports that', async () => {
    const place = { root: () => folder.in('work/results'), fallback: folder.in('storage') };
    await mkdir(folder.in('outside'));
    await mkdir(folder.in('work/results'), { recursive: true });
    const swap = async (name: string) => {
      await rm(folder.in(name), { recursive: true });
      await symlink(folder.in('outside'), folder.in(name));
    };
    const sent = open({ ...fastTime(1), place, setTimer: () => () => undefined });
    const submission = submissionOf(file, demo, { resultsRoot: folder.in('work/results') });
    const { id } = await sent.submit(submission);
    await close(sent);
    await swap('work/results');
    const engine = open({ ...fastTime(20), place });
    await engine.refresh();
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, ended.lastError?.causeCode], ['savedElsewhere', 'ELOOP']);
    assert.ok(ended.folder?.startsWith(place.fallback), ended.folder);
    assert.deepEqual([await outputOf(ended), await readdir(folder.in('outside'))], [all, []]);
  });

  it('saves nothing through a link that replaced the folder of its early results', async () => {
    const place = { root: () => folder.in('results'), fallback: folder.in('storage') };
    const engine = open({ ...fastTime(20), place });
    const job = await engine.submit(submissionOf(file, demo));
    const ended = await engine.until(job.id, isEnded, 'the end');
    const made = ended.folder ?? '';
    await rename(made, folder.in('outside'));
    await rm(folder.in('outside/output.jsonl'));
    const before = await readFile(folder.in('outside/run.json'), 'utf8');
    await symlink(folder.in('outside'), made);
    const again = await engine.fetchResults(job.id);
    assert.equal(again.lastError?.kind, 'savedElsewhere');
    assert.ok(again.folder?.startsWith(place.fallback), again.folder);
    assert.deepEqual(
      [await outputOf(again), await readdir(folder.in('outside'))],
      [all, ['requests.jsonl', 'run.json']],
    );
    assert.equal(await readFile(folder.in('outside/run.json'), 'utf8'), before);
  });

  it('saves nothing through a link that replaces its folder during creation', async () => {
    const place = { root: () => folder.in('results'), fallback: folder.in('storage') };
    await mkdir(folder.in('outside'));
    let isSwapped = false;
    const onChange = () => {
      const made = engine.jobs[0]?.folder;
      if (made === undefined || isSwapped) return;
      isSwapped = true;
      renameSync(made, folder.in('aside'));
      symlinkSync(folder.in('outside'), made);
    };
    const engine = open({ ...fastTime(20), place, onChange });
    const { id } = await engine.submit(submissionOf(file, demo));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError?.kind, await outputOf(ended)], ['savedElsewhere', all]);
    assert.deepEqual(await readdir(folder.in('outside')), []);
  });

  it("doesn't use a link in place of its folder", async () => {
    const place = { root: () => folder.in('results'), fallback: folder.in('storage') };
    const engine = open({ ...fastTime(20), place });
    const job = await engine.submit(submissionOf(file, demo));
    const { folder: made = '' } = await engine.until(job.id, isEnded, 'the end');
    await close(engine);
    await rm(made, { recursive: true });
    await mkdir(folder.in('outside'));
    await symlink(folder.in('outside'), made);
    await rm(folder.in('jobs'), { recursive: true });
    const anew = open({ ...fastTime(20), place });
    await anew.watch(job.batch!, job);
    const ended = await anew.until(job.id, isEnded, 'the end');
    assert.deepEqual([await outputOf(ended), await readdir(folder.in('outside'))], [all, []]);
  });

  it('waits with its results until the disk is writable', async () => {
    await writeFile(folder.in('storage'), '');
    const place = { root: () => folder.in('storage/results'), fallback: folder.in('storage/results') };
    const engine = open({ ...fastTime(50), place });
    const { id } = await engine.submit(submissionOf(file, demo));
    await engine.until(id, ({ lastError }) => lastError?.kind === 'disk', 'the trouble');
    await rm(folder.in('storage'));
    const ended = await engine.until(id, isEnded, 'the end');
    assert.deepEqual([ended.lastError, await outputOf(ended)], [undefined, all]);
  });

  it('adopts a batch submitted elsewhere once, and removes it', async () => {
    const engine = open();
    await demo.makeBatch('Elsewhere', 2);
    const { data } = (await demo.call('GET', '/batches')) as { readonly data: readonly { readonly id: string }[] };
    const batch = { id: data[0]!.id, status: 'in_queue', errors: [], metadata: { name: 'Elsewhere' } };
    const from = { profileId: 'mine', baseUrl: demo.baseUrl };
    const job = await engine.watch(batch, from);
    assert.equal((await engine.watch(batch, from)).id, job.id);
    const ended = await engine.until(job.id, isEnded, 'the end');
    assert.equal((await outputOf(ended)).length, 2);
    const { input } = await engine.linkInput(job.id, file);
    // Whether this file was sent is unknown.
    assert.deepEqual([input?.path, input?.sha256, input?.requests], [file, '', 3]);
    await engine.forget(job.id);
    assert.deepEqual([await recordsIn(folder.path()), engine.jobs], [[], []]);
    assert.ok((await readdir(ended.folder ?? '')).includes('output.jsonl'));
  });
});

describe('results that break off', () => {
  const folder = setUpFolder();
  const batch = { id: 'batch-1', status: 'completed', outputFileId: 'file-1', metadata: {} };

  /** Fetches results of which these bytes come, and returns what is saved. */
  async function saved(come: Buffer, before: string | undefined): Promise<string | undefined> {
    await rm(folder.in('results'), { recursive: true, force: true });
    let job = {
      id: 'job-1',
      stage: 'fetching',
      profileId: 'mine',
      baseUrl: 'https://a.example/v1',
      options: {},
    } as BatchJob;
    const content: BatchService['files']['content'] = async ({ toPath, partTo }) => {
      if (before !== undefined) await writeFile(toPath, before);
      await writeFile(partTo, come);
      throw new ApiError({ kind: 'truncated', message: 'The response broke off.' });
    };
    job = { ...job, createdAt: 1, checkedAt: 1, batch } as never;
    const fetching = fetchResults({
      job,
      connect: async () => ({ files: { content } }) as unknown as BatchService,
      place: { root: () => folder.in('results'), fallback: folder.in('results') },
      tools: {
        signal: new AbortController().signal,
        now: () => 1,
        save: async (patch) => (job = { ...job, ...patch } as BatchJob),
      },
    });
    await assert.rejects(fetching, (error) => error instanceof StepFailure && error.jobError.kind === 'cutShort');
    assert.deepEqual(
      (await readdir(job.folder!)).filter((name) => !/^(output|run)\./.test(name)),
      [],
    );
    return readFile(join(job.folder!, 'output.jsonl'), 'utf8').catch(() => undefined);
  }

  it('are saved with all complete lines, however long lines are, unless more are saved', async () => {
    const around = (bytes: number) => fc.integer({ min: bytes - 2, max: bytes + 2 });
    // The end is searched in pieces of 64 kB.
    const lengths = fc.array(fc.oneof(fc.nat({ max: 9 }), around(65_536), around(131_072), fc.constant(200_000)), {
      maxLength: 4,
    });
    const earlier = fc.option(fc.constantFrom('{}\n', `${'x'.repeat(100_000)}\n`), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        lengths,
        fc.oneof(fc.constant(0), around(65_536), fc.constant(200_000)),
        earlier,
        async (all, rest, had) => {
          const whole = all.map((length) => `${'a'.repeat(length)}\n`).join('');
          const expected = whole.length > (had?.length ?? 0) ? whole : had;
          const result = await saved(Buffer.from(whole + 'b'.repeat(rest)), had);
          // Whole texts would be shown in an error.
          assert.deepEqual([result?.length, result === expected], [expected?.length, true]);
        },
      ),
      { numRuns: 25 },
    );
  });
});
