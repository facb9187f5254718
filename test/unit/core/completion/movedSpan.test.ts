import assert from 'node:assert/strict';
import fc from 'fast-check';
import { movedSpan, movedSpans } from '../../../../src/core/completion/movedSpan';
import type { TextChange } from '../../../../src/core/completion/movedSpan';

const change = (offset: number, removed: number, inserted: number): TextChange => ({ offset, removed, inserted });

describe('a range of a text during edits', () => {
  const span = { start: 10, end: 20 };

  it('moves with changes before it, and is unchanged by changes after it', () => {
    assert.deepEqual(movedSpan(span, [change(0, 0, 5)]), { start: 15, end: 25 });
    assert.deepEqual(movedSpan(span, [change(2, 8, 0)]), { start: 2, end: 12 });
    assert.deepEqual(movedSpan(span, [change(20, 5, 1)]), span);
    assert.deepEqual(movedSpan(span, [change(30, 0, 9), change(1, 1, 0)]), { start: 9, end: 19 });
  });

  it('excludes text inserted at its edges', () => {
    assert.deepEqual(movedSpan(span, [change(10, 0, 3)]), { start: 13, end: 23 });
    assert.deepEqual(movedSpan(span, [change(20, 0, 3)]), span);
  });

  it('disappears once an edit overlaps it', () => {
    for (const reaching of [change(9, 2, 0), change(15, 0, 1), change(19, 3, 3), change(0, 50, 0)]) {
      assert.equal(movedSpan(span, [reaching]), undefined);
    }
  });

  it('without length stays before text inserted there, and moves with its surroundings', () => {
    const place = { start: 10, end: 10 };
    assert.deepEqual(movedSpan(place, [change(10, 0, 4)]), place);
    assert.deepEqual(movedSpan(place, [change(5, 5, 0)]), { start: 5, end: 5 });
    assert.deepEqual(movedSpan(place, [change(10, 4, 0)]), place);
    assert.equal(movedSpan(place, [change(9, 2, 0)]), undefined);
  });

  it('excludes only the overlapped ones of many', () => {
    const spans = [
      { start: 0, end: 2 },
      { start: 2, end: 4 },
      { start: 4, end: 6 },
    ];
    assert.deepEqual(movedSpans(spans, [change(3, 0, 1)]), [
      { start: 0, end: 2 },
      { start: 5, end: 7 },
    ]);
  });

  it('keeps its text, whatever is edited elsewhere', () => {
    const edit = fc.record({ at: fc.nat(60), removed: fc.nat(10), text: fc.string({ maxLength: 6 }) });
    fc.assert(
      fc.property(
        fc.string({ minLength: 10, maxLength: 60 }),
        fc.nat(60),
        fc.nat(60),
        fc.array(edit),
        (text, a, b, edits) => {
          const start = Math.min(a, b) % text.length;
          let saved: { start: number; end: number } | undefined = {
            start,
            end: Math.max(start, Math.max(a, b) % text.length),
          };
          const requested = text.slice(saved.start, saved.end);
          let now = text;
          for (const { at, removed, text: added } of edits) {
            const offset = Math.min(at, now.length);
            const length = Math.min(removed, now.length - offset);
            saved = movedSpan(saved, [change(offset, length, added.length)]);
            now = now.slice(0, offset) + added + now.slice(offset + length);
            if (!saved) return;
            assert.equal(now.slice(saved.start, saved.end), requested);
          }
        },
      ),
    );
  });
});
