import type { Disposable } from '../../../platform/disposables';

/** Address of the demo service. Unchanged after a restart, unless another program has taken its port. */
export interface DemoAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface FoundDemo extends DemoAddress {
  /** Whether another process runs it; closing this one then leaves it running. */
  readonly attached: boolean;
  close(): Promise<void>;
}

/** The demo service as this window sees it: run here, or attached to the one that another window runs. */
export interface DemoService extends Disposable {
  /** Resolves once the service responds. Concurrent calls share one start. */
  ensureRunning(): Promise<DemoAddress>;
  readonly isRunHere: boolean;
  /** Stops the service if it is run here. Resolves to whether it was. */
  stop(): Promise<boolean>;
}

/** `attachOrStart` finds the running service, or starts one here. */
export function createDemoService(attachOrStart: () => Promise<FoundDemo>): DemoService {
  let running: FoundDemo | undefined;
  let starting: Promise<DemoAddress> | undefined;

  // A service run by another window may have closed with it, so this looks for one at each use.
  const find = async (): Promise<DemoAddress> => {
    const found = await attachOrStart();
    if (!found.attached) running = found;
    return found;
  };

  return {
    async ensureRunning() {
      if (running) return running;
      starting ??= find().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    get isRunHere() {
      return running !== undefined;
    },
    async stop() {
      await starting?.catch(() => undefined);
      const demo = running;
      running = undefined;
      await demo?.close();
      return demo !== undefined;
    },
    dispose() {
      running?.close().catch(() => undefined);
      running = undefined;
    },
  };
}
