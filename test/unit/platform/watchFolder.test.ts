import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { watchFolder } from '../../../src/platform/workspace/watchFolder';

describe('a watched folder', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'watched-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports a file with the extension', async () => {
    let tell = (): void => {};
    const reported = new Promise<void>((resolve) => (tell = resolve));
    const onError = (error: unknown) => assert.fail(String(error));
    const watch = watchFolder(folder, { ending: '.json', onChange: () => tell(), onError });
    await writeFile(path.join(folder, 'a.json'), '');
    await reported;
    watch.dispose();
  });

  it("is reported every minute if it can't be watched, until it is disposed", () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      let changes = 0;
      const problems: unknown[] = [];
      const watch = watchFolder(path.join(folder, 'none'), {
        ending: '.json',
        onChange: () => changes++,
        onError: (error) => problems.push(error),
      });
      assert.equal(problems.length, 1);
      mock.timers.tick(120_000);
      assert.equal(changes, 2);
      watch.dispose();
      mock.timers.tick(120_000);
      assert.equal(changes, 2);
    } finally {
      mock.timers.reset();
    }
  });
});
