import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ErrorGroups } from '../../../../../src/core/batch/results/joinFiles';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, shownRows } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const fixture = (name: string) => path.join('test/fixtures/results', name);
const source = {
  input: { path: fixture('input.jsonl') },
  outputs: [fixture('output.jsonl')],
  errors: [fixture('errors.jsonl')],
};
const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');

describe('The results of a run', () => {
  const open = openTables();
  const folder = setUpFolder();
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(folder.in(name), content);
    return folder.in(name);
  };

  it('are read in every format of services', async () => {
    const table = await open(source);
    const rows = await shownRows(table);
    assert.deepEqual(
      rows.map(({ customId, state, answer, tokensIn, tokensOut, finish }) =>
        [customId, state, answer, tokensIn, tokensOut, finish].map((part) => part || '-').join(' | '),
      ),
      readFileSync(fixture('rows.txt'), 'utf8').trimEnd().split('\n'),
    );
    assert.ok(rows.every(({ request, customId }) => request === `Question of ${customId}`));
    const { answered, truncated, refused, failed, expired, missing, extra } = table.summary;
    assert.deepEqual([answered, truncated, refused, failed, expired, missing, extra], [14, 1, 1, 8, 1, 1, 0]);
  });

  it('contain the complete request and response of a row, its group, and the location of the result', async () => {
    const table = await open(source);
    const thought = table.answerFor({ customId: 'reasoning' });
    assert.equal(thought?.choices[0]?.reasoning.text, 'Let me think.');
    assert.deepEqual(thought.place, { path: fixture('output.jsonl'), line: 6 });
    assert.equal(table.answerFor({ customId: 'refusal' })?.choices[0]?.refusal.text, 'I cannot help with that.');
    assert.equal(table.answerFor({ customId: 'tool-calls' })?.choices[0]?.calls[0]?.arguments.text, '{"city":"Paris"}');
    assert.equal(table.answerFor({ customId: 'length' })?.reasoningTokens, 2);
    const { requestId, completionId, requestedModel } = table.answerFor({ customId: 'plain' }) ?? {};
    assert.deepEqual([requestId, completionId, requestedModel], ['r1', '0199c', undefined]);
    assert.match(table.answerFor({ customId: 'rerank' })?.other?.text ?? '', /relevance_score/);
    const refused = table.answerFor({ customId: 'openai-400' });
    assert.deepEqual(refused?.failure, { status: 400, code: 'model_not_found', message: 'Invalid model' });
    const group = table.summary.groups.find((one) => one.group === refused.group);
    assert.deepEqual(group?.rows, [refused.row]);
    assert.equal(table.answerFor({ customId: 'never-came' })?.place, undefined);
    assert.equal(table.answerFor({ customId: 'nobody' }), undefined);
    assert.deepEqual(
      table.answersFor([{ customId: 'plain' }, { customId: 'nobody' }]).map((row) => row?.answer),
      ['Paris.', undefined],
    );
  });

  it('prefer a response over an error, and later ones of the same kind', async () => {
    const table = await open({
      input: { path: write('in', lines(...['a', 'b', 'c'].map((id) => requestLine(id)))) },
      outputs: [write('out', lines(answerLine('a', 'first'), answerLine('b', 'good'), answerLine('a', 'second')))],
      errors: [write('err', lines(errorLine('b', 'late'), errorLine('c', 'one'), errorLine('c', 'two')))],
    });
    const rows = await shownRows(table);
    assert.deepEqual(
      rows.map(({ answer }) => answer),
      ['second', 'good', 'code · two'],
    );
    assert.equal(table.summary.duplicates, 3);
    assert.equal(table.details(0).duplicates, 1);
    assert.match(table.summary.notices[0]?.text ?? '', /^3 results repeat a custom_id/);
  });

  it('group errors that differ only in numbers and IDs', async () => {
    const errors = [
      errorLine('a', 'Request 0af3-17 took 1200 ms', '50505'),
      errorLine('b', 'Request 77aa-9 took 3 ms', '50505'),
      errorLine('c', 'Request 77aa-9 took 3 ms', '20015'),
      errorLine('d', 'Request  2b took 77\nms', '50505'),
    ];
    const table = await open({ outputs: [], errors: [write('err', lines(...errors))] });
    const { groups } = table.summary;
    assert.deepEqual(
      groups.map(({ code, count, rows }) => [code, count, rows]),
      [
        ['50505', 3, [0, 1, 3]],
        ['20015', 1, [2]],
      ],
    );
    const shown = await shownRows(table, { group: groups[0]!.group });
    assert.deepEqual(
      shown.map(({ customId }) => customId),
      ['a', 'b', 'd'],
    );
  });

  it('group too many kinds of errors by code, and combine the rest with the last', () => {
    const groups = new ErrorGroups();
    const group = (code: string, message: string) => groups.numberOf({ code, message });
    for (let index = 0; index < 2000; index++)
      group('common', `kind ${'x'.repeat(index % 40)} ${'y'.repeat(index / 40)}`);
    assert.equal(group('common', 'one more kind'), group('common', 'and another'));
    const numbers = Array.from({ length: 3000 }, (_, index) => group(`code-${index}`, 'no'));
    assert.equal(groups.all.length, 4000);
    assert.deepEqual([...new Set(numbers.slice(-1000))], [3999]);
  });

  it('list the first twenty rows of an error group, and count all', async () => {
    for (const count of [19, 20, 21]) {
      const errors = Array.from({ length: count }, (_, index) => errorLine(`r${index}`, 'late'));
      const table = await open({ outputs: [], errors: [write('err', lines(...errors))] });
      assert.deepEqual(
        table.summary.groups.map((group) => [group.count, group.rows]),
        [[count, Array.from({ length: Math.min(count, 20) }, (_, row) => row)]],
      );
    }
  });

  it('are filtered, searched and sorted', async () => {
    const table = await open({
      input: {
        path: write(
          'in',
          lines(requestLine('r-10', 'An apple'), '', requestLine('r-9'), requestLine('r-8'), requestLine('r-7')),
        ),
      },
      outputs: [
        write(
          'out',
          lines(answerLine('x', 'apples too'), answerLine('r-9', 'Äpfel "rot"', 9), answerLine('r-10', 'b', 2)),
        ),
      ],
      errors: [write('err', lines(errorLine('r-8', 'No APPLE left')))],
    });
    const ids = async (view: Parameters<typeof shownRows>[1]) =>
      (await shownRows(table, view)).map(({ customId }) => customId).join(' ');
    assert.equal(await ids({}), 'r-10 r-9 r-8 r-7 x');
    assert.equal(await ids({ descending: true }), 'x r-7 r-8 r-9 r-10');
    assert.equal(await ids({ sort: 'customId' }), 'r-7 r-8 r-9 r-10 x');
    assert.equal(await ids({ sort: 'tokens', descending: true, state: 'answered' }), 'r-9 r-10');
    assert.equal(await ids({ sort: 'state' }), 'r-8 r-7 x r-10 r-9');
    for (const [state, requested] of [
      ['answered', 'r-10 r-9'],
      ['failed', 'r-8'],
      ['missing', 'r-7'],
      ['extra', 'x'],
    ] as const) {
      assert.equal(await ids({ state }), requested);
    }
    assert.equal(await ids({ query: 'apple' }), 'r-10 r-8 x');
    assert.equal(await ids({ query: 'äpfel "' }), 'r-9');
    assert.equal(await ids({ query: 'R-7' }), 'r-7');
    assert.equal(await ids({ query: 'apple', state: 'failed' }), 'r-8');
    assert.equal(table.indexOf(3), 0);
    assert.equal(table.indexOf(1), undefined);
    const [row] = await shownRows(table, { query: 'r-8' });
    assert.equal(row?.line, 3);
  });

  it("are shown alone without an input, and if it is missing or isn't a batch file", async () => {
    const output = write('out', lines(answerLine('a', 'yes'), errorLine('b', 'no')));
    const inputs = [undefined, folder.in('gone'), write('array', '[{"custom_id":"a"}]'), write('empty', '')];
    for (const input of inputs) {
      const table = await open({
        ...(input !== undefined && { input: { path: input } }),
        outputs: [output],
        errors: [],
      });
      const { requests, answered, failed, missing, extra, notices } = table.summary;
      assert.deepEqual([requests, answered, failed, missing, extra], [2, 1, 1, 0, 0]);
      assert.equal(notices.length, input === undefined ? 0 : 1, notices[0]?.text);
      assert.deepEqual(
        (await shownRows(table)).map(({ line, answer }) => [line, answer]),
        [
          [undefined, 'yes'],
          [undefined, 'code · no'],
        ],
      );
    }
  });

  it('report whether the input is the one that was sent', async () => {
    const content = lines(requestLine('a'));
    const input = write('in', content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const since = async (sent: object) =>
      (await open({ input: { path: input, ...sent }, outputs: [], errors: [] })).summary.input?.since;
    assert.equal(await since({}), 'unknown');
    assert.equal(await since({ sha256 }), 'same');
    assert.equal(await since({ sha256, bytes: content.length }), 'same');
    assert.equal(await since({ sha256, bytes: content.length + 1 }), 'changed');
    assert.equal(await since({ sha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }), 'changed');
  });

  it('show the result of an ID on every line that has it, and count lines without one', async () => {
    const table = await open({
      input: {
        path: write('in', lines(requestLine('a'), requestLine('a'), 'not json', '{"body":{}}', requestLine('b'))),
      },
      outputs: [write('out', lines(answerLine('a', 'yes', 3)))],
      errors: [],
    });
    const { input, answered, missing, tokensOut } = table.summary;
    assert.deepEqual([input?.withoutId, input?.repeatedIds, answered, missing, tokensOut], [2, 1, 2, 3, 3]);
    const rows = await shownRows(table, { query: 'yes' });
    assert.deepEqual(
      rows.map(({ row }) => row),
      [0, 1],
    );
  });

  it('detect that a file was replaced', async () => {
    const output = write('out', lines(answerLine('a', 'yes')));
    const table = await open({ outputs: [output], errors: [] });
    assert.equal((await table.rows(0, 1)).isChanged, false);
    appendFileSync(output, lines(answerLine('b', 'more')));
    assert.equal((await table.rows(0, 1)).isChanged, true);
    rmSync(output);
    assert.equal((await table.rows(0, 1)).isChanged, true);
  });
});
