import { equal, match, rejects } from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openFolders, readTexts } from '../../../src/cli/mcp/folders';
import { setUpFolder } from '../../support/temporaryFolder';

describe('The folders of the MCP server', () => {
  const folder = setUpFolder();
  const work = (name: string) => folder.in(path.join('work', name));
  beforeEach(async () => {
    await mkdir(folder.in('work'));
    await writeFile(work('a.txt'), 'a house');
  });

  it('open no files outside of them, not even to resolve a link', async () => {
    await symlink(work('a.txt'), folder.in('door.txt'));
    const folders = await openFolders([folder.in('work')]);
    for (const asked of [folder.in('door.txt'), '../door.txt', '../none.txt', '/', '..']) {
      await rejects(folders.file(asked), /is outside of the allowed folders/, asked);
    }
  });

  it('accept paths by their given and their real names', async () => {
    await symlink(folder.in('work'), folder.in('alias'));
    await symlink(work('a.txt'), work('.env'));
    const folders = await openFolders([folder.in('alias'), folder.in('none')]);
    const file = await realpath(work('a.txt'));
    for (const asked of ['a.txt', folder.in('alias/a.txt'), file]) equal(await folders.file(asked), file);
    equal(folders.shown(file), 'a.txt');
    for (const asked of ['.env', folder.in('alias/.env')]) await rejects(folders.file(asked), /might contain keys/);
    await rejects(folders.file(folder.in('none/a.txt')), /is outside/);
  });

  it('limit the total size of text per call', async () => {
    const names = Array.from({ length: 17 }, (_, index) => `${index}.txt`);
    const text = 'x'.repeat(4 * 1024 ** 2);
    for (const name of names) await writeFile(work(name), text);
    const folders = await openFolders([folder.in('work')]);
    const { signal } = new AbortController();
    equal((await readTexts(names.slice(1), folders, signal)).length, 16);
    await rejects(readTexts(names, folders, signal), ({ message }: Error) => {
      match(message, /exceed 64 MB in total\. Provide fewer/);
      return true;
    });
  });
});
