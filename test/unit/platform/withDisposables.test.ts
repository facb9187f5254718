import { deepEqual, rejects } from 'node:assert/strict';
import { withDisposables } from '../../../src/platform/withDisposables';

describe('several resources opened in steps', () => {
  const recorded = () => {
    const disposed: string[] = [];
    return { disposed, item: (name: string) => ({ dispose: () => disposed.push(name) }) };
  };

  it('are all closed if a later step fails, so the operation can be repeated', async () => {
    const { disposed, item } = recorded();
    for (const attempt of ['1', '2']) {
      const opening = withDisposables(async (store) => {
        store.add(item(`engine ${attempt}`));
        store.add(item(`watcher ${attempt}`));
        await Promise.reject(new Error('EACCES'));
      });
      await rejects(opening, /EACCES/);
    }
    deepEqual(disposed, ['watcher 1', 'engine 1', 'watcher 2', 'engine 2']);
  });

  it('stay open if all steps succeed', async () => {
    const { disposed, item } = recorded();
    const store = await withDisposables(async (parts) => {
      parts.add(item('engine'));
      return parts;
    });
    deepEqual(disposed, []);
    store.dispose();
    deepEqual(disposed, ['engine']);
  });
});
