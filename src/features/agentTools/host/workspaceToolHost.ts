import * as l10n from '@vscode/l10n';
import { abortable } from '../../../core/async/abortable';
import type { AgentText, FoundPassages, ToolHost } from '../../../core/agentTools/toolHost';
import { currencyOf } from '../../../core/profiles/knownServices';
import type { Services } from '../../../services/services';
import type { ConfirmedRequest } from '../confirmations';
import { isMediaOver, isWorthAsking, savingMs, toAgentMedia } from '../../../core/agentTools/agentMedia';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import { providedImage } from '../../../services/images/providedImage';
import type { MediaJob, MediaJobRequest } from '../../../services/media/media';
import { maxImageBytes } from '../../../protocol/mediaBounds';
import { askUntilOver, isBatchOver, joinBatches, toAgentBatch } from '../../../core/agentTools/agentBatch';
import { type RunToRead, readResultRows } from '../../../core/agentTools/resultRows';
import { batchIdsOf } from '../../../core/jobs/batch/batchState';
import { isApiError } from '../../../core/api/errors';
import type { Batch } from '../../../core/api/batches/batches.schema';
import { checkOneFile } from '../../../services/batchFiles/checkFiles';
import type { BatchJob } from '../../../services/batches/batches';
import { listBatches } from '../../../core/api/batches/listBatches';
import { apiErrorMessage, unrankedMessage } from '../../../core/agentTools/errorMessages';
import { rankInSlices, usualLimits } from '../../../core/ranking/rankInSlices';
import { passagesOf } from '../../../core/search/find/finding';
import { isLarge } from '../../../core/search/find/findPassages';
import { type WorkspaceFinding, find, openAccount, wayOfFinding } from '../../../services/search/search';
import { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { openTexts } from '../../../platform/workspace/workspaceTexts';
import type { WorkspaceEvals } from './workspaceEvals';
import type { ProvidedFile, WorkspaceFiles } from './workspaceFiles';

/**
 * Implements the tools with this window's services: the account of the active profile and the files of the workspace. What costs money
 * is sent as it was confirmed, if a confirmation is passed.
 */
export function createToolHosts(
  services: Services,
  files: WorkspaceFiles,
  evals: WorkspaceEvals,
): (confirmed?: ConfirmedRequest) => ToolHost {
  const { connections, models } = services;
  const search = createSearchTools(services, files);
  return (confirmed) => ({
    currency: currencyOf(services.account.current.baseUrl),
    async models(signal) {
      // Throws an explanation if no account is signed in.
      await connections.client();
      const state = await abortable(models.ensureFresh(), signal);
      if (state.models.length === 0 && state.error !== undefined) throw state.error;
      return state;
    },
    async balance(signal) {
      const { profile: active } = services.account.current;
      const info = await (await connections.client(active?.id)).account.info(signal);
      return { ...info, currency: info.currency ?? currencyOf(active?.baseUrl) };
    },
    ...search,
    ...createMediaTools(services, files, { confirmed }),
    ...createBatchTools(services, files, confirmed),
    ...evals.tools(confirmed),
  });
}

/** Generates media as every other part of the extension does: saves a record, tracks the jobs and stores the files with their recipes. */
export function createMediaTools(
  { media }: Services,
  files: WorkspaceFiles,
  {
    confirmed,
    longestSavingMs = savingMs,
  }: { readonly confirmed?: ConfirmedRequest | undefined; readonly longestSavingMs?: number } = {},
) {
  const storedImage = async (path: string): Promise<string> => {
    const { real } = await files.find(path);
    const { ref } = await (await media()).assets.keepInput(await providedImage(real, maxImageBytes));
    return ref;
  };
  const submit = async (task: MediaJobRequest, signal: AbortSignal): Promise<MediaJob> => {
    await confirmed?.check(task.request.model);
    signal.throwIfAborted();
    return (await media()).submit(task, {
      signal,
      ...(confirmed?.profileId !== undefined && { profileId: confirmed.profileId }),
    });
  };
  const find = async (id: string, signal: AbortSignal): Promise<MediaJob> => {
    const { jobs } = await abortable(media(), signal);
    const job = jobs.find((one) => one.id === id || one.requestId === id);
    if (job) return job;
    throw new AgentProblem(`No video with the ID ${id} has been submitted from this machine. Check the ID.`);
  };
  return {
    async generateImage({ request, picture }, signal) {
      const withImage = picture && { [picture.parameter]: await storedImage(picture.path) };
      const { id } = await submit({ kind: 'image', request: { ...request, ...withImage } }, signal);
      return toAgentMedia(await (await media()).whenEndedWithin(id, longestSavingMs, signal));
    },
    async submitVideo({ request, picture }, signal) {
      const withImage = picture === undefined ? {} : { image: await storedImage(picture) };
      return toAgentMedia(await submit({ kind: 'video', request: { ...request, ...withImage } }, signal));
    },
    async video(id, waitMs, signal) {
      const job = await find(id, signal);
      const now = isWorthAsking(job) ? await abortable((await media()).checkNow(job.id, waitMs), signal) : job;
      if (isMediaOver(now) || waitMs === 0) return toAgentMedia(now);
      return toAgentMedia(await (await media()).whenEndedWithin(job.id, waitMs, signal));
    },
  } satisfies Partial<ToolHost>;
}

/**
 * Manages batches as every other part of the extension does: saves a record, tracks them and downloads their results once they have ended.
 */
function createBatchTools(services: Services, files: WorkspaceFiles, confirmed?: ConfirmedRequest) {
  const { account, batchJobs, connections } = services;
  const find = async (id: string, signal: AbortSignal): Promise<BatchJob | undefined> => {
    const { jobs } = await abortable(batchJobs(), signal);
    return jobs.find((job) => job.id === id || batchIdsOf(job).includes(id));
  };
  const retrieve = async (id: string, signal: AbortSignal): Promise<Batch> =>
    (await connections.client()).batches.retrieve({ id }, signal);

  return {
    checkBatch: async (file, signal) =>
      checkOneFile(await files.pathOf(file), services, { signal, onProgress: () => undefined }),
    async submitBatch({ file, completionWindow, model, sha256 }, signal) {
      const path = await files.pathOf(file);
      // After the digest was computed, so that it belongs to the file the user was asked about.
      await confirmed?.check(model);
      signal.throwIfAborted();
      const submission = {
        path,
        ...(confirmed?.profileId !== undefined && { profileId: confirmed.profileId }),
        completion_window: completionWindow,
        ...(model !== undefined && { replace: { model } }),
        ...(sha256 !== undefined && { sha256 }),
      };
      return toAgentBatch(await (await batchJobs()).submit(submission, { signal }));
    },
    async batches(signal) {
      const client = await connections.client();
      const { jobs } = await abortable(batchJobs(), signal);
      const own = jobs.filter(({ profileId }) => profileId === account.current.id);
      const listed = await listBatches(client.batches, 0, signal).catch((error: unknown) => {
        if (isApiError(error) && error.kind === 'notOffered' && own.length > 0) return { items: [] };
        throw error;
      });
      return joinBatches(own, listed.items);
    },
    async batch(id, waitMs, signal) {
      const job = await find(id, signal);
      if (!job) return askUntilOver((ending) => retrieve(id, ending), waitMs, signal);
      const now = isBatchOver(job) ? job : await abortable((await batchJobs()).checkNow(job.id, waitMs), signal);
      if (isBatchOver(now)) return toAgentBatch(now);
      await untilEnded(batchJobs, job.id, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
      signal.throwIfAborted();
      return toAgentBatch((await find(id, signal)) ?? now);
    },
    async batchResults({ id, ...rows }, signal) {
      const known = (await find(id, signal)) ?? (await (await batchJobs()).watch(await retrieve(id, signal)));
      if (!known.batch) throw new AgentProblem(`The batch ${id} was not started, so it has no results.`);
      const isHere = known.stage === 'ended' && toAgentBatch(known).folder !== undefined;
      const job = isHere ? known : await abortable((await batchJobs()).fetchResults(known.id), signal);
      const report = toAgentBatch(job);
      const run = runOf(job, report.folder, files);
      if (run) return { batch: report, ...(await readResultRows(run, rows, signal)) };
      if (report.isOver && report.problem !== undefined) throw new AgentProblem(report.problem);
      const { completed: answered = 0, failed = 0 } = report.requests ?? {};
      return { batch: report, rows: [], total: 0, counts: { answered, failed } };
    },
  } satisfies Partial<ToolHost>;
}

function runOf(
  { realFolder, input }: BatchJob,
  folder: string | undefined,
  files: WorkspaceFiles,
): RunToRead | undefined {
  return folder === undefined ? undefined : { folder, realFolder, input, guard: (path) => files.pathOf(path) };
}

/** Resolves once the batch has ended, its record is deleted, or the signal aborts. */
async function untilEnded(batchJobs: Services['batchJobs'], id: string, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      const job = batchJobs.jobs.find((one) => one.id === id);
      if (job && !isBatchOver(job) && !signal.aborted) return;
      listening.dispose();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const listening = batchJobs.onDidChange(look);
    signal.addEventListener('abort', look);
    look();
  });
}

const limits = { files: 1000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** Ranks and searches, within the profile's budget and the tools' own. */
function createSearchTools(services: Services, workspaceFiles: WorkspaceFiles) {
  const { account, activity, connections, context } = services;
  const working = async <T>(label: string, work: () => Promise<T>): Promise<T> => {
    const running = activity.start(label, { kind: 'tool', profileId: account.current.profile?.id, paid: true });
    return work().finally(() => running.dispose());
  };
  return {
    rerank: (request, signal) =>
      working(l10n.t('Reranking documents'), async () => {
        const client = await connections.client(undefined, { purpose: 'tools' });
        const list = await rankInSlices(
          (slice, ending) => client.rerank.create(slice, ending),
          request,
          { limits: usualLimits },
          signal,
        );
        signal.throwIfAborted();
        return list;
      }),
    readTexts: async (paths, signal) =>
      readTexts(
        await Promise.all(paths.map(async (path) => ({ path, ...(await workspaceFiles.find(path)) }))),
        services,
        signal,
      ),
    findPlaces: ({ question, include, exclude, limit }, signal) =>
      working(l10n.t('Running a semantic search'), async () => {
        const account = await openAccount(services, { purpose: 'tools' });
        signal.throwIfAborted();
        const { by } = wayOfFinding(services.settings, context);
        const choice = { ...(include && { include }), ...(exclude && { exclude }) };
        let isByWords = false;
        const found = await find({ question, by, ...choice }, account, services, {
          signal,
          onProgress: () => undefined,
          // A tool cannot ask for confirmation, so large workspaces are searched by words.
          confirm: async (vectors) => {
            isByWords = isLarge(vectors);
            return !isByWords;
          },
        });
        return toFoundPlaces(found, limit, isByWords);
      }),
  } satisfies Partial<ToolHost>;
}

async function readTexts(
  files: readonly (ProvidedFile & { readonly path: string })[],
  { settings }: Services,
  signal: AbortSignal,
): Promise<readonly AgentText[]> {
  // A generated file may be outside of the workspace; it has already been checked.
  const guard = await WorkspaceGuard.open(settings, { allowsElsewhere: true });
  const texts = new Map<string, string>();
  for await (const { uri, text } of openTexts(
    files.map(({ uri }) => uri),
    { ...limits, guard },
    signal,
  ).texts) {
    texts.set(uri.toString(), text);
  }
  const missing = files.filter(({ uri }) => !texts.has(uri.toString())).map(({ path }) => `"${path}"`);
  if (missing.length > 0) {
    throw new AgentProblem(`Not UTF-8 text of up to 4 MB: ${missing.slice(0, 10).join(', ')}. Omit these files.`);
  }
  return files.map(({ uri, shown }) => ({ path: shown, text: texts.get(uri.toString())! }));
}

function toFoundPlaces(found: WorkspaceFinding, limit: number, isByWords: boolean): FoundPassages {
  const { candidates, ranking } = found;
  const isRanked = ranking !== undefined && ranking.list.unranked === undefined;
  // Scores of unranked passages are on a different scale.
  const places = passagesOf(found).filter(({ scoredBy }) => !isRanked || scoredBy === 'rerank');
  return {
    places: places.slice(0, limit).map(({ path, range, score, text }) => ({
      path,
      startLine: range.start.line + 1,
      endLine: range.end.line + 1,
      score,
      text,
    })),
    scoredBy: isRanked ? 'rerank' : candidates.by,
    files: candidates.files,
    notes: [...leftOutNotes(found), ...problemNotes(found), ...(isByWords ? [byWordsNote] : [])],
  };
}

const byWordsNote =
  'The workspace is large, so the candidates were selected by shared words. Select folders with "include", or use words from the files.';

function leftOutNotes({ candidates: { leftOut } }: WorkspaceFinding): readonly string[] {
  const { overLimit, tooLarge, notText, unreadable } = leftOut;
  const count = overLimit + tooLarge + unreadable;
  return [
    ...(count > 0 ? [`${count} files were skipped because they are too large, too many, or unreadable.`] : []),
    ...(notText > 0 ? [`${notText} files do not contain text.`] : []),
  ];
}

function problemNotes({ problem }: WorkspaceFinding): readonly string[] {
  if (!problem) return [];
  if (problem.kind === 'noReranker')
    return ['The account does not have a reranker, so the passages are sorted by similarity.'];
  if (problem.kind === 'unranked') return [unrankedMessage(problem.unranked, problem.model)];
  const { error } = problem;
  return [`Ranking failed for some passages. ${isApiError(error) ? apiErrorMessage(error) : messageOf(error)}`];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
