import type * as vscode from 'vscode';
import { HeldElsewhere } from '../../core/files/leases';
import type { PaidEnd } from '../../core/account/costs';
import type { MediaEngine } from '../../core/jobs/media/mediaEngine';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import { orderedFrom, createLocalizedJobs, whenJob } from '../jobs/jobs';
import type { JobSources } from '../jobs/jobs';
import type { Media } from './media';
import type { StoredAssets } from './mediaAssets';
import { mediaBusyError, mediaProblemError, mediaErrorText } from './mediaMessages';

export type LocalizedMedia = Pick<
  Media,
  'jobs' | 'submit' | 'whenEnded' | 'checkNow' | 'fetchAgain' | 'submitAgain' | 'retry' | 'forget'
>;

export interface LocalizedMediaOptions extends JobSources {
  readonly assets: Pick<StoredAssets, 'place'>;
  /** Fires when the engine's jobs change. */
  readonly onDidChange: vscode.Event<void>;
}

/** The engine, with localized errors. */
export function createLocalizedMedia(
  engine: MediaEngine,
  { profiles, connections, costs, assets, onDidChange }: LocalizedMediaOptions,
): LocalizedMedia {
  const { all, run } = createLocalizedJobs<MediaJob>({
    troubleText: mediaErrorText,
    busyError: mediaBusyError,
    problemError: mediaProblemError,
  });
  const send: Media['submit'] = async (order, { group, replaces, profileId, signal, onWait } = {}) => {
    const { id, baseUrl } = await orderedFrom(profileId, { profiles, connections });
    const folder = await assets.place();
    const from = {
      profileId: id,
      baseUrl,
      folder,
      ...(group !== undefined && { group }),
      ...(replaces !== undefined && { replaces }),
    };
    return costs.around(
      id,
      () => engine.submit({ ...from, order }, { signal, onWait }),
      async (job) => paidEnd(await whenJob(engine, job.id, { isOver: isMade, onDidChange })),
    );
  };
  const sendAgain = ({ order, profileId, group }: MediaJob, replaces?: string) =>
    send(order, { profileId, replaces, ...(group !== undefined && { group }) });
  const find = (id: string) => engine.jobs.find((one) => one.id === id);
  return {
    get jobs() {
      return all(engine.jobs);
    },
    submit: (order, submission) => run(() => send(order, submission)),
    whenEnded: (id, signal) => run(() => whenJob(engine, id, { isOver, onDidChange, signal })),
    checkNow: (id, heldMs) => run(() => engine.checkNow(id, heldMs)),
    fetchAgain: (id, again) => run(() => engine.fetchAgain(id, again)),
    submitAgain: async (id) => {
      const job = find(id);
      if (!job) throw mediaProblemError('noSuchJob');
      return run(() => sendAgain(job));
    },
    retry: (id) =>
      engine
        .lock(`${id}-again`, async () => {
          await engine.refresh();
          const job = find(id);
          if (!job) return undefined;
          const sent = await run(() => sendAgain(job, id));
          await engine.forget(id);
          return sent;
        })
        .catch((error: unknown) => {
          // Another window or task holds the job until the service answers.
          if (error instanceof HeldElsewhere) return undefined;
          throw error;
        }),
    forget: (id) => engine.forget(id),
  };
}

/** Whether the job makes no further progress without the user. */
function isOver({ stage, trouble }: MediaJob): boolean {
  return stage === 'ended' || stage === 'refused' || stage === 'unknown' || trouble?.isFinal === true;
}

/** Whether the service has finished with the job, whatever happens to its files. */
function isMade(job: MediaJob): boolean {
  return isOver(job) || job.stage === 'fetching';
}

function paidEnd({ id, stage, order, results = [] }: MediaJob): PaidEnd {
  if (stage === 'refused') return 'nothing';
  const { kind, request } = order;
  return results.length === 0 ? 'unsure' : { kind, model: request.model, count: results.length, of: id };
}
