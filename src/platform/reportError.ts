import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { isApiError } from '../core/api/errors';
import type { ApiError } from '../core/api/errors';
import type { WireAction, WireError } from '../protocol/wire';
import { runCommand } from './contributions';
import { step, toStep } from './errorActions';
import { limitWords } from './limitWords';
import { networkWords } from './networkWords';
import { refusalWords } from './refusalWords';
import { isUserError } from './userError';

export interface Words {
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

/** What only whoever asked knows. */
export interface ErrorHints {
  /** Names close to the one the service did not know, nearest first. */
  readonly nearestModels?: readonly string[];
}

/** The service's own words are quoted up to here, in characters. */
const longestQuote = 300;

/** Any error as a person reads it. Holds no stack and no key. */
export function describe(error: unknown, hints: ErrorHints = {}): WireError {
  if (isApiError(error)) {
    const { title, detail, actions } = apiErrorWords(error, hints);
    const { exchangeId } = error.details;
    return {
      kind: error.kind,
      title,
      detail: [detail, ...facts(error)].join(' '),
      actions: exchangeId === undefined ? actions : [...actions, step('showExchange', exchangeId)],
    };
  }
  if (isUserError(error)) {
    return { kind: 'user', title: error.title, detail: error.detail, actions: error.actions };
  }
  return {
    kind: 'unexpected',
    title: l10n.t('This extension made a mistake'),
    detail: l10n.t(
      'It did not expect this: {0}. The log has the details.',
      error instanceof Error ? error.message : String(error),
    ),
    actions: [step('showLog')],
  };
}

/**
 * Takes a step offered with an error. Ids come back from pages that are not trusted, so only the steps known here are taken.
 * False for any other id (`retry`, `chooseModel`, `useModel:…`), which whoever showed the error knows about.
 */
export async function runAction(id: string): Promise<boolean> {
  const asked = toStep(id);
  if (!asked) return false;
  switch (asked.name) {
    case 'signIn':
      await runCommand('inferenceDesk.signIn');
      break;
    case 'manageKey':
      await runCommand('inferenceDesk.manageKey');
      break;
    case 'tryDemo':
      await runCommand('inferenceDesk.demo.start');
      break;
    case 'changeBaseUrl':
      await runCommand('inferenceDesk.changeBaseUrl');
      break;
    case 'networkSetting':
      await openSetting('inferenceDesk.network.stack');
      break;
    case 'proxySetting':
      await openSetting('http.proxy');
      break;
    case 'profilesSetting':
      await openSetting('inferenceDesk.profiles');
      break;
    case 'messageLimitSetting':
      await openSetting('inferenceDesk.chat.messageLimit');
      break;
    case 'budgetSetting':
      await openSetting('inferenceDesk.chat.dailyTokenBudget');
      break;
    case 'showLog':
      await runCommand('inferenceDesk.showLog');
      break;
    case 'showExchange':
      await runCommand('inferenceDesk.showExchange', asked.about);
      break;
  }
  return true;
}

/** Whether the person, not a fault, ended it. */
export function isCancellation(error: unknown): boolean {
  if (isApiError(error)) return error.kind === 'aborted';
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}

/**
 * Logs an error and tells it to the person in words, with its next steps as buttons. Says nothing of what was cancelled.
 * Resolves when the person chose a step or closed the message.
 */
export type Report = (error: unknown) => Promise<void>;

export function createReport(log: vscode.LogOutputChannel): Report {
  return async (error) => {
    if (isCancellation(error)) return;
    const { kind, title, detail, actions } = describe(error);
    if (kind === 'unexpected') log.error(error instanceof Error ? error : String(error));
    else log.warn(`${title}: ${detail}`);
    const offered = actions.filter(({ id }) => toStep(id));
    const chosen = await vscode.window.showErrorMessage(`${title}. ${detail}`, ...offered.map(({ label }) => label));
    const next = offered.find(({ label }) => label === chosen);
    if (next) await runAction(next.id);
  };
}

function apiErrorWords(error: ApiError, hints: ErrorHints): Words {
  switch (error.kind) {
    case 'auth':
    case 'permission':
    case 'balance':
    case 'invalidParameter':
    case 'badRequest':
    case 'unknownModel':
    case 'tooLong':
    case 'notFound':
    case 'notOffered':
    case 'unsafeUrl':
    case 'file':
      return refusalWords(error.kind, error, hints);
    case 'rateLimit':
    case 'overloaded':
    case 'server':
      return limitWords(error.kind, error);
    case 'network':
    case 'proxy':
    case 'certificate':
    case 'timeout':
    case 'aborted':
    case 'truncated':
    case 'badResponse':
      return networkWords(error.kind, error);
  }
}

/** The service's own words, whether it may have cost something, and what support asks for. */
function* facts({ kind, message, details }: ApiError): Generator<string> {
  if (details.fromService && kind !== 'auth' && kind !== 'notOffered' && message) {
    const quote = message.length > longestQuote ? `${message.slice(0, longestQuote)}…` : message;
    yield l10n.t('The service says: {0}', `“${quote}”`);
  }
  if (details.maybeBilled) yield l10n.t('It may have been billed.');
  if (details.traceId) yield l10n.t('Trace id: {0}', details.traceId);
}

async function openSetting(name: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', name);
}
