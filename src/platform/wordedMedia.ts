import type * as vscode from 'vscode';
import type { PaidEnd } from '../core/account/costs';
import type { MediaEngine } from '../core/jobs/media/mediaEngine';
import type { MediaJob } from '../core/jobs/media/mediaJob';
import { orderedFrom } from './jobConnection';
import type { JobSources } from './jobSources';
import type { Media } from './media';
import type { KeptAssets } from './mediaAssets';
import { mediaBusyError, mediaProblemError, mediaTroubleText } from './mediaWords';
import { createWordedJobs, whenJob } from './wordedJobs';

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
  { profiles, connections, costs, assets, onDidChange }: WordedMediaOptions,
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
      return costs.around(
        id,
        () => engine.submit({ ...from, order }, { signal, onWait }),
        async (job) => paidEnd(await whenJob(engine, job.id, { isOver: isMade, onDidChange })),
      );
    });
  return {
    get jobs() {
      return all(engine.jobs);
    },
    submit,
    whenEnded: (id, signal) => run(() => whenJob(engine, id, { isOver, onDidChange, signal })),
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

/** It does not go on by itself. */
function isOver({ stage, trouble }: MediaJob): boolean {
  return stage === 'ended' || stage === 'refused' || stage === 'unknown' || trouble?.isFinal === true;
}

/** The service is done with it, whatever becomes of its files. */
function isMade(job: MediaJob): boolean {
  return isOver(job) || job.stage === 'fetching';
}

function paidEnd({ id, stage, order, results = [] }: MediaJob): PaidEnd {
  if (stage === 'refused') return 'nothing';
  const { kind, request } = order;
  return results.length === 0 ? 'unsure' : { kind, model: request.model, count: results.length, of: id };
}
