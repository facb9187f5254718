import { registerCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { onceDisposable } from '../../../platform/once';
import type { Services } from '../../../services/services';

/** Registers the commands that create batch files. Their implementation is loaded when one of them runs. */
export function registerMaking(services: Services): Disposable {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./making')).createMaking(services));
  store.add(registerCommand(services, 'inferenceDesk.batchFile.new', async () => (await load()).newFile()));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.newFromRows', async (file, prompt) =>
      (await load()).fromRows(file, prompt),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.newFromFiles', async (file, files) =>
      (await load()).fromFiles(file, files),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.newFromSelection', async () => (await load()).fromSelection()),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.transform', async (file) => (await load()).transform(file)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.split', async (file, by) => (await load()).split(file, by)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.merge', async (file, files) =>
      (await load()).merge(file, files),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.convertFor', async (file) => (await load()).convertFor(file)),
  );
  store.add(registerCommand(services, 'inferenceDesk.batchFile.sample', async (file) => (await load()).sample(file)));
  store.add(registerCommand(services, 'inferenceDesk.batchFile.shuffle', async (file) => (await load()).shuffle(file)));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.dropDuplicates', async (file) =>
      (await load()).dropDuplicates(file),
    ),
  );
  store.add(registerCommand(services, 'inferenceDesk.batchFile.usePrompt', async () => (await load()).usePrompt()));
  return store;
}
