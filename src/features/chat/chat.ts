import type { WebviewView } from 'vscode';
import { restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { handleEntry } from '../../platform/entryPoints';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';
import { registerAttachCommands } from './attachments/attachCommands';
import { registerLocationCommands } from './locations/locationCommands';

/** The Chat view, its tabs and its commands. The runtime is loaded when the view is first shown. */
export const chatFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./chatRuntime')).ChatRuntime(services));

  store.add(handleEntry('view:inferenceDesk.chat', async (view: WebviewView) => (await load()).show(view)));
  store.add(
    restorePanels('inferenceDesk.chatEditor', async (panel, state) =>
      (await load()).locations.restoreTab(panel, state),
    ),
  );
  store.add(services.chatService.setHandler(async (order) => (await load()).ask(order)));
  store.add(registerLocationCommands(services, load));
  store.add(registerAttachCommands(services, load));
  return store;
};
