import { strict as assert } from 'node:assert';
import { codeBlocksIn, decideTarget, namedPaths, patchesIn, pathIn } from '../../../../src/core/edits/answerCode';

function only(text: string) {
  const blocks = codeBlocksIn(text);
  assert.equal(blocks.length, 1);
  return blocks[0]!;
}

function pathsOf(text: string): readonly string[] {
  return namedPaths(only(text)).map(({ path, isClear }) => (isClear ? path : `${path}?`));
}

const fence = (info: string, code = 'x = 1') => `\`\`\`${info}\n${code}\n\`\`\``;

describe('the code blocks of an answer', () => {
  it('are found with their language, the line above, and whether they are complete', () => {
    assert.deepEqual(codeBlocksIn('In `a.ts`:\n\n```ts\nlet a;\n```\n\n  ~~~\n  b\n   c\n  ~~~\nend\n```py\ncut'), [
      { code: 'let a;\n', language: 'ts', info: 'ts', above: 'In `a.ts`:', isClosed: true },
      { code: 'b\n c\n', language: '', info: '', above: '', isClosed: true },
      { code: 'cut\n', language: 'py', info: 'py', above: 'end', isClosed: false },
    ]);
  });

  it('may contain fences in a Markdown file', () => {
    assert.equal(only('````md\n```js\na\n```\n````').code, '```js\na\n```\n');
    assert.equal(only('```md\n```js\na\n```\nend\n```').code, '```js\na\n```\nend\n');
    assert.equal(only('```md\nRun it:\n```\na\n```\n```\nend').code, 'Run it:\n```\na\n```\n');
  });

  it('may be in a Markdown file whose fence names its path', () => {
    assert.equal(only('```markdown docs/a.md\n```js\na\n```\nend\n```').code, '```js\na\n```\nend\n');
  });

  it('contain lines of a list with a fence', () => {
    assert.equal(only('```js\n- ```\n+ ```\n```').code, '- ```\n+ ```\n');
  });

  it('are found after a list marker and with CRLF', () => {
    assert.equal(only('1. ```ts\r\n   a\r\n   ```').code, 'a\n');
    assert.equal(only('10. ```ts\n    a\n    ```\nend').code, 'a\n');
  });

  for (const [text, expected] of [
    [fence('ts src/a.ts'), ['src/a.ts']],
    [fence('ts:src/a.ts'), ['src/a.ts']],
    [fence('src/a.ts'), ['src/a.ts']],
    [fence('12:40:src/a.ts'), ['src/a.ts']],
    [fence('ts title="src/a b.ts"'), ['src/a b.ts']],
    [fence('ts {file=src/a.ts}'), ['src/a.ts']],
    [fence('python filename=rows.py'), ['rows.py']],
    [fence('ts // src/a.ts'), ['src/a.ts']],
    [fence('ts {1,3-5}'), []],
    [fence('c++'), []],
    [`**src/a.ts**\n${fence('ts')}`, ['src/a.ts']],
    [`### 2. \`src/a.ts\` (updated)\n${fence('ts')}`, ['src/a.ts']],
    [`File: src/a.ts\n${fence('ts')}`, ['src/a.ts']],
    [`**File: \`src/a.ts\`**\n${fence('ts')}`, ['src/a.ts']],
    [`1. **\`src/a.ts\`** - the new cart\n${fence('ts')}`, ['src/a.ts']],
    [`In \`src/a.ts\`:\n${fence('ts')}`, ['src/a.ts']],
    [`文件：\`src/a.ts\`\n${fence('ts')}`, ['src/a.ts']],
    [`在 \`src/a.ts\` 中修改：\n${fence('ts')}`, ['src/a.ts?']],
    [`修改src/a.ts：\n${fence('ts')}`, ['src/a.ts']],
    [`新建文件a.ts：\n${fence('ts')}`, ['a.ts?']],
    [`请在src/a.ts中添加：\n${fence('ts')}`, ['src/a.ts?']],
    [`文件src/a.ts的内容如下：\n${fence('ts')}`, ['src/a.ts']],
    [`下面是修改后的a.ts：\n${fence('ts')}`, ['a.ts?']],
    [`修改订单.md：\n${fence('md')}`, ['修改订单.md?', '订单.md?']],
    [`docs/订单.md：\n${fence('md')}`, ['docs/订单.md']],
    [`\`修改记录.md\`：\n${fence('md')}`, ['修改记录.md']],
    [`从src/a.ts导入：\n${fence('ts')}`, ['从src/a.ts?']],
    [`[src/a.ts](src/a.ts)\n${fence('ts')}`, ['src/a.ts']],
    [`Here is the updated \`src/a.ts\` with the fix:\n${fence('ts')}`, ['src/a.ts?']],
    [`Then import it from \`src/a.ts\`:\n${fence('ts')}`, []],
    [`Move it from \`a.ts\` to \`b.ts\`:\n${fence('ts')}`, []],
    [`It costs 1.5 e.g. here:\n${fence('ts')}`, []],
    [fence('ts', '// src/a.ts\nlet a;'), ['src/a.ts']],
    [fence('python', '# file: src/a.py\nlet a'), ['src/a.py']],
    [fence('html', '<!-- index.html -->\n<p>'), ['index.html']],
    [fence('sh', '#!/bin/a.sh\necho'), []],
    [fence('', 'src/a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE'), ['src/a.ts']],
    [fence('ts ../a.ts'), []],
    [fence('ts /etc/a.conf'), []],
    [fence('ts C:\\a\\b.ts'), []],
    [fence('ts src\\a.ts'), ['src/a.ts']],
    [fence('ts https://a.b/c.ts'), []],
  ] as const) {
    it(`refer to ${expected.length === 0 ? 'no file' : expected.join()}: ${JSON.stringify(text.slice(0, 50))}`, () => {
      assert.deepEqual(pathsOf(text), expected);
    });
  }

  it('refer to no path outside of the workspace', () => {
    for (const path of [
      '../a.ts',
      'a/../b.ts',
      '/a.ts',
      '~/a.ts',
      'a//b.ts',
      'file:///a.ts',
      'a\0.ts',
      'c:/a.ts',
      './../a.ts',
    ]) {
      assert.equal(pathIn(path), undefined, path);
    }
    assert.equal(pathIn('./Dockerfile'), 'Dockerfile');
    assert.equal(pathIn('.github/copilot-instructions.md'), '.github/copilot-instructions.md');
  });
});

describe('the target of a code block', () => {
  const files = ['src/a.ts', 'lib/a.ts', 'src/rows.py', 'package.json'];
  const named = (path: string) => files.filter((file) => file === path || file.endsWith(`/${path}`));
  const target = (text: string, attached: readonly string[] = []) => {
    const { kind, ...more } = decideTarget(only(text), attached, named);
    return 'path' in more ? `${kind} ${more.path}` : kind;
  };

  it('is the file that the answer names, if there is one', () => {
    assert.equal(target(fence('ts src/a.ts')), 'file src/a.ts');
    assert.equal(target(`In \`rows.py\`:\n${fence('python')}`, ['src/a.ts']), 'file src/rows.py');
  });

  it('is unknown if several files have the name, unless one is attached', () => {
    assert.equal(target(fence('ts a.ts')), 'unknown');
    assert.equal(target(fence('ts a.ts'), ['lib/a.ts']), 'file lib/a.ts');
  });

  it('is a new file only if the name is clear', () => {
    assert.equal(target(fence('ts src/new.ts')), 'newFile src/new.ts');
    assert.equal(
      target(`It is in the new \`util.ts\` module now, which works:\n${fence('ts')}`, ['src/a.ts']),
      'unknown',
    );
  });

  it('is the attached file of its language', () => {
    assert.equal(target(fence('python'), ['src/rows.py', 'src/a.ts']), 'file src/rows.py');
    assert.equal(target(fence('javascript'), ['src/a.ts']), 'file src/a.ts');
    assert.equal(target(fence('diff', '-a\n+b'), ['src/a.ts']), 'file src/a.ts');
    assert.equal(target(fence('bash', 'npm i'), ['src/a.ts']), 'unknown');
    assert.equal(target(fence('ts'), ['src/a.ts', 'lib/a.ts']), 'unknown');
    assert.equal(target(fence('ts')), 'unknown');
  });
});

describe('a diff of several files', () => {
  it('is split with the path of each', () => {
    const code =
      'diff --git a/a.ts b/a.ts\nindex 1..2\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+n\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x';
    const patches = patchesIn(only(fence('diff', code)));
    assert.deepEqual(
      patches.map(({ path, isNewFile, isDeleted }) => [path, isNewFile, isDeleted]),
      [
        ['a.ts', false, false],
        ['n.ts', true, false],
        ['old.ts', false, true],
      ],
    );
  });
});
