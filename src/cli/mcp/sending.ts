import { abortable } from '../../core/agentTools/abortable';
import { isMediaOver } from '../../core/agentTools/agentMedia';
import type { MediaEngine, NewMedia } from '../../core/jobs/media/mediaEngine';
import type { MediaJob } from '../../core/jobs/media/mediaJob';
import type { DailyLimit } from './dailyLimit';
import type { Watch } from './requests';

/** Orders that go on to their end, whether the call that made them is still waited for or not. */
export interface Sending {
  /** Throws the signal's reason at once. */
  send(order: NewMedia, signal: AbortSignal): Promise<MediaJob>;
  /** Resolves when nothing that is paid for and no file is on its way, or the signal aborts. */
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
