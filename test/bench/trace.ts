import type { Browser } from 'playwright-core';

/** A trace of the page's main thread, in milliseconds of the thread's own time, which other programs don't affect. */
export interface Traced {
  /** Every task of the page's main thread. */
  readonly tasks: readonly number[];
  /** The callbacks of every animation frame, including style and layout. */
  readonly frames: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread's own time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Starts a trace. The returned function ends it. */
export async function startTrace(browser: Browser): Promise<() => Promise<Traced>> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as readonly TraceEvent[])));
  await session.send('Tracing.start', {
    categories: 'devtools.timeline,disabled-by-default-devtools.timeline',
    transferMode: 'ReportEvents',
  });
  return async () => {
    const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
    const pages = new Set(
      events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
    );
    const costs = (requested: string) =>
      events.flatMap((event) =>
        event.name === requested && event.tdur !== undefined && pages.has(threadOf(event)) ? [event.tdur / 1000] : [],
      );
    return { tasks: costs('RunTask'), frames: costs('FireAnimationFrame') };
  };
}
