import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { answerLine as localAnswer, failureLine as localFailure } from '../../../../../src/core/batch/local/resultLine';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, shownRows } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';
import { runs, some } from '../../../../support/runs';

interface Reported {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

const lineOf = ({ id, text, isError }: Reported) => (isError ? errorLine(id, text) : answerLine(id, text));

/** What a reader with a Map would say. */
function naiveJoin(asked: readonly string[], results: readonly Reported[]): readonly string[] {
  const byId = new Map<string, Reported>();
  for (const result of results) {
    if (!result.isError || byId.get(result.id)?.isError !== false) byId.set(result.id, result);
  }
  const reported = (id: string, state: string) => {
    const result = byId.get(id);
    const text = result && (result.isError ? `code · ${result.text}` : result.text);
    return [id, result ? state || (result.isError ? 'failed' : 'answered') : 'missing', text ?? ''].join('|');
  };
  const extra = [...new Set(results.map(({ id }) => id))].filter((id) => !asked.includes(id));
  const isKnown = asked.length > 0;
  return [...asked.map((id) => reported(id, '')), ...extra.map((id) => reported(id, isKnown ? 'extra' : ''))];
}

describe('Results joined to their requests', () => {
  const open = openTables();
  const folder = setUpFolder();
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };
  const lines = (all: readonly string[], end = '\n') => all.map((line) => `${line}${end}`).join('');

  it('match a plain join in any order, with repeated, missing, and unknown IDs', async function () {
    this.timeout(60_000);
    // Also ids that are longer than is kept of them, and that share all of that.
    const long = fc.constantFrom('x', 'é').map((end) => `${'long-'.repeat(40)}${end}`);
    const id = fc.oneof(
      fc.constantFrom('a', 'b', 'c', 'r-1', 'r-01', '"', 'ä', '日本'),
      long,
      fc.string({ minLength: 1, maxLength: 4 }),
    );
    const result = fc.record({ id, text: fc.stringMatching(/^[a-z]{1,9}$/), isError: fc.boolean() });
    const end = fc.constantFrom('\n', '\r\n', '\n\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(id, { maxLength: 12 }),
        fc.array(result, { maxLength: 24 }),
        fc.array(result, { maxLength: 12 }),
        fc.array(result, { maxLength: 12 }),
        end,
        async (asked, results, errors, again, lineEnd) => {
          const table = await open({
            ...(asked.length > 0 && {
              input: {
                path: write(
                  'in',
                  lines(
                    asked.map((one) => requestLine(one)),
                    lineEnd,
                  ),
                ),
              },
            }),
            outputs: [write('out', lines(results.map(lineOf), lineEnd))],
            errors: [write('err', lines(errors.map(lineOf), lineEnd))],
            retries: [{ outputs: [], errors: [write('again', lines(again.map(lineOf), lineEnd))] }],
          });
          const rows = await shownRows(table);
          const joined = rows.map(({ row, state, answer }) => [table.details(row).customId, state, answer].join('|'));
          assert.deepEqual(joined, naiveJoin(asked, [...results, ...errors, ...again]));
          const { requests, answered, failed, missing, extra, duplicates, groups } = table.summary;
          assert.equal(requests, answered + failed + missing);
          assert.equal(requests + extra, rows.length);
          // What only another attempt says of a request is none.
          if (again.length === 0) {
            const ofFirst = [...results, ...errors];
            assert.equal(duplicates, ofFirst.length - new Set(ofFirst.map((one) => one.id)).size);
          }
          assert.equal(
            groups.reduce((sum, { count }) => sum + count, 0),
            failed,
          );
          for (const one of asked) assert.ok(table.answerFor({ customId: one }));
          table.close();
        },
      ),
      { numRuns: runs(20, 60) },
    );
  });

  it('keep the complete lines of a file cut at any byte, and report its truncated line', async function () {
    this.timeout(60_000);
    const ids = ['a', 'b', 'c'];
    const whole = lines(ids.map((id) => answerLine(id, 'é')));
    const bytes = Buffer.from(whole);
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index] : []));
    // Every byte around the end of a line and within what is more than one byte long.
    const isTelling = (cut: number) =>
      bytes[cut]! > 0x7f || [...ends, bytes.length].some((end) => Math.abs(end - cut) < 3);
    for (const cut of some([...bytes.keys(), bytes.length], 7, isTelling)) {
      const table = await open({ outputs: [write('out', bytes.subarray(0, cut))], errors: [] });
      const { answered, files, notices } = table.summary;
      // A line is whole without its end too.
      const saved = ends.filter((end) => end <= cut).length;
      const isTorn = cut > 0 && !ends.includes(cut) && !ends.includes(cut - 1);
      assert.equal(answered, saved, `cut at ${cut}`);
      assert.deepEqual(files[0]?.badLines, isTorn ? [{ line: saved + 1, kind: 'torn' }] : [], `cut at ${cut}`);
      assert.equal(notices.length, isTorn ? 1 : 0);
      if (isTorn) assert.match(notices[0]?.text ?? '', /^out is truncated at line \d/);
      table.close();
    }
  });

  it('report invalid lines by number, and keep the others', async () => {
    const content = [
      'garbage',
      answerLine('a', 'yes'),
      '',
      '[1]',
      '{"response":null}',
      requestLine('b'),
      '{"custom_id":""}',
      answerLine('b', 'no'),
    ];
    const table = await open({ outputs: [write('out', lines(content))], errors: [] });
    assert.deepEqual(table.summary.files[0]?.badLines, [
      { line: 1, kind: 'other' },
      { line: 4, kind: 'other' },
      { line: 5, kind: 'other' },
      { line: 6, kind: 'request' },
      { line: 7, kind: 'other' },
    ]);
    assert.equal(table.summary.answered, 2);
    assert.match(table.summary.notices[0]?.text ?? '', /^Skipped 5 lines of out that aren't results: 1, 4, 5, 6, 7\.$/);
  });

  it("suggest what a wrong file is, and explain why a file can't be read", async () => {
    const html = '<!DOCTYPE html>\n<html>\n<body>\n<h1>502 Bad Gateway</h1>\n</body>\n</html>\n';
    const wrong: readonly (readonly [string, RegExp])[] = [
      [write('page', html), /^page doesn't contain results\. Download them again\.$/],
      [write('requests', lines([requestLine('a'), requestLine('b')])), /^requests contains requests, not results/],
      [
        write('output.jsonl.gz', gzipSync('{"custom_id":"a"}')),
        /^Couldn't read output\.jsonl\.gz: the file must be decompressed first\.$/,
      ],
      [write('picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])), /^picture doesn't contain results/],
      [folder.in('gone'), /^Couldn't read gone: the file is missing/],
      [folder.path(), /^Couldn't read .*: it is a folder/],
    ];
    for (const [file, words] of wrong) {
      const table = await open({ outputs: [file, write('good', lines([answerLine('a', 'yes')]))], errors: [] });
      assert.equal(table.summary.answered, 1);
      assert.deepEqual(
        table.summary.notices.map(({ severity }) => severity),
        ['error'],
      );
      assert.match(table.summary.notices[0]!.text, words);
    }
    const good = await open({ outputs: [write('empty', '')], errors: [] });
    assert.deepEqual(good.summary.notices, []);
  });

  it('are found if one object maps request IDs to texts, but not in another object of texts', async () => {
    const input = { path: write('in', lines(['a', 'b', 'c"1', 'd'].map((id) => requestLine(id)))) };
    const texts = { a: 'Yes, {"b": 1}', b: 'Não', 'c"1': '', d: null };
    for (const space of [undefined, 2]) {
      const table = await open({ input, outputs: [write('out', JSON.stringify(texts, null, space))], errors: [] });
      const rows = await shownRows(table);
      assert.deepEqual(
        rows.map(({ customId, state, answer }) => [customId, state, answer]),
        [
          ['a', 'answered', 'Yes, {"b": 1}'],
          ['b', 'answered', 'Não'],
          ['c"1', 'empty', ''],
          ['d', 'missing', ''],
        ],
      );
      assert.equal(table.details(0).choices[0]?.text.text, texts.a);
    }
    const other = await open({ input, outputs: [write('out', '{"e":"Yes"}')], errors: [] });
    assert.deepEqual([other.summary.answered, other.summary.extra], [0, 0]);
  });

  it('are joined by line if a run on this machine answered a request without an ID', async () => {
    const nameless = JSON.stringify({ body: { model: 'm', messages: [{ role: 'user', content: 'Who am I?' }] } });
    const local = (line: number, customId?: string) => ({ run: 'r1', line, customId });
    const answer = { requestId: 'r', body: { choices: [{ message: { content: 'Nobody.' } }] } };
    const partial = { choices: [{ message: { content: 'I was' } }], usage: { prompt_tokens: 3, completion_tokens: 2 } };
    const table = await open({
      input: { path: write('in', lines([requestLine('a'), '', nameless, nameless, nameless])) },
      outputs: [write('out', lines([localAnswer(local(3), answer), localAnswer(local(9), answer)]))],
      errors: [write('err', lines([localFailure(local(4), { code: 'faulty', message: 'No.', partial })]))],
    });
    const rows = await shownRows(table);
    assert.deepEqual(
      rows.map(({ line, state, answer: text, tokensOut }) => [line, state, text, tokensOut]),
      [
        [0, 'missing', '', undefined],
        [2, 'answered', 'Nobody.', undefined],
        [3, 'failed', 'faulty · No.', 2],
        [4, 'missing', '', undefined],
        [undefined, 'extra', 'Nobody.', undefined],
      ],
    );
    assert.equal(table.details(3).choices[0]?.text.text, 'I was');
    assert.equal(table.summary.input?.withoutId, 1);
    assert.deepEqual([table.summary.nameless, table.summary.files[0]?.badLines], [1, []]);
  });

  it('use the newest response of all attempts, or else the newest error, with earlier messages and requests', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const nowhere = { outputs: [], errors: [] };
    const table = await open({
      at: 1,
      input: { path: write('in', lines(ids.map((id) => requestLine(id)))) },
      outputs: [write('out', lines([answerLine('a', 'first', 10)]))],
      errors: [write('err', lines(['b', 'c', 'd'].map((id) => errorLine(id, `no ${id}`, '429'))))],
      retries: [
        {
          at: 2,
          input: write('in2', lines([requestLine('b', 'Otherwise'), requestLine('c'), requestLine('e')])),
          outputs: [write('out2', lines([answerLine('b', 'second', 20)]))],
          errors: [write('err2', lines([errorLine('c', 'still not', '503')]))],
        },
        { at: 3, input: write('in3', lines([requestLine('d'), requestLine('e')])), isUnderWay: true, ...nowhere },
      ],
    });
    const rows = await shownRows(table);
    assert.deepEqual(
      rows.map(({ customId, state, answer, request, isRetried = false }) => [
        customId,
        state,
        answer,
        request,
        isRetried,
      ]),
      [
        ['a', 'answered', 'first', 'Question of a', false],
        ['b', 'answered', 'second', 'Otherwise', false],
        ['c', 'failed', '503 · still not', 'Question of c', false],
        ['d', 'failed', '429 · no d', 'Question of d', true],
        ['e', 'missing', '', 'Question of e', true],
      ],
    );
    const { answered, failed, missing, retrying, duplicates, tokensOut, groups, notices } = table.summary;
    assert.deepEqual([answered, failed, missing, retrying, duplicates, tokensOut], [2, 2, 1, 2, 0, 30]);
    assert.deepEqual([table.summary.open.failed, table.summary.open.missing], [1, 0]);
    assert.deepEqual(
      groups.map(({ code, count }) => [code, count]),
      [
        ['429', 1],
        ['503', 1],
      ],
    );
    assert.deepEqual(notices, []);
    const reported = (row: number) =>
      table.details(row).attempts.map(({ attempt, at, state, failure }) => [attempt, at, state, failure?.message]);
    assert.deepEqual(reported(0), []);
    assert.deepEqual(reported(1), [
      [0, 1, 'failed', 'no b'],
      [1, 2, 'answered', undefined],
    ]);
    assert.deepEqual(reported(2), [
      [0, 1, 'failed', 'no c'],
      [1, 2, 'failed', 'still not'],
    ]);
    assert.deepEqual(reported(3), [
      [0, 1, 'failed', 'no d'],
      [2, 3, 'waiting', undefined],
    ]);
    assert.deepEqual(await shownRows(table, { query: 'question of b' }), []);
    const [found] = await shownRows(table, { query: 'OTHERWISE' });
    assert.equal(found?.customId, 'b');
    assert.deepEqual(
      (await shownRows(table, { query: 'no ' })).map(({ customId }) => customId),
      ['d'],
    );
  });

  it('include those that were read before a stop', async () => {
    const stopper = new AbortController();
    stopper.abort();
    const table = await open(
      {
        input: { path: write('in', lines([requestLine('a')])) },
        outputs: [write('out', lines([answerLine('a', 'yes')]))],
        errors: [],
      },
      stopper.signal,
    );
    assert.equal(table.summary.isWhole, false);
    assert.match(table.summary.notices[0]?.text ?? '', /^Loading stopped/);
    assert.deepEqual(await shownRows(table), []);
  });
});
