import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Comparison, wordDiff } from '../../../../../src/core/batch/results/compare/comparison';
import type { ComparisonView } from '../../../../../src/core/batch/results/compare/comparisonView';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { quiet } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const lines = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const everything: ComparisonView = { state: 'all', query: '', sort: 'line', descending: false, isLoose: false };

describe('Two runs that are compared', () => {
  const folder = setUpFolder();
  let open: Comparison | undefined;
  afterEach(() => open?.close());

  const compare = async (a: readonly string[], b: readonly string[], input: readonly string[] = []) => {
    const write = (name: string, content: readonly string[]) => {
      writeFileSync(folder.in(name), lines(content));
      return folder.in(name);
    };
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
      { a: { ...asked, outputs: [write('a', a)], errors: [] }, b: { ...asked, outputs: [write('b', b)], errors: [] } },
      quiet,
    );
    return open;
  };
  const shown = async (comparison: Comparison, view: Partial<ComparisonView> = {}) => {
    const count = await comparison.arrange({ ...everything, ...view }, quiet);
    return (await comparison.rows(0, count)).rows;
  };

  it('are paired by id, and told apart by what became of each', async () => {
    const comparison = await compare(
      [
        answerLine('same', 'Yes'),
        answerLine('other', 'Yes'),
        answerLine('a', 'x'),
        errorLine('b', 'no'),
        errorLine('e', 'no'),
      ],
      [
        answerLine('b', 'y'),
        answerLine('other', 'No'),
        answerLine('same', 'Yes'),
        errorLine('e', 'never'),
        answerLine('n', 'z'),
      ],
      ['same', 'other', 'a', 'b', 'e'],
    );
    assert.deepEqual(comparison.summary(false), {
      pairs: 6,
      same: 1,
      different: 1,
      onlyA: 1,
      onlyB: 2,
      neither: 1,
      agreement: 0.5,
    });
    assert.deepEqual(
      (await shown(comparison)).map(({ customId, state, a, b, stateA, stateB, line }) =>
        [line, customId, state, a, b, stateA, stateB].join(' '),
      ),
      [
        '0 same same Yes Yes answered answered',
        '1 other different Yes No answered answered',
        '2 a onlyA x  answered missing',
        '3 b onlyB code · no y failed answered',
        '4 e neither code · no code · never failed failed',
        ' n onlyB  z none extra',
      ],
    );
    const ids = async (view: Partial<ComparisonView>) =>
      (await shown(comparison, view)).map(({ customId }) => customId).join(' ');
    assert.equal(await ids({ state: 'onlyB' }), 'b n');
    assert.equal(await ids({ sort: 'state' }), 'other a b n e same');
    assert.equal(await ids({ sort: 'customId', descending: true }), 'same other n e b a');
    assert.equal(await ids({ query: 'YES' }), 'same other');
    assert.equal(await ids({ query: 'never' }), 'e');
    assert.equal(await ids({}), 'same other a b e n');
  });

  it('hold what only one of them knows, wherever that stands in its files', async () => {
    const comparison = await compare(
      [answerLine('gone', 'x'), answerLine('both', 'Yes'), answerLine('last', 'y')],
      [answerLine('new', 'z'), answerLine('both', 'Yes'), answerLine('later', 'w')],
    );
    assert.deepEqual(
      (await shown(comparison, { sort: 'customId' })).map(({ customId, state, a, b, stateA, stateB }) =>
        [customId, state, a, b, stateA, stateB].join(' '),
      ),
      [
        'both same Yes Yes answered answered',
        'gone onlyA x  answered none',
        'last onlyA y  answered none',
        'later onlyB  w none answered',
        'new onlyB  z none answered',
      ],
    );
  });

  const opensAreSeen = existsSync('/proc/self/fd');
  (opensAreSeen ? it : it.skip)('leave no file open when they are closed', async () => {
    const comparison = await compare([answerLine('a', 'x')], [answerLine('a', 'y')], ['a']);
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

  it('are the same where JSON says the same, and loosely where white space and case differ', async () => {
    const pairs = [
      ['{"a":1,"b":[1,2]}', '{ "b": [1, 2],\n"a": 1 }', 'same', 'same'],
      ['{"a":1}', '{"a":2}', 'different', 'different'],
      ['{"a":[1,2]}', '{"a":[2,1]}', 'different', 'different'],
      ['{"a":12345678901234567890}', '{"a":12345678901234567891}', 'different', 'different'],
      ['Yes, it is.', 'yes,  it\nis. ', 'different', 'same'],
      ['Yes', 'No', 'different', 'different'],
      ['', '', 'neither', 'neither'],
      ['{broken', '{broken', 'same', 'same'],
    ] as const;
    const comparison = await compare(
      pairs.map(([a], index) => answerLine(String(index), a)),
      pairs.map(([, b], index) => answerLine(String(index), b)),
    );
    const states = async (isLoose: boolean) => (await shown(comparison, { isLoose })).map(({ state }) => state);
    assert.deepEqual(
      await states(false),
      pairs.map(([, , exact]) => exact),
    );
    assert.deepEqual(
      await states(true),
      pairs.map(([, , , loose]) => loose),
    );
    assert.equal(comparison.summary(true).agreement, 3 / 7);
    assert.deepEqual(
      comparison.details(1).diff.filter(({ kind }) => kind !== 'same'),
      [
        { kind: 'a', text: '1' },
        { kind: 'b', text: '2' },
      ],
    );
  });

  it('show word by word what differs, in any language', () => {
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

  it('lose nothing of either text', () => {
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
        { a: { outputs: [], errors: [] }, b: { outputs: [], errors: [] } },
        { ...quiet, signal: stopped },
      ),
      { name: 'AbortError' },
    );
  });
});
