import assert from 'node:assert/strict';
import { lineDigest, LineMarks } from '../../../../../src/core/batch/results/lineMarks';
import type { SentMark } from '../../../../../src/core/batch/results/lineMarks';

const idOf = (text: string) => text.split(' ')[0];
const markOf = (text: string, line: number): SentMark => ({ line, digest: lineDigest(text), customId: idOf(text) });

describe('Results shown on lines', () => {
  const sent = ['a one', 'b two', 'c three', 'd four'];
  const open = (lines: string[], marked = [1, 3]) => {
    const document = {
      get lineCount() {
        return lines.length;
      },
      textAt(line: number) {
        const text = lines[line];
        // As the editor does.
        if (text === undefined) throw new Error('Illegal value for `line`');
        return text;
      },
    };
    const marks = new LineMarks(
      marked.map((line) => markOf(sent[line]!, line)),
      document,
      idOf,
    );
    const edits = (...all: readonly (readonly [start: number, end: number, ...by: readonly string[]])[]) => {
      for (const [start, end, ...by] of all) lines.splice(start, end - start + 1, ...by);
      return marks.change(all.map(([start, end, ...by]) => ({ start, end, lines: by.length })));
    };
    const edit = (...one: readonly [start: number, end: number, ...by: readonly string[]]) => edits(one);
    const shown = () => marks.shown.map(({ mark, line }) => `${mark.customId}@${line}`).toSorted();
    return { edit, edits, shown };
  };

  it('appear only on lines whose content was sent, wherever they are now', () => {
    assert.deepEqual(open([...sent]).shown(), ['b@1', 'd@3']);
    assert.deepEqual(open(['new', ...sent]).shown(), ['b@2', 'd@4']);
    assert.deepEqual(open(['d four', 'c three', 'b 2', 'a one']).shown(), ['d@0']);
    assert.deepEqual(open([]).shown(), []);
  });

  it('disappear when the line is edited, return on undo, and move with the line', () => {
    const { edit, shown } = open([...sent]);
    assert.equal(edit(1, 1, 'b tw'), true);
    assert.deepEqual(shown(), ['d@3']);
    assert.equal(edit(1, 1, 'b two'), true);
    assert.deepEqual(shown(), ['b@1', 'd@3']);
    assert.equal(edit(0, 0, 'a 1'), false, 'nothing to draw again');
    assert.equal(edit(0, 0, 'a 1', 'between'), true);
    assert.deepEqual(shown(), ['b@2', 'd@4']);
    assert.equal(edit(2, 2, '', 'b two'), true);
    assert.deepEqual(shown(), ['b@3', 'd@5']);
    edit(1, 4, 'one line in place of four');
    assert.deepEqual(shown(), ['d@2']);
  });

  it('follow edits at many positions at once', () => {
    const { edits, shown } = open([...sent]);
    edits([3, 3, '', 'd four'], [1, 1, '', 'b two', ''], [0, 0, 'a one', 'between']);
    assert.deepEqual(shown(), ['b@3', 'd@7']);
  });
});
