import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';

/** Commands to apply or discard a replacement that is shown in a diff, whoever proposed it. */
export const replacementsFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { replacements } = services;
  store.add(registerCommand(services, 'inferenceDesk.applyReplacement', (proposal) => replacements.apply(proposal)));
  store.add(
    registerCommand(services, 'inferenceDesk.discardReplacement', (proposal) => replacements.discard(proposal)),
  );
  return store;
};
