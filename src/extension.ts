import { join } from 'node:path';
import * as vscode from 'vscode';
import { features } from './features';
import { startFeatures } from './features/startFeatures';
import type { InferenceDeskApi } from './features/publicApi/inferenceDesk';
import { createPublicApi } from './features/publicApi/publicApi';
import { createAccounts } from './services/account/account';
import { createActivity } from './platform/activity';
import { createBatchJobs, createBatchList, ShownRuns } from './services/batches/batches';
import { createChatService } from './services/chat/chatService';
import type { Meter } from './services/account/account';
import { createCosts } from './services/usage/costs';
import { DisposableStore } from './platform/disposables';
import type { OnSetAside } from './core/storage/storedFile';
import { createExchangeLog, createLog } from './services/diagnostics/diagnostics';
import { createMedia } from './services/media/media';
import { createModelCatalogue } from './services/models/modelCatalogue';
import { createRecentErrors } from './platform/errors/recentErrors';
import { createRemoteContents } from './services/lists/remoteContent';
import { createReplacements } from './platform/workspace/replacements';
import { createReport } from './platform/errors/report';
import { createSettings } from './platform/settings';
import { createUploads } from './services/uploads/uploads';
import { tightenStorage } from './platform/tightenStorage';
import { once } from './platform/loadOnce';
import type { Services } from './services/services';
import type { UsageService } from './services/usage/usage';

/** What the extension exports. The services could spend money without asking, so only a test host gets them. */
export type Exported = InferenceDeskApi & { readonly services?: Services };

/** Loads no schema, opens no connection and awaits nothing: all of that happens at first use. */
export function activate(context: vscode.ExtensionContext): Exported {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const services = createServices(context, store);
  store.add(startFeatures(services, features));
  tightenStorage(context).catch((error: unknown) => services.log.warn(`Storage: ${String(error)}`));
  const { api } = store.add(createPublicApi(services));
  return context.extensionMode === vscode.ExtensionMode.Test ? { ...api, services } : api;
}

function createServices(context: vscode.ExtensionContext, store: DisposableStore): Services {
  const recentErrors = createRecentErrors();
  const channel = vscode.window.createOutputChannel('Inference Desk', { log: true });
  const log = store.add(createLog(channel, recentErrors));
  const report = createReport({ log, recentErrors }, () => import('./platform/errors/reportError'));
  const settings = store.add(createSettings());
  const onSetAside: OnSetAside = (...moved) =>
    void import('./platform/errors/reportUnreadable')
      .then((words) => words.setAsideReporter(log)(...moved))
      .catch(report);
  const activity = store.add(createActivity());
  const exchanges = store.add(createExchangeLog(log));
  const usage = openUsage({ context, settings, log });
  const meter: Meter = async (client, ...call) => (await usage()).metered(client, ...call);
  const { profiles, connections, account } = createAccounts(
    { context, settings, exchanges, activity, meter, onSetAside },
    store,
  );
  const folder = join(context.globalStorageUri.fsPath, 'models');
  const costs = store.add(createCosts({ context, profiles, connections, account, log }));
  const jobSources = { context, settings, profiles, connections, activity, costs, log, report };
  return Object.freeze({
    context,
    log,
    settings,
    profiles,
    activity,
    exchanges,
    recentErrors,
    usage,
    connections,
    models: store.add(
      createModelCatalogue({
        profiles,
        connections,
        folder,
        onSetAside,
        onTrouble: (error) => log.warn(String(error)),
      }),
    ),
    batchList: store.add(createBatchList({ profiles, connections })),
    contents: store.add(createRemoteContents({ context, connections })),
    uploads: createUploads(join(context.globalStorageUri.fsPath, 'uploads')),
    account,
    costs,
    batchJobs: store.add(createBatchJobs(jobSources)),
    shownRuns: store.add(new ShownRuns()),
    media: store.add(createMedia(jobSources)),
    chatService: createChatService(),
    replacements: store.add(createReplacements()),
    report,
  });
}

/** Loads the service when the first client is made. */
function openUsage(sources: ConstructorParameters<typeof UsageService>[0]): Services['usage'] {
  return once(async () => new (await import('./services/usage/usage')).UsageService(sources));
}
