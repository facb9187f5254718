import assert from 'node:assert/strict';
import { Loading } from '../../../../webview/components/loading';

type Options = Parameters<Parameters<Loading['run']>[0]>[0];

/** A reading that the test ends. */
function createReading() {
  let end: { resolve(found: string): void; reject(error: Error): void };
  let reported: Options;
  return {
    read: (options: Options) =>
      new Promise<string>((resolve, reject) => {
        reported = options;
        end = { resolve, reject };
      }),
    tell: (text: string) => reported.onChunk({ part: 0.5, text }),
    resolve: (found: string) => end.resolve(found),
    reject: (error: Error) => end.reject(error),
  };
}

describe('the loading of page content', () => {
  const shown: string[] = [];
  const failures: string[] = [];
  let loading: Loading;
  beforeEach(() => {
    shown.splice(0);
    failures.splice(0);
    loading = new Loading((error) => failures.push(String(error)));
  });
  const run = ({ read }: ReturnType<typeof createReading>) => loading.run(read, (found) => void shown.push(found));

  it('shows its progress until the content is shown', async () => {
    const reading = createReading();
    const done = run(reading);
    assert.deepEqual(loading.progress.value, { part: 0, text: '' });
    reading.tell('half');
    assert.deepEqual(loading.progress.value, { part: 0.5, text: 'half' });
    reading.resolve('read');
    await done;
    assert.deepEqual(shown, ['read']);
    assert.equal(loading.progress.value, undefined);
  });

  it('counts only the last load', async () => {
    const first = createReading();
    const second = createReading();
    const third = createReading();
    const all = [first, second, third].map(run);
    first.tell('late');
    first.reject(new Error('late'));
    second.resolve('late');
    await Promise.all(all.slice(0, 2));
    assert.deepEqual(loading.progress.value, { part: 0, text: '' });
    third.resolve('last');
    await all[2];
    assert.deepEqual({ shown, failures }, { shown: ['last'], failures: [] });
  });

  it('reports a failure, and ends', async () => {
    const reading = createReading();
    const done = run(reading);
    reading.reject(new Error('gone'));
    await done;
    assert.deepEqual(failures, ['Error: gone']);
    assert.equal(loading.progress.value, undefined);
  });
});
