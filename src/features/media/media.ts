import { registerCommand, runCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { Feature } from '../../services/services';
import type { MediaCommand, MediaRuntime } from './mediaRuntime';
import { generatedDrops } from './insert/generatedDrops';
import { createMediaView } from './view/mediaView';

const commands: readonly MediaCommand[] = [
  'regenerate',
  'vary',
  'useAsFirstFrame',
  'edit',
  'showRecipe',
  'insert',
  'open',
  'openOutside',
  'reveal',
  'saveAs',
  'exportDetails',
  'copyPath',
  'remove',
  'checkNow',
  'fetchAgain',
  'retry',
  'forget',
];

/** Generated images, videos and speech: their view, and the commands on a file from anywhere. */
export const mediaFeature: Feature = (services) => {
  const store = new DisposableStore();
  // From the start, because a page that shows an image covers the editor it will be inserted into.
  const lastEditor = store.add(createLastEditor());
  const load = once(async (): Promise<MediaRuntime> => {
    const [{ createMediaRuntime }, { mediaQuestions }] = await Promise.all([
      import('./mediaRuntime'),
      import('./askMedia'),
    ]);
    return createMediaRuntime({ ...services, questions: mediaQuestions, lastEditor, run: runCommand });
  });
  store.add(createMediaView(services));
  store.add(generatedDrops(services));
  for (const name of commands) {
    store.add(
      registerCommand(services, `inferenceDesk.media.${name}`, async (of?: unknown, all?: unknown) =>
        (await load())[name](of, all),
      ),
    );
  }
  return store;
};
