/** Pictures that were ordered at a moment, Unix milliseconds. */
export interface Ordered {
  readonly at: number;
  readonly pictures: number;
}

const minuteMs = 60_000;

/**
 * How long to wait before so many pictures may be ordered, so that in no minute more are than `perMinute`; 0 is no limit. More
 * than a minute takes are ordered once nothing else was within it.
 */
export function paceDelay(
  ordered: readonly Ordered[],
  pictures: number,
  { perMinute, now }: { readonly perMinute: number; readonly now: number },
): number {
  if (perMinute <= 0) return 0;
  const within = ordered.filter(({ at }) => at > now - minuteMs).toSorted((a, b) => a.at - b.at);
  let taken = within.reduce((sum, one) => sum + one.pictures, 0);
  let delay = 0;
  for (const one of within) {
    if (taken + pictures <= perMinute) break;
    taken -= one.pictures;
    delay = Math.max(0, one.at + minuteMs - now);
  }
  return delay;
}

/** When the last of orders of so many pictures each is given, in milliseconds from now, if nothing else holds them up. */
export function lastOrderDelay(
  ordered: readonly Ordered[],
  orders: readonly number[],
  { perMinute, now }: { readonly perMinute: number; readonly now: number },
): number {
  if (perMinute <= 0) return 0;
  let all = ordered;
  let at = now;
  for (const pictures of orders) {
    at += paceDelay(all, pictures, { perMinute, now: at });
    const since = at - minuteMs;
    all = [...all.filter((one) => one.at > since), { at, pictures }];
  }
  return at - now;
}
