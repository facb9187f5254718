import { openMediaEngine, newMedia } from './mediaEngines';
import type { OpenMedia } from './mediaEngines';
import { startFilledDemo } from './filledDemo';
import type { FilledDemo } from './filledDemo';
import { setUpFolder } from './temporaryFolder';
import type { MediaEngineOptions, NewMedia } from '../../src/core/jobs/media/mediaEngine';
import type { MediaOrder } from '../../src/core/jobs/media/mediaJob';

/** A demo service and a folder for each test, and engines over them that are closed after it. */
export function setUpMedia() {
  let demo: FilledDemo;
  const engines: OpenMedia[] = [];
  // Before the folder is removed.
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.dispose();
    await demo.close();
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
  });

  const asked = async (method: string, path: string): Promise<number> => {
    return (await demo.requests()).filter((request) => request.method === method && request.path.startsWith(path))
      .length;
  };

  return {
    demo: () => demo,
    folder,
    open: (options: Partial<MediaEngineOptions> = {}): OpenMedia => {
      const engine = openMediaEngine(folder.path(), demo, options);
      engines.push(engine);
      return engine;
    },
    close: async (engine: OpenMedia) => {
      engines.splice(engines.indexOf(engine), 1);
      await engine.dispose();
    },
    order: (order: MediaOrder, more: Partial<NewMedia> = {}): NewMedia => ({
      ...newMedia(folder.path(), demo, order),
      ...more,
    }),
    arm: (fault: string, endpoint: string, times = 1) => demo.call('POST', '/_control/arm', { fault, endpoint, times }),
    calm: () => demo.call('POST', '/_control/reset', {}),
    asked,
  };
}
