import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { wordDiff } from '../../../../../src/core/batch/results/compare/answerForms';
import { Comparison } from '../../../../../src/core/batch/results/compare/comparison';
import type { ComparisonView } from '../../../../../src/core/batch/results/compare/comparisonView';
import { exportComparison } from '../../../../../src/core/batch/results/compare/exportComparison';
import { SourceRowsWriter } from '../../../../../src/core/batch/results/sourceRows';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { quiet } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const lines = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const everything: ComparisonView = {
  reference: 0,
  by: 'run:answer',
  state: 'all',
  query: '',
  sort: 'run:line',
  descending: false,
  isLoose: false,
};

describe('compared runs', () => {
  const folder = setUpFolder();
  let open: Comparison | undefined;
  afterEach(() => open?.close());

  const write = (name: string, content: readonly string[]) => {
    writeFileSync(folder.in(name), lines(content));
    return folder.in(name);
  };
  const compare = async (runs: readonly (readonly string[])[], input: readonly string[] = [], store?: string) => {
    const asked =
      input.length > 0
        ? {
            input: {
              path: write(
                'input',
                input.map((id) => requestLine(id)),
              ),
            },
          }
        : {};
    open = await Comparison.open(
      runs.map((answers, run) => ({
        ...asked,
        ...(store !== undefined && { columns: { store } }),
        outputs: [write(String.fromCodePoint(97 + run), answers)],
        errors: [],
      })),
      quiet,
    );
    return open;
  };
  const shown = async (comparison: Comparison, view: Partial<ComparisonView> = {}, columns = ['run:answer']) => {
    const { entries } = await comparison.arrange({ ...everything, ...view }, quiet);
    return (await comparison.rows(0, entries, columns)).rows;
  };
  const idsIn = async (comparison: Comparison, view: Partial<ComparisonView>) =>
    (await shown(comparison, view)).map(({ customId }) => customId).join(' ');

  it('are joined by ID, and classified by how their responses differ from the reference run', async () => {
    const comparison = await compare(
      [
        [answerLine('same', 'Yes'), answerLine('other', 'Yes'), answerLine('a', 'x'), errorLine('b', 'no')],
        [answerLine('b', 'y'), answerLine('other', 'No'), answerLine('same', 'Yes'), answerLine('n', 'z')],
      ],
      ['same', 'other', 'a', 'b'],
    );
    assert.deepEqual(
      (await shown(comparison)).map(({ customId, state, cells }) =>
        [customId, state, ...Object.values(cells).map((cell) => `${cell.text}/${cell.state}`)].join(' '),
      ),
      [
        'same same Yes/answered Yes/answered',
        'other changed Yes/answered No/answered',
        'a unanswered x/answered /missing',
        'b unanswered code · no/failed y/answered',
        'n unanswered /none z/extra',
      ],
    );
    const { runs, ...counts } = comparison.summary();
    assert.deepEqual(counts, { rows: 5, changed: 1, unanswered: 3, same: 1, answeredByAll: 2 });
    assert.deepEqual(runs, [
      { answered: 3, changed: 0, same: 3 },
      { answered: 4, changed: 1, same: 1 },
    ]);
    assert.equal(await idsIn(comparison, { state: 'unanswered' }), 'a b n');
    assert.equal(await idsIn(comparison, { sort: 'run:state' }), 'other a b n same');
    assert.equal(await idsIn(comparison, { sort: 'run:customId', descending: true }), 'same other n b a');
    assert.equal(await idsIn(comparison, { sort: 'run:answer@1' }), 'other same b n a');
    assert.equal(await idsIn(comparison, { query: 'YES' }), 'same other');
    assert.equal(await idsIn(comparison, { query: 'answer:z' }), 'n');
  });

  it('can be more than two, and any of them can be the reference', async () => {
    const comparison = await compare([
      [answerLine('1', 'x'), answerLine('2', 'x'), answerLine('3', 'x')],
      [answerLine('1', 'x'), answerLine('2', 'y'), answerLine('3', 'y')],
      [answerLine('1', 'x'), answerLine('2', 'y')],
    ]);
    const changed = async (reference: number) => {
      const rows = await shown(comparison, { reference });
      return rows.map(({ state, cells }) =>
        [state, ...Object.values(cells).map((cell) => cell.isChanged ?? false)].join(' '),
      );
    };
    assert.deepEqual(await changed(0), [
      'same false false false',
      'changed false true true',
      'changed false true false',
    ]);
    assert.deepEqual(await changed(2), [
      'same false false false',
      'changed true false false',
      'unanswered true true false',
    ]);
    // One run is marked against the reference, and the reference against nothing, because the others differ in different ways.
    const { answers } = comparison.details(1);
    assert.deepEqual(
      answers.map(({ pieces }) => pieces),
      [[{ text: 'x', differs: true }], [{ text: 'y', differs: false }], [{ text: 'y', differs: false }]],
    );
  });

  it('are compared by a property of JSON responses, and otherwise by the entire response', async () => {
    const json = (label: string, reason: string) => JSON.stringify({ label, reason });
    const comparison = await compare([
      [answerLine('1', json('bug', 'p')), answerLine('2', json('bug', 'p')), answerLine('3', 'no JSON')],
      [answerLine('1', json('bug', 'q')), answerLine('2', json('billing', 'p')), answerLine('3', 'neither')],
    ]);
    assert.equal(await idsIn(comparison, { state: 'changed' }), '1 2 3');
    assert.equal(await idsIn(comparison, { state: 'changed', by: 'response:label' }), '2 3');
    const rows = await shown(comparison, { by: 'response:label' }, ['response:label']);
    assert.deepEqual(
      rows.map(({ cells }) => Object.values(cells).map(({ text }) => text)),
      [
        ['bug', 'bug'],
        ['bug', 'billing'],
        ['no JSON', 'neither'],
      ],
    );
    const grouped = await shown(comparison, { groupBy: 'response:label' });
    assert.deepEqual(
      grouped.map(({ heading, customId }) => (heading ? `${heading.value} ${heading.count}` : customId)),
      ['bug 2', '1', '2', ' 1', '3'],
    );
  });

  it('are rated by the expected answers of their table, with the difference from the reference run', async () => {
    const ids = ['1', '2', '3', '4'];
    const store = folder.in('store');
    const writer = await SourceRowsWriter.begin(store, 'table', ['topic', 'expected']);
    for (const id of ids) await writer.add(id, [`topic ${id}`, 'bug']);
    await writer.end({ source: 'tickets.csv', used: [], path: folder.in('input'), sha256: '' });
    const answers = (all: readonly string[]) => all.map((text, index) => answerLine(ids[index] ?? '', text));
    const comparison = await compare(
      [answers(['bug', 'x', 'x', 'bug']), answers(['bug', 'bug', 'bug', 'x'])],
      ids,
      store,
    );
    assert.deepEqual(comparison.columns.defaults, [
      'run:state',
      'run:customId',
      'run:request',
      'source:topic',
      'source:expected',
      'run:answer',
    ]);
    await shown(comparison);
    const { better, worse, runs } = comparison.summary();
    assert.deepEqual([better, worse], [2, 1]);
    assert.deepEqual(
      runs.map(({ expected, difference }) => [expected?.estimate, difference?.estimate, difference?.better]),
      [
        [0.5, undefined, undefined],
        [0.75, 0.25, 2],
      ],
    );
    assert.equal(await idsIn(comparison, { state: 'better' }), '2 3');
    assert.equal(await idsIn(comparison, { state: 'worse' }), '4');
    assert.equal(await idsIn(comparison, { state: 'worse', reference: 1 }), '2 3');
    assert.equal(await idsIn(comparison, { query: 'topic:"topic 3"' }), '3');
    const target = folder.in('export.csv');
    await shown(comparison, { state: 'worse' });
    await exportComparison(comparison, { format: 'csv', target, replace: true, columns: ['source:topic'] }, quiet);
    assert.equal(
      readFileSync(target, 'utf8').replaceAll('\r\n', '\n').slice(1),
      'custom_id,state,request,topic,a,b\n4,changed,Question of 4,topic 4,bug,x\n',
    );
  });

  const opensAreSeen = existsSync('/proc/self/fd');
  (opensAreSeen ? it : it.skip)('leave no file open when they are closed', async () => {
    const comparison = await compare([[answerLine('a', 'x')], [answerLine('a', 'y')]], ['a']);
    const held = () =>
      readdirSync('/proc/self/fd')
        .map((name) => {
          try {
            return readlinkSync(`/proc/self/fd/${name}`);
          } catch {
            return '';
          }
        })
        .filter((file) => file.startsWith(folder.path()))
        .map((file) => path.basename(file));
    assert.deepEqual([...new Set(held())].toSorted(), ['a', 'b', 'input']);
    comparison.close();
    assert.deepEqual(held(), []);
  });

  it('are equal if the JSON is equivalent, and loosely equal apart from white space and case', async () => {
    const pairs = [
      ['{"a":1,"b":[1,2]}', '{ "b": [1, 2],\n"a": 1 }', 'same', 'same'],
      ['{"a":1}', '{"a":2}', 'changed', 'changed'],
      ['{"a":[1,2]}', '{"a":[2,1]}', 'changed', 'changed'],
      ['{"a":12345678901234567890}', '{"a":12345678901234567891}', 'changed', 'changed'],
      ['Yes, it is.', 'yes,  it\nis. ', 'changed', 'same'],
      ['Yes', 'No', 'changed', 'changed'],
      ['', '', 'unanswered', 'unanswered'],
      ['{broken', '{broken', 'same', 'same'],
    ] as const;
    const comparison = await compare([
      pairs.map(([a], index) => answerLine(String(index), a)),
      pairs.map(([, b], index) => answerLine(String(index), b)),
    ]);
    const states = async (isLoose: boolean) => (await shown(comparison, { isLoose })).map(({ state }) => state);
    assert.deepEqual(
      await states(false),
      pairs.map(([, , exact]) => exact),
    );
    assert.deepEqual(
      await states(true),
      pairs.map(([, , , loose]) => loose),
    );
    assert.deepEqual(
      comparison.details(1).answers.map(({ pieces }) => pieces.filter(({ differs }) => differs)),
      [[{ text: '1', differs: true }], [{ text: '2', differs: true }]],
    );
  });

  it('highlight differences word by word, in any language', () => {
    const { pieces } = wordDiff('The cat sat.', 'The dog sat.', false);
    assert.deepEqual(pieces, [
      { kind: 'same', text: 'The ' },
      { kind: 'a', text: 'cat' },
      { kind: 'b', text: 'dog' },
      { kind: 'same', text: ' sat.' },
    ]);
    assert.ok(
      wordDiff('我喜欢猫', '我喜欢狗', false).pieces.some(({ kind, text }) => kind === 'same' && text.startsWith('我')),
    );
    assert.ok(wordDiff('A  b', 'a B', true).pieces.every(({ kind }) => kind === 'same'));
    assert.deepEqual(wordDiff('x'.repeat(50_000), 'x', false).uncompared, { a: 10_000, b: 0 });
  });

  it('preserve both texts', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { pieces } = wordDiff(a, b, false);
        const of = (other: string) =>
          pieces.flatMap(({ kind, text: piece }) => (kind === other ? [] : [piece])).join('');
        assert.equal(of('b'), a);
        assert.equal(of('a'), b);
      }),
    );
  });

  it('can be stopped while they are read', async () => {
    const stopped = AbortSignal.abort();
    await assert.rejects(
      Comparison.open(
        [
          { outputs: [], errors: [] },
          { outputs: [], errors: [] },
        ],
        { ...quiet, signal: stopped },
      ),
      { name: 'AbortError' },
    );
  });
});
