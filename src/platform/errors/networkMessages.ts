import { l10n } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import { certificateWords, proxyWords, unreachableWords } from './connectionMessages';
import { retry, step } from './errorActions';
import type { Words } from './errorMessage';

export type ConnectionKind = 'network' | 'proxy' | 'certificate' | 'timeout' | 'aborted' | 'truncated' | 'badResponse';

/** Describes what failed between this machine and the service. */
export function networkWords(kind: ConnectionKind, error: ApiError): Words {
  switch (kind) {
    case 'network':
      return unreachableWords(error);
    case 'proxy':
      return proxyWords(error);
    case 'certificate':
      return certificateWords(error);
    case 'timeout':
      return timeoutWords(error);
    case 'aborted':
      return { title: l10n.t('Stopped'), detail: l10n.t('It was stopped before it ended.'), actions: [retry()] };
    case 'truncated':
      return cutWords(error);
    case 'badResponse':
      return badResponseWords(error);
  }
}

function cutWords({ details: { hint } }: ApiError): Words {
  if (hint === 'tooMuch') {
    return {
      title: l10n.t('The answer was stopped at 8 MB'),
      detail: l10n.t('It did not come to an end; the model may be repeating itself. What came is kept.'),
      actions: [retry()],
    };
  }
  return {
    title: l10n.t('The answer was cut off'),
    detail: l10n.t('The connection ended before the service said that it was done. What came is kept.'),
    actions: [retry()],
  };
}

function timeoutWords({ details: { phase } }: ApiError): Words {
  switch (phase) {
    case 'connect':
      return {
        title: l10n.t('The service cannot be reached in time'),
        detail: l10n.t('No connection came about. A firewall or a missing proxy setting is the usual cause.'),
        actions: [retry(), step('proxySetting'), step('networkSetting')],
      };
    case 'idle':
      return {
        title: l10n.t('The answer stalled'),
        detail: l10n.t('Nothing more came for a long time. What came is kept.'),
        actions: [retry()],
      };
    case 'total':
      return {
        title: l10n.t('It took too long'),
        detail: l10n.t('The whole call did not end in its time.'),
        actions: [retry()],
      };
    case 'firstByte':
    case undefined:
      return {
        title: l10n.t('The service did not answer in time'),
        detail: l10n.t('The request was sent, but nothing came back. The service may be busy; try again.'),
        actions: [retry()],
      };
  }
}

function badResponseWords({ details: { hint } }: ApiError): Words {
  if (hint === 'redirected') {
    return {
      title: l10n.t('The service forwards to another address'),
      detail: l10n.t(
        'The key is not sent on to an address it was not entered for. If the service has moved, change the address of the profile.',
      ),
      actions: [step('changeBaseUrl')],
    };
  }
  if (hint === 'webPage') {
    return {
      title: l10n.t('A web page came in place of an answer'),
      detail: l10n.t(
        'Something on the way answered, such as the sign-in page of a Wi-Fi or the filter of a company, or the address leads to a web site. Open any page in the browser to sign in to the network, then try again; else check the address.',
      ),
      actions: [retry(), step('changeBaseUrl')],
    };
  }
  if (hint === 'empty') {
    return {
      title: l10n.t('The answer was empty'),
      detail: l10n.t(
        'The service, or something between here and it, said that all is well and sent nothing. Try again; if it happens each time, check the address.',
      ),
      actions: [retry(), step('changeBaseUrl')],
    };
  }
  return {
    title: l10n.t('The answer cannot be understood'),
    detail: l10n.t(
      'The service, or something between here and it, answered with what its interface does not have, such as a web page. Check the address, and look at the exchange.',
    ),
    actions: [retry(), step('changeBaseUrl'), step('reportProblem')],
  };
}
