import type { ServerContext } from '@modelcontextprotocol/server';

export interface CallProgress {
  report(this: void, done: number, total: number | undefined, message: string): void;
  stop(): void;
}

/** Clients abandon a call after a minute without any progress. */
const signOfLifeMs = 5000;
const reportEveryMs = 500;

/** Sends progress notifications to the client, if it asked for them. */
export function startProgress({ mcpReq }: Pick<ServerContext, 'mcpReq'>): CallProgress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => undefined, stop: () => undefined };
  let progress = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (message: string) => {
    progress += 1;
    toldAt = performance.now();
    const params = { progressToken, progress, message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const began = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - toldAt < signOfLifeMs) return;
    tell(`Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, signOfLifeMs);
  return {
    report(done, total, message) {
      if (performance.now() - toldAt >= reportEveryMs || done === total) {
        tell(`${message}: ${done}${total === undefined ? '' : ` of ${total}`}`);
      }
    },
    stop: () => clearInterval(timer),
  };
}
