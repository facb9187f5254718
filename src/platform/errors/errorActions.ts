import * as l10n from '@vscode/l10n';
import { answerLimitOfStep, answerLimitStep, modelOfStep, modelStep } from '../../protocol/modelStep';
import type { WireAction } from '../../protocol/wire';
import { servicePage } from '../../core/network/servicePages';
import { foreign } from '../../core/text/foreignText';

/** Actions that the extension can run from anywhere, by the name their id begins with. */
const steps = {
  signIn: () => l10n.t('Sign In'),
  manageKey: () => l10n.t('Manage Key'),
  tryDemo: () => l10n.t('Start Demo Service'),
  getStarted: () => l10n.t('Get Started'),
  changeBaseUrl: () => l10n.t('Edit Base URL'),
  runLocally: () => l10n.t('Run Batch File Now…'),
  switchAccount: () => l10n.t('Use Another Account'),
  checkModel: () => l10n.t('Check Model…'),
  checkAgain: () => l10n.t('Check Again'),
  networkSetting: () => l10n.t('Choose Network Stack'),
  proxySetting: () => l10n.t('Open Proxy Setting'),
  profilesSetting: () => l10n.t('Open Setting'),
  messageLimitSetting: () => l10n.t('Set Message Limit'),
  spendingSetting: () => l10n.t('Change Cap…'),
  budgetSetting: () => l10n.t('Change Limit'),
  toolBudgetSetting: () => l10n.t('Change Limit'),
  ghostBudgetSetting: () => l10n.t('Change Limit'),
  getKey: () => l10n.t('Get API Key'),
  addCredit: () => l10n.t('Add Credit'),
  verifyIdentity: () => l10n.t('Verify Identity'),
  showLog: () => l10n.t('Show Log'),
  showExchange: () => l10n.t('Show Request and Response'),
  reportProblem: () => l10n.t('Report Issue'),
} as const;

export type Step = keyof typeof steps;

/** Returns the action; `about` is its argument, e.g. the exchange to show. */
export function step(name: Step, about?: string): WireAction {
  return { id: about === undefined ? name : `${name}:${about}`, label: steps[name]() };
}

/** Returns the action and argument of an id, or `undefined` for other ids. */
export function toStep(id: string): { readonly name: Step; readonly about: string | undefined } | undefined {
  const colon = id.indexOf(':');
  const name = colon < 0 ? id : id.slice(0, colon);
  if (!Object.hasOwn(steps, name)) return undefined;
  return { name: name as Step, about: colon < 0 ? undefined : id.slice(colon + 1) };
}

/** The steps that open a page of the service's console. */
const pageSteps = { getKey: 'keys', addCredit: 'credit', verifyIdentity: 'identity' } as const;
export type PageStep = keyof typeof pageSteps;

/** Returns the action that opens a page of the service's console, or nothing if the service has no such page. */
export function pageStep(name: PageStep, service: string | undefined): readonly WireAction[] {
  return pageUrl(name, service) === undefined ? [] : [step(name, service)];
}

/** Returns the URL that a step opens, by the id of the service; `undefined` for other steps. */
export function pageUrl(name: string, service: string | undefined): string | undefined {
  return Object.hasOwn(pageSteps, name) ? servicePage(service, pageSteps[name as PageStep]) : undefined;
}

/** Handled by whatever shows the error and knows the request: repeat it, or use another model. */
export const retry = (): WireAction => ({ id: 'retry', label: l10n.t('Try Again') });
export const useModel = (model: string): WireAction => ({
  id: modelStep(model),
  label: l10n.t('Use {0}', foreign(model)),
});
/** Repeats a chat with a shorter longest answer. */
export const limitAnswer = (tokens: number): WireAction => ({
  id: answerLimitStep(tokens),
  label: l10n.t('Set max_tokens to {0} and Retry', tokens),
});
export const chooseModel = (): WireAction => ({ id: 'chooseModel', label: l10n.t('Choose Another Model') });

/** Returns an error's actions without those that only the requester can run, for requesters that offer others. */
export function ownSteps(actions: readonly WireAction[]): readonly WireAction[] {
  return actions.filter(
    ({ id }) =>
      id !== 'retry' && id !== 'chooseModel' && modelOfStep(id) === undefined && answerLimitOfStep(id) === undefined,
  );
}
