import assert from 'node:assert/strict';
import { createGitignore } from '../../../../src/core/workspace/gitignore';

describe('what Git ignores', () => {
  const isIgnored = createGitignore([
    { folder: 'packages/a', text: '!keep.log\n/local\n' },
    { folder: '', text: 'node_modules/\n*.log\n/dist\n# a comment\n' },
  ]);
  const cases: Readonly<Record<string, boolean>> = {
    'src/index.ts': false,
    'a.log': true,
    'deep/below/b.log': true,
    'packages/a/keep.log': false,
    'packages/b/keep.log': true,
    'dist/main.js': true,
    'packages/a/dist/main.js': false,
    'packages/a/local/file.ts': true,
    'local/file.ts': false,
    'node_modules/x/index.js': true,
    'packages/a/node_modules/x/keep.log': true,
  };
  for (const [path, expected] of Object.entries(cases)) {
    it(`${expected ? 'is' : 'is not'} ${path}`, () => assert.equal(isIgnored(path), expected));
  }

  it('stays ignored in an ignored folder, whatever a file in that folder says', () => {
    const within = createGitignore([
      { folder: '', text: 'out/' },
      { folder: 'out', text: '!kept.txt' },
    ]);
    assert.equal(within('out/kept.txt'), true);
  });

  it('is nothing without rules', () => assert.equal(createGitignore([])('a/b'), false));
});
