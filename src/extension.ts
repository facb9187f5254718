import { join } from 'node:path';
import * as vscode from 'vscode';
import { features } from './features';
import { createAccount } from './platform/account';
import { createActivity } from './platform/activity';
import { createConnections } from './platform/connections';
import { DisposableStore } from './platform/disposables';
import { createExchangeLog } from './platform/exchangeLog';
import { createModelCatalogue } from './platform/modelCatalogue';
import { createProfiles } from './platform/profiles';
import { createReport } from './platform/reportError';
import { createSettings } from './platform/settings';
import type { Services } from './services';

/**
 * Loads no schema, opens no connection and waits for nothing: all of that happens at first use. Gives nothing to other
 * extensions: what is in the services could spend the account's money. Only a test host gets them.
 */
export function activate(context: vscode.ExtensionContext): Services | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const services = createServices(context, store);
  for (const [name, feature] of Object.entries(features)) {
    try {
      store.add(feature(services));
    } catch (error) {
      services.log.error(`The feature "${name}" did not start.`, error);
    }
  }
  return context.extensionMode === vscode.ExtensionMode.Test ? services : undefined;
}

function createServices(context: vscode.ExtensionContext, store: DisposableStore): Services {
  const log = store.add(vscode.window.createOutputChannel('Inference Desk', { log: true }));
  const settings = store.add(createSettings());
  const profiles = store.add(createProfiles(context, settings));
  const activity = store.add(createActivity());
  const exchanges = store.add(createExchangeLog(log));
  const connections = store.add(createConnections({ context, settings, profiles, exchanges }));
  const folder = join(context.globalStorageUri.fsPath, 'models');
  return Object.freeze({
    context,
    log,
    settings,
    profiles,
    activity,
    exchanges,
    connections,
    models: store.add(
      createModelCatalogue({ profiles, connections, folder, onTrouble: (error) => log.warn(String(error)) }),
    ),
    account: store.add(createAccount({ profiles, connections, activity })),
    report: createReport(log),
  });
}
