import type { Activity } from './activity';
import type { Disposable } from './disposables';

export interface BusyWork extends Disposable {
  update(isBusy: boolean): void;
}

/** Paid work that is shown as running for as long as it is busy: afterwards the balance is another one. */
export function createBusyWork(activity: Activity, label: string): BusyWork {
  let running: Disposable | undefined;
  const end = () => {
    running?.dispose();
    running = undefined;
  };
  return {
    update(isBusy) {
      if (isBusy) running ??= activity.start(label, { paid: true });
      else end();
    },
    dispose: end,
  };
}
