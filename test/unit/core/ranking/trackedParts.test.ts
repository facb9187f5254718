import { deepEqual, equal, ok } from 'node:assert/strict';
import { splitText } from '../../../../src/core/ranking/splitText';
import { afterEdit, trackParts } from '../../../../src/core/ranking/trackedParts';
import type { TextEdit, TrackedText } from '../../../../src/core/ranking/trackedParts';

/** A document that is edited, with a text in it whose lines are tracked. */
function edited(before: string, text: string, after: string, edits: readonly TextEdit[]): string {
  let document = before + text + after;
  let tracked: TrackedText | undefined = trackParts(text, splitText(text, 'lines'), before.length);
  for (const edit of edits) {
    document = document.slice(0, edit.start) + edit.text + document.slice(edit.start + edit.removed);
    tracked = tracked && afterEdit(tracked, edit, (start, end) => document.slice(start, end));
  }
  if (!tracked) return 'gone';
  return tracked.parts
    .map(({ index, start, end, isOld }) => `${index}${isOld ? '?' : ''}:${document.slice(start, end)}`)
    .join(' ');
}

const edit = (start: number, removed: number, text: string): TextEdit => ({ start, removed, text });

describe('parts of an edited text', () => {
  it('move with edits before them, and are unchanged by edits after them', () => {
    equal(edited('x\n', 'a\nb', '\ny', [edit(0, 1, 'longer')]), '0:a 1:b');
    equal(edited('', 'a\nb', '\ny', [edit(4, 1, 'longer')]), '0:a 1:b');
    equal(edited('', 'a\nb', '', [edit(2, 0, 'new line\n')]), '0:a 1:b');
    equal(edited('', 'a\nb', '', [edit(1, 0, '\nnew line')]), '0:a 1:b');
  });

  it('are outdated once they are edited, and no longer when that is undone', () => {
    equal(edited('', 'aa\nbb', '', [edit(1, 0, 'X')]), '0?:aXa 1:bb');
    equal(edited('', 'aa\nbb', '', [edit(0, 0, 'X')]), '0?:Xaa 1:bb');
    equal(edited('', 'aa\nbb', '', [edit(5, 0, 'X')]), '0:aa 1?:bbX');
    equal(edited('', 'aa\nbb', '', [edit(1, 0, 'X'), edit(1, 1, '')]), '0:aa 1:bb');
    equal(edited('', 'aa\nbb\ncc', '', [edit(1, 3, 'X')]), '0?:a 1?:b 2:cc');
  });

  it('are removed with their text, and all are removed from an empty text', () => {
    equal(edited('', 'aa\nbb', '', [edit(0, 3, '')]), '1:bb');
    equal(edited('x', 'aa\nbb', 'y', [edit(0, 7, 'new')]), 'gone');
  });

  it('are found again in a restored text', () => {
    const text = 'aa\nbb';
    const tracked = afterEdit(trackParts(text, splitText(text, 'lines'), 2), edit(2, 5, 'bb\naa'), () => '');
    ok(tracked);
    deepEqual([tracked.start, tracked.end, tracked.parts, tracked.text], [2, 7, [], text]);
  });
});
