import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { appendShared, openAppendLog } from '../../../../src/core/storage/appendLog';
import { canFill, fillUnder, mountSmallDisk, openBelow } from '../../../support/fullDisk';
import type { SmallDisk } from '../../../support/fullDisk';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('a line log', () => {
  const folder = setUpFolder();
  const read = () => readFile(folder.in('log'), 'utf8');

  it('has every line in order, including those from before it was opened', async () => {
    await writeFile(folder.in('log'), 'first\n');
    const log = await openAppendLog(folder.in('log'));
    await Promise.all(['a', 'b', 'c'].map((line, index) => log.append(`${line}\n`, { isDurable: index === 1 })));
    const last = log.append('d\ne\n');
    await log.close();
    await last;
    equal(await read(), 'first\na\nb\nc\nd\ne\n');
  });

  it("doesn't continue a line truncated by a crash", async () => {
    await writeFile(folder.in('log'), 'whole\n{"half":');
    const log = await openAppendLog(folder.in('log'));
    await log.append('next\n');
    await log.append('last\n');
    await log.close();
    equal(await read(), 'whole\n{"half":\nnext\nlast\n');
  });

  it('stops on a full disk, and continues when there is space', async function () {
    if (!canFill) this.skip();
    await writeFile(folder.in('log'), '{"half":');
    const log = await openAppendLog(folder.in('log'));
    const disk = fillUnder(folder.in('log'));
    await rejects(log.append('refused\n'), { code: 'ENOSPC' });
    await disk.makeRoom();
    await log.append('after\n');
    await log.close();
    equal(await read(), '{"half":\nafter\n');
    deepEqual(openBelow(folder.path()), []);
  });

  it('appends concurrent lines of several processes to a file, and creates only missing parts', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `\n${index}\n`);
    await Promise.all(lines.map((line) => appendShared(folder.in('deep/log'), line)));
    const found = (await readFile(folder.in('deep/log'), 'utf8')).split('\n').filter((line) => line !== '');
    deepEqual(found.toSorted(), lines.map((line) => line.trim()).toSorted());
    await rejects(appendShared(folder.in('other'), 'x', { mustExist: true }), { code: 'ENOENT' });
    deepEqual(openBelow(folder.path()), []);
  });

  describe('on a disk with partial writes', () => {
    let disk: SmallDisk | undefined;
    before(async function () {
      disk = await mountSmallDisk();
      if (!disk) this.skip();
    });
    after(() => disk?.remove());

    it('keeps complete entries only', async () => {
      const path = `${disk!.folder}/log`;
      const log = await openAppendLog(path);
      await log.append('before\n');
      await disk!.fill(12_000);
      const entries = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(4000)}\nend ${index}\n`);
      const results = await Promise.allSettled(entries.map((entry) => log.append(entry)));
      const whole = entries.filter((_, index) => results[index]?.status === 'fulfilled');
      deepEqual([whole.length > 0, whole.length < entries.length], [true, true]);
      deepEqual(whole, entries.slice(0, whole.length));
      equal(await readFile(path, 'utf8'), `before\n${whole.join('')}`);
      await disk!.makeRoom();
      await log.append('after\n');
      await log.close();
      equal(await readFile(path, 'utf8'), `before\n${whole.join('')}after\n`);
    });
  });
});
