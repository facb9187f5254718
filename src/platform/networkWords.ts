import { l10n } from 'vscode';
import type { ApiError } from '../core/api/errors';
import { systemCode } from '../core/network/systemCode';
import { retry, step } from './errorActions';
import type { Words } from './reportError';

export type ConnectionKind = 'network' | 'proxy' | 'certificate' | 'timeout' | 'aborted' | 'truncated' | 'badResponse';

/** Words for what went wrong between here and the service. */
export function networkWords(kind: ConnectionKind, error: ApiError): Words {
  switch (kind) {
    case 'network':
      return unreachableWords(error);
    case 'proxy':
      return {
        title: l10n.t('The proxy did not let the request through'),
        detail: l10n.t(
          'Check the proxy in the settings (http.proxy) or in the environment. The stack "editor" also knows the system\'s proxy and its sign-in.',
        ),
        actions: [retry(), step('proxySetting'), step('networkSetting')],
      };
    case 'certificate':
      return {
        title: l10n.t("The service's certificate is not trusted"),
        detail: l10n.t(
          'Either it has expired, or a company proxy signs with a certificate of its own. The network stack "editor" knows the certificates of the system.',
        ),
        actions: [retry(), step('networkSetting')],
      };
    case 'timeout':
      return timeoutWords(error);
    case 'aborted':
      return { title: l10n.t('Stopped'), detail: l10n.t('It was stopped before it ended.'), actions: [retry()] };
    case 'truncated':
      return {
        title: l10n.t('The answer was cut off'),
        detail: l10n.t('The connection ended before the service said that it was done. What came is kept.'),
        actions: [retry()],
      };
    case 'badResponse':
      return badResponseWords(error);
  }
}

function unreachableWords(error: ApiError): Words {
  const code = systemCode(error);
  const actions = [retry(), step('changeBaseUrl'), step('networkSetting')];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return {
      title: l10n.t("The service's name was not found"),
      detail: l10n.t(
        'Either this machine is offline, or the address is mistyped, or the name is only known to a proxy.',
      ),
      actions,
    };
  }
  if (code === 'ECONNREFUSED') {
    return {
      title: l10n.t("Nothing answers at the service's address"),
      detail: l10n.t('The machine is there but refused the connection. Check the port and whether the service runs.'),
      actions,
    };
  }
  return {
    title: l10n.t('The service cannot be reached'),
    detail: l10n.t('The connection failed ({0}). Check the network and try again.', code ?? error.message),
    actions,
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
  return {
    title: l10n.t('The answer cannot be understood'),
    detail: l10n.t(
      'The service, or something between here and it, answered with what its interface does not have, such as a web page. Check the address, and look at the exchange.',
    ),
    actions: [retry(), step('changeBaseUrl')],
  };
}
