import { env, l10n } from 'vscode';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import type { ApiError } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import { listText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import { certificateWords, proxyWords, unreachableWords } from './connectionMessages';
import { chooseModel, retry, step, useModel } from './errorActions';
import { rateLimitWords } from './rateLimitMessages';
import {
  balanceWords,
  moderationWords,
  permissionWords,
  regionWords,
  rejectionWords,
  tooLargeWords,
  tooLongWords,
} from './rejectionMessages';
import { overloadedWords, serverWords } from './serverMessages';
import type { ErrorHints, Words } from './errorMessage';
import { fileErrorWords } from './fileErrorMessages';
import { notOfferedWords } from './notOfferedMessages';
import { parameterWords } from './parameterMessages';

/** Describes to the user what happened and what to do, for each kind of error. */
export const apiErrorMessages: { readonly [Kind in ApiErrorKind]: (error: ApiError, hints: ErrorHints) => Words } = {
  auth: authWords,
  region: regionWords,
  moderation: moderationWords,
  permission: permissionWords,
  balance: balanceWords,
  invalidParameter: ({ message, details: { issue } }) => ({
    title: l10n.t('A value is out of its bounds'),
    detail: sentences(issue ? parameterWords(issue) : message, l10n.t('Nothing was sent.')),
    actions: [],
  }),
  badRequest: rejectionWords,
  unknownModel: unknownModelWords,
  tooLong: tooLongWords,
  requestTooLarge: tooLargeWords,
  notFound: (error) =>
    addressWords(error) ?? {
      title: l10n.t('The service does not know this item'),
      detail: l10n.t('It may have been deleted or have expired. Refresh the list.'),
      actions: [],
    },
  notOffered: (error) => addressWords(error) ?? notOfferedWords(error),
  rateLimit: rateLimitWords,
  overloaded: overloadedWords,
  server: serverWords,
  network: unreachableWords,
  proxy: proxyWords,
  certificate: certificateWords,
  timeout: timeoutWords,
  aborted: () => ({ title: l10n.t('Stopped'), detail: l10n.t('It was stopped before it ended.'), actions: [retry()] }),
  truncated: cutWords,
  badResponse: badResponseWords,
  unsafeUrl: ({ message }) => ({
    title: l10n.t('A result address was refused'),
    detail: l10n.t('The service named an address that is not read from here. {0}', message),
    actions: [],
  }),
  tooLarge: ({ message }) => ({
    title: l10n.t('The file is too large'),
    detail: l10n.t('The file was not downloaded. {0}', message),
    actions: [],
  }),
  file: (error) =>
    fileErrorWords(error) ?? {
      title: l10n.t('A file could not be read or written'),
      detail: l10n.t('Check that it is still there, may be read, and that the disk is not full. {0}', error.message),
      actions: [],
    },
};

function authWords(error: ApiError): Words {
  if (error.details.status === undefined) {
    return {
      title: l10n.t('No API key'),
      detail: l10n.t(
        'The active account has no key on this machine. Sign in to enter one, or try the demo service, which needs none.',
      ),
      actions: [step('signIn'), step('tryDemo')],
    };
  }
  if (error.details.hint === 'noKey') {
    return {
      title: l10n.t('The service wants an API key'),
      detail: l10n.t('The active account is used without one. Enter a key, or check the address.'),
      actions: [step('manageKey'), step('changeBaseUrl')],
    };
  }
  return {
    title: l10n.t('The service did not accept the API key'),
    detail: refusedKeyWords(error),
    actions: [step('manageKey')],
  };
}

function refusedKeyWords({ details: { hint } }: ApiError): string {
  if (hint === 'malformedKey') {
    return l10n.t(
      'The key does not look like one of this service: a part of it may be missing. Check it or enter another one.',
    );
  }
  // Only the public service says so.
  return hint === 'unknownKey'
    ? l10n.t(
        'The key is mistyped, was revoked, or belongs to another service: keys of the international and of the Chinese host do not work at each other. Check it or enter another one.',
      )
    : l10n.t('The key is mistyped, was revoked, or belongs to another service. Check it or enter another one.');
}

/** Returns `undefined` if nothing suggests a wrong URL. */
function addressWords({ details: { endpoint, hint } }: ApiError): Words | undefined {
  const path = endpoint ?? l10n.t('this path');
  const details: Readonly<Record<string, string>> = {
    missingVersion: l10n.t(
      'There is nothing at {0}. The address of the account lacks the version at its end, mostly /v1.',
      path,
    ),
    wrongBaseUrl: l10n.t('There is no such service at the address of the account: nothing was found at {0}.', path),
  };
  const detail = details[hint ?? ''];
  if (detail === undefined) return undefined;
  return { title: l10n.t('The address of the service seems wrong'), detail, actions: [step('changeBaseUrl')] };
}

function unknownModelWords(error: ApiError, { nearestModels = [] }: ErrorHints): Words {
  const model = error.details.model;
  return {
    title: model
      ? l10n.t('The service has no model {0}', foreign(model))
      : l10n.t('The service does not have this model'),
    detail:
      nearestModels.length > 0
        ? l10n.t('The nearest names in its list: {0}', listText(nearestModels, env.language))
        : l10n.t('Refresh the models and choose another one.'),
    actions: [...nearestModels.slice(0, 2).map(useModel), chooseModel()],
  };
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
        'The key is not sent on to an address it was not entered for. If the service has moved, change the address of the account.',
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
  if (hint === 'tooMuch') {
    return {
      title: l10n.t('The response is too large to read'),
      detail: l10n.t('Request fewer or smaller images at a time, or a smaller format.'),
      actions: [],
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
