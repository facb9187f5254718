import { join } from 'node:path';
import { apiErrorMessage, unrankedMessage } from '../../core/agentTools/errorMessages';
import type {
  AgentAccount,
  ToolHost,
  FindPassagesRequest,
  FoundPassage,
  FoundPassages,
} from '../../core/agentTools/toolHost';
import { isApiError } from '../../core/api/errors';
import type { ChoosableModels } from '../../core/catalogue/jobs';
import { gatherModels } from '../../core/catalogue/gatherModels';
import { rankInSlices } from '../../core/ranking/rankInSlices';
import { chunksOf } from '../../core/search/chunks';
import type { Chunk } from '../../core/search/chunks';
import { createTextRanking } from '../../core/search/textRanking';
import { walkTexts } from '../../core/workspace/walkTexts';
import type { WalkLeftOut } from '../../core/workspace/walkTexts';
import { openBatchRequests, type BatchRequests } from './batchRequests';
import { listedModels, type ListedModels } from '../../core/batch/fileRules';
import { currencyOf } from '../../core/profiles/knownServices';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { openConnection, type Connection } from './connection';
import type { McpEnvironment } from './environment';
import { EvalRequests } from './evalRequests';
import { openFolders, readTexts } from './folders';
import { openMediaRequests, type MediaRequests } from './mediaRequests';
import { rm } from 'node:fs/promises';
import { AgentProblem, isAgentProblem } from '../../core/agentTools/agentTool';
import { checkInWorker } from '../../core/batch/job/checkInWorker';
import type { CheckedFile, UncheckedFile } from '../../core/batch/job/checkJob';
import { makeTemporaryFolder } from '../../core/storage/privateFiles';
import { defaultSeverities } from '../../core/batch/problem';
import { withSecretFiles } from '../../core/workspace/ownSecretFiles';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import { chooseModel } from '../../core/catalogue/jobs';
import type { Folders } from './folders';

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
  const { baseUrl, client } = connection;
  const media = await openMediaRequests(join(state, 'media'), connection);
  const batches = await openBatchRequests(join(state, 'batches'), connection, folder ?? startedIn);
  const isSecret = createSecretCheck(withSecretFiles(secretFiles));
  const models = createModelList(connection);
  const evals = new EvalRequests(connection, batches, (signal) => models.all(signal));

  const hostFor = async (roots: readonly string[], onProgress: OnProgress): Promise<ToolHost> => {
    const folders = await openFolders(roots, isSecret);
    /** By path, so that exactly the checked content is submitted. */
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
      runEval: (request, signal) => evals.run(request, folders, signal),
      evalResults: (file, signal) => evals.results(file, folders, signal),
    };
    return host;
  };
  return {
    environment,
    connection,
    hostFor,
    close: () => closeAll(connection, media, batches),
  };
}

async function closeAll(
  { client, tokens, progress }: Connection,
  media: MediaRequests,
  batches: BatchRequests,
): Promise<void> {
  await media.saved(AbortSignal.timeout(closeMs));
  await tokens.settled();
  await Promise.all([media.dispose(), batches.dispose(), progress.dispose()]);
  await client.close();
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
      // A truncated list knows only some of the models' purposes.
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

/** Same as in the editor: about 50,000 tokens, and the answer seldom ranks lower. */
const mostCandidates = 100;
const limits = { files: 20_000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

interface FilePart {
  readonly path: string;
  readonly chunk: Chunk;
}

interface Candidate extends FilePart {
  readonly score: number;
}

/** Finds passages of files by the words they share with the question, then ranks them with the account's reranker. */
async function findPassages(
  request: FindPassagesRequest,
  { host, folders, signal }: { readonly host: ToolHost; readonly folders: Folders; readonly signal: AbortSignal },
): Promise<FoundPassages> {
  const leftOut = { overLimit: 0, tooLarge: 0, unreadable: 0 };
  const { items, files } = await findCandidates(request, folders, leftOut, signal);
  const notes = leftOutNotes(leftOut);
  const toFound = (places: readonly Candidate[]) => places.slice(0, request.limit).map(toPlace);
  const byWords = (note: string): FoundPassages => ({
    places: toFound(items),
    scoredBy: 'text',
    files,
    notes: [...notes, note],
  });
  if (items.length === 0) return { places: [], scoredBy: 'text', files, notes };
  try {
    const model = chooseModel('rerank', await host.models(signal));
    if (model === undefined) return byWords('No reranker, so the passages are sorted by matching words.');
    const documents = items.map(({ path, chunk }) => `${path}\n${chunk.text}`);
    const { scores, failure, unranked } = await host.rerank({ model, query: request.question, documents }, signal);
    if (unranked) return byWords(unrankedMessage(unranked, model));
    const ranked = scores.flatMap(({ index, score }) =>
      items.slice(index, index + 1).map((item) => ({ ...item, score })),
    );
    const more = failure ? ['The ranking is incomplete.'] : [];
    return { places: toFound(ranked), scoredBy: 'rerank', files, notes: [...notes, ...more] };
  } catch (error) {
    signal.throwIfAborted();
    const why = isApiError(error) ? apiErrorMessage(error) : isAgentProblem(error) ? error.message : undefined;
    if (why === undefined) throw error;
    return byWords(`Reranking failed, so the passages are sorted by matching words. ${why}`);
  }
}

async function findCandidates(
  { question, include, exclude }: FindPassagesRequest,
  folders: Folders,
  leftOut: WalkLeftOut,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Candidate[]; readonly files: number }> {
  folders.first();
  const ranking = createTextRanking<FilePart>(question);
  let files = 0;
  for (const [index, folder] of folders.list.entries()) {
    const options = { include, exclude, isSecret: folders.isSecret, limits, signal };
    for await (const { path, text } of walkTexts(folder, options, leftOut)) {
      files += 1;
      // Paths in the first folder are relative, so that tools accept them as input; those in other folders are absolute.
      const shown = index === 0 ? path : `${folder}/${path}`;
      for (const chunk of chunksOf(text)) ranking.add({ path: shown, chunk }, chunk.text, path);
    }
  }
  return { items: ranking.best(mostCandidates).map(({ item, score }) => ({ ...item, score })), files };
}

function toPlace({ path, chunk, score }: Candidate): FoundPassage {
  return { path, startLine: chunk.start.line + 1, endLine: chunk.end.line + 1, score, text: chunk.text };
}

function leftOutNotes({ overLimit, tooLarge, unreadable }: WalkLeftOut): readonly string[] {
  return [
    ...(overLimit > 0 ? [`${overLimit} more files were not searched. Narrow the search with "include".`] : []),
    ...(tooLarge > 0 ? [`${tooLarge} files larger than 4 MB were skipped.`] : []),
    ...(unreadable > 0 ? [`${unreadable} files could not be read.`] : []),
  ];
}
