import { strict as assert } from 'node:assert';
import { type Hunk, hunksAfter, hunksBetween, lineCounts } from '../../../../src/core/edits/hunks';

const hunk = (start: number, end: number, before: readonly string[] = []): Hunk => ({
  id: 1,
  start,
  end,
  before,
  isEdited: false,
});

describe('pending changes of a document', () => {
  it('are the changed lines, with their originals', () => {
    assert.deepEqual(hunksBetween('a\nb\nc\nd\n', 'a\nx\nc\n'), [
      { start: 1, end: 2, before: ['b'], isEdited: false },
      { start: 3, end: 3, before: ['d'], isEdited: false },
    ]);
    assert.deepEqual(hunksBetween('a\n', 'a\r\n'), []);
    assert.deepEqual(lineCounts(hunksBetween('a\nb\nc\nd\n', 'a\nx\ny\nc\nd\n')), { added: 2, removed: 1 });
  });

  it('are merged into one hunk if too much differs to separate them', () => {
    const lines = (of: string) => Array.from({ length: 5000 }, (_, index) => `${of}${index}`).join('\n');
    const hunks = hunksBetween(lines('a'), lines('b'));
    assert.equal(hunks.length, 1);
    assert.deepEqual(lineCounts(hunks), { added: 5000, removed: 5000 });
  });

  for (const [title, change, expected] of [
    ['move with lines that are inserted above', { start: 0, end: 0, newLines: 2, isWholeLines: true }, [7, 9, false]],
    ['move with lines that are removed above', { start: 1, end: 3, newLines: 0, isWholeLines: true }, [3, 5, false]],
    [
      'stay where they are if a line above is edited',
      { start: 4, end: 4, newLines: 0, isWholeLines: false },
      [5, 7, false],
    ],
    [
      'move with a line that is inserted directly above',
      { start: 5, end: 5, newLines: 1, isWholeLines: true },
      [6, 8, false],
    ],
    ['stay if lines are inserted directly below', { start: 7, end: 7, newLines: 1, isWholeLines: true }, [5, 7, false]],
    ['grow if a line is typed in them', { start: 6, end: 6, newLines: 1, isWholeLines: false }, [5, 8, true]],
    [
      'contain lines that are replaced together with theirs',
      { start: 4, end: 6, newLines: 0, isWholeLines: false },
      [4, 5, true],
    ],
  ] as const) {
    it(title, () => {
      const [after] = hunksAfter([hunk(5, 7, ['x'])], change);
      assert.deepEqual([after?.start, after?.end, after?.isEdited], expected);
    });
  }

  it('are omitted if one change replaces several of them, and the others move', () => {
    const change = { start: 4, end: 12, newLines: 3, isWholeLines: true };
    const after = hunksAfter([hunk(1, 2, ['a']), hunk(5, 7, ['b']), hunk(9, 10, ['c']), hunk(20, 22, ['d'])], change);
    assert.deepEqual(
      after.map(({ start, end }) => [start, end]),
      [
        [1, 2],
        [15, 17],
      ],
    );
  });
});
