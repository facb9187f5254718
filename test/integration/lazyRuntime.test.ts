import { equal, ok, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLazyRuntime } from '../../src/platform/lazyRuntime';
import type { Disposable } from '../../src/platform/disposables';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

describe('what follows jobs', () => {
  const temporary = setUpFolder();
  const late: Disposable[] = [];
  afterEach(() => late.splice(0).forEach((one) => one.dispose()));

  const start = (folder: string, open: () => Promise<Disposable>, onTrouble = (_error: unknown) => {}) => {
    const made = createLazyRuntime({ open, folder, firstLookMs: 1, onTrouble });
    late.push(made);
    return made;
  };
  const fill = (name: string, file: string) => {
    const folder = join(temporary.path(), name);
    mkdirSync(folder);
    writeFileSync(join(folder, file), '{}');
    return folder;
  };

  it('is loaded a while after the start where there are records, told, and ended with the window', async () => {
    let ended = 0;
    let told = 0;
    const one = start(fill('some', 'a.json'), async () => ({ dispose: () => (ended += 1) }));
    one.onDidChange(() => (told += 1));
    await until(() => one.now, 'it is loaded');
    equal(told, 1);
    one.dispose();
    equal(ended, 1);
  });

  it('is not loaded where there are none', async () => {
    let opened = 0;
    const none = start(fill('none', 'a.lock'), async () => {
      opened += 1;
      return { dispose: () => {} };
    });
    const some = start(fill('others', 'b.json'), async () => ({ dispose: () => {} }));
    await until(() => some.now, 'the other one, which begins to look later, is loaded');
    equal(opened, 0);
    equal(none.now, undefined);
  });

  it('is loaded again after it could not be', async () => {
    let tries = 0;
    const troubles: unknown[] = [];
    const open = async () => {
      tries += 1;
      if (tries === 1) throw new Error('no disk');
      return { dispose: () => {} };
    };
    const one = start(fill('failing', 'a.json'), open, (error) => troubles.push(error));
    await until(() => troubles[0], 'what failed is told');
    equal(one.now, undefined);
    ok(await one.load());
    equal(tries, 2);
    await rejects(
      start(join(temporary.path(), 'no folder'), () => Promise.reject(new Error('no disk'))).load(),
      /no disk/,
    );
  });
});
