import { mkdirSync } from 'node:fs';
import { picturesFolder } from '../host/places';
import type { Scene } from './scene';
import { batchCheck } from './scenes/batchCheck';
import { batchResults } from './scenes/batchResults';
import { chat } from './scenes/chat';
import { evalResults } from './scenes/evalResults';
import { ghostText } from './scenes/ghostText';
import { images } from './scenes/images';
import { rerank } from './scenes/rerank';
import { voice } from './scenes/voice';
import { openStudio, type Studio } from './studio';

/** What the README shows, each a job of its own. */
const scenes: Readonly<Record<string, Scene>> = {
  // First, while nothing else can change the balance that their cost is read from.
  images,
  chat,
  'batch-check': batchCheck,
  'batch-results': batchResults,
  'eval-results': evalResults,
  rerank,
  'ghost-text': ghostText,
  voice,
};

describe('picture of:', function () {
  this.timeout(240_000);
  let studio: Studio;
  before(async function () {
    mkdirSync(picturesFolder, { recursive: true });
    studio = await openStudio((options) => this.openDesk(options));
  });
  after(() => studio?.close());

  const written: string[] = [];
  for (const [name, scene] of Object.entries(scenes)) {
    it(name, async () => {
      await studio.setTheme('light');
      await studio.clear();
      const isDrawn = await scene(studio);
      for (const theme of ['light', 'dark'] as const) {
        await studio.setTheme(theme);
        await isDrawn();
        written.push(await studio.take(`${name}-${theme}`));
      }
    });
  }

  after(() => process.stdout.write(`\n${written.join('\n')}\n`));
});
