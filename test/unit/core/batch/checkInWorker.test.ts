import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { CheckJob, CheckProgress } from '../../../../src/core/batch/job/checkJob';
import { defaultSeverities } from '../../../../src/core/batch/problem';
import { checkInWorker } from '../../../../src/core/batch/job/checkInWorker';
import { bundleProgram } from '../../../support/programs';
import { setUpFolder } from '../../../support/temporaryFolder';

const request = (id: string, model = 'm') =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  });

describe('Batch files checked in a worker thread', function () {
  this.timeout(60_000);
  const folder = setUpFolder();
  let program: string;

  before(async () => {
    program = await bundleProgram('src/cli/checkWorker.ts');
  });

  const write = async (name: string, text: string) => {
    await writeFile(folder.in(name), text);
    return folder.in(name);
  };
  const jobOf = (files: readonly string[], more: Partial<CheckJob> = {}): CheckJob => ({
    files,
    severities: defaultSeverities,
    report: folder.in('report.txt'),
    maxListed: 10,
    ...more,
  });
  const run = async (job: CheckJob, onNews: (news: CheckProgress) => void = () => {}, signal?: AbortSignal) => {
    const news: CheckProgress[] = [];
    await checkInWorker({
      program,
      job,
      signal: signal ?? new AbortController().signal,
      onEvent(one) {
        news.push(one);
        onNews(one);
      },
    });
    return news;
  };
  const report = () => readFileSync(folder.in('report.txt'), 'utf8');

  it('summarize each file, and write everything into a report', async () => {
    const files = [
      await write('a.jsonl', `${request('1')}\n${request('1')}\n`),
      await write('b.jsonl', `${request('1', 'x')}\n`),
    ];
    const news = await run(jobOf(files, { models: new Map([['m', {}]]) }));
    const checked = news.flatMap((one) => (one.kind === 'checked' ? one.outcome : []));
    deepEqual(
      checked.map(({ file, requests, changed, counts }) => ({ file, requests, changed, counts })),
      [
        {
          file: files[0],
          requests: 2,
          changed: false,
          counts: { error: 1, warning: 0, information: 0, hint: 0 },
        },
        {
          file: files[1],
          requests: 1,
          changed: false,
          counts: { error: 1, warning: 0, information: 0, hint: 0 },
        },
      ],
    );
    equal(checked[0]!.problems[0]!.code, 'custom-id.duplicate');
    deepEqual(news.at(-1), { kind: 'end' });
    match(report(), /^2 problems\n {2}1 {2}custom-id\.duplicate\n {2}1 {2}model\.unknown\n\n/);
    ok(report().includes(`${files[0]}:2:14: error custom-id.duplicate `));
    deepEqual(readdirSync(folder.path()).toSorted(), ['a.jsonl', 'b.jsonl', 'report.txt']);
    await run(jobOf([files[1]!], { models: new Map([['m', {}]]) }));
    match(report(), /^1 problem\n/);
    await run(jobOf([files[1]!]));
    equal(report(), 'No problems found.\n');
  });

  it('report models, size, and, on request, the digest of all bytes', async () => {
    const text = `${request('1', 'x')}\r\n${request('2', 'y')}\n${request('3', 'y')}`;
    const [file, list] = [await write('a.jsonl', text), await write('list.jsonl', `[${text}]`)];
    const [checked, array] = (await run(jobOf([file, list], { digest: true }))).flatMap((one) =>
      one.kind === 'checked' ? one.outcome : [],
    );
    deepEqual(
      [checked!.models, checked!.modelCount, checked!.bytes],
      [
        [
          { id: 'y', requests: 2 },
          { id: 'x', requests: 1 },
        ],
        2,
        Buffer.byteLength(text),
      ],
    );
    equal(checked!.sha256, createHash('sha256').update(text).digest('hex'));
    equal(array!.bytes, Buffer.byteLength(text) + 2);
    equal(array!.sha256, createHash('sha256').update(`[${text}]`).digest('hex'));
  });

  it("report no digest of a file that isn't text, because not all of it is read", async () => {
    const bytes = Buffer.alloc(3_000_000);
    await writeFile(folder.in('binary.jsonl'), bytes);
    const news = await run(jobOf([folder.in('binary.jsonl')], { digest: true }));
    const [checked] = news.flatMap((one) => (one.kind === 'checked' ? one.outcome : []));
    deepEqual([checked!.bytes, checked!.sha256], [3_000_000, undefined]);
  });

  it('apply severities, and report the most severe problems if there are many', async () => {
    const severities = { ...defaultSeverities, 'model.mixed': 'off', 'custom-id.missing': 'information' } as const;
    const lines = Array.from({ length: 500 }, (_, index) =>
      index % 2 ? '{"custom_id":"x"}' : request('y', `${index}`),
    );
    const [file] = [await write('many.jsonl', `${'{"body":{}}\n'.repeat(20)}${lines.join('\n')}\n`)];
    const news = await run(jobOf([file], { severities, maxListed: 5 }));
    const [checked] = news.flatMap((one) => (one.kind === 'checked' ? one.outcome : []));
    equal(checked!.counts.information, 20);
    deepEqual(new Set(checked!.problems.map(({ severity }) => severity)), new Set(['error']));
    equal(checked!.problems.length, 5);
    deepEqual(
      checked!.kinds.slice(0, 2).map(({ count, first: { severity, code, line } }) => [severity, code, line, count]),
      [
        ['error', 'custom-id.duplicate', 22, 498],
        ['error', 'body.missing', 21, 250],
      ],
    );
    ok(!report().includes('model.mixed'));
    match(report(), /:1:1: information custom-id\.missing /);
  });

  it("explain why a missing file or a folder wasn't checked, and continue with the others", async () => {
    await mkdir(folder.in('folder.jsonl'));
    const good = await write('good.jsonl', `${request('1')}\n`);
    const news = await run(jobOf([folder.in('gone.jsonl'), folder.in('folder.jsonl'), good]));
    const reported = news.flatMap((one) =>
      one.kind === 'unchecked' ? one.outcome.code : one.kind === 'checked' ? one.outcome.requests : [],
    );
    deepEqual(reported, ['ENOENT', 'EISDIR', 1]);
    equal(report(), 'No problems found.\n');
  });

  it('stop when canceled, and leave no files', async () => {
    const line = `${request('same')}\n`;
    const file = await write('large.jsonl', line.repeat(Math.ceil(2e7 / line.length)));
    const cancelling = new AbortController();
    const seen: number[] = [];
    const running = run(
      jobOf([file]),
      (news) => {
        if (news.kind === 'progress') {
          seen.push(news.bytes);
          cancelling.abort();
        }
      },
      cancelling.signal,
    );
    await rejects(running, { name: 'AbortError' });
    equal(seen.length, 1);
    ok(seen[0]! < 2e7);
    deepEqual(readdirSync(folder.path()), ['large.jsonl']);
  });

  it("report that the report can't be written", async () => {
    const file = await write('a.jsonl', `${request('1')}\n`);
    const news = await run(jobOf([file], { report: folder.in('none/report.txt') }));
    const [last] = news;
    equal(last?.kind, 'end');
    match(last?.kind === 'end' ? (last.reportError ?? '') : '', /ENOENT/);
    ok(!existsSync(folder.in('none')));
  });

  it("reject with the thread's error", async () => {
    const broken = await write('broken.mjs', 'setTimeout(() => { throw new Error("out of luck"); }, 1);');
    const running = checkInWorker({
      program: broken,
      job: jobOf([]),
      onEvent: () => {},
      signal: new AbortController().signal,
    });
    await rejects(running, /out of luck/);
    const silent = await write('silent.mjs', 'process.exit(3);');
    await rejects(
      checkInWorker({ program: silent, job: jobOf([]), onEvent: () => {}, signal: new AbortController().signal }),
      /code 3/,
    );
  });
});
