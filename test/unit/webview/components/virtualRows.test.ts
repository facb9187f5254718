import assert from 'node:assert/strict';
import { drawnHeight, movedBy, scrolledTo, visibleRows } from '../../../../webview/components/virtualTable';

const space = (count: number) => ({ count, rowHeight: 24, viewport: 480 });

describe('The rows of a table of any length', () => {
  for (const count of [1, 19, 20, 21, 5000, 1_000_000, 40_000_000]) {
    it(`with ${count}: renders those in view, at their positions`, () => {
      const rows = space(count);
      const lowest = Math.max(0, drawnHeight(rows) - rows.viewport);
      assert.ok(drawnHeight(rows) <= 8_000_000);
      for (const part of [0, 0.1, 0.5, 0.99, 1]) {
        const { first, end, top } = visibleRows(rows, lowest * part);
        assert.ok(first >= 0 && end <= count && end - first <= 40, `${first} to ${end}`);
        const seen = Array.from({ length: end - first }, (_, index) => first + index).filter((index) => {
          const y = top(index) - lowest * part;
          return y > -24 && y < rows.viewport;
        });
        assert.ok(seen.length >= Math.min(count, 20), `${seen.length} at ${part}`);
        if (part === 0) assert.equal(seen[0], 0);
        if (part === 1) assert.equal(seen.at(-1), count - 1);
      }
    });

    it(`with ${count}: can scroll to any row`, () => {
      const rows = space(count);
      for (const index of new Set([0, 1, count >> 1, count - 2, count - 1].filter((one) => one >= 0))) {
        for (const from of [0, drawnHeight(rows) / 2, drawnHeight(rows)]) {
          const to = scrolledTo(rows, from, index);
          const y = visibleRows(rows, to).top(index) - to;
          assert.ok(y >= -0.01 && y + 24 <= rows.viewport + 0.01, `row ${index} from ${from} stands at ${y}`);
          assert.equal(scrolledTo(rows, to + 0.001, index) - to < 1, true);
        }
      }
    });
  }

  it("don't scroll for a visible row", () => {
    assert.equal(scrolledTo(space(5000), 1000, 45), 1000);
  });

  it('are navigated with keys within their ends', () => {
    const moved = (key: string, index: number) => movedBy(key, index, space(100));
    assert.deepEqual(
      [moved('ArrowDown', -1), moved('ArrowDown', 99), moved('ArrowUp', 0), moved('ArrowUp', 5)],
      [0, 99, 0, 4],
    );
    assert.deepEqual([moved('PageDown', 0), moved('PageDown', 95), moved('PageUp', 10)], [19, 99, 0]);
    assert.deepEqual([moved('Home', 50), moved('End', 50), moved('x', 50)], [0, 99, undefined]);
  });
});
