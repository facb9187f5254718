import { join } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { createInputs } from '../../core/assets/inputs';
import { forgetOld } from '../../core/jobs/forgetOld';
import { createMediaEngine } from '../../core/jobs/media/mediaEngine';
import type { MediaEngine } from '../../core/jobs/media/mediaEngine';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import { setContext } from '../../platform/contributions';
import type { DisposableStore } from '../../platform/disposables';
import { createBusyWork } from '../../platform/busyWork';
import { followJobs, jobSurroundings, createJobConnection } from '../jobs/jobs';
import type { JobSources } from '../jobs/jobs';
import type { Media } from './media';
import { createMediaAssets } from './mediaAssets';
import type { StoredAssets } from './mediaAssets';
import { ownMediaFolder } from './mediaFolder';
import { showMediaNotice } from './mediaNotices';
import { withDisposables } from '../../platform/withDisposables';
import { setAsideReporter, reportUnreadable } from '../../platform/errors/reportUnreadable';
import { createLocalizedMedia } from './localizedMedia';

/** The media engine inside the editor: loaded on first use, alive until the window closes. */
export type MediaRuntime = Omit<Media, 'ready' | 'onDidChange' | 'assets'> & { readonly assets: StoredAssets };

export interface RuntimeOptions extends JobSources {
  /** Absolute: folder of records, inputs and files. */
  readonly storage: string;
  readonly onChange: () => void;
  readonly onAssetsChange: () => void;
}

/** Resolves once what is on disk is known; then continues with pending work. */
export function openMedia(options: RuntimeOptions): Promise<MediaRuntime> {
  return withDisposables((store) => openAll(options, store));
}

async function openAll(options: RuntimeOptions, store: DisposableStore): Promise<MediaRuntime> {
  const { storage, context, profiles, log, onChange, report } = options;
  const onTrouble = (error: unknown) => log.warn(`Media: ${String(error)}`);
  const inputs = createInputs(join(storage, 'inputs'));
  const folder = join(storage, 'jobs');
  const listeners = store.add(new vscode.EventEmitter<void>());
  const work = store.add(createBusyWork(options.activity, l10n.t('Making pictures and videos')));
  let savedBefore = 0;
  const engine: MediaEngine = createMediaEngine({
    folder,
    fallback: ownMediaFolder(context),
    connect: createJobConnection(options),
    expand: (order) => inputs.expandOrder(order),
    ...jobSurroundings,
    onChange: () => {
      work.update(engine.jobs.some(isBusy));
      const saved = savedCount(engine.jobs);
      if (saved !== savedBefore) options.onAssetsChange();
      if (saved > savedBefore && engine.jobs.some(isSavedPicture)) void setContext('inferenceDesk.pictureSaved', true);
      savedBefore = saved;
      onChange();
      listeners.fire();
    },
    onNotice: (job, notice) => void showMediaNotice(job, notice, worded).catch(report),
    onTrouble,
  });
  store.add({ dispose: () => void engine.dispose().catch(onTrouble) });
  const assets = store.add(
    await createMediaAssets({ ...options, inputs, lock: engine.lock, onTrouble, onSetAside: setAsideReporter(log) }),
  );
  const worded = createLocalizedMedia(engine, { ...options, assets, onDidChange: listeners.event });
  options.costs.consider('media', () => engine.jobs);
  store.add(await followJobs(engine, { folder, profiles, onTrouble }));
  reportUnreadable(engine.unreadable, log, {
    record: 'The record of an order',
    newer: l10n.t(
      'Some pictures or videos were ordered by a newer version of Inference Desk and are not followed by this one. Update it to see them again; nothing is lost.',
    ),
    torn: l10n.t('The records of some pictures or videos cannot be read. They are kept; the log names them.'),
  });
  void forgetOld(engine, Date.now()).catch(onTrouble);
  return {
    ...worded,
    get jobs() {
      return worded.jobs;
    },
    get unreadable() {
      return engine.unreadable;
    },
    assets,
    dispose: () => store.dispose(),
  };
}

/** Whether its files are being generated or fetched. */
const isBusy = ({ stage, trouble }: MediaJob): boolean =>
  ['submitting', 'fetching', 'running'].includes(stage) && !trouble;

const isSavedPicture = (job: MediaJob): boolean => job.order.kind === 'image' && savedCount([job]) > 0;

function savedCount(jobs: readonly MediaJob[]): number {
  return jobs.flatMap(({ results = [] }) => results).filter(({ path }) => path !== undefined).length;
}
