import * as l10n from '@vscode/l10n';
import type { ApiError } from '../../core/api/errors';
import { chooseModel, retry } from './errorActions';
import { isOfChat, type Words } from './errorMessage';

export function overloadedWords({ details: { hint, model } }: ApiError): Words {
  if (hint === 'loading') {
    return {
      title: l10n.t('The model is still loading'),
      detail: l10n.t('Try again when the server has loaded the model.'),
      actions: [retry()],
    };
  }
  return model === undefined
    ? {
        title: l10n.t('The service is temporarily unavailable'),
        detail: l10n.t('Try again in a moment.'),
        actions: [retry()],
      }
    : {
        title: l10n.t('The service is overloaded'),
        detail: l10n.t('Try again in a moment, or use another model.'),
        actions: [retry(), chooseModel()],
      };
}

/** Describes an error inside the service, or of a gateway in front of it. */
export function serverWords(error: ApiError): Words {
  const { hint, status, isFree } = error.details;
  if (hint === 'gatewayTimeout') {
    return {
      title: l10n.t('The service took too long to respond'),
      detail: isOfChat(error)
        ? l10n.t(
            'A gateway in front of the service stopped waiting ({0}). Try again, or request a shorter response.',
            `${status}`,
          )
        : l10n.t('A gateway in front of the service stopped waiting ({0}). Try again.', `${status}`),
      actions: [retry()],
    };
  }
  if (hint === 'gateway') {
    return {
      title: l10n.t("The gateway couldn't reach the service"),
      detail: l10n.t(
        "The gateway reported an error ({0}). If retrying doesn't help, check the service's status.",
        `${status}`,
      ),
      actions: [retry()],
    };
  }
  return { title: l10n.t('The service failed'), detail: failureDetail(error, isFree === true), actions: [retry()] };
}

function failureDetail({ details: { status, code } }: ApiError, isFree: boolean): string {
  // A successful status says nothing about the error that came with it.
  const number = status === undefined || status < 300 ? code : status;
  if (number === undefined) {
    return isFree
      ? l10n.t("The server reported an error. If retrying doesn't help, check the server log.")
      : l10n.t("The service reported an error. If retrying doesn't help, check the service's status.");
  }
  return isFree
    ? l10n.t("The server reported an error ({0}). If retrying doesn't help, check the server log.", number)
    : l10n.t("The service reported an error ({0}). If retrying doesn't help, check the service's status.", number);
}
