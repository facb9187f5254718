import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import type { ApiError } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import { listText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import { certificateWords, proxyWords, unreachableWords } from './connectionMessages';
import { chooseModel, pageStep, retry, step, useModel } from './errorActions';
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
import { type ErrorHints, type Words, isOfChat } from './errorMessage';
import { fileErrorWords } from './fileErrorMessages';
import { parameterWords } from './parameterMessages';

/** Describes to the user what happened and what to do, for each kind of error. */
export const apiErrorMessages: { readonly [Kind in ApiErrorKind]: (error: ApiError, hints: ErrorHints) => Words } = {
  auth: authWords,
  region: regionWords,
  moderation: moderationWords,
  permission: permissionWords,
  balance: balanceWords,
  invalidParameter: ({ message, details: { issue } }) => ({
    title: l10n.t('A value is out of range'),
    detail: sentences(issue ? parameterWords(issue, env.language) : message, l10n.t("The request wasn't sent.")),
    actions: [],
  }),
  badRequest: rejectionWords,
  unknownModel: unknownModelWords,
  tooLong: tooLongWords,
  requestTooLarge: tooLargeWords,
  notFound: (error) =>
    addressWords(error) ?? {
      title: l10n.t("The service couldn't find this item"),
      detail: l10n.t('The item might be deleted or expired. Refresh the list.'),
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
  aborted: () => ({
    title: l10n.t('Stopped'),
    detail: l10n.t('The request was canceled before it finished.'),
    actions: [retry()],
  }),
  truncated: cutWords,
  badResponse: badResponseWords,
  unsafeUrl: ({ message }) => ({
    title: l10n.t('The download link was blocked'),
    detail: l10n.t("The file wasn't downloaded. {0}", message),
    actions: [],
  }),
  tooLarge: ({ message }) => ({
    title: l10n.t('The file is too large'),
    detail: l10n.t("The file wasn't downloaded. {0}", message),
    actions: [],
  }),
  file: (error) =>
    fileErrorWords(error) ?? {
      title: l10n.t("Couldn't read or write a file"),
      detail: l10n.t('The file might be missing or protected, or the disk might be full. {0}', error.message),
      actions: [],
    },
};

function authWords(error: ApiError): Words {
  const { account } = error.details;
  if (error.details.status === undefined) {
    return {
      title: account === undefined ? l10n.t('No API key') : l10n.t('No API key for {0}', foreign(account, 60)),
      detail: l10n.t('Sign in to enter a key, or try the demo service without one.'),
      actions: [step('signIn'), step('tryDemo')],
    };
  }
  if (error.details.hint === 'noKey') {
    return {
      title: l10n.t('The service requires an API key'),
      detail: l10n.t('Enter a key, or check the base URL.'),
      actions: [step('manageKey'), ...pageStep('getKey', error.details.service), step('changeBaseUrl')],
    };
  }
  return {
    title: l10n.t('The service rejected the API key'),
    detail: refusedKeyWords(error),
    actions: [step('manageKey'), ...pageStep('getKey', error.details.service)],
  };
}

function refusedKeyWords({ details: { hint } }: ApiError): string {
  if (hint === 'malformedKey') {
    return l10n.t("This doesn't look like a key for this service. Check it, or enter another one.");
  }
  // Only the public service says so.
  return hint === 'unknownKey'
    ? l10n.t(
        'The key might be mistyped, revoked, or for another service. The international and Chinese hosts use different keys.',
      )
    : l10n.t('The key might be mistyped, revoked, or for another service.');
}

/** Returns `undefined` if nothing suggests a wrong URL. */
function addressWords({ details: { endpoint, hint } }: ApiError): Words | undefined {
  const path = endpoint ?? l10n.t('this path');
  const details: Readonly<Record<string, string>> = {
    missingVersion: l10n.t("{0} wasn't found. The base URL might need a version, such as /v1.", path),
    wrongBaseUrl: l10n.t("{0} wasn't found. The base URL is for another kind of service.", path),
  };
  const detail = details[hint ?? ''];
  if (detail === undefined) return undefined;
  return { title: l10n.t('The base URL might be wrong'), detail, actions: [step('changeBaseUrl')] };
}

function unknownModelWords(error: ApiError, { nearestModels = [] }: ErrorHints): Words {
  const { model, hint } = error.details;
  if (hint === 'notLoaded') {
    return {
      title: l10n.t('No model is loaded on the server'),
      detail: l10n.t('Load a model there first.'),
      actions: [retry(), chooseModel()],
    };
  }
  return {
    title: model
      ? l10n.t("The service doesn't have the model {0}", foreign(model))
      : l10n.t("The service doesn't have this model"),
    detail:
      nearestModels.length > 0
        ? l10n.t('Similar models: {0}', listText(nearestModels, env.language))
        : l10n.t('Refresh the models, or choose another one.'),
    actions: [...nearestModels.slice(0, 2).map(useModel), chooseModel()],
  };
}

function cutWords({ details: { hint } }: ApiError): Words {
  if (hint === 'tooMuch') {
    return {
      title: l10n.t('Response stopped at 8 MB'),
      detail: l10n.t('The model might be repeating itself. The text received is saved.'),
      actions: [retry()],
    };
  }
  return {
    title: l10n.t('The response is incomplete'),
    detail: l10n.t('The connection ended early. The part received is saved.'),
    actions: [retry()],
  };
}

function timeoutWords({ details: { phase } }: ApiError): Words {
  switch (phase) {
    case 'connect':
      return {
        title: l10n.t("Couldn't connect to the service in time"),
        detail: l10n.t('Check for a firewall or a missing proxy setting.'),
        actions: [retry(), step('proxySetting'), step('networkSetting')],
      };
    case 'idle':
      return {
        title: l10n.t('The response stalled'),
        detail: l10n.t('No more data was received. The part received is saved.'),
        actions: [retry()],
      };
    case 'total':
      return {
        title: l10n.t('The request took too long'),
        detail: l10n.t("The request didn't finish in time."),
        actions: [retry()],
      };
    case 'firstByte':
    case undefined:
      return {
        title: l10n.t("The service didn't respond in time"),
        detail: l10n.t('The request was sent. The service might be busy, so try again.'),
        actions: [retry()],
      };
  }
}

function badResponseWords({ details: { hint } }: ApiError): Words {
  if (hint === 'redirected') {
    return {
      title: l10n.t('The service redirected the request to another URL'),
      detail: l10n.t("Keys are never forwarded. If the service has moved, edit the account's base URL."),
      actions: [step('changeBaseUrl')],
    };
  }
  if (hint === 'webPage') {
    return {
      title: l10n.t('Received a web page instead of an API response'),
      detail: l10n.t('Sign in to your network in the browser, or check the base URL.'),
      actions: [retry(), step('changeBaseUrl')],
    };
  }
  if (hint === 'tooMuch') {
    return {
      title: l10n.t('The response is too large'),
      detail: l10n.t('Request fewer or smaller images, or a smaller format.'),
      actions: [],
    };
  }
  if (hint === 'empty') {
    return {
      title: l10n.t('The response is empty'),
      detail: l10n.t('Try again, or check the base URL.'),
      actions: [retry(), step('changeBaseUrl')],
    };
  }
  return {
    title: l10n.t('Unexpected response'),
    detail: l10n.t('The service or a proxy returned an unexpected response. Check the base URL.'),
    actions: [retry(), step('changeBaseUrl'), step('reportProblem')],
  };
}

function overloadedWords({ details: { hint, model } }: ApiError): Words {
  if (hint === 'loading') {
    return {
      title: l10n.t('The model is still loading'),
      detail: l10n.t('Try again when the model is loaded.'),
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
function serverWords(error: ApiError): Words {
  const { hint, status, isFree } = error.details;
  if (hint === 'gatewayTimeout') {
    return {
      title: l10n.t('The service timed out'),
      detail: isOfChat(error)
        ? l10n.t('Gateway timeout ({0}). Try again, or request a shorter response.', `${status}`)
        : l10n.t('Gateway timeout ({0}). Try again.', `${status}`),
      actions: [retry()],
    };
  }
  if (hint === 'gateway') {
    return {
      title: l10n.t("The gateway couldn't reach the service"),
      detail: l10n.t("Gateway error ({0}). Try again, or check the service's status.", `${status}`),
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
      ? l10n.t('Server error. Try again, or check the server log.')
      : l10n.t("Service error. Try again, or check the service's status.");
  }
  return isFree
    ? l10n.t('Server error ({0}). Try again, or check the server log.', number)
    : l10n.t("Service error ({0}). Try again, or check the service's status.", number);
}

/** Describes what a service does not have, by the endpoint that is missing, and what does instead. */
function notOfferedWords({ details: { endpoint = '', hint } }: ApiError): Words {
  if (hint === 'ranksElsewhere') {
    return {
      title: l10n.t('NVIDIA reranks at another URL'),
      detail: l10n.t('Add an account with the base URL {0}.', nvidiaRanking),
      actions: [step('switchAccount')],
    };
  }
  const path = endpoint.replace(/^[A-Z]+ /, '');
  const [, words] = wordsByPath.find(([prefix]) => path.startsWith(prefix)) ?? [];
  const elsewhere = [step('switchAccount'), step('checkAgain')];
  if (!words) {
    return {
      title: l10n.t("This service doesn't support this request"),
      detail: l10n.t("{0} isn't available.", endpoint === '' ? l10n.t('this path') : endpoint),
      actions: elsewhere,
    };
  }
  const { title, instead, isOfBatches = false } = words();
  return { title, detail: instead, actions: isOfBatches ? [step('runLocally'), ...elsewhere] : elsewhere };
}

const nvidiaRanking = 'https://ai.api.nvidia.com/v1';

interface NotOffered {
  readonly title: string;
  readonly instead: string;
  readonly isOfBatches?: true;
}

const useAnother = () => l10n.t('Switch to an account with another service.');

const noCancel = () => ({
  title: l10n.t("This service doesn't support canceling batches"),
  instead: l10n.t("The batch continues. Try to cancel it in the service's console."),
});

const noBatches = () => ({
  title: l10n.t("This service doesn't support batches"),
  instead: l10n.t('Run the batch file now instead.'),
  isOfBatches: true as const,
});

/** The first prefix of a path counts. */
const wordsByPath: readonly (readonly [prefix: string, words: () => NotOffered])[] = [
  ['/batches/{id}/cancel', noCancel],
  ['/messages/batches/{id}/cancel', noCancel],
  ['/batches', noBatches],
  ['/messages/batches', noBatches],
  [
    '/files/{id}',
    () => ({
      title: l10n.t("This service doesn't support file downloads"),
      instead: l10n.t("Open the file in the service's console."),
    }),
  ],
  [
    '/files',
    () => ({
      title: l10n.t("This service doesn't store files"),
      instead: l10n.t('Run the batch file now instead.'),
      isOfBatches: true,
    }),
  ],
  [
    '/completions',
    () => ({
      title: l10n.t("This service doesn't support text completion"),
      instead: l10n.t("Complete uses a chat model instead. Inline suggestions aren't available."),
    }),
  ],
  ['/messages', chatWords],
  ['/chat/completions', chatWords],
  ['/rerank', () => ({ title: l10n.t("This service doesn't support reranking"), instead: useAnother() })],
  [
    '/embeddings',
    () => ({
      title: l10n.t("This service doesn't support embeddings"),
      instead: l10n.t('You can still search files by words.'),
    }),
  ],
  ['/images', () => ({ title: l10n.t("This service doesn't support image generation"), instead: useAnother() })],
  ['/video', () => ({ title: l10n.t("This service doesn't support video generation"), instead: useAnother() })],
  ['/audio/speech', () => ({ title: l10n.t("This service doesn't support speech"), instead: useAnother() })],
  [
    '/audio/transcriptions',
    () => ({ title: l10n.t("This service doesn't support transcription"), instead: useAnother() }),
  ],
  ['/audio/voice', voiceWords],
  ['/uploads/audio/voice', voiceWords],
  [
    '/user/info',
    () => ({
      title: l10n.t("This service doesn't report your balance"),
      instead: l10n.t("Open the file in the service's console."),
    }),
  ],
];

function chatWords(): NotOffered {
  return { title: l10n.t("This service doesn't support chat"), instead: useAnother() };
}

function voiceWords(): NotOffered {
  return { title: l10n.t("This service doesn't support custom voices"), instead: useAnother() };
}
