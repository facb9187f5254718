import type { Disposable } from '../../platform/disposables';

/** Where the demo service is reached. The same after a restart, unless another program took its port. */
export interface DemoAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface FoundDemo extends DemoAddress {
  /** Another process runs it; closing this one leaves it running. */
  readonly attached: boolean;
  close(): Promise<void>;
}

/** The demo service as this window sees it: run here, or attached to where another window runs it. */
export interface DemoService extends Disposable {
  /** Resolves when it answers. Calls at the same time share one start. */
  ensureRunning(): Promise<DemoAddress>;
  readonly isRunHere: boolean;
  /** Ends it when it runs here. Resolves to whether it did. */
  stop(): Promise<boolean>;
}

/** `attachOrStart` finds the service that runs, or starts one here. */
export function createDemoService(attachOrStart: () => Promise<FoundDemo>): DemoService {
  let running: FoundDemo | undefined;
  let starting: Promise<DemoAddress> | undefined;

  // A service of another window may have gone with it, so that one is looked for at each use.
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
