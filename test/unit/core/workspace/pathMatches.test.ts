import assert from 'node:assert/strict';
import { listPaths } from '../../../../src/core/workspace/folderListing';
import { globFor, matchPaths } from '../../../../src/core/workspace/pathMatches';

const paths = [
  'src/chat/session.ts',
  'src/chat/chat.ts',
  'src/features/Chat/page.tsx',
  'test/chat.test.ts',
  'docs/how-to-chat.md',
  'README.md',
];

describe('files that match typed text', () => {
  const found = (query: string, most = 20) => matchPaths(paths, query, most).map(({ kind, path }) => `${kind} ${path}`);

  it('are those whose names begin with it, then those that contain it, then those in such a folder', () => {
    assert.deepEqual(found('chat'), [
      'folder src/chat',
      'file src/chat/chat.ts',
      'folder src/features/Chat',
      'file test/chat.test.ts',
      'file docs/how-to-chat.md',
      'file src/chat/session.ts',
      'file src/features/Chat/page.tsx',
    ]);
  });

  it('are found by a part of the path, up to a limit', () => {
    assert.deepEqual(found('chat/s'), ['file src/chat/session.ts']);
    assert.deepEqual(found('CHAT', 2), ['folder src/chat', 'file src/chat/chat.ts']);
    assert.deepEqual(found('ｃｈａｔ／ｓ'), ['file src/chat/session.ts']);
    assert.deepEqual(found('nothing'), []);
  });

  it('match any case and width of letters, with glob characters as literals', () => {
    assert.equal(globFor('aB/'), '{**/*[aAａＡ][bBｂＢ]/*,**/*[aAａＡ][bBｂＢ]/*/**}');
    assert.equal(globFor('[x]*{,}'), '{**/*?[xXｘＸ]?????*,**/*?[xXｘＸ]?????*/**}');
  });
});

describe('the list of a folder', () => {
  it('is sorted, and truncated from the deepest', () => {
    const deep = ['b/c/d.ts', 'z.ts', 'b/a.ts', 'a/x/y/w.ts'];
    assert.deepEqual(listPaths(deep, 10), { paths: ['a/x/y/w.ts', 'b/a.ts', 'b/c/d.ts', 'z.ts'], count: 4 });
    assert.deepEqual(listPaths(deep, 2), { paths: ['b/a.ts', 'z.ts'], count: 4 });
  });
});
