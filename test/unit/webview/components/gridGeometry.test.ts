import assert from 'node:assert/strict';
import {
  columnsIn,
  layOut,
  rowOf,
  rowsBetween,
  scrolledToTile,
  tileMovedTo,
} from '../../../../webview/components/gridGeometry';

const grid = (...counts: readonly number[]) => layOut({ counts, columns: 4, rowHeight: 200, headHeight: 36 });

describe('A grid of tiles under headings', () => {
  it('has as many columns as fit, and at least one', () => {
    assert.equal(columnsIn(188, 150, 12), 1);
    assert.equal(columnsIn(312, 150, 12), 2);
    assert.equal(columnsIn(311, 150, 12), 1);
    assert.equal(columnsIn(0, 150, 12), 1);
  });

  it('is as high as its rows and headings', () => {
    const { height, count, rows } = grid(5, 1, 8);
    assert.deepEqual({ height, count, rows }, { height: 3 * 36 + 5 * 200, count: 14, rows: 8 });
    assert.deepEqual(rowsBetween(layOut({ counts: [], columns: 4, rowHeight: 9, headHeight: 0 }), 0, 99), []);
    const bare = layOut({ counts: [5], columns: 4, rowHeight: 9, headHeight: 0 });
    assert.deepEqual(
      rowsBetween(bare, 0, 99).map(({ row, top, end }) => [row, top, end]),
      [
        [0, 0, 4],
        [1, 9, 5],
      ],
    );
  });

  it('renders only the visible rows', () => {
    const layout = grid(5, 1, 8);
    const seen = (from: number, to: number) =>
      rowsBetween(layout, from, to).map(({ kind, first, end }) => [kind, first, end]);
    assert.deepEqual(seen(0, 237), [
      ['head', 0, 0],
      ['tiles', 0, 4],
      ['tiles', 4, 5],
    ]);
    assert.deepEqual(seen(436, 472), [['head', 5, 5]]);
    assert.deepEqual(seen(472, 710), [
      ['tiles', 5, 6],
      ['head', 6, 6],
      ['tiles', 6, 10],
    ]);
    assert.deepEqual(seen(layout.height - 1, 1e6), [['tiles', 10, 14]]);
  });

  it('finds the visible ones among many, at any position', () => {
    const layout = grid(...Array.from({ length: 400 }, (_, day) => 1 + (day % 31)));
    for (let from = -500; from < layout.height; from += 7919) {
      const rows = rowsBetween(layout, from, from + 600);
      assert.ok(rows.length <= 18);
      for (const row of rows.filter(({ kind }) => kind === 'tiles')) {
        assert.deepEqual(rowOf(layout, row.first), row);
        assert.deepEqual(rowOf(layout, row.end - 1), row);
        assert.ok(row.top < from + 600 && row.top + 200 > from);
      }
      rows.slice(1).forEach((row, at) => assert.equal(row.row, rows[at]!.row + 1));
    }
  });

  it('moves with the arrow keys through incomplete rows, in the same column if there is one', () => {
    const layout = grid(5, 1, 8);
    const to = (key: string, index: number) => tileMovedTo(layout, key, index, 400);
    assert.equal(to('ArrowRight', 4), 5);
    assert.equal(to('ArrowRight', 13), 13);
    assert.equal(to('ArrowLeft', 0), 0);
    assert.equal(to('ArrowDown', 2), 4);
    assert.equal(to('ArrowDown', 4), 5);
    assert.equal(to('ArrowDown', 5), 6);
    assert.equal(to('ArrowDown', 12), 12);
    assert.equal(to('ArrowUp', 8), 5);
    assert.equal(to('ArrowUp', 1), 1);
    assert.equal(to('PageDown', 1), 5);
    assert.equal(to('PageUp', 13), 5);
    assert.equal(to('Home', 9), 0);
    assert.equal(to('End', 0), 13);
    assert.equal(to('x', 0), undefined);
  });

  it('scrolls no farther than required, and to a heading with its first row', () => {
    const layout = grid(5, 1, 8);
    assert.equal(scrolledToTile(layout, 10, 400, 0), 10);
    assert.equal(scrolledToTile(layout, 300, 400, 0), 0);
    assert.equal(scrolledToTile(layout, 0, 400, 5), 472 + 200 - 400);
    assert.equal(scrolledToTile(layout, 600, 400, 5), 436);
    assert.equal(scrolledToTile(layout, 600, 400, 4), 236);
  });
});
