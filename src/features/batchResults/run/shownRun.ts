import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { readRunFolder, resultPaths, updateRun } from '../../../core/batch/results/runFolder';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import type { BatchFault } from '../../../core/api/batches/batches.schema';
import { findSent, changedLines } from '../../../core/batch/results/sentLines';
import type { ResultsRetry, ResultsSource } from '../../../core/batch/results/resultsSource';
import { retrySource } from '../../../core/batch/results/retries';
import type { BatchJob } from '../../../services/batches/batches';
import { isAwaited } from '../../../core/jobs/batch/batchJob';
import { sourceStoreOf } from '../../../services/batches/resultsRoot';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { throttle } from '../../../platform/throttle';
import type { Services } from '../../../services/services';
import type { ResultsTarget } from '../logic/resultsTarget';
import type { RunRetry, Runs } from '../logic/runs';

/** The delay after which a changed file is read again, so that a growing file is not read too often. */
const restMs = 1500;

/** The current knowledge about a run. */
export interface RunState {
  readonly job?: BatchJob;
  readonly folder?: RunFolder;
  /** Oldest first. */
  readonly retries: readonly RunRetry[];
  /** The locations of its files; absent while there are no results. */
  readonly source?: ResultsSource;
  /** The path of the batch file, if known; the file may no longer exist. */
  readonly input?: string;
  /** The sent file: the stored copy, or else the batch file. */
  readonly sent?: NonNullable<ResultsSource['input']>;
  /** Indices of the batch's errors whose lines differ from what was sent. */
  readonly changedFaults?: readonly number[];
  /** The display name. */
  readonly name: string;
}

/** A run and its updates. Await `refresh` before relying on `state`. */
export interface ShownRun extends Disposable {
  readonly target: ResultsTarget;
  readonly state: RunState;
  refresh(): Promise<void>;
  /** Fires when the state changed, though not necessarily the results. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when the result files changed. */
  readonly onDidGoStale: vscode.Event<void>;
  /** Call it if its files might have changed. Checks them after a short delay. */
  lookSoon(): void;
  /** Links the batch file whose requests were answered. */
  linkInput(input: string): Promise<void>;
}

export function createShownRun(services: Services, runs: Runs, first: ResultsTarget): ShownRun {
  const { batchJobs, log } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const stale = store.add(new vscode.EventEmitter<void>());
  let target = first;
  let state: RunState = { name: '', retries: [] };
  let results = '';

  const refresh = async (): Promise<void> => {
    const before = JSON.stringify(state);
    state = await readState(services, runs, target);
    watched.set(state.folder?.path);
    const now = resultsOf(state);
    const isOther = results !== '' && now !== results;
    results = now;
    if (JSON.stringify(state) !== before) changed.fire();
    if (isOther) stale.fire();
  };
  /** `isNews` fires the event even if the state is unchanged. */
  const refreshQuietly = (isNews = false) =>
    void refresh().then(
      () => isNews && changed.fire(),
      (error: unknown) => log.warn(`Results: ${String(error)}`),
    );

  const looks = store.add(
    throttle(restMs, () => {
      refreshQuietly();
      stale.fire();
    }),
  );
  const watched = store.add(createFolderWatch(() => looks.soon(), refreshQuietly));
  store.add(batchJobs.onDidChange(() => refreshQuietly()));
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => isInput(uri, state) && refreshQuietly(true)));

  return {
    get target() {
      return target;
    },
    get state() {
      return state;
    },
    refresh,
    onDidChange: changed.event,
    onDidGoStale: stale.event,
    lookSoon: () => looks.soon(),
    async linkInput(input) {
      const { job, folder } = state;
      if (job) await (await batchJobs()).linkInput(job.id, input);
      if (folder) await updateRun(folder.path, { input: linkedInput(folder, input) });
      if (target.kind === 'files') target = { ...target, input };
      await refresh();
      stale.fire();
    },
    dispose: () => store.dispose(),
  };
}

/** Retains the digest of what was sent, to detect whether the linked file is the same. */
function linkedInput({ run }: RunFolder, input: string) {
  return { sha256: '', bytes: 0, requests: 0, ...run.input, path: input };
}

async function readState({ batchJobs, context }: Services, runs: Runs, target: ResultsTarget): Promise<RunState> {
  const store = sourceStoreOf(context);
  if (target.kind === 'files') {
    const { input, results } = target;
    const name = path.basename(input ?? results[0] ?? '');
    const columns = { store };
    const source = { ...(input !== undefined && { input: { path: input } }), outputs: results, errors: [], columns };
    return { name, source, retries: [], ...(input !== undefined && { input }) };
  }
  const known = target.kind === 'job' ? await jobOf(batchJobs, target.jobId) : undefined;
  const folderPath = target.kind === 'folder' ? target.folder : known?.folder;
  const folder = folderPath === undefined ? undefined : await readRunFolder(folderPath);
  const jobId = folder?.run.jobId;
  const job = known ?? (jobId === undefined ? undefined : await jobOf(batchJobs, jobId));
  const state = await stateOf(job, folder, folder ? await runs.retriesOf(folder) : []);
  const columns = { store, ...(folder && { run: folder.path }) };
  return state.source ? { ...state, source: { ...state.source, columns } } : state;
}

async function jobOf(batchJobs: Services['batchJobs'], id: string): Promise<BatchJob | undefined> {
  return (await batchJobs()).jobs.find((job) => job.id === id);
}

async function stateOf(
  job: BatchJob | undefined,
  folder: RunFolder | undefined,
  retries: readonly RunRetry[],
): Promise<RunState> {
  const sent = folder?.run.input ?? job?.input;
  const { outputs, errors } = folder ? await resultPaths(folder) : { outputs: [], errors: [] };
  const again = await Promise.all(retries.map(sourceOf));
  const hasResults = [{ outputs, errors }, ...again].some((one) => one.outputs.length + one.errors.length > 0);
  const input = await sentInput(job, folder);
  const at = folder?.run.createdAt;
  const name = sent ? path.basename(sent.path) : (folder?.run.name ?? job?.batch?.fileName ?? job?.batch?.id ?? '');
  return {
    name,
    ...(job && { job }),
    ...(folder && { folder }),
    retries,
    ...(sent && { input: sent.path }),
    ...(input && { sent: input, changedFaults: await changedFaults(job?.batch?.errors ?? [], input) }),
    ...(hasResults && {
      source: {
        ...(at !== undefined && { at }),
        outputs,
        errors,
        ...(job && isAwaited({ job }) && { isUnderWay: true }),
        ...(input && { input }),
        ...(again.length > 0 && { retries: again }),
      },
    }),
  };
}

/** The requests of a retry are known before it has results. */
async function sourceOf(retry: RunRetry): Promise<ResultsRetry> {
  const { job, folder } = retry;
  const { createdAt: at = 0, folder: made } = job ?? {};
  const files = folder ? await retrySource(folder) : { at, outputs: [], errors: [] };
  const input = files.input ?? (made === undefined ? undefined : await findSent(made)) ?? (await existing(job?.sent));
  return { ...files, ...(input !== undefined && { input }), ...(isAwaited(retry) && { isUnderWay: true }) };
}

/** Returns the sent file: the stored copy, or else the batch file, which might have changed, or `undefined` if unknown. */
export async function sentInput(job: BatchJob | undefined, folder: RunFolder | undefined): Promise<RunState['sent']> {
  const sent = folder?.run.input ?? job?.input;
  if (!sent) return undefined;
  const copy = (folder && (await findSent(folder.path))) ?? (await existing(job?.sent));
  return {
    path: copy ?? sent.path,
    ...(copy !== undefined && { current: sent.path }),
    ...(sent.sha256 && { sha256: sent.sha256 }),
    ...(sent.bytes && { bytes: sent.bytes }),
  };
}

async function existing(path: string | undefined): Promise<string | undefined> {
  return path !== undefined && (await stat(path).catch(() => undefined))?.isFile() ? path : undefined;
}

async function changedFaults(
  faults: readonly BatchFault[],
  input: NonNullable<RunState['sent']>,
): Promise<readonly number[]> {
  const lines = faults.flatMap(({ line }) => line ?? []);
  const changed = lines.length === 0 ? [] : await changedLines(input, lines);
  return faults.flatMap(({ line }, place) => (line !== undefined && changed.includes(line) ? [place] : []));
}

/** A key that changes when there are other results. */
function resultsOf({ job, source, retries }: RunState): string {
  return JSON.stringify([source, job?.fetched, retries.map((retry) => retry.job?.fetched ?? retry.folder?.run.counts)]);
}

function isInput({ scheme, fsPath }: vscode.Uri, { input }: RunState): boolean {
  return scheme === 'file' && fsPath === input;
}

/** Watches one folder at a time. */
function createFolderWatch(onResults: () => void, onRun: () => void): Disposable & { set(folder?: string): void } {
  let watched: string | undefined;
  let watcher: Disposable | undefined;
  return {
    set(folder) {
      if (watched === folder) return;
      watcher?.dispose();
      watched = folder;
      watcher = folder === undefined ? undefined : watchFolder(folder, onResults, onRun);
    },
    dispose: () => watcher?.dispose(),
  };
}

function watchFolder(folder: string, onResults: () => void, onRun: () => void): Disposable {
  const store = new DisposableStore();
  const look = (uri: vscode.Uri) => (uri.path.endsWith('/run.json') ? onRun() : onResults());
  for (const files of ['*.{jsonl,json}', 'retries/*/{output.jsonl,errors.jsonl,run.json}']) {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), files);
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(look));
  }
  return store;
}
