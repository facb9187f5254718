import { deepEqual, equal } from 'node:assert/strict';
import { notWalking, walkHistory } from '../../../../webview/components/historyWalk';

describe('the walk through earlier texts', () => {
  const history = ['newest', 'middle', 'oldest'];
  function walker(typed: string, texts: readonly string[] = history) {
    let walk = notWalking;
    let shown = typed;
    return (step: 1 | -1) => {
      const next = walkHistory(texts, walk, step, shown);
      if (!next) return undefined;
      ({ walk, text: shown } = next);
      return shown;
    };
  }

  it('leads back to the oldest and forth to what was typed, and no further', () => {
    const go = walker('typed');
    deepEqual([go(1), go(1), go(1), go(1)], ['newest', 'middle', 'oldest', undefined]);
    deepEqual([go(-1), go(-1), go(-1), go(-1)], ['middle', 'newest', 'typed', undefined]);
  });

  it('skips the text that is in the box already', () => {
    const go = walker('newest');
    deepEqual([go(1), go(-1)], ['middle', 'newest']);
  });

  it('stays where it is without earlier texts', () => {
    equal(walker('typed', [])(1), undefined);
    equal(walker('only', ['only'])(1), undefined);
  });
});
