import type { CancellationToken } from 'vscode';
import { agentToolNames } from '../../core/agentTools/toolNames';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { Feature } from '../../services/services';

/** Provides the account's tools to the models of the editor's own chat and of other extensions. Loaded at first use. */
export const agentToolsFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = once(async () => {
    const { createLanguageModelToolAdapter } = await import('./languageModelToolAdapter');
    return createLanguageModelToolAdapter(services);
  });
  for (const name of agentToolNames) {
    store.add(
      services.entryPoints.handle(`preparedTool:${name}`, async (input: object) => (await load()).prepare(name, input)),
    );
    store.add(
      services.entryPoints.handle(`tool:${name}`, async (input: object, token: CancellationToken) =>
        (await load()).invoke(name, input, token),
      ),
    );
  }
  return store;
};
