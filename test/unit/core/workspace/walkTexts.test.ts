import { deepEqual, rejects } from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { walkTexts } from '../../../../src/core/workspace/walkTexts';
import type { WalkOptions } from '../../../../src/core/workspace/walkTexts';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('The text files of a folder', () => {
  const folder = setUpFolder();
  const leftOut = () => ({ overLimit: 0, tooLarge: 0, unreadable: 0 });
  const put = async (name: string, content: string | Uint8Array = name) => {
    await mkdir(path.dirname(folder.in(name)), { recursive: true });
    await writeFile(folder.in(name), content);
  };
  const walk = async (more: Partial<WalkOptions> = {}, found = leftOut()) => {
    const paths: string[] = [];
    const options = {
      isSecret: (name: string) => name.endsWith('.key'),
      limits: { files: 100, fileBytes: 1000, totalBytes: 10_000 },
      signal: new AbortController().signal,
      ...more,
    };
    for await (const { path: name } of walkTexts(folder.path(), options, found)) paths.push(name);
    return paths;
  };

  it('are listed by path, without ignored, secret, and binary files and links', async () => {
    await put('.gitignore', '*.log\nbuild/\n.*cache\n');
    await put('src/.gitignore', '!kept.log\nmade.ts\n');
    for (const name of ['a.log', 'build/a.ts', '.cache/a.ts', 'src/a.ts', 'src/made.ts', 'src/kept.log', 'b.key']) {
      await put(name);
    }
    await put('node_modules/x/a.ts');
    await put('.git/config');
    await put('picture.png', Uint8Array.of(0, 1, 2));
    await symlink(folder.in('src'), folder.in('linked'));
    await symlink('/', folder.in('everything'));
    deepEqual(await walk(), ['.gitignore', 'src/.gitignore', 'src/a.ts', 'src/kept.log']);
  });

  it('match the include and exclude patterns', async () => {
    for (const name of ['a.md', 'src/a.ts', 'src/b.ts', 'src/deep/c.md']) await put(name);
    deepEqual(await walk({ include: 'src, a.md' }), ['a.md', 'src/a.ts', 'src/b.ts', 'src/deep/c.md']);
    deepEqual(await walk({ include: '*.md', exclude: 'src/deep' }), ['a.md']);
  });

  it('are limited in number and size, and omitted ones are counted', async () => {
    for (const name of ['a', 'b', 'c']) await put(name, 'x'.repeat(10));
    await put('large', 'x'.repeat(20));
    const found = leftOut();
    deepEqual(await walk({ limits: { files: 9, fileBytes: 15, totalBytes: 25 } }, found), ['a', 'b']);
    deepEqual(found, { overLimit: 1, tooLarge: 1, unreadable: 0 });
    const few = leftOut();
    deepEqual(await walk({ limits: { files: 1, fileBytes: 15, totalBytes: 99 } }, few), ['a']);
    deepEqual(few, { overLimit: 3, tooLarge: 0, unreadable: 0 });
  });

  it('end when they are stopped', async () => {
    await put('a');
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await rejects(walk({ signal: stop.signal }), /enough/);
  });
});
