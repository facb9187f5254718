import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lineDigest } from '../../../../../src/core/batch/results/lineMarks';
import type { ResultsSource } from '../../../../../src/core/batch/results/resultsSource';
import { writeRetry } from '../../../../../src/core/batch/results/writeRetry';
import {
  digestOf,
  findSent,
  keepSent,
  sentPathIn,
  changedLines,
} from '../../../../../src/core/batch/results/sentLines';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, quiet, shownRows } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const other = (id: string) => requestLine(id).replace('Question', 'Another question');

describe('Sent requests', () => {
  const open = openTables();
  const folder = setUpFolder();
  const current = () => folder.in('in.jsonl');
  const write = (name: string, content: string) => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };
  const sent = ['a', 'b', 'c', 'd'];
  /** A run of four requests of which the second failed and the fourth was not answered. */
  const openRun = async (retries: ResultsSource['retries'] = []) => {
    write('in.jsonl', lines(...sent.map((id) => requestLine(id))));
    const input = { path: current(), sha256: await digestOf(current()), bytes: readFileSync(current()).length };
    assert.ok(await keepSent(input, sentPathIn(folder.path())));
    const path = (await findSent(folder.path())) ?? '';
    return open({
      input: { ...input, path, current: current() },
      outputs: [write('out.jsonl', lines(answerLine('a', 'A'), answerLine('c', 'C')))],
      errors: [write('err.jsonl', lines(errorLine('b', 'No.')))],
      retries,
    });
  };
  const sinceOf = async (table: Awaited<ReturnType<typeof openRun>>) => {
    const rows = await shownRows(table);
    const details = await Promise.all(rows.map(({ row }) => table.sinceSent(table.details(row))));
    return details.map(({ line, since }) => [line, since]);
  };

  it('appear in results, and their current lines are found after any edit of the file', async () => {
    const table = await openRun();
    const states = async () => (await shownRows(table)).map(({ customId, state }) => `${customId} ${state}`);
    const before = ['a answered', 'b failed', 'c answered', 'd missing'];
    assert.deepEqual(await sinceOf(table), [
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
    write('in.jsonl', lines(requestLine('new'), requestLine('a'), other('b'), requestLine('d')));
    assert.deepEqual(await sinceOf(table), [
      [1, undefined],
      [2, 'changed'],
      [undefined, 'gone'],
      [3, undefined],
    ]);
    assert.deepEqual(await states(), before, 'a line that was added was never asked');
    assert.equal(table.details(1).request?.messages[0]?.text, 'Question of b');
    assert.equal((await table.rows(0, 4)).isChanged, false);
    rmSync(current());
    assert.ok((await sinceOf(table)).every(([line, since]) => line === undefined && since === 'gone'));
    assert.deepEqual(await states(), before);
  });

  it('include the original request if a retry sent a modified one', async () => {
    const outputs = [write('again-out.jsonl', lines(answerLine('b', 'B')))];
    const table = await openRun([{ input: write('again.jsonl', lines(other('b'))), outputs, errors: [] }]);
    const ask = (text: string) => table.answersFor([{ customId: 'b', digest: lineDigest(text) }])[0]?.isChanged;
    assert.equal(table.details(1).request?.messages[0]?.text, 'Another question of b');
    assert.deepEqual((await sinceOf(table))[1], [1, undefined]);
    const third = requestLine('b').replace('Question', 'A third question');
    assert.deepEqual([ask(requestLine('b')), ask(other('b')), ask(third)], [undefined, undefined, true]);
    write('in.jsonl', lines(requestLine('a'), third));
    assert.deepEqual((await sinceOf(table))[1], [1, 'changed']);
  });

  it('match a line of an editor apart from its ending and position', async () => {
    const table = await openRun();
    const ask = (customId: string, text: string) => ({ customId, digest: lineDigest(text) });
    const asked = [ask('a', `${requestLine('a')}  `), ask('b', other('b')), ask('new', requestLine('new'))];
    assert.deepEqual(
      table.answersFor(asked).map((row) => row && [row.customId, row.isChanged]),
      [['a', undefined], ['b', true], undefined],
    );
    assert.equal(table.answerFor(ask('b', other('b')))?.since, 'changed');
    assert.equal(table.answerFor(ask('b', requestLine('b')))?.since, undefined);
  });

  it('name the failed lines, or none if they are unknown', async () => {
    const table = await openRun();
    const [failed, ...more] = table.failures(10);
    assert.deepEqual([failed?.customId, failed?.line, more.length], ['b', 1, 0]);
    assert.equal(failed?.digest, lineDigest(requestLine('b')));
    assert.deepEqual(table.failures(0), []);
    const source = { outputs: [], errors: [folder.in('err.jsonl')] };
    const unknown = await open({ ...source, input: { path: current(), sha256: 'ff' } });
    assert.deepEqual(unknown.failures(10), []);
  });

  it('are sent again, except for lines that were fixed since', async () => {
    const table = await openRun();
    write('in.jsonl', lines(other('b'), requestLine('new')));
    const target = folder.in('retry.jsonl');
    await writeRetry(table, { which: 'unanswered', target, replace: false }, quiet);
    assert.equal(readFileSync(target, 'utf8'), lines(other('b'), requestLine('d')));
  });

  it('are compared line by line with the file, or as a whole if no copy was saved', async () => {
    const text = lines(requestLine('a'), '', '{"torn', requestLine('d'));
    const path = write('in.jsonl', text);
    const sha256 = await digestOf(path);
    const input = { path: folder.in('copy.jsonl'), current: path, sha256 };
    copyFileSync(path, input.path);
    assert.deepEqual(await changedLines(input, [1, 3, 4, 9]), []);
    write('in.jsonl', text.replace('{"torn', '{"mended"}'));
    assert.deepEqual(await changedLines(input, [1, 3, 4]), [3]);
    assert.deepEqual(await changedLines({ path, sha256 }, [1, 3]), [1, 3]);
    write('in.jsonl', text);
    assert.deepEqual(await changedLines({ path, sha256 }, [1, 3]), []);
    assert.deepEqual(await changedLines({ ...input, current: folder.in('gone.jsonl') }, [1]), [1]);
  });

  it("aren't saved from a replaced or large file", async () => {
    const path = write('in.jsonl', lines(requestLine('a')));
    const to = folder.in('copy.jsonl');
    assert.equal(await keepSent({ path, sha256: 'ff', bytes: 10 }, to), false);
    assert.equal(await keepSent({ path, sha256: await digestOf(path), bytes: 2 ** 30 }, to), false);
    assert.throws(() => readFileSync(to));
  });
});
