import { EventEmitter, l10n } from 'vscode';
import { abortable } from '../../core/agentTools/abortable';
import { chooseModel, jobsOf, modelJobs } from '../../core/catalogue/jobs';
import type { ModelJob } from '../../core/catalogue/jobs';
import { createUsageAsking } from '../../services/usage/confirmUsage';
import { DisposableStore } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { createOpenAccount } from './calls/account';
import type { CallAccount } from './calls/account';
import { checkBatchText } from './calls/checkBatchText';
import { complete } from './calls/complete';
import { createGenerateImage } from './calls/generateImage';
import { readBatchText, readComplete, readImage, readRerank } from './calls/requests';
import { rerank } from './calls/rerank';
import type { Connection } from './connection';
import type { InferenceDesk, DeskModel } from './inferenceDesk';
import type { CatalogueState } from '../../services/models/modelCatalogue';

/** Creates the API object of an extension for its connection. */
type Offer = (connection: Connection) => InferenceDesk;

export function createOffer(services: Services): Offer {
  const { context, activity, models } = services;
  const open = createOpenAccount(services);
  const generateImage = createGenerateImage(services);
  const usageAsking = createUsageAsking(context.globalState);

  return (connection) => {
    const { caller } = connection;
    const account = (job: ModelJob, model: string | undefined, signal: AbortSignal): Promise<CallAccount> =>
      abortable(open({ job, model }), signal);
    /** Shows the work in the status bar; afterwards the balance is refreshed. */
    const paid = (words: string) => activity.start(words, { paid: true });
    const changes = watchModels(models);
    connection.onDidEnd(() => changes.dispose());

    return Object.freeze<InferenceDesk>({
      extensionId: caller.id,
      get isEnded() {
        return connection.isEnded;
      },
      onDidEnd: connection.onDidEnd,
      onDidChangeModels: changes.event,
      models: (signal) => connection.run(signal, () => listModels(services)),
      rerank: (request, signal) =>
        connection.run(signal, async (stopping) => {
          const read = readRerank(request);
          const opened = await account('rerank', read.model, stopping);
          const work = paid(l10n.t('Ranking for {0}', caller.name));
          return rerank(read, opened, stopping).finally(() => work.dispose());
        }),
      complete(request, signal) {
        const read = readComplete(request);
        return connection.stream(signal, async function* (stopping) {
          const opened = await account('completion', read.model, stopping);
          const work = paid(l10n.t('Completing for {0}', caller.name));
          try {
            yield* complete(read, { ...opened, usageAsking }, stopping);
          } finally {
            work.dispose();
          }
        });
      },
      generateImage: (request, signal) =>
        connection.run(signal, async (stopping) => {
          const read = readImage(request);
          return generateImage(read, await account('image', read.model, stopping), stopping);
        }),
      checkBatchText: (text, signal) =>
        connection.run(signal, (stopping) => checkBatchText(readBatchText(text), services, stopping)),
    });
  };
}

/** Fires when the models have changed as far as other extensions can see. */
function watchModels(models: Services['models']) {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const now = () => JSON.stringify(deskModels(models.state));
  let known = now();
  store.add(
    models.onDidChange(() => {
      const before = known;
      known = now();
      if (known !== before) changed.fire();
    }),
  );
  return { event: changed.event, dispose: () => store.dispose() };
}

/** Throws if nobody is signed in, or if the list was never loaded and cannot be. */
async function listModels({ connections, models }: Services): Promise<readonly DeskModel[]> {
  await connections.client();
  const state = await models.ensureFresh();
  if (state.models.length === 0 && state.error !== undefined) throw state.error;
  return deskModels(state);
}

function deskModels(state: CatalogueState): readonly DeskModel[] {
  const defaults = modelJobs.map((job) => ({ job, id: chooseModel(job, state) }));
  return state.models.map((model) => {
    const { id, contextLength, maxOutputTokens } = model;
    return {
      id,
      jobs: jobsOf(model),
      defaultFor: defaults.flatMap((one) => (one.id === id ? [one.job] : [])),
      ...(contextLength !== undefined && { contextLength }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    };
  });
}
