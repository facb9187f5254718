import { env, l10n } from 'vscode';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import type { ApiError, LimitKind } from '../../core/api/errors';
import type { GateWait } from '../../core/api/transport/gate';
import { foreign } from '../../core/text/foreignText';
import { listText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import { certificateWords, proxyWords, unreachableWords } from './connectionMessages';
import { chooseModel, retry, step, useModel } from './errorActions';
import type { ErrorHints, Words } from './errorMessage';
import { fileErrorWords } from './fileErrorMessages';
import { notOfferedWords } from './notOfferedMessages';
import { parameterWords } from './parameterMessages';

/** Describes to the user what happened and what to do, for each kind of error. */
export const apiErrorMessages: { readonly [Kind in ApiErrorKind]: (error: ApiError, hints: ErrorHints) => Words } = {
  auth: authWords,
  permission: () => ({
    title: l10n.t('The account may not do this'),
    detail: l10n.t(
      "The account or its key lacks the right to do this, or the account has to verify its identity first. See the service's console.",
    ),
    actions: [],
  }),
  balance: () => ({
    title: l10n.t('The balance is used up'),
    detail: l10n.t(
      "The service refused because the account has no money left for this. Top it up in the service's console, then try again.",
    ),
    actions: [],
  }),
  invalidParameter: ({ message, details: { issue } }) => ({
    title: l10n.t('A value is out of its bounds'),
    detail: sentences(issue ? parameterWords(issue) : message, l10n.t('Nothing was sent.')),
    actions: [],
  }),
  badRequest: ({ details: { parameter } }) => ({
    title: parameter
      ? l10n.t('The service refused the parameter {0}', parameter)
      : l10n.t('The service refused the request'),
    detail: l10n.t('Change or leave out what it names, then try again.'),
    actions: [],
  }),
  unknownModel: unknownModelWords,
  tooLong: () => ({
    title: l10n.t('The text is too long for this model'),
    detail: l10n.t(
      'The question with what came before and the longest answer allowed do not fit the model. Shorten it, start a new conversation, or lower max_tokens.',
    ),
    actions: [chooseModel()],
  }),
  notFound: (error) =>
    addressWords(error) ?? {
      title: l10n.t('The service does not know this item'),
      detail: l10n.t('It may have been deleted or have expired. Refresh the list.'),
      actions: [],
    },
  notOffered: (error) => addressWords(error) ?? notOfferedWords(error),
  rateLimit: rateLimitWords,
  overloaded: () => ({
    title: l10n.t('The service is overloaded'),
    detail: l10n.t('This model has too many requests now. Wait a little and try again, or use another model.'),
    actions: [retry(), chooseModel()],
  }),
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

function serverWords({ details: { status, code } }: ApiError): Words {
  return status === 504
    ? {
        title: l10n.t('The service ran out of time'),
        detail: l10n.t(
          'The answer took longer than its gateway waits. Try again later; with streaming such calls pass more often.',
        ),
        actions: [retry()],
      }
    : {
        title: l10n.t('The service failed'),
        detail: l10n.t(
          'It answered with an error of its own ({0}). This is not caused by the request; try again later.',
          String(status ?? code ?? '?'),
        ),
        actions: [retry()],
      };
}

function rateLimitWords({ details: { limit, retryAfterMs } }: ApiError): Words {
  const wait = retryAfterMs ? l10n.t('The service asks to wait {0} s.', Math.ceil(retryAfterMs / 1000)) : undefined;
  const daily = limit?.endsWith('D') ?? false;
  const general = daily
    ? l10n.t(
        'It counts for the account and this model and starts anew tomorrow. Until then use another model, or add the request to a batch file: batches run outside these limits.',
      )
    : l10n.t('It counts for the account and this model. Wait and try again, or use another model.');
  return {
    title: limitTitle(limit),
    detail: wait ? `${wait} ${general}` : general,
    actions: daily ? [chooseModel()] : [retry(), chooseModel()],
  };
}

/** Describes what delays a call that will continue automatically. */
export function waitTitle({ reason, limit }: GateWait): string {
  switch (reason) {
    case 'rateLimit':
      return limitTitle(limit);
    case 'overloaded':
      return l10n.t('The service is overloaded');
    case 'network':
      return l10n.t('The connection failed');
    case 'server':
      return l10n.t('The service failed');
  }
}

function limitTitle(limit: LimitKind | undefined): string {
  switch (limit) {
    case 'RPM':
      return l10n.t('Requests per minute are used up for this model');
    case 'RPH':
      return l10n.t('Requests per hour are used up for this model');
    case 'RPD':
      return l10n.t('Requests per day are used up for this model');
    case 'TPM':
      return l10n.t('Tokens per minute are used up for this model');
    case 'TPD':
      return l10n.t('Tokens per day are used up for this model');
    case 'IPM':
      return l10n.t('Images per minute are used up for this model');
    case 'IPD':
      return l10n.t('Images per day are used up for this model');
    case undefined:
      return l10n.t('The service limits how often it is asked');
    default:
      return l10n.t('A limit of the service is reached: {0}', limit);
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
      detail: l10n.t('You may have been charged. Request fewer or smaller images at once, or a smaller format.'),
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
