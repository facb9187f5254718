import { env, l10n } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import { chooseModel, step, useModel } from './errorActions';
import { fileErrorWords } from './fileErrorMessages';
import { parameterWords } from './parameterMessages';
import type { ErrorHints, Words } from './errorMessage';
import { sentences } from '../../protocol/sentences';
import { listText } from '../../protocol/formats';
import { foreign } from '../../core/text/foreignText';

export type RefusalKind =
  | 'auth'
  | 'permission'
  | 'balance'
  | 'invalidParameter'
  | 'badRequest'
  | 'unknownModel'
  | 'tooLong'
  | 'notFound'
  | 'notOffered'
  | 'unsafeUrl'
  | 'tooLarge'
  | 'file';

/** Describes what the service or this client will not do, however often it is requested. */
export function refusalWords(kind: RefusalKind, error: ApiError, hints: ErrorHints): Words {
  return wordsOf[kind](error, hints);
}

const wordsOf: { readonly [Kind in RefusalKind]: (error: ApiError, hints: ErrorHints) => Words } = {
  auth: authWords,
  permission: () => ({
    title: l10n.t('The account may not do this'),
    detail: l10n.t(
      "Mostly the account has to verify its identity first: open its profile in the service's console, verify, and try again.",
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
  notOffered: (error) =>
    addressWords(error) ?? {
      title: l10n.t('This service does not offer this'),
      detail: l10n.t(
        'It has nothing at {0}. It is asked again after a day and at sign-in.',
        error.details.endpoint ?? l10n.t('this path'),
      ),
      actions: [],
    },
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
        'The active profile has no key on this machine. Sign in to enter one, or try the demo service, which needs none.',
      ),
      actions: [step('signIn'), step('tryDemo')],
    };
  }
  return {
    title: l10n.t('The service did not accept the API key'),
    detail:
      error.details.hint === 'malformedKey'
        ? l10n.t(
            'The key does not look like one of this service: a part of it may be missing. Check it or enter another one.',
          )
        : l10n.t(
            'The key is mistyped, was revoked, or belongs to another service: keys of the international and of the Chinese host do not work at each other. Check it or enter another one.',
          ),
    actions: [step('manageKey')],
  };
}

/** Returns `undefined` if nothing suggests a wrong URL. */
function addressWords({ details: { endpoint, hint } }: ApiError): Words | undefined {
  const path = endpoint ?? l10n.t('this path');
  const details: Readonly<Record<string, string>> = {
    missingVersion: l10n.t(
      'There is nothing at {0}. The address of the profile lacks the version at its end, mostly /v1.',
      path,
    ),
    wrongBaseUrl: l10n.t('There is no such service at the address of the profile: nothing was found at {0}.', path),
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
        ? l10n.t('Its list changes often. The nearest names in it: {0}', listText(nearestModels, env.language))
        : l10n.t('Its list changes often. Refresh the models and choose another one.'),
    actions: [...nearestModels.slice(0, 2).map(useModel), chooseModel()],
  };
}
