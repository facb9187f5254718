import { join } from 'node:path';
import type { ToolHost } from '../../core/agentTools/toolHost';
import type { ChoosableModels } from '../../core/catalogue/jobs';
import { gatherModels } from '../../core/catalogue/gatherModels';
import { rankInSlices } from '../../core/ranking/rankInSlices';
import { openBatchRequests } from './batchRequests';
import { listedModels } from '../../core/batch/fileRules';
import { checkFile } from './checkFile';
import { openConnection } from './connection';
import type { McpEnvironment } from './environment';
import { findPassages } from './findPassages';
import { readTexts } from './folders';
import type { Folders } from './folders';
import { openMediaRequests } from './mediaRequests';
import type { MediaRequests } from './mediaRequests';
import { createDailyLimit } from './dailyLimit';
import { createDaySpending } from './daySpending';

/** The context of one tool call. */
export interface CallSurroundings {
  readonly folders: Folders;
  readonly onProgress: (done: number, total: number | undefined, message: string) => void;
}

/** Everything that lives as long as the server. */
export interface HostRuntime {
  hostFor(call: CallSurroundings): ToolHost;
  /** Waits briefly for files that are still being downloaded, then releases all resources. */
  close(): Promise<void>;
}

export interface HostOptions extends Pick<
  McpEnvironment,
  'baseUrl' | 'apiKey' | 'state' | 'usage' | 'dailyTokens' | 'toolUsage' | 'toolTokens' | 'dailyOrders'
> {
  /** Absolute path of the folder for results until a call names one. */
  readonly worksIn: string | undefined;
  /** Path of the worker program that checks batch files. */
  readonly checkProgram: string;
  readonly onTrouble: (error: unknown) => void;
  /** Receives one line per call to the service. */
  readonly onCall?: ((line: string) => void) | undefined;
}

/** Same as in the editor: smaller requests return sooner, and several run in parallel. */
const rankLimits = { documents: 25, tokens: 30_000 };
/** The service adds and removes models within days. */
const freshMs = 10 * 60_000;
/** Clients usually give a server a few seconds to exit. */
const closeMs = 10_000;

/** Resolves once the jobs on disk are loaded, and resumes those that are due. */
export async function openHost(options: HostOptions): Promise<HostRuntime> {
  const tokens = createDaySpending(options);
  const connection = openConnection({ ...options, tokens });
  const { client } = connection;
  const orders = { ...options, connection, daily: createDailyLimit(options) };
  const media = await openMediaRequests({ ...orders, state: join(options.state, 'media') });
  const batches = await openBatchRequests({ ...orders, state: join(options.state, 'batches') }, options.worksIn);
  const models = createModelList((filter, signal) =>
    client.models.list({ type: filter.type, sub_type: filter.subType }, signal),
  );

  const hostFor = ({ folders, onProgress }: CallSurroundings): ToolHost => {
    /** By path, so that what is submitted is exactly what was checked. */
    const digests = new Map<string, string | undefined>();
    const call = (signal: AbortSignal) => ({ folders, signal });
    const host: ToolHost = {
      models: (signal) => models.all(signal),
      balance: (signal) => client.account.info(signal),
      rerank: (request, signal) =>
        rankInSlices(
          (slice, ending) => client.rerank.create(slice, ending),
          request,
          { limits: rankLimits, onProgress: (done, total) => onProgress(done, total, 'Ranked documents') },
          signal,
        ),
      readTexts: (paths, signal) => readTexts(paths, folders, signal),
      findPlaces: (request, signal) => findPassages(request, { host, folders, signal }),
      generateImage: (order, signal) => media.generate(order, call(signal)),
      submitVideo: (order, signal) => media.submitVideo(order, call(signal)),
      video: (id, waitMs, signal) => media.video(id, waitMs, signal),
      async checkBatch(file, signal) {
        const path = await folders.file(file);
        const checked = await checkFile(path, {
          program: options.checkProgram,
          models: models.known(),
          signal,
          onProgress: (bytes, total) => onProgress(bytes, total, 'Checked bytes'),
        });
        digests.set(file, checked.sha256);
        return checked;
      },
      submitBatch: (order, signal) => batches.submit({ ...order, sha256: digests.get(order.file) }, call(signal)),
      batches: (signal) => batches.list(signal),
      batch: (id, waitMs, signal) => batches.batch(id, waitMs, signal),
      batchResults: (request, signal) => batches.results(request, call(signal)),
    };
    return host;
  };
  return {
    hostFor,
    async close() {
      await settle(media);
      await tokens.settled();
      await Promise.all([media.dispose(), batches.dispose()]);
      await client.close();
    },
  };
}

async function settle(media: MediaRequests): Promise<void> {
  await media.saved(AbortSignal.timeout(closeMs));
}

type ListModels = (
  filter: Parameters<Parameters<typeof gatherModels>[0]>[0],
  signal: AbortSignal,
) => ReturnType<Parameters<typeof gatherModels>[0]>;

/** Caches the account's models: fetched on first use and again when stale. */
function createModelList(list: ListModels) {
  let last: { readonly at: number; readonly models: ChoosableModels } | undefined;
  return {
    async all(signal: AbortSignal): Promise<ChoosableModels> {
      if (last && Date.now() - last.at < freshMs) return last.models;
      const { models } = await gatherModels((filter) => list(filter, signal), last?.models.models);
      last = { at: Date.now(), models: { models, pins: [], defaults: {} } };
      return last.models;
    },
    /** Returns the cached models without a request; `undefined` before the first fetch. */
    known: () => last && listedModels(last.models.models),
  };
}
