import * as vscode from 'vscode';
import { features } from './features';
import { startFeatures } from './features/startFeatures';
import { createAccounts, type Metering } from './services/account/account';
import { createActivity } from './platform/activity';
import { createBatchJobs, createBatchList, ShownRuns } from './services/batches/batches';
import { createChatService } from './services/chat/chatService';
import { createCosts } from './services/usage/costs';
import type { DisposableStore } from './platform/disposables';
import type { EntryPoints } from './platform/entryPoints';
import { createDiagnostics } from './services/diagnostics/diagnostics';
import { createMedia } from './services/media/media';
import { UnseenFailures } from './services/failures/failures';
import { createModelCatalogue } from './services/models/modelCatalogue';
import { createReplacements } from './platform/workspace/replacements';
import { createSettings } from './platform/settings';
import { tightenStorage } from './platform/tightenStorage';
import { onceDisposable, once } from './platform/once';
import { createOtherWork } from './services/work/work';
import type { Evals } from './services/evals/evals';
import type { Services } from './services/services';

/**
 * Creates what features share, and starts the features, which VS Code's entry points call. Loads no schema, opens no connection, and awaits
 * nothing: all of that happens at first use. `store` owns everything.
 */
export function startDesk(
  context: vscode.ExtensionContext,
  entryPoints: EntryPoints,
  store: DisposableStore,
): Services {
  const services = createServices(context, entryPoints, store);
  store.add(startFeatures(services, features));
  tightenStorage(context).catch((error: unknown) => services.log.warn(`Storage: ${String(error)}`));
  return services;
}

/** Returns how all clients are counted and held to the spending cap. */
function paying(usage: Services['usage']): Metering {
  return {
    meter: async (...call) => (await usage()).metered(...call),
    holdPaid: async (profileId) => (await usage()).checkSpending(profileId),
  };
}

/** Returns what users correct in the list of models. */
function overridesIn(settings: Services['settings']) {
  return {
    get: () => settings.get('models.overrides'),
    onDidChange: (listener: () => void) => settings.onDidChange((name) => name === 'models.overrides' && listener()),
  };
}

async function openEvals(sources: ConstructorParameters<typeof Evals>[0]): Promise<Evals> {
  const runs = await import('./services/evals/evals');
  return new runs.Evals(sources);
}

function createServices(context: vscode.ExtensionContext, entryPoints: EntryPoints, store: DisposableStore): Services {
  const { onSetAside, ...diagnostics } = createDiagnostics(store);
  const { log, report, exchanges } = diagnostics;
  const settings = store.add(createSettings());
  const activity = store.add(createActivity());
  const usage: Services['usage'] = once(async () => {
    const { UsageService } = await import('./services/usage/usage');
    return new UsageService({ context, settings, log, account, profiles, models, costs });
  });
  const accounts = createAccounts({ context, settings, exchanges, activity, onSetAside, ...paying(usage) }, store);
  const { account, profiles, connections } = accounts;
  const folderOf = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const onError = (error: unknown) => log.warn(String(error));
  const costs = store.add(createCosts({ context, log, usage, ...accounts }));
  const models = store.add(
    createModelCatalogue({
      profiles,
      connections,
      folder: folderOf('models'),
      onSetAside,
      onError,
      overrides: overridesIn(settings),
    }),
  );
  const jobSources = { context, settings, ...accounts, activity, costs, log, report };
  const batchJobs = createBatchJobs(jobSources, store);
  const media = createMedia(jobSources, store);
  return Object.freeze({
    context,
    entryPoints,
    settings,
    activity,
    otherWork: store.add(createOtherWork(context, activity, onError)),
    localRuns: onceDisposable(
      store,
      async () => new (await import('./services/batches/localRuns')).LocalRunList({ context, settings }),
    ),
    evals: onceDisposable(store, () => openEvals({ ...jobSources, models, usage, batchJobs })),
    usage,
    costs,
    ...diagnostics,
    ...accounts,
    models,
    batchList: store.add(createBatchList({ profiles, connections })),
    contents: onceDisposable(
      store,
      async () => new (await import('./services/lists/remoteContents')).RemoteContents(context, connections),
    ),
    uploads: once(async () => (await import('./core/files/uploadMemory')).createUploadMemory(folderOf('uploads'))),
    batchJobs,
    failures: store.add(new UnseenFailures(context.globalState, batchJobs, media)),
    shownRuns: store.add(new ShownRuns()),
    media,
    chatService: createChatService(),
    replacements: store.add(createReplacements()),
  });
}
