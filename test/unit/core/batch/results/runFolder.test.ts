import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import {
  folderName,
  createRunFolder,
  hasResults,
  listRunFolders,
  type KnownRuns,
  readRunFolder,
  resultPaths,
  updateRun,
} from '../../../../../src/core/batch/results/runFolder';
import { makeRetryFolder, retriesOf, retrySource, runOfRetry } from '../../../../../src/core/batch/results/retries';
import type { Run } from '../../../../../src/core/batch/results/runFile';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { anyText } from '../../../../support/anyText';

const at = new Date(2026, 10, 21, 12).getTime();
const run: Run = {
  kind: 'batch',
  name: 'reviews.jsonl',
  createdAt: at,
  jobId: 'job-1',
  input: { path: '/home/me/reviews.jsonl', sha256: 'ab', bytes: 12, requests: 3 },
  files: { output: 'output.jsonl' },
  ended: false,
};

describe('The folder of a run', () => {
  const folder = setUpFolder();
  const root = () => folder.in('results');

  it('is named by day and name, and stores the details of the run', async () => {
    const made = await createRunFolder(root(), run);
    assert.match(path.basename(made.path), /^2026-11-21 reviews\.jsonl [0-9a-f]{6}$/);
    assert.deepEqual(await readRunFolder(made.path), { path: made.path, run, isGuessed: false });
    assert.deepEqual(await resultPaths(made), {
      outputs: [path.join(made.path, 'output.jsonl')],
      errors: [],
      refused: [],
    });
    assert.deepEqual(await readdir(made.path), ['run.json']);
  });

  it('has the results of all parts only while each file is as downloaded', async () => {
    const files = { output: 'output.jsonl', more: ['output-2.jsonl', 'errors-2.jsonl'] };
    const { path: made } = await createRunFolder(root(), { ...run, files });
    const write = (name: string, bytes: number) => writeFile(path.join(made, name), 'x'.repeat(bytes));
    const sizes = [7, 7, 3];
    assert.equal(await hasResults(made, sizes), false);
    await write('output.jsonl', 7);
    await write('errors-2.jsonl', 3);
    assert.equal(await hasResults(made, sizes), false);
    await write('output-2.jsonl', 6);
    assert.equal(await hasResults(made, sizes), false);
    await write('output-2.jsonl', 7);
    assert.equal(await hasResults(made, sizes), true);
    await rm(path.join(made, 'output.jsonl'));
    assert.equal(await hasResults(made, sizes), false);
    assert.equal(await hasResults(folder.in('nowhere'), sizes), false);
  });

  it('is the same for the same job, and separate for another job or a run without one', async () => {
    const { jobId: _, ...nameless } = run;
    const made = [];
    for (const one of [run, run, { ...run, jobId: 'job-2' }, nameless, nameless]) {
      made.push((await createRunFolder(root(), one)).path);
    }
    assert.equal(made[0], made[1]);
    assert.equal(new Set(made).size, 4);
  });

  it('is found again by its job after a crash before its file was written', async () => {
    const made = await createRunFolder(root(), run);
    await writeFile(path.join(made.path, 'run.json'), '{"kind":"ba');
    assert.deepEqual(await createRunFolder(root(), run), made);
  });

  it('is listed newest first, and other folders are skipped', async () => {
    assert.deepEqual(await listRunFolders(root()), []);
    const times = [at, at + 5000, at - 5000];
    for (const createdAt of times) await createRunFolder(root(), { ...run, createdAt, jobId: String(createdAt) });
    await mkdir(path.join(root(), 'holiday pictures'));
    await writeFile(path.join(root(), 'note.txt'), 'mine');
    const listed = await listRunFolders(root());
    assert.deepEqual(
      listed.map((one) => one.run.createdAt),
      [at + 5000, at, at - 5000],
    );
  });

  it('is reread in a list only if it changed', async () => {
    const [first, second] = [
      await createRunFolder(root(), run),
      await createRunFolder(root(), { ...run, createdAt: at - 1, jobId: 'other' }),
    ];
    const known: KnownRuns = new Map();
    const list = () => listRunFolders(root(), known);
    const before = await list();
    await updateRun(second.path, { ended: true, batchId: 'batch_new' });
    const after = await list();
    assert.deepEqual(
      after.map(({ run: { batchId } }) => batchId),
      [first.run.batchId, 'batch_new'],
    );
    assert.deepEqual(
      after.map((one, place) => one === before[place]),
      [true, false],
    );
    await rm(path.join(first.path, 'run.json'));
    assert.deepEqual(
      (await list()).map(({ path: at }) => at),
      [second.path],
    );
  });

  it('is read from its results if its file is missing', async () => {
    const made = await createRunFolder(root(), run);
    await writeFile(path.join(made.path, 'errors.jsonl'), '');
    const whole = await readFile(path.join(made.path, 'run.json'), 'utf8');
    for (let cut = 0; cut < whole.trimEnd().length; cut += 3) {
      await writeFile(path.join(made.path, 'run.json'), whole.slice(0, cut));
      const read = await readRunFolder(made.path);
      assert.equal(read?.isGuessed, true);
      assert.deepEqual(read.run.files, { errors: 'errors.jsonl' });
    }
    assert.equal((await listRunFolders(root())).length, 1);
    assert.equal(await readRunFolder(path.join(root(), 'nowhere')), undefined);
  });

  it('preserves and reads records from newer versions as far as possible', async () => {
    const made = await createRunFolder(root(), run);
    const newer = {
      ...run,
      version: 7,
      colour: 'blue',
      model: { id: 'm' },
      files: { output: 'output.jsonl', logs: 'l' },
    };
    await writeFile(path.join(made.path, 'run.json'), JSON.stringify(newer));
    assert.deepEqual((await readRunFolder(made.path))?.run, run);
    await updateRun(made.path, { ended: true, jobId: undefined });
    const { jobId: _, ...rest } = newer;
    const written: unknown = JSON.parse(await readFile(path.join(made.path, 'run.json'), 'utf8'));
    assert.deepEqual(written, { ...rest, files: run.files, ended: true });
  });

  it('preserves unreadable properties when it is written', async () => {
    const made = await createRunFolder(root(), run);
    await writeFile(path.join(made.path, 'run.json'), '{"version":1,"na');
    await updateRun(made.path, { ended: true });
    const aside = (await readdir(made.path)).find((name) => name.startsWith('run.json.unreadable-'));
    assert.equal(await readFile(path.join(made.path, aside ?? ''), 'utf8'), '{"version":1,"na');
    assert.equal((await readRunFolder(made.path))?.run.ended, true);
  });

  it('never leads to a file outside of it', async () => {
    const made = await createRunFolder(root(), run);
    for (const output of ['../secret', '/etc/passwd', '..\\secret', 'C:\\secret', 'output.jsonl:x', '..', '']) {
      await writeFile(path.join(made.path, 'run.json'), JSON.stringify({ ...run, files: { output } }));
      const read = await readRunFolder(made.path);
      assert.deepEqual(read && (await resultPaths(read)).outputs, [], output);
    }
  });
});

describe('The retries of a run', () => {
  const folder = setUpFolder();
  const known = { kind: 'batch', name: 'n', files: { output: 'output.jsonl' }, ended: true } as const;
  const pathsOf = (runs: readonly { readonly path: string }[]) => runs.map(({ path: at }) => at);

  it('reuse a folder within it that was never sent, but not one with results', async () => {
    const run = await createRunFolder(folder.in('runs'), { ...known, createdAt: 1, jobId: 'j' });
    const first = await makeRetryFolder(run.path, () => false);
    assert.equal(first, path.join(run.path, 'retries', '1'));
    await writeFile(path.join(first, 'requests.jsonl'), '{}\n');
    assert.equal(await makeRetryFolder(run.path, () => false), first);
    assert.deepEqual(await retriesOf(run, []), []);
    const second = await makeRetryFolder(run.path, (made) => made === first);
    assert.equal(second, path.join(run.path, 'retries', '2'));
    await updateRun(first, { ...known, createdAt: 2 });
    await writeFile(path.join(first, 'output.jsonl'), '');
    assert.equal(await makeRetryFolder(run.path, () => false), second);
    const [retry, ...others] = await retriesOf(run, []);
    assert.deepEqual(others, []);
    assert.equal(retry?.path, first);
    assert.equal(runOfRetry(first), run.path);
    assert.equal(runOfRetry(run.path), undefined);
    assert.deepEqual(await retrySource(retry), {
      at: 2,
      input: path.join(first, 'requests.jsonl'),
      outputs: [path.join(first, 'output.jsonl')],
      errors: [],
    });
    assert.deepEqual(pathsOf(await listRunFolders(folder.in('runs'))), [run.path]);
  });

  it('include separate runs that reference it or its derived file, and their own retries', async () => {
    const root = folder.in('older');
    const input = { path: '/r.jsonl', bytes: 1, requests: 1, sha256: 'ab' };
    const run = await createRunFolder(root, {
      ...known,
      createdAt: 10,
      jobId: 'first',
      retries: [{ path: '/r.jsonl', sha256: 'ab', requests: 1, createdAt: 20 }],
    });
    const bySaying = await createRunFolder(root, { ...known, createdAt: 40, jobId: 'second', retryOf: 'first' });
    const ofThat = await createRunFolder(root, { ...known, createdAt: 50, jobId: 'third', retryOf: bySaying.path });
    const byFile = await createRunFolder(root, { ...known, kind: 'local', createdAt: 30, input });
    // The same requests, before anything was retried.
    await createRunFolder(root, { ...known, createdAt: 15, jobId: 'other', input });
    const all = await listRunFolders(root);
    assert.deepEqual(pathsOf(await retriesOf(run, all)), pathsOf([byFile, bySaying, ofThat]));
    assert.deepEqual(await retriesOf(ofThat, all), []);
  });

  it('exclude linked folders', async () => {
    const run = await createRunFolder(folder.in('linked'), { ...known, createdAt: 1, jobId: 'j' });
    const other = folder.in('elsewhere/retries');
    await mkdir(path.join(other, '1'), { recursive: true });
    await writeFile(path.join(other, '1', 'output.jsonl'), '');
    await symlink(other, path.join(run.path, 'retries'));
    assert.deepEqual(await retriesOf(run, []), []);
    await assert.rejects(
      makeRetryFolder(run.path, () => false),
      { code: 'ELOOP' },
    );
  });
});

describe('A link in the folder of a run', () => {
  const folder = setUpFolder();

  it("isn't a result, and doesn't describe the run", async () => {
    const made = await createRunFolder(folder.in('results'), {
      ...run,
      files: { output: 'output.jsonl', errors: 'errors.jsonl' },
    });
    await writeFile(folder.in('outside.jsonl'), '{}');
    await symlink(folder.in('outside.jsonl'), path.join(made.path, 'output.jsonl'));
    await writeFile(path.join(made.path, 'errors.jsonl'), '{}');
    assert.deepEqual(await resultPaths(made), {
      outputs: [],
      errors: [path.join(made.path, 'errors.jsonl')],
      refused: [path.join(made.path, 'output.jsonl')],
    });
    await writeFile(folder.in('run.json'), JSON.stringify({ ...run, name: 'of elsewhere' }));
    await rm(path.join(made.path, 'run.json'));
    await symlink(folder.in('run.json'), path.join(made.path, 'run.json'));
    assert.equal((await readRunFolder(made.path))?.isGuessed, true);
  });
});

describe('A folder name', () => {
  it('is valid on every system', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string({ unit: 'grapheme', maxLength: 60 })), (text) => {
        const name = folderName(text);
        assert.ok(name.length > 0 && Array.from(name).length <= 48);
        assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[ .]|[ .]$/u);
        assert.equal(name, name.normalize('NFC'));
      }),
    );
    const names = ['CON', 'nul.txt', 'a/b:c', '...', ' reviews\u202e ', 'COM1.x'].map(folderName);
    assert.deepEqual(names, ['C_ON', 'n_ul.txt', 'a b c', 'run', 'reviews', 'C_OM1.x']);
  });
});
