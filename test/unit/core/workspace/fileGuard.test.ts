import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { mkdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileGuard } from '../../../../src/core/workspace/fileGuard';
import type { GuardOptions } from '../../../../src/core/workspace/fileGuard';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('Files that can be read by name', () => {
  const folder = setUpFolder();
  const work = (name: string) => folder.in(path.join('work', name));
  const open = (options: Partial<GuardOptions> = {}) =>
    FileGuard.open([folder.in('work')], { isSecret: (at) => /(^|\/)\.env$/.test(at), ...options });
  const refusal = async (asked: string, options?: Partial<GuardOptions>) => {
    const guard = await open(options);
    const [checked, read] = [await guard.check(asked), await guard.read(asked, 1000)];
    if (read === 'tooLarge') return read;
    return 'refusal' in read ? read.refusal : 'refusal' in checked ? checked.refusal : undefined;
  };
  beforeEach(async () => {
    await mkdir(work('src'), { recursive: true });
    await mkdir(folder.in('outside'));
    await writeFile(work('a.txt'), 'a house');
    await writeFile(work('.env'), 'KEY=1');
    await writeFile(folder.in('outside/passwd'), 'root');
    await writeFile(folder.in('outside/.env'), 'KEY=2');
  });

  it('include files in a folder, under any name that leads there', async () => {
    await symlink(folder.in('work'), folder.in('alias'));
    await symlink(work('a.txt'), work('src/b.txt'));
    const guard = await FileGuard.open([folder.in('alias'), folder.in('none')], { isSecret: () => false });
    const real = await realpath(work('a.txt'));
    for (const asked of [folder.in('alias/a.txt'), work('a.txt'), work('src/../a.txt'), work('src/b.txt')]) {
      deepEqual(await guard.check(asked), { real });
      deepEqual(await guard.read(asked, 7), { real, bytes: Buffer.from('a house') });
    }
    equal(await guard.read(real, 6), 'tooLarge');
  });

  it('exclude files outside, by name or through a link', async () => {
    await symlink(folder.in('outside/passwd'), work('notes.txt'));
    await symlink(folder.in('outside'), work('linked'));
    await symlink(work('a.txt'), folder.in('outside/door'));
    for (const asked of [
      'notes.txt',
      'linked/passwd',
      'linked',
      '../outside/passwd',
      '../outside/none',
      '../outside/door',
    ]) {
      equal(await refusal(work(asked)), 'outside', asked);
    }
    equal(await refusal(folder.in('workshop')), 'outside');
  });

  it('exclude files with keys, under either of their names', async () => {
    await symlink(work('.env'), work('notes.txt'));
    await symlink(work('a.txt'), work('src/.env'));
    for (const asked of ['.env', 'notes.txt', 'src/.env']) equal(await refusal(work(asked)), 'secret', asked);
    const isSecret = (at: string) => at === 'src/c.txt';
    await writeFile(work('src/c.txt'), 'c');
    equal(await refusal(work('src/c.txt'), { isSecret }), 'secret');
  });

  it('include files elsewhere only if the user can name such, and no keys', async () => {
    await symlink(folder.in('outside/passwd'), work('notes.txt'));
    const elsewhere = { allowsElsewhere: true };
    equal(await refusal(folder.in('outside/passwd'), elsewhere), undefined);
    equal(await refusal(folder.in('outside/.env'), elsewhere), 'secret');
    equal(await refusal(work('notes.txt'), elsewhere), 'outside');
  });

  (existsSync('/proc/self/status') ? it : it.skip)(
    'is no more than was asked for, also of a file that tells no size',
    async () => {
      const guard = await FileGuard.open(['/proc/self'], { isSecret: () => false });
      equal((await stat('/proc/self/status')).size, 0);
      equal(await guard.read('/proc/self/status', 10), 'tooLarge');
      const whole = await guard.read('/proc/self/status', 1_000_000);
      ok(whole !== 'tooLarge' && 'bytes' in whole && whole.bytes.length > 10);
    },
  );

  it('exclude other streams of a file on Windows', async () => {
    await writeFile(work('a.txt:keys'), 'KEY=1');
    equal(await refusal(work('a.txt:keys')), undefined);
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      equal(await refusal(work('a.txt:keys')), 'notFile');
      equal(await refusal(work('a.txt::$DATA')), 'notFile');
      equal(await refusal(work('a.txt')), undefined);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it('exclude folders and missing files', async () => {
    equal(await refusal(work('src')), 'notFile');
    equal(await refusal(work('none')), 'missing');
    deepEqual(await (await open()).check(work('none')), { refusal: 'missing', code: 'ENOENT' });
  });

  (existsSync('/proc/self/fd') ? it : it.skip)(
    'is what was checked, also while a folder and a link to another change places',
    async () => {
      await mkdir(work('turning'));
      await writeFile(work('turning/passwd'), 'mine');
      await symlink(folder.in('outside'), work('link'));
      const guard = await open();
      let isOver = false;
      const turning = (async () => {
        while (!isOver) {
          renameSync(work('turning'), work('kept'));
          renameSync(work('link'), work('turning'));
          await stat(work('a.txt'));
          renameSync(work('turning'), work('link'));
          renameSync(work('kept'), work('turning'));
          await stat(work('a.txt'));
        }
      })();
      const mine = (found: Awaited<ReturnType<FileGuard['read']>>) => {
        ok(found !== 'tooLarge');
        if (!('refusal' in found)) equal(Buffer.from(found.bytes).toString(), 'mine');
        return !('refusal' in found);
      };
      try {
        for (let times = 0; times < 1500; times += 1) mine(await guard.read(work('turning/passwd'), 1000));
      } finally {
        isOver = true;
        await turning;
      }
      ok(mine(await guard.read(work('turning/passwd'), 1000)));
    },
  ).timeout(30_000);
});
