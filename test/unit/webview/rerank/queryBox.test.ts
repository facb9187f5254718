import { deepEqual, equal } from 'node:assert/strict';
import { notWalking, walkHistory } from '../../../../webview/screens/rerank/queryBox';

describe('the walk through earlier queries', () => {
  const history = ['newest', 'middle', 'oldest'];
  function walker(typed: string, queries: readonly string[] = history) {
    let walk = notWalking;
    let shown = typed;
    return (step: 1 | -1) => {
      const next = walkHistory(queries, walk, step, shown);
      if (!next) return undefined;
      ({ walk, query: shown } = next);
      return shown;
    };
  }

  it('leads back to the oldest and forth to what was typed, and no further', () => {
    const go = walker('typed');
    deepEqual([go(1), go(1), go(1), go(1)], ['newest', 'middle', 'oldest', undefined]);
    deepEqual([go(-1), go(-1), go(-1), go(-1)], ['middle', 'newest', 'typed', undefined]);
  });

  it('passes over the query that stands in the box already', () => {
    const go = walker('newest');
    deepEqual([go(1), go(-1)], ['middle', 'newest']);
  });

  it('stays where it is without earlier queries', () => {
    equal(walker('typed', [])(1), undefined);
    equal(walker('only', ['only'])(1), undefined);
  });
});
