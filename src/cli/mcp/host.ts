import { join } from 'node:path';
import type { AgentAccount, ToolHost } from '../../core/agentTools/toolHost';
import type { ChoosableModels } from '../../core/catalogue/jobs';
import { gatherModels } from '../../core/catalogue/gatherModels';
import { rankInSlices } from '../../core/ranking/rankInSlices';
import { openBatchRequests } from './batchRequests';
import { listedModels, type ListedModels } from '../../core/batch/fileRules';
import { currencyOf } from '../../core/profiles/knownServices';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { openConnection, type Connection } from './connection';
import type { McpEnvironment } from './environment';
import { findPassages } from './findPassages';
import { openFolders, readTexts } from './folders';
import { openMediaRequests, type MediaRequests } from './mediaRequests';
import { rm } from 'node:fs/promises';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { checkInWorker } from '../../core/batch/job/checkInWorker';
import type { CheckedFile, UncheckedFile } from '../../core/batch/job/checkJob';
import { makeTemporaryFolder } from '../../core/storage/privateFiles';
import { defaultSeverities } from '../../core/batch/problem';
import { withSecretFiles } from '../../core/workspace/ownSecretFiles';
import { createSecretCheck } from '../../core/workspace/secretFiles';

/** Everything that lives as long as the server. */
export interface HostRuntime {
  readonly environment: McpEnvironment;
  readonly connection: Connection;
  /** Returns the host of one tool call, which uses files in `roots` only: absolute paths. */
  hostFor(roots: readonly string[], onProgress: OnProgress): Promise<ToolHost>;
  /** Waits briefly for files that are still being downloaded, then releases all resources. */
  close(): Promise<void>;
}

type OnProgress = (done: number, total: number | undefined, message: string) => void;

/** Same as in the editor: smaller requests return sooner, and several run in parallel. */
const rankLimits = { documents: 25, tokens: 30_000 };
/** The service adds and removes models within days. */
const freshMs = 10 * 60_000;
/** Clients usually give a server a few seconds to exit. */
const closeMs = 10_000;

/**
 * Resolves once the jobs on disk are loaded, and resumes those that are due. `checkProgram` is the path of the worker program that checks
 * batch files; `log` receives one line per call to the service and per error.
 */
export async function openHost(
  environment: McpEnvironment,
  checkProgram: string,
  log: (line: string) => void,
): Promise<HostRuntime> {
  const { state, folder, startedIn, secretFiles } = environment;
  const connection = openConnection(environment, log);
  const { baseUrl, client, tokens } = connection;
  const media = await openMediaRequests(join(state, 'media'), connection);
  const batches = await openBatchRequests(join(state, 'batches'), connection, folder ?? startedIn);
  const isSecret = createSecretCheck(withSecretFiles(secretFiles));
  const models = createModelList(connection);

  const hostFor = async (roots: readonly string[], onProgress: OnProgress): Promise<ToolHost> => {
    const folders = await openFolders(roots, isSecret);
    /** By path, so that what is submitted is exactly what was checked. */
    const digests = new Map<string, string | undefined>();
    const call = (signal: AbortSignal) => ({ folders, signal });
    const host: ToolHost = {
      currency: currencyOf(baseUrl),
      models: (signal) => models.all(signal),
      balance: (signal) => accountOf(connection, signal),
      rerank: (request, signal) =>
        rankInSlices(
          (slice, ending) => client.rerank.create(slice, ending),
          request,
          { limits: rankLimits, onProgress: (done, total) => onProgress(done, total, 'Ranked documents') },
          signal,
        ),
      readTexts: (paths, signal) => readTexts(paths, folders, signal),
      findPlaces: (request, signal) => findPassages(request, { host, folders, signal }),
      generateImage: (request, signal) => media.generate(request, call(signal)),
      submitVideo: (request, signal) => media.submitVideo(request, call(signal)),
      video: (id, waitMs, signal) => media.video(id, waitMs, signal),
      async checkBatch(file, signal) {
        const path = await folders.file(file);
        const job = { file: path, program: checkProgram, models: models.known(), rules: await batches.rules() };
        const checked = await checkFile(job, signal, (bytes, total) => onProgress(bytes, total, 'Checked bytes'));
        digests.set(file, checked.sha256);
        return checked;
      },
      submitBatch: (request, signal) => batches.submit({ ...request, sha256: digests.get(request.file) }, call(signal)),
      batches: (signal) => batches.list(signal),
      batch: (id, waitMs, signal) => batches.batch(id, waitMs, signal),
      batchResults: (request, signal) => batches.results(request, call(signal)),
    };
    return host;
  };
  return {
    environment,
    connection,
    hostFor,
    async close() {
      await settle(media);
      await tokens.settled();
      await Promise.all([media.dispose(), batches.dispose(), connection.progress.dispose()]);
      await client.close();
    },
  };
}

async function settle(media: MediaRequests): Promise<void> {
  await media.saved(AbortSignal.timeout(closeMs));
}

async function accountOf({ client, baseUrl }: Connection, signal: AbortSignal): Promise<AgentAccount> {
  const info = await client.account.info(signal);
  return { ...info, currency: info.currency ?? currencyOf(baseUrl) };
}

/** Caches the account's models: fetched on first use and again when stale. */
function createModelList({ client, baseUrl }: Connection) {
  let last: { readonly at: number; readonly models: ChoosableModels } | undefined;
  return {
    async all(signal: AbortSignal): Promise<ChoosableModels> {
      if (last && Date.now() - last.at < freshMs) return last.models;
      const { models } = await gatherModels(
        ({ type, subType }) => client.models.list({ type, sub_type: subType }, signal),
        { before: last?.models.models, hasFilters: rulesOf(baseUrl).hasModelFilters },
      );
      // What was cut off knows only a part of what each model is for.
      signal.throwIfAborted();
      last = { at: Date.now(), models: { models, pins: [], defaults: {} } };
      return last.models;
    },
    /** Returns the cached models without a request; `undefined` before the first fetch. */
    known: () => last && listedModels(last.models.models),
  };
}

const maxListed = 20;

interface CheckTask {
  readonly file: string;
  readonly program: string;
  readonly models: ListedModels | undefined;
  readonly rules: BatchRules;
}

/** Checks a batch file in a worker thread. Throws `AgentProblem` if it cannot be read, and the signal's reason on abort. */
async function checkFile(
  { file, program, models, rules }: CheckTask,
  signal: AbortSignal,
  onProgress: (bytes: number, total: number) => void,
): Promise<CheckedFile> {
  const folder = await makeTemporaryFolder('inference-desk-check-');
  let checked: CheckedFile | undefined;
  let unchecked: UncheckedFile | undefined;
  try {
    await checkInWorker({
      program,
      job: {
        files: [file],
        rules,
        severities: { ...defaultSeverities, ...rules.severities },
        report: join(folder, 'report.txt'),
        maxListed,
        digest: true,
        ...(models && { models }),
      },
      signal,
      onEvent(news) {
        if (news.kind === 'progress') onProgress(news.bytes, news.total);
        else if (news.kind === 'checked') checked = news.outcome;
        else if (news.kind === 'unchecked') unchecked = news.outcome;
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (checked) return checked;
  throw new AgentProblem(`The file could not be checked. ${unchecked?.reason ?? 'The disk might be full.'}`);
}
