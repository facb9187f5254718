import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { exportResults } from '../../../../../src/core/batch/results/exportResults';
import type { ExportRequest } from '../../../../../src/core/batch/results/exportResults';
import type { RetryRequest } from '../../../../../src/core/batch/results/writeRetry';
import { writeRetry } from '../../../../../src/core/batch/results/writeRetry';
import type { ResultsTable } from '../../../../../src/core/batch/results/resultsTable';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { everything, openTables, quiet } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');

describe('Files created from results', () => {
  const open = openTables();
  const folder = setUpFolder();
  const write = (name: string, content: string) => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };
  const asked = ['a', 'b', 'c', 'd'].map((id) => requestLine(id));
  const sample = () =>
    open({
      input: { path: write('in.jsonl', lines(...asked)) },
      outputs: [write('out.jsonl', lines(answerLine('c', '# Yes'), answerLine('x', 'extra')))],
      errors: [write('err.jsonl', lines(errorLine('a', 'no'), errorLine('b', 'late', 'batch_expired')))],
    });
  const exported = async (table: ResultsTable, request: Partial<ExportRequest> = {}) => {
    const target = folder.in('export');
    await exportResults(table, { format: 'jsonl', what: 'all', target, replace: true, ...request }, quiet);
    return readFileSync(target, 'utf8');
  };
  const retried = async (table: ResultsTable, which: RetryRequest['which'], target = folder.in('retry.jsonl')) => {
    const result = await writeRetry(table, { which, target, replace: true }, quiet);
    return { ...result, text: readFileSync(target, 'utf8') };
  };

  it('contain the request, response, error, and usage as JSON Lines', async () => {
    const text = await exported(await sample());
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      rows.map((row) => row['state']),
      ['failed', 'expired', 'answered', 'missing', 'extra'],
    );
    assert.deepEqual(rows[2], {
      custom_id: 'c',
      state: 'answered',
      line: 3,
      model: 'm',
      request: { model: 'm', messages: [{ role: 'user', content: 'Question of c' }] },
      answer: '# Yes',
      finish_reason: 'stop',
      error: null,
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    assert.deepEqual(rows[1]!['error'], { code: 'batch_expired', message: 'late' });
    assert.equal(rows[4]!['request'], null);
  });

  it('contain only the displayed rows in their order on request', async () => {
    const table = await sample();
    await table.arrange({ ...everything, query: 'question of', descending: true }, quiet);
    const text = await exported(table, { what: 'shown' });
    assert.deepEqual(
      [...text.matchAll(/"custom_id":"(\w)"/g)].map(([, id]) => id),
      ['d', 'c', 'b', 'a'],
    );
    await table.arrange({ ...everything, query: 'nobody says this' }, quiet);
    await assert.rejects(exported(table, { what: 'shown' }), { name: 'MakingError', message: /No rows to export/ });
  });

  it('contain CSV that a parser reads back, without spreadsheet formulas', async function () {
    this.timeout(60_000);
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('=1+1', '+1', '-1', '@x', '\t=1', '\r=', '＝1', '"', 'a,b', 'a\nb'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), async (pairs) => {
        const table = await open({
          input: {
            path: write('in', lines(...pairs.map(([question], index) => requestLine(String(index), question)))),
          },
          outputs: [write('out', lines(...pairs.map(([, answer], index) => answerLine(String(index), answer))))],
          errors: [],
        });
        const csv = await exported(table, { format: 'csv' });
        const rows = parse(csv, { bom: true, columns: true }) as readonly Record<string, string>[];
        const safe = (value: string) => (/^[=+\-@\t\r\n＝＋－＠]/u.test(value) ? `'${value}` : value);
        assert.deepEqual(
          rows.map((row) => [row['request'], row['answer']]),
          pairs.map((pair) => pair.map(safe)),
        );
        assert.ok(rows.every((row) => Object.values(row).every((cell) => !/^[=+\-@\t\r\n]/.test(cell))));
        table.close();
      }),
      { numRuns: 30 },
    );
  });

  it("contain a Markdown section per request, whose texts can't break it", async () => {
    const text = await exported(await sample(), { format: 'markdown' });
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('#')),
      [
        '# Results',
        ...['a', 'b', 'c', 'd', 'x'].flatMap((id) => [
          `## ${id}`,
          ...(id === 'x' ? [] : ['### Request']),
          ...(id === 'd' ? [] : [id < 'c' ? '### Error' : '### Response']),
        ]),
      ],
    );
    assert.match(text, /> # Yes\n/);
    assert.match(
      text,
      /## d\n\nLine 4 · m\n\n### Request\n\n> Question of d\n\n\*No result was received for this request\.\*/,
    );
  });

  it('retry failed or missing requests, or one kind of error, byte by byte', async () => {
    const odd = asked.with(0, `  ${asked[0]!.replace('"a"', '"\\u0061"')} `);
    const input = write('odd', `\ufeff${odd.join('\r\n')}`);
    const table = await open({
      input: { path: input },
      outputs: [write('out', lines(answerLine('c', 'yes')))],
      errors: [write('err', lines(errorLine('a', 'no'), errorLine('b', 'late', 'batch_expired')))],
    });
    assert.equal((await retried(table, 'failed')).text, lines(odd[0]!));
    assert.equal((await retried(table, 'expired')).text, lines(odd[1]!));
    assert.equal((await retried(table, 'missing')).text, lines(odd[3]!));
    const both = await retried(table, 'unanswered');
    assert.equal(both.text, lines(odd[0]!, odd[1]!, odd[3]!));
    assert.deepEqual([both.requests, both.leftOut, both.bytes], [3, 0, Buffer.byteLength(both.text)]);
    assert.equal(both.sha256, createHash('sha256').update(both.text).digest('hex'));
    const [failed] = table.summary.groups;
    assert.equal((await retried(table, { group: failed!.group })).text, lines(odd[0]!));
  });

  it('omit requests of a retry in progress, and use their latest version', async () => {
    const other = requestLine('a', 'Otherwise');
    const table = await open({
      input: { path: write('in', lines(...asked)) },
      outputs: [],
      errors: [write('err', lines(errorLine('a', 'no'), errorLine('b', 'no')))],
      retries: [
        { input: write('in2', lines(other)), outputs: [], errors: [write('err2', lines(errorLine('a', 'still')))] },
        { input: write('in3', lines(asked[1]!, asked[2]!)), outputs: [], errors: [], isUnderWay: true },
      ],
    });
    assert.equal((await retried(table, 'unanswered')).text, lines(other, asked[3]!));
    const rows = (await exported(table)).trimEnd().split('\n');
    const [first] = rows.map((row) => JSON.parse(row) as { request: { messages: readonly { content: string }[] } });
    assert.equal(first?.request.messages[0]?.content, 'Otherwise');
  });

  it('omit missing requests of a run in progress, until it has ended', async () => {
    const source = {
      input: { path: write('in', lines(...asked)) },
      outputs: [write('out', lines(answerLine('c', 'yes')))],
      errors: [write('err', lines(errorLine('a', 'no')))],
    };
    const running = await open({ ...source, isUnderWay: true });
    assert.deepEqual([running.summary.missing, running.summary.open.missing, running.summary.open.failed], [2, 0, 1]);
    assert.equal((await retried(running, 'unanswered')).text, lines(asked[0]!));
    await assert.rejects(retried(running, 'missing'), { message: /No requests of this kind to retry/ });
    const ended = await open(source);
    assert.equal(ended.summary.open.missing, 2);
    assert.equal((await retried(ended, 'missing')).text, lines(asked[1]!, asked[3]!));
  });

  it('omit invalid lines, and report how many', async () => {
    const table = await open({
      input: { path: write('in', lines(asked[0]!, 'not json', asked[0]!, asked[1]!)) },
      outputs: [],
      errors: [write('err', lines(errorLine('a', 'no')))],
    });
    const { requests, leftOut, text } = await retried(table, 'unanswered');
    assert.deepEqual([requests, leftOut, text], [2, 2, lines(asked[0]!, asked[1]!)]);
    await assert.rejects(retried(table, { group: 7 }), { message: /No requests of this kind to retry/ });
  });

  it('never replace one of their source files', async () => {
    const table = await sample();
    symlinkSync(folder.in('in.jsonl'), folder.in('link'));
    for (const target of ['in.jsonl', 'out.jsonl', 'err.jsonl', 'link']) {
      await assert.rejects(retried(table, 'unanswered', folder.in(target)), {
        message: `This run uses ${target}. Choose another name.`,
      });
    }
    assert.equal(readFileSync(folder.in('in.jsonl'), 'utf8'), lines(...asked));
  });

  it("explain why they can't be written, and leave no partial file", async () => {
    const table = await sample();
    const before = readdirSync(folder.path()).length;
    const order = { format: 'csv', what: 'all', replace: false } as const;
    const target = folder.in('err.csv');
    await assert.rejects(exportResults(table, { ...order, target: folder.in('no/such/folder') }, quiet), {
      name: 'MakingError',
      message: /^The folder for folder is missing/,
    });
    await assert.rejects(exportResults(table, { ...order, target }, { ...quiet, signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
    writeFileSync(target, 'mine');
    await assert.rejects(exportResults(table, { ...order, target }, quiet), { message: /^err\.csv already exists/ });
    assert.equal(readFileSync(target, 'utf8'), 'mine');
    assert.equal(readdirSync(folder.path()).length, before + 1);
    writeFileSync(folder.in('out.jsonl'), '');
    await assert.rejects(exported(table), { message: /^Couldn't save because the results have changed/ });
    assert.equal(readdirSync(folder.path()).length, before + 1);
  });

  it('explain a missing write permission', async function () {
    const table = await sample();
    mkdirSync(folder.in('closed'), { mode: 0o555 });
    chmodSync(folder.path(), 0o755);
    const isRoot = process.getuid?.() === 0;
    // Who may do everything becomes someone who may not.
    if (isRoot) process.seteuid?.(65_534);
    try {
      await assert.rejects(retried(table, 'unanswered', folder.in('closed/retry.jsonl')), {
        name: 'MakingError',
        message: /^You don't have permission to save retry\.jsonl here/,
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('leave no partial file on a full disk', async function () {
    const disk = folder.in('disk');
    mkdirSync(disk);
    const { status } = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    if (status !== 0) this.skip();
    try {
      const long = lines(...['a', 'b'].map((id) => answerLine(id, 'x'.repeat(50_000))));
      const table = await open({ outputs: [write('out.jsonl', long)], errors: [] });
      const order = { format: 'jsonl', what: 'all', replace: false, target: path.join(disk, 'all.jsonl') } as const;
      await assert.rejects(exportResults(table, order, quiet), {
        name: 'MakingError',
        message: "Couldn't save all.jsonl because the disk is full.",
      });
      assert.deepEqual(readdirSync(disk), []);
    } finally {
      spawnSync('/bin/umount', [disk]);
    }
  });
});
