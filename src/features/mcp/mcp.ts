import * as vscode from 'vscode';
import type { SettingName } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The settings that are passed to the server. */
const handedOn: ReadonlySet<SettingName> = new Set([
  'chat.dailyTokenBudget',
  'dailySpendingCap',
  'prices',
  'agentTools.dailyTokenBudget',
  'mcp.dailyOrders',
  'secretFiles',
]);

/** Offers the MCP server of `src/cli` to the editor, if the user has enabled it. */
export const mcpFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { profiles, settings } = services;
  const changed = store.add(new vscode.EventEmitter<void>());
  const load = once(async () => new (await import('./serverOffer')).ServerOffer(services));
  const isEnabled = () => settings.get('mcp.enabled');
  store.add(
    settings.onDidChange((name) => {
      if (name === 'mcp.enabled' || (handedOn.has(name) && isEnabled())) changed.fire();
    }),
  );
  store.add(profiles.onDidChange(() => isEnabled() && changed.fire()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  store.add(
    vscode.lm.registerMcpServerDefinitionProvider('inferenceDesk.mcp', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (isEnabled() || load.loaded ? (await load()).provide() : []),
      resolveMcpServerDefinition: async (server) => (await load()).resolve(server as vscode.McpStdioServerDefinition),
    }),
  );
  return store;
};
