import { abortable } from '../../core/agentTools/abortable';
import { isMediaOver } from '../../core/agentTools/agentMedia';
import type { MediaEngine, NewMedia } from '../../core/jobs/media/mediaEngine';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import type { DailyLimit } from './dailyLimit';
import type { Watch } from './requests';

/** Runs jobs to their end, even if the call that started them is no longer awaited. */
export interface Sending {
  /** Rejects with the signal's reason as soon as it aborts; the job continues. */
  send(order: NewMedia, signal: AbortSignal): Promise<MediaJob>;
  /** Resolves once no paid request or download is pending, or the signal aborts. */
  settled(signal: AbortSignal): Promise<void>;
}

export function createSending(engine: MediaEngine, watch: Watch<MediaJob>, daily: DailyLimit): Sending {
  const underWay = new Set<Promise<unknown>>();
  return {
    send(order, signal) {
      const sent = daily.within(() => engine.submit(order, { signal, goesOnOnceSent: true }));
      underWay.add(sent);
      const done = () => void underWay.delete(sent);
      sent.then(done, done);
      return abortable(sent, signal);
    },
    async settled(signal) {
      await abortable(Promise.allSettled(underWay), signal).catch(() => undefined);
      const fetched = engine.jobs.filter((job) => job.stage === 'fetching' && !isMediaOver(job));
      const isSaved = (job: MediaJob) => job.stage !== 'fetching' || isMediaOver(job);
      await Promise.allSettled(fetched.map(({ id }) => watch.until(id, isSaved, { signal })));
    },
  };
}
