/** A number of images requested at one time (Unix milliseconds). */
export interface SentRequest {
  readonly at: number;
  readonly pictures: number;
}

const minuteMs = 60_000;

/**
 * Returns how long to wait before this many images can be requested, so that no minute has more than `perMinute`. 0 means no limit. More
 * images than `perMinute` are requested once the last minute is empty.
 */
export function paceDelay(
  sent: readonly SentRequest[],
  pictures: number,
  { perMinute, now }: { readonly perMinute: number; readonly now: number },
): number {
  if (perMinute <= 0) return 0;
  const within = sent.filter(({ at }) => at > now - minuteMs).toSorted((a, b) => a.at - b.at);
  let taken = within.reduce((sum, one) => sum + one.pictures, 0);
  let delay = 0;
  for (const one of within) {
    if (taken + pictures <= perMinute) break;
    taken -= one.pictures;
    delay = Math.max(0, one.at + minuteMs - now);
  }
  return delay;
}

/** Returns when the last of several requests is sent, in milliseconds from now, if only the rate limit delays them. */
export function lastRequestDelay(
  sent: readonly SentRequest[],
  counts: readonly number[],
  { perMinute, now }: { readonly perMinute: number; readonly now: number },
): number {
  if (perMinute <= 0) return 0;
  let all = sent;
  let at = now;
  for (const pictures of counts) {
    at += paceDelay(all, pictures, { perMinute, now: at });
    const since = at - minuteMs;
    all = [...all.filter((one) => one.at > since), { at, pictures }];
  }
  return at - now;
}
