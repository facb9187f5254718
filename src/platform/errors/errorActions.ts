import { l10n } from 'vscode';
import { modelOfStep, modelStep } from '../../protocol/modelStep';
import type { WireAction } from '../../protocol/wire';
import { foreign } from '../../core/text/foreignText';

/** Next steps the extension can take from anywhere, by the name their id begins with. */
const steps = {
  signIn: () => l10n.t('Sign in'),
  manageKey: () => l10n.t('Manage key'),
  tryDemo: () => l10n.t('Try the demo service'),
  getStarted: () => l10n.t('Take the first steps'),
  changeBaseUrl: () => l10n.t('Change the address'),
  networkSetting: () => l10n.t('Choose the network stack'),
  proxySetting: () => l10n.t('Open the proxy setting'),
  profilesSetting: () => l10n.t('Open the setting'),
  messageLimitSetting: () => l10n.t('Set the message limit'),
  budgetSetting: () => l10n.t('Change the budget'),
  toolBudgetSetting: () => l10n.t('Change the budget'),
  ghostBudgetSetting: () => l10n.t('Change the budget'),
  showLog: () => l10n.t('Show log'),
  showExchange: () => l10n.t('Show exchange'),
  reportProblem: () => l10n.t('Report a problem'),
} as const;

export type Step = keyof typeof steps;

/** `about` says what the step is taken with, e.g. which exchange is shown. */
export function step(name: Step, about?: string): WireAction {
  return { id: about === undefined ? name : `${name}:${about}`, label: steps[name]() };
}

/** The step an id asks for; `undefined` for ids that are no step. */
export function toStep(id: string): { readonly name: Step; readonly about: string | undefined } | undefined {
  const colon = id.indexOf(':');
  const name = colon < 0 ? id : id.slice(0, colon);
  if (!Object.hasOwn(steps, name)) return undefined;
  return { name: name as Step, about: colon < 0 ? undefined : id.slice(colon + 1) };
}

/** To be taken by whoever shows the error and knows what was tried: ask again, or with another model. */
export const retry = (): WireAction => ({ id: 'retry', label: l10n.t('Try again') });
export const useModel = (model: string): WireAction => ({
  id: modelStep(model),
  label: l10n.t('Use {0}', foreign(model)),
});
export const chooseModel = (): WireAction => ({ id: 'chooseModel', label: l10n.t('Choose another model') });

/** Steps of an error but for those that only who asked can take, where who knows what was asked offers others. */
export function ownSteps(actions: readonly WireAction[]): readonly WireAction[] {
  return actions.filter(({ id }) => id !== 'retry' && id !== 'chooseModel' && modelOfStep(id) === undefined);
}
