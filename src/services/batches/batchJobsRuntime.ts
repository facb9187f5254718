import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { PaidEnd } from '../../core/account/costs';
import { isOver } from '../../core/jobs/batch/batchState';
import { createBatchEngine } from '../../core/jobs/batch/batchEngine';
import type { BatchEngine } from '../../core/jobs/batch/batchEngine';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { BatchJobs } from './batchJobs';
import type { DisposableStore } from '../../platform/disposables';
import { createBusyWork } from '../../platform/busyWork';
import {
  followJobs,
  jobSurroundings,
  createJobConnection,
  orderedFrom,
  signedIn,
  createLocalizedJobs,
  whenJob,
} from '../jobs/jobs';
import type { JobSources } from '../jobs/jobs';
import { showNotice } from './batchNotices';
import { busyError, requestProblemError, jobErrorText } from './batchMessages';
import { withDisposables } from '../../platform/withDisposables';
import type { Profile } from '../account/profiles';
import { ownResultsRoot, resultsRoot } from './resultsRoot';
import { reportUnreadable } from '../../platform/errors/reportUnreadable';

/** The batch engine inside the editor: loaded on first use, alive until the window closes. */
export type BatchJobsRuntime = Omit<BatchJobs, 'ready' | 'onDidChange'>;

export interface RuntimeOptions extends JobSources {
  /** Folder of the records. */
  readonly folder: string;
  readonly onChange: () => void;
}

/** Resolves once what is on disk is known; then continues with pending work. */
export function openBatchJobs(options: RuntimeOptions): Promise<BatchJobsRuntime> {
  return withDisposables((store) => openAll(options, store));
}

async function openAll(options: RuntimeOptions, store: DisposableStore): Promise<BatchJobsRuntime> {
  const { folder, profiles, log, onChange, report } = options;
  const onTrouble = (error: unknown) => log.warn(`Batches: ${String(error)}`);
  const listeners = store.add(new vscode.EventEmitter<void>());
  const fetching = store.add(createBusyWork(options.activity, l10n.t('Getting results')));
  const engine: BatchEngine = createBatchEngine({
    folder,
    place: createPlace(options),
    connect: createJobConnection(options),
    ...jobSurroundings,
    onChange: () => {
      fetching.update(engine.jobs.some(({ stage, trouble }) => stage === 'fetching' && !trouble));
      onChange();
      listeners.fire();
    },
    onNotice: (job, notice) => void showNotice(job, notice, worded).catch(report),
    onTrouble,
  });
  store.add({ dispose: () => void engine.dispose().catch(onTrouble) });
  options.costs.consider('batches', () => engine.jobs);
  const worded = wordedEngine(engine, options, listeners.event);
  store.add(await followJobs(engine, { folder, profiles, onTrouble }));
  reportUnreadable(engine.unreadable, log, {
    record: 'The record of a batch',
    newer: l10n.t(
      'Some batches were submitted by a newer version of Inference Desk and are not followed by this one. Update it to see them again; nothing is lost.',
    ),
    torn: l10n.t(
      'The records of some batches cannot be read. They are kept; the log names them. The batches are listed by the service still.',
    ),
  });
  return {
    ...worded,
    get jobs() {
      return worded.jobs;
    },
    get unreadable() {
      return engine.unreadable;
    },
    dispose: () => store.dispose(),
  };
}

type WordedEngine = Omit<BatchJobsRuntime, 'unreadable' | 'dispose'>;

/** The engine, with localized errors. */
function wordedEngine(
  engine: BatchEngine,
  { profiles, connections, activity, costs }: RuntimeOptions,
  onDidChange: vscode.Event<void>,
): WordedEngine {
  const { all, run } = createLocalizedJobs<BatchJob>({
    troubleText: jobErrorText,
    busyError,
    problemError: requestProblemError,
  });
  const ended = async ({ id }: BatchJob) => paidEnd(await whenJob(engine, id, { isOver: isWorkedOff, onDidChange }));
  const sending = async (work: () => Promise<BatchJob>): Promise<BatchJob> => {
    const running = activity.start(l10n.t('Sending a batch'));
    return run(work).finally(() => running.dispose());
  };
  return {
    get jobs() {
      return all(engine.jobs);
    },
    submit: (order, progress) =>
      sending(async () => {
        const from = fromOf(await orderedFrom(order.profileId, { profiles, connections }));
        return costs.around(from.profileId, () => engine.submit({ ...order, ...from }, progress), ended);
      }),
    watch: (batch) => run(async () => engine.watch(batch, fromOf(signedIn(profiles.active)))),
    checkNow: (id, heldMs) => run(() => engine.checkNow(id, heldMs)),
    cancel: (id) => run(() => engine.cancel(id)),
    fetchResults: (id) =>
      run(async () => {
        const job = engine.jobs.find((one) => one.id === id);
        if (job?.trouble?.kind === 'notOffered') await connections.forgetOffers(job.profileId);
        return engine.fetchResults(id);
      }),
    linkInput: (id, path) => run(() => engine.linkInput(id, path)),
    createAgain: (id, progress) => {
      const profileId = engine.jobs.find((one) => one.id === id)?.profileId ?? '';
      return sending(() => costs.around(profileId, () => engine.createAgain(id, progress), ended));
    },
    forget: (id) => engine.forget(id),
  };
}

/** Whether the service has finished with the job, whatever happens to its results. */
function isWorkedOff({ stage, batch }: BatchJob): boolean {
  return stage === 'refused' || stage === 'ended' || (batch !== undefined && isOver(batch));
}

function paidEnd({ id, stage, batch, input, order }: BatchJob): PaidEnd {
  if (stage === 'refused') return 'nothing';
  const count = batch?.requestCounts?.completed ?? input?.requests;
  const model = order.replace?.model ?? input?.model;
  return model === undefined || !count ? 'unsure' : { kind: 'batch', model, count, of: id };
}

const fromOf = ({ id, baseUrl }: Profile) => ({ profileId: id, baseUrl });

function createPlace({ context, settings }: RuntimeOptions) {
  return { fallback: ownResultsRoot(context), root: () => resultsRoot({ context, settings }) };
}
