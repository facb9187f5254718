import { join, basename, dirname } from 'node:path';
import type { ToolHost } from '../../core/agentTools/toolHost';
import type { ChoosableModels } from '../../core/catalogue/jobs';
import { gatherModels } from '../../core/catalogue/gatherModels';
import { rankInSlices } from '../../core/ranking/rankInSlices';
import { openBatchRequests } from './batchRequests';
import { listedModels, type ListedModels } from '../../core/batch/fileRules';
import { openConnection } from './connection';
import type { McpEnvironment } from './environment';
import { findPassages } from './findPassages';
import { readTexts, type Folders } from './folders';
import { openMediaRequests, type MediaRequests } from './mediaRequests';
import { createDailyLimit } from './dailyLimit';
import { rm } from 'node:fs/promises';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { checkInWorker } from '../../core/batch/job/checkInWorker';
import type { CheckedFile, UncheckedFile } from '../../core/batch/job/checkJob';
import { makeTemporaryFolder } from '../../core/storage/privateFiles';
import { defaultSeverities } from '../../core/batch/problem';
import { createDayTokens, inEach, type DayTokens } from '../../core/usage/dayTokens';
import { tokensOf, type Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';

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

interface CheckOptions {
  /** Path of the worker thread's program. */
  readonly program: string;
  readonly models: ListedModels | undefined;
  readonly signal: AbortSignal;
  /** Counts the file's bytes. */
  readonly onProgress: (bytes: number, total: number) => void;
}

const mostTold = 20;

/** Checks a batch file in a worker thread. Throws `AgentProblem` if it cannot be read, and the signal's reason on abort. */
async function checkFile(file: string, { program, models, signal, onProgress }: CheckOptions): Promise<CheckedFile> {
  const folder = await makeTemporaryFolder('inference-desk-check-');
  let checked: CheckedFile | undefined;
  let unchecked: UncheckedFile | undefined;
  try {
    await checkInWorker({
      program,
      job: {
        files: [file],
        severities: defaultSeverities,
        report: join(folder, 'report.txt'),
        mostTold,
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
  throw new AgentProblem(
    `The file could not be checked. ${unchecked?.reason ?? 'There may be no room left on the disk.'}`,
  );
}

/**
 * Counts tokens in two daily ledgers, both shared with other processes, and enforces the limit of each: one for all usage, one for what
 * tools use. Throws `AgentProblem` beyond either.
 */
function createDaySpending({
  usage,
  dailyTokens,
  toolUsage,
  toolTokens,
  onTrouble,
}: Pick<McpEnvironment, 'usage' | 'dailyTokens' | 'toolUsage' | 'toolTokens'> & {
  readonly onTrouble: (error: unknown) => void;
}): DayTokens {
  const tokensIn = (folder: string, hard: number, words: RefusalWords) =>
    createDayTokens({
      ledger: createUsageLedger(dirname(folder), onTrouble),
      account: basename(folder),
      budget: () => ({ soft: 0, hard }),
      refuse: (used, most, expected) => refusal(words, { used, most, expected }),
    });
  const all = tokensIn(usage, dailyTokens, {
    usedUp: 'The token budget of today is used up',
    tooLittle: 'Too little is left of the token budget of today',
  });
  const own = tokensIn(toolUsage, toolTokens, {
    usedUp: 'The tools used up their tokens of today',
    tooLittle: 'Too little is left of the tokens that tools may use today',
  });
  return inEach([all, own]);
}

interface RefusalWords {
  readonly usedUp: string;
  readonly tooLittle: string;
}

function refusal(
  { usedUp, tooLittle }: RefusalWords,
  { used, most, expected }: { readonly used: Usage; readonly most: number; readonly expected: number | undefined },
): AgentProblem {
  const figures = `${tokensOf(used)} of ${most}`;
  const why =
    expected === undefined ? `${usedUp} (${figures})` : `${tooLittle} (${figures}): this takes about ${expected}`;
  return new AgentProblem(
    `${why}, so nothing was sent. They start anew at midnight. Tell the person; do not try again.`,
  );
}
