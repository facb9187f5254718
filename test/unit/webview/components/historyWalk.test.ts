import { deepEqual, equal } from 'node:assert/strict';
import { notWalking, walkHistory } from '../../../../webview/components/historyWalk';

describe('the history of earlier texts', () => {
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

  it('leads back to the oldest and forward to the typed text, and no further', () => {
    const go = walker('typed');
    deepEqual([go(1), go(1), go(1), go(1)], ['newest', 'middle', 'oldest', undefined]);
    deepEqual([go(-1), go(-1), go(-1), go(-1)], ['middle', 'newest', 'typed', undefined]);
  });

  it('skips the text that is already in the box', () => {
    const go = walker('newest');
    deepEqual([go(1), go(-1)], ['middle', 'newest']);
  });

  it("doesn't move without earlier texts", () => {
    equal(walker('typed', [])(1), undefined);
    equal(walker('only', ['only'])(1), undefined);
  });
});
