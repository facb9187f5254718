import { l10n } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import { systemCode } from '../../core/network/systemCode';
import { retry, step } from './errorActions';
import type { Words } from './errorMessage';

/** Describes a connection that could not be established, or was closed before a response arrived. */
export function unreachableWords(error: ApiError): Words {
  const code = systemCode(error) ?? '';
  const actions = [retry(), step('changeBaseUrl'), step('networkSetting')];
  if (unknownName.has(code)) {
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
  if (noWay.has(code)) {
    return {
      title: l10n.t('No network leads to the service'),
      detail: l10n.t('Either this machine is offline, or the service is in a network that needs a VPN.'),
      actions,
    };
  }
  if (/^(EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code)) {
    return {
      title: l10n.t('No secure connection could be made'),
      detail: l10n.t(
        'Something answers at the address, but not in https as it should ({0}). Check the address and its port; a company proxy may also be in between.',
        code,
      ),
      actions,
    };
  }
  if (closed.has(code)) {
    return {
      title: l10n.t('The connection was closed before an answer came'),
      detail: l10n.t(
        'The service, or a firewall or proxy on the way, ended it. Try again; if it happens each time, try the other network stack.',
      ),
      actions,
    };
  }
  return {
    title: l10n.t('The service cannot be reached'),
    detail: l10n.t('The connection failed ({0}). Check the network and try again.', code || error.message),
    actions,
  };
}

const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']);
const noWay = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']);
const closed = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

/** Describes a proxy that answered with an error status, or not at all. */
export function proxyWords({ details: { status } }: ApiError): Words {
  const actions = [retry(), step('proxySetting'), step('networkSetting')];
  if (status === 407) {
    return {
      title: l10n.t('The proxy wants a name and a password'),
      detail: l10n.t(
        'Nothing was sent to the service. The network stack "editor" asks for them; or put them into the address in the setting http.proxy.',
      ),
      actions,
    };
  }
  if (status === undefined) {
    return {
      title: l10n.t('The proxy cannot be reached'),
      detail: l10n.t(
        'The settings (http.proxy) or the environment name a proxy that does not answer. Correct its address, or take it out where you need none.',
      ),
      actions,
    };
  }
  return {
    title: l10n.t('The proxy did not let the request through'),
    detail: l10n.t(
      'It answered {0}: it may not know the service, or not allow it. Ask whoever runs the proxy, or set another one (http.proxy). The stack "editor" also knows the system\'s proxy and its sign-in.',
      String(status),
    ),
    actions,
  };
}

export function certificateWords(error: ApiError): Words {
  switch (systemCode(error)) {
    case 'CERT_HAS_EXPIRED':
      return {
        title: l10n.t("The service's certificate has expired"),
        detail: l10n.t(
          'Nothing was sent. Check the date and time of this machine first; if they are right, whoever runs the service has to renew it.',
        ),
        actions: [retry(), step('changeBaseUrl')],
      };
    case 'CERT_NOT_YET_VALID':
      return {
        title: l10n.t("The service's certificate is not valid yet"),
        detail: l10n.t('Nothing was sent. The date and time of this machine are most likely wrong: set them right.'),
        actions: [retry(), step('changeBaseUrl')],
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        title: l10n.t('The certificate is for another name'),
        detail: l10n.t(
          'Nothing was sent. Either the address is mistyped, or something on the way answers in place of the service, such as the sign-in page of a Wi-Fi.',
        ),
        actions: [retry(), step('changeBaseUrl')],
      };
    case undefined:
    default:
      return {
        title: l10n.t("The service's certificate is not trusted"),
        detail: l10n.t(
          'Nothing was sent. The service, or a company proxy, signs with a certificate of its own. Add that to the certificates of the system, which the network stack "editor" knows.',
        ),
        actions: [retry(), step('networkSetting')],
      };
  }
}
