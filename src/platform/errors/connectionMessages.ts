import * as l10n from '@vscode/l10n';
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
      title: l10n.t("Couldn't find the service's host name"),
      detail: l10n.t("You're offline, the base URL is mistyped, or a proxy is required."),
      actions,
    };
  }
  if (code === 'ECONNREFUSED') {
    return {
      title: l10n.t('No service is running at this URL'),
      detail: l10n.t('Check the port, and that the service is running.'),
      actions,
    };
  }
  if (noWay.has(code)) {
    return {
      title: l10n.t('No network connection to the service'),
      detail: l10n.t("You're offline, or the service requires a VPN."),
      actions,
    };
  }
  if (/^(EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code)) {
    return {
      title: l10n.t("Couldn't establish a secure connection"),
      detail: l10n.t("The server doesn't use https as expected ({0}). Check the URL, its port, and your proxy.", code),
      actions,
    };
  }
  if (closed.has(code)) {
    return {
      title: l10n.t('Connection closed before a response arrived'),
      detail: l10n.t('Try again, or use the other network stack.'),
      actions,
    };
  }
  return {
    title: l10n.t("Couldn't reach the service"),
    detail: l10n.t('The connection failed ({0}). Check your network.', code || error.message),
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
      title: l10n.t('The proxy requires a password'),
      detail: l10n.t('Not sent. Use the network stack "editor", or add the password to the setting http.proxy.'),
      actions,
    };
  }
  if (status === undefined) {
    return {
      title: l10n.t("Couldn't reach the proxy"),
      detail: l10n.t('Correct the proxy URL in the setting http.proxy or your environment variables.'),
      actions,
    };
  }
  return {
    title: l10n.t('The proxy rejected the request'),
    detail: l10n.t(
      'The proxy responded with {0}. Set another proxy (http.proxy), or use the network stack "editor".',
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
        detail: l10n.t("Not sent. If this machine's clock is correct, the service must renew its certificate."),
        actions: [retry(), step('changeBaseUrl')],
      };
    case 'CERT_NOT_YET_VALID':
      return {
        title: l10n.t("The service's certificate isn't valid yet"),
        detail: l10n.t("Not sent. Correct this machine's clock."),
        actions: [retry(), step('changeBaseUrl')],
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        title: l10n.t('The certificate is for another host name'),
        detail: l10n.t("Not sent. The URL might be mistyped, or your network's sign-in page responded."),
        actions: [retry(), step('changeBaseUrl')],
      };
    case undefined:
    default:
      return {
        title: l10n.t("The service's certificate isn't trusted"),
        detail: l10n.t(
          'Not sent. Add the service\'s or proxy\'s own certificate to the system, then use the network stack "editor".',
        ),
        actions: [retry(), step('networkSetting')],
      };
  }
}
