import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import type { ApiError } from '../../core/api/errors';
import type { WireError } from '../../protocol/wire';
import type { CommandId } from '../commands';
import { apiErrorMessages } from './apiErrorMessages';
import { pageUrl, step, toStep, type PageStep, type Step } from './errorActions';
import type { ErrorHints } from './errorMessage';
import { fileErrorWords } from './fileErrorMessages';
import { isUserError } from './userError';
import { sentence, sentences, titled } from '../../protocol/sentences';
import { showMessage } from '../notify';

/** Maximum characters quoted from a service's message. */
const longestQuote = 300;

/** Converts any error to one for the user. Contains no stack and no key. */
export function describe(error: unknown, hints: ErrorHints = {}): WireError {
  if (isApiError(error)) {
    const { title, detail, actions } = apiErrorMessages[error.kind](error, hints);
    const { exchangeId } = error.details;
    return {
      kind: error.kind,
      title,
      detail: sentences(detail, ...facts(error)),
      actions: exchangeId === undefined ? actions : [...actions, step('showExchange', exchangeId)],
    };
  }
  if (isUserError(error)) {
    return { kind: 'user', title: error.title, detail: error.detail, actions: error.actions };
  }
  if (error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError')) {
    return { kind: 'cancelled', title: l10n.t('The operation was canceled'), detail: '', actions: [] };
  }
  const refused = fileErrorWords(error);
  if (refused) return { kind: 'disk', ...refused };
  return {
    kind: 'unexpected',
    title: l10n.t('Unexpected error'),
    detail: l10n.t(
      'Unexpected problem: {0}. See the log.',
      foreign(error instanceof Error ? error.message : String(error), longestQuote),
    ),
    actions: [step('showLog'), step('reportProblem')],
  };
}

/**
 * Runs an action offered with an error. Ids come back from pages that are not trusted, so only known actions are run. Resolves with false
 * for any other id (`retry`, `chooseModel`, `useModel:…`), which the code that showed the error handles.
 */
export async function runAction(id: string): Promise<boolean> {
  const call = commandOf(id);
  if (!call) return false;
  await vscode.commands.executeCommand(call.command, ...call.arguments);
  return true;
}

/** Returns the command that runs an action; `undefined` for ids that `runAction` doesn't know. */
export function commandOf(
  id: string,
): { readonly command: string; readonly arguments: readonly unknown[] } | undefined {
  const step = toStep(id);
  if (!step) return undefined;
  const { name, about } = step;
  if (name in settings) return { command: 'workbench.action.openSettings', arguments: [settings[name as SettingStep]] };
  if (name in commands)
    return { command: commands[name as CommandStep], arguments: about === undefined ? [] : [about] };
  const page = pageUrl(name, about);
  return page === undefined ? undefined : { command: 'vscode.open', arguments: [vscode.Uri.parse(page, true)] };
}

/** Logs an error and shows it, localized; see `Report`. */
export async function tellError(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const { kind, title, detail, actions } = describe(error);
  if (kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
  else log.warn(`${title}: ${detail}`);
  const offered = actions.filter(({ id }) => toStep(id));
  const weight = kind === 'notOffered' ? 'information' : 'error';
  const chosen = await showMessage(weight, titled(title, detail), ...offered.map(({ label }) => label));
  const next = offered.find(({ label }) => label === chosen);
  if (next) await runAction(next.id);
}

/** Yields the service's message, whether the request may have been billed, and what support asks for. */
function* facts({ kind, message, details }: ApiError): Generator<string> {
  // A server that can be started with an option says so with a 501.
  const isReported = kind !== 'auth' && (kind !== 'notOffered' || details.status === 501);
  if (details.fromService && isReported && message) {
    yield sentence(l10n.t('Message from the service: {0}', `"${foreign(message, longestQuote)}"`));
  }
  if (details.maybeBilled && !details.isFree) yield l10n.t('You may have been charged.');
  if (details.traceId) yield l10n.t('Trace ID: {0}', foreign(details.traceId));
}

const settings = {
  networkSetting: 'inferenceDesk.network.stack',
  proxySetting: 'http.proxy',
  profilesSetting: 'inferenceDesk.profiles',
  messageLimitSetting: 'inferenceDesk.chat.messageLimit',
  budgetSetting: 'inferenceDesk.chat.dailyTokenBudget',
  spendingSetting: 'inferenceDesk.dailySpendingCap',
  toolBudgetSetting: 'inferenceDesk.agentTools.dailyTokenBudget',
  ghostBudgetSetting: 'inferenceDesk.ghostText.dailyTokenBudget',
} as const;

type SettingStep = keyof typeof settings;
type CommandStep = Exclude<Step, SettingStep | PageStep>;

const commands: { readonly [Name in CommandStep]: CommandId } = {
  signIn: 'inferenceDesk.signIn',
  manageKey: 'inferenceDesk.manageKey',
  tryDemo: 'inferenceDesk.demo.start',
  getStarted: 'inferenceDesk.getStarted',
  changeBaseUrl: 'inferenceDesk.changeBaseUrl',
  runLocally: 'inferenceDesk.batchFile.runLocally',
  switchAccount: 'inferenceDesk.switchProfile',
  checkModel: 'inferenceDesk.models.check',
  checkAgain: 'inferenceDesk.refreshAccount',
  showLog: 'inferenceDesk.showLog',
  showExchange: 'inferenceDesk.showExchange',
  reportProblem: 'inferenceDesk.reportProblem',
};
