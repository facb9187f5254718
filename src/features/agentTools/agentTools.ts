import * as vscode from 'vscode';
import { agentToolNames } from '../../core/agentTools/toolNames';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';
import type { LanguageModelToolAdapter } from './languageModelToolAdapter';

/** Provides the account's tools to the models of the editor's own chat and of other extensions. Loaded at first use. */
export const agentToolsFeature: Feature = (services) => {
  const store = new DisposableStore();
  let loading: Promise<LanguageModelToolAdapter> | undefined;
  const load = () =>
    (loading ??= import('./languageModelToolAdapter').then(({ createLanguageModelToolAdapter }) =>
      createLanguageModelToolAdapter(services),
    ));
  for (const name of agentToolNames) {
    store.add(
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await load()).prepare(name, input),
        invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
      }),
    );
  }
  return store;
};
