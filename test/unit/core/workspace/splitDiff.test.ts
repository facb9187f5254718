import { deepEqual } from 'node:assert/strict';
import { splitDiff } from '../../../../src/core/workspace/splitDiff';

const part = (heading: string) =>
  `${heading}\nindex 1..2 100644\n--- a\n+++ b\n@@ -1 +1 @@\n-diff --git is text here\n+new\n`;

describe('the files of a Git diff', () => {
  it('are separated with the text of each', () => {
    const [first, second] = [part('diff --git a/src/a.ts b/src/a.ts'), part('diff --git a/old name.md b/new name.md')];
    deepEqual(splitDiff(first + second), [
      { paths: ['src/a.ts'], text: first },
      { paths: ['old name.md', 'new name.md'], text: second },
    ]);
  });

  it('have unquoted paths', () => {
    const [file] = splitDiff(
      part(String.raw`diff --git "a/\346\226\207\344\273\266.txt" "b/\346\226\207\344\273\266.txt"`),
    );
    deepEqual(file?.paths, ['文件.txt']);
    const [odd] = splitDiff(part(String.raw`diff --git "a/tab\there \"quoted\".txt" b/plain.txt`));
    deepEqual(odd?.paths, ['tab\there "quoted".txt', 'plain.txt']);
  });

  it("are empty for text that isn't a diff", () => {
    deepEqual(splitDiff(''), []);
    deepEqual(splitDiff('nothing here'), []);
    deepEqual(splitDiff('diff --git nonsense\n'), [{ paths: [], text: 'diff --git nonsense\n' }]);
  });
});
