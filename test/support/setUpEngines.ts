import { startFilledDemo } from './filledDemo';
import type { FilledDemo } from './filledDemo';
import { setUpFolder } from './temporaryFolder';

/** Creates a demo service and a folder for each test, and engines over them that are closed afterwards. */
export function setUpEngines<Engine extends { dispose(): Promise<void> }, Options>(
  openEngine: (folder: string, demo: FilledDemo, options?: Options) => Engine,
) {
  let demo: FilledDemo;
  const engines: Engine[] = [];
  // Runs before the folder is removed.
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.dispose();
    await demo.close();
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
  });
  return {
    demo: () => demo,
    folder,
    open: (options?: Options): Engine => {
      const engine = openEngine(folder.path(), demo, options);
      engines.push(engine);
      return engine;
    },
    close: async (engine: Engine) => {
      engines.splice(engines.indexOf(engine), 1);
      await engine.dispose();
    },
  };
}
