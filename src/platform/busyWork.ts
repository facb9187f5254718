import type { Activity } from './activity';
import type { Disposable } from './disposables';

export interface BusyWork extends Disposable {
  update(isBusy: boolean): void;
}

/** Creates paid work that is shown as running while it is busy; the balance may have changed when it ends. */
export function createBusyWork(activity: Activity, label: string): BusyWork {
  let running: Disposable | undefined;
  const end = () => {
    running?.dispose();
    running = undefined;
  };
  return {
    update(isBusy) {
      if (isBusy) running ??= activity.start(label, { kind: 'job', paid: true });
      else end();
    },
    dispose: end,
  };
}
