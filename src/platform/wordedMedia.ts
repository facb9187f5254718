import type * as vscode from 'vscode';
import type { MediaEngine } from '../core/jobs/media/mediaEngine';
import type { MediaJob } from '../core/jobs/media/mediaJob';
import { OrderProblem } from '../core/jobs/orderProblem';
import { DisposableStore } from './disposables';
import { orderedFrom } from './jobConnection';
import type { JobSources } from './jobSources';
import type { Media } from './media';
import type { KeptAssets } from './mediaAssets';
import { mediaBusyError, mediaProblemError, mediaTroubleText } from './mediaWords';
import { createWordedJobs } from './wordedJobs';

export type WordedMedia = Pick<
  Media,
  'jobs' | 'submit' | 'whenEnded' | 'checkNow' | 'fetchAgain' | 'submitAgain' | 'forget'
>;

export interface WordedMediaOptions extends JobSources {
  readonly assets: Pick<KeptAssets, 'place'>;
  /** Of the engine's jobs. */
  readonly onDidChange: vscode.Event<void>;
}

/** The engine with words for the person. */
export function createWordedMedia(
  engine: MediaEngine,
  { profiles, connections, assets, onDidChange }: WordedMediaOptions,
): WordedMedia {
  const { all, run } = createWordedJobs<MediaJob>({
    troubleText: mediaTroubleText,
    busyError: mediaBusyError,
    problemError: mediaProblemError,
  });
  const submit: Media['submit'] = (order, { group, profileId, signal, onWait } = {}) =>
    run(async () => {
      const { id, baseUrl } = await orderedFrom(profileId, { profiles, connections });
      const folder = await assets.place();
      const from = { profileId: id, baseUrl, folder, ...(group !== undefined && { group }) };
      return engine.submit({ ...from, order }, { signal, onWait });
    });
  return {
    get jobs() {
      return all(engine.jobs);
    },
    submit,
    whenEnded: (id, signal) => run(() => whenEnded(engine, { id, signal, onDidChange })),
    checkNow: (id, heldMs) => run(() => engine.checkNow(id, heldMs)),
    fetchAgain: (id, again) => run(() => engine.fetchAgain(id, again)),
    submitAgain: async (id) => {
      const job = engine.jobs.find((one) => one.id === id);
      if (!job) throw mediaProblemError('noSuchJob');
      const { order, profileId, group } = job;
      return submit(order, { profileId, ...(group !== undefined && { group }) });
    },
    forget: (id) => engine.forget(id),
  };
}

async function whenEnded(
  engine: MediaEngine,
  {
    id,
    signal,
    onDidChange,
  }: { readonly id: string; readonly signal: AbortSignal | undefined; readonly onDidChange: vscode.Event<void> },
): Promise<MediaJob> {
  const store = new DisposableStore();
  try {
    return await new Promise<MediaJob>((resolve, reject) => {
      const look = () => {
        const job = engine.jobs.find((one) => one.id === id);
        if (!job) reject(new OrderProblem('noSuchJob'));
        else if (isOver(job)) resolve(job);
      };
      const stop = () => reject(signal?.reason);
      store.add(onDidChange(look));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
      store.add({ dispose: () => signal?.removeEventListener('abort', stop) });
      look();
    });
  } finally {
    store.dispose();
  }
}

/** It does not go on by itself. */
function isOver({ stage, trouble }: MediaJob): boolean {
  return stage === 'ended' || stage === 'refused' || stage === 'unknown' || trouble?.isFinal === true;
}
