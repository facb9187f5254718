import { deepEqual, doesNotMatch, equal, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, utimes, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { copyAtomic, openAtomic, writeAtomic, writeAtomically } from '../../../../src/core/storage/atomicFile';
import { exists } from '../../../../src/core/storage/privateFiles';
import { createGlob } from '../../../../src/core/workspace/globs';
import { mountSmallDisk, openBelow } from '../../../support/fullDisk';
import type { SmallDisk } from '../../../support/fullDisk';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('an atomically replaced file', () => {
  const folder = setUpFolder();
  const read = (name: string) => readFile(folder.in(name), 'utf8');

  it('has its name, in a newly created folder', async () => {
    await writeFile(folder.in('a'), 'one');
    await copyAtomic(folder.in('a'), folder.in('x/y/b'), { replace: false });
    await writeAtomic(folder.in('x/y/c'), 'two');
    deepEqual([await read('x/y/b'), await read('x/y/c')], ['one', 'two']);
    deepEqual((await readdir(folder.in('x/y'))).toSorted(), ['b', 'c']);
  });

  it('replaces an existing file only on request', async () => {
    await writeFile(folder.in('a'), 'new');
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomic(folder.in('a'), folder.in('b'), { replace: false }), { code: 'EEXIST' });
    equal(await read('b'), 'old');
    await copyAtomic(folder.in('a'), folder.in('b'), { replace: true });
    equal(await read('b'), 'new');
  });

  it('leaves no partial file and keeps the existing one if it fails', async () => {
    await writeFile(folder.in('b'), 'old');
    await rejects(copyAtomic(folder.in('gone'), folder.in('b')), { code: 'ENOENT' });
    await mkdir(folder.in('d/full'), { recursive: true });
    await rejects(writeAtomic(folder.in('d'), 'text'));
    const stop = async () => {
      throw new Error('stopped');
    };
    await rejects(writeAtomically(folder.in('b'), {}, stop), /stopped/);
    deepEqual([await read('b'), (await readdir(folder.path())).toSorted()], ['old', ['b', 'd']]);
    equal(await exists(folder.in('b/below')), false);
  });

  it('is absent before it is moved into place, and then complete, however it was written', async () => {
    const file = await openAtomic(folder.in('rows'), { isPrivate: false });
    const line = Buffer.from('x'.repeat(700_000));
    for (let number = 0; number < 4; number++) await file.line(line);
    await file.write(Buffer.from('end'));
    equal(await exists(folder.in('rows')), false);
    await file.place();
    await file.discard();
    deepEqual([file.lines, file.bytes, (await stat(folder.in('rows'))).size], [4, 2_800_007, 2_800_007]);
    deepEqual(await readdir(folder.path()), ['rows']);
  });

  it("has the requested mode under any umask, and a copy doesn't inherit the original's", async function () {
    if (process.platform === 'win32') this.skip();
    const modeOf = async (name: string) => (await stat(folder.in(name))).mode & 0o777;
    await writeAtomic(folder.in('a'), 'a', { mode: 0o664, isPrivate: false });
    await chmod(folder.in('a'), 0o444);
    await copyAtomic(folder.in('a'), folder.in('b'));
    await writeAtomic(folder.in('c'), 'a', { mode: 0o666, isPrivate: false });
    deepEqual(await Promise.all(['a', 'b', 'c'].map(modeOf)), [0o444, 0o600, 0o666]);
  });

  describe('in a folder that the user selected', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: { readonly configurationDefaults: { readonly 'files.exclude': object } };
    };
    const isHidden = createGlob(Object.keys(contributes.configurationDefaults['files.exclude']));
    const chosen = { isPrivate: false };
    const away = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith(`inference-desk-writing-${process.pid}-`));

    it('is hidden until it is complete, and file watchers see only hidden names', async function () {
      this.timeout(60_000);
      const reported = new Set<string>();
      const stopping = new AbortController();
      const events = watch(folder.path(), { signal: stopping.signal });
      const watching = (async () => {
        for await (const { filename } of events) {
          reported.add(filename ?? '');
          if (filename === 'last') return;
        }
      })();
      const openBefore = openBelow(tmpdir());
      const [placed, cut, dropped] = await Promise.all(
        ['rows', 'part', 'dropped'].map((name) => openAtomic(folder.in(name), chosen)),
      );
      const whole = 3 << 20;
      for (const file of [placed, cut, dropped]) for (const size of [whole, 5]) await file!.write(Buffer.alloc(size));
      await writeFile(folder.in('source'), 'copied');
      const copy = await openAtomic(folder.in('copy'), chosen);
      await copy.copy(folder.in('source'));
      deepEqual(await readdir(folder.path()), ['source']);
      equal((await away()).length, 4);
      await placed!.place();
      await cut!.placePart(folder.in('cut'));
      await dropped!.discard();
      await copy.place();
      const sizes = ['rows', 'cut', 'copy'].map(async (name) => (await stat(folder.in(name))).size);
      deepEqual([await Promise.all(sizes), openBelow(tmpdir())], [[whole + 5, whole + 5, 6], openBefore]);
      await writeFile(folder.in('last'), '');
      await watching;
      deepEqual((await readdir(folder.path())).toSorted(), ['copy', 'cut', 'last', 'rows', 'source']);
      deepEqual([...reported].filter((name) => !isHidden(name)).toSorted(), ['copy', 'cut', 'last', 'rows', 'source']);
      deepEqual(await away(), []);
    });

    it("is written next to its target under a hidden name if files can't be moved between folders", async function () {
      const disk = await mountSmallDisk();
      if (!disk) return this.skip();
      try {
        const file = await openAtomic(`${disk.folder}/rows`, chosen);
        const names = await readdir(disk.folder);
        deepEqual([names.length, names.every(isHidden), await away()], [1, true, []]);
        await file.line(Buffer.from('one'));
        await file.place();
        deepEqual([await readdir(disk.folder), await readFile(`${disk.folder}/rows`, 'utf8')], [['rows'], 'one\n']);
      } finally {
        await disk.remove();
      }
    });

    it('inherits the group of its folder', async function () {
      if (process.getuid?.() !== 0) this.skip();
      await chown(folder.path(), 0, 4321);
      await chmod(folder.path(), 0o2775);
      await writeAtomic(folder.in('a'), 'text', chosen);
      equal((await stat(folder.in('a'))).gid, 4321);
    });

    it('is named in errors instead of its temporary file', async () => {
      const inFile = folder.in('a');
      await writeFile(inFile, '');
      for (const target of [`${inFile}/b`, folder.in('gone/b'), folder.in('x'.repeat(300))]) {
        const reported = await writeAtomically(target, chosen, async () => {}).catch((error: unknown) => error);
        ok(reported instanceof Error && reported.message.includes(`'${target}'`), String(reported));
        // The folder of the test may be named `inference-desk-` and a digit too.
        doesNotMatch(reported.message, /\.inference-desk-\d|inference-desk-writing-/);
      }
    });
  });

  describe('left by a killed process', () => {
    const hour = 60 * 60_000;
    let killed = 0;
    let temporaryFolder: string | undefined;
    before(async () => {
      const child = spawn(process.execPath, ['-e', '']);
      killed = child.pid!;
      await once(child, 'exit');
      temporaryFolder = process.env['TMPDIR'];
    });
    afterEach(() => {
      if (temporaryFolder === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporaryFolder;
    });
    const leave = async (name: string, age: number) => {
      await mkdir(dirname(folder.in(name)), { recursive: true });
      await writeFile(folder.in(name), 'x');
      const then = new Date(Date.now() - age);
      for (const one of [name, dirname(name)].filter((entry) => entry !== '.'))
        await utimes(folder.in(one), then, then);
    };
    const hidden = (pid: number) => `.inference-desk-${pid}-${randomUUID()}.tmp`;

    it('is removed, alone, at the next write to its folder once it is an hour old', async () => {
      const [recent, live, earlier] = [hidden(killed), hidden(process.pid), `a.json.${randomUUID()}.tmp`];
      for (const place of ['own', 'chosen']) {
        await leave(`${place}/${hidden(killed)}`, 2 * hour);
        await leave(`${place}/${recent}`, 0);
        for (const name of [live, earlier, 'mine.tmp']) await leave(`${place}/${name}`, 2 * hour);
        await writeAtomic(folder.in(`${place}/a`), 'text', { isPrivate: place === 'own' });
      }
      deepEqual((await readdir(folder.in('own'))).toSorted(), [recent, live, 'a', 'mine.tmp'].toSorted());
      deepEqual((await readdir(folder.in('chosen'))).toSorted(), [recent, live, earlier, 'a', 'mine.tmp'].toSorted());
    });

    it("is removed from the system's temporary folder in the same way", async function () {
      if (process.platform === 'win32') this.skip();
      const place = (pid: number, end: string) => `tmp/inference-desk-writing-${pid}-${end}`;
      await leave(`${place(killed, 'aaaaaa')}/x`, 2 * hour);
      await leave(`${place(killed, 'bbbbbb')}/x`, 0);
      await leave(`${place(process.pid, 'cccccc')}/x`, 2 * hour);
      await leave('tmp/others/x', 2 * hour);
      process.env['TMPDIR'] = folder.in('tmp');
      await writeAtomic(folder.in('chosen/a'), 'text', { isPrivate: false });
      deepEqual(
        (await readdir(folder.in('tmp'))).toSorted(),
        [place(killed, 'bbbbbb'), place(process.pid, 'cccccc'), 'tmp/others'].map((name) => basename(name)).toSorted(),
      );
    });
  });

  describe('on a full disk', () => {
    let disk: SmallDisk | undefined;
    before(async function () {
      disk = await mountSmallDisk();
      if (!disk) this.skip();
    });
    after(() => disk?.remove());

    it('is unchanged, without a temporary file next to it', async () => {
      const file = `${disk!.folder}/a`;
      await writeAtomic(file, 'old');
      await disk!.fill(20_000);
      await rejects(writeAtomic(file, 'x'.repeat(40_000)), { code: 'ENOSPC' });
      equal(await readFile(file, 'utf8'), 'old');
      deepEqual(await readdir(disk!.folder), ['a']);
    });
  });
});
