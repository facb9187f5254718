import { errorKinds } from '../api/errorKinds';
import type { ApiErrorKind } from '../api/errorKinds';
import type { ApiError } from '../api/errors';
import { servicePage } from '../network/servicePages';
import { systemCode } from '../network/systemCode';
import { knownServiceOf } from './knownServices';
import { otherHostOf } from './publicHosts';

/** Why a first call with a new key or address failed, as far as the user's next step differs. */
export type SignInCause =
  | 'keyMalformed'
  | 'keyUnknown'
  /** It was tried without a key. */
  | 'keyNeeded'
  | 'missingVersion'
  | 'wrongAddress'
  | 'redirected'
  | 'notTheInterface'
  | 'proxy'
  | 'certificate'
  /** The certificate has expired or is not valid yet, or this machine's clock is wrong. */
  | 'certificateTime'
  | 'nameNotFound'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'permission'
  | 'busy'
  | 'other';

export type SignInFix =
  | 'enterKey'
  | 'editKey'
  | 'otherHost'
  | 'addVersion'
  | 'editAddress'
  | 'retry'
  /** Opens the page where keys are made. */
  | 'getKey'
  /** Opens the page where the account's owner is verified. */
  | 'verifyIdentity'
  | 'networkStack'
  | 'proxySetting'
  /** Saves the key unchecked: it may well be valid. */
  | 'keepUnchecked'
  | 'showExchange';

export interface SignInProblem {
  readonly cause: SignInCause;
  /** The most promising first. */
  readonly fixes: readonly SignInFix[];
}

interface Tried {
  readonly baseUrl: string;
  readonly key: string;
}

const fixesOf: { readonly [Cause in SignInCause]: readonly SignInFix[] } = {
  keyMalformed: ['editKey', 'otherHost', 'getKey', 'editAddress'],
  keyUnknown: ['otherHost', 'editKey', 'getKey', 'editAddress'],
  keyNeeded: ['enterKey', 'getKey', 'editAddress'],
  missingVersion: ['addVersion', 'editAddress'],
  wrongAddress: ['editAddress'],
  redirected: ['editAddress'],
  notTheInterface: ['editAddress', 'retry'],
  proxy: ['retry', 'proxySetting', 'networkStack', 'keepUnchecked'],
  certificate: ['networkStack', 'retry', 'editAddress', 'keepUnchecked'],
  certificateTime: ['retry', 'editAddress', 'keepUnchecked'],
  nameNotFound: ['editAddress', 'retry', 'networkStack', 'keepUnchecked'],
  refused: ['retry', 'editAddress', 'keepUnchecked'],
  unreachable: ['retry', 'networkStack', 'editAddress', 'keepUnchecked'],
  timeout: ['retry', 'proxySetting', 'networkStack', 'keepUnchecked'],
  permission: ['editKey', 'verifyIdentity', 'getKey', 'keepUnchecked'],
  busy: ['retry', 'keepUnchecked'],
  other: ['retry', 'editKey', 'editAddress'],
};

/** Returns the meaning of a failed key check at a URL, and possible fixes. The key is empty if none was sent. */
export function diagnose(error: ApiError, { baseUrl, key }: Tried): SignInProblem {
  const refused = causeOf(error);
  const isAboutKey = refused === 'keyMalformed' || refused === 'keyUnknown' || refused === 'permission';
  const cause = isAboutKey && key === '' ? 'keyNeeded' : refused;
  const fixes = fixesOf[cause]
    .filter((fix) => isPossible(fix, baseUrl))
    .map((fix) => (fix === 'editKey' && key === '' ? 'enterKey' : fix));
  return { cause, fixes: error.details.exchangeId === undefined ? fixes : [...fixes, 'showExchange'] };
}

function isPossible(fix: SignInFix, baseUrl: string): boolean {
  if (fix === 'otherHost') return otherHostOf(baseUrl) !== undefined;
  if (fix !== 'getKey' && fix !== 'verifyIdentity') return true;
  return servicePage(knownServiceOf(baseUrl)?.id, fix === 'getKey' ? 'keys' : 'identity') !== undefined;
}

function causeOf(error: ApiError): SignInCause {
  const { hint } = error.details;
  if (hint === 'missingVersion' || hint === 'redirected') return hint;
  if (hint === 'wrongBaseUrl') return 'wrongAddress';
  const { retry } = errorKinds[error.kind];
  const isBusy = retry !== undefined && retry !== 'network';
  return causes[error.kind]?.(error) ?? (isBusy ? 'busy' : 'other');
}

/** The causes of the kinds with a separate one. */
const causes: { readonly [Kind in ApiErrorKind]?: (error: ApiError) => SignInCause } = {
  auth: ({ details }) => (details.hint === 'malformedKey' ? 'keyMalformed' : 'keyUnknown'),
  notFound: () => 'wrongAddress',
  notOffered: () => 'wrongAddress',
  badResponse: () => 'notTheInterface',
  certificate: (error) =>
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(systemCode(error) ?? '') ? 'certificateTime' : 'certificate',
  proxy: () => 'proxy',
  timeout: () => 'timeout',
  permission: () => 'permission',
  network: (error) => networkCause(systemCode(error)),
};

function networkCause(code: string | undefined): SignInCause {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') return 'nameNotFound';
  return code === 'ECONNREFUSED' ? 'refused' : 'unreachable';
}
