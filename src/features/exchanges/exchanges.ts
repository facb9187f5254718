import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';

const loadCommands = () => import('./exchangeCommands');

/** The log and the raw exchanges of its lines. */
export const exchangesFeature: Feature = (services) => {
  const store = new DisposableStore();
  store.add(registerCommand(services, 'inferenceDesk.showLog', () => services.log.show(true)));
  store.add(
    registerCommand(services, 'inferenceDesk.showExchange', async (argument) =>
      (await loadCommands()).showExchange(services, argument),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.copyExchangeAsCurl', async (argument) =>
      (await loadCommands()).copyExchangeAsCurl(services, argument),
    ),
  );
  return store;
};
