import type { Activity } from './activity';
import type { Disposable } from './disposables';

export interface BusyWork extends Disposable {
  update(isBusy: boolean): void;
}

/** Creates paid work that is shown as running while it is busy. The balance might have changed when it ends. */
export function createBusyWork(activity: Activity, label: string): BusyWork {
  let running: Disposable | undefined;
  let isDisposed = false;
  const end = () => {
    running?.dispose();
    running = undefined;
  };
  return {
    update(isBusy) {
      if (!isBusy) end();
      else if (!isDisposed) running ??= activity.start(label, { kind: 'job', paid: true });
    },
    dispose() {
      // Jobs that are still ending report once more.
      isDisposed = true;
      end();
    },
  };
}
