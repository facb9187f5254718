import * as l10n from '@vscode/l10n';
import { servicePage } from '../../../core/network/servicePages';
import { knownServiceOf } from '../../../core/profiles/knownServices';
import { otherHostOf, publicHosts } from '../../../core/profiles/publicHosts';
import type { SignInCause, SignInFix } from '../../../core/profiles/signInProblem';
import type { KeyProblem } from '../../../core/profiles/apiKey';
import { maxNameChars } from '../../../core/profiles/profile';
import type { ProfileProblem } from '../../../core/profiles/profile';

/** Returns one short sentence that fits on a single line. */
export function causeWords(cause: SignInCause, host: string): string {
  switch (cause) {
    case 'keyMalformed':
      return l10n.t('{0} reports that the key is malformed', host);
    case 'keyUnknown':
      return l10n.t('{0} rejected this key', host);
    case 'keyNeeded':
      return l10n.t('{0} requires a key', host);
    case 'missingVersion':
      return l10n.t("Couldn't find {0}. The base URL might need /v1", host);
    case 'wrongAddress':
      return l10n.t("This path doesn't exist at {0}", host);
    case 'redirected':
      return l10n.t("{0} redirects, so the key wasn't sent", host);
    case 'notTheInterface':
      return l10n.t('{0} returned an unexpected response', host);
    case 'proxy':
      return l10n.t('The proxy rejected the request to {0}', host);
    case 'certificate':
      return l10n.t("The certificate for {0} isn't trusted", host);
    case 'certificateTime':
      return l10n.t("The certificate for {0} has expired, or this machine's clock is wrong", host);
    case 'nameNotFound':
      return l10n.t("Couldn't find {0}", host);
    case 'refused':
      return l10n.t("{0} isn't running", host);
    case 'unreachable':
      return l10n.t("Couldn't reach {0}", host);
    case 'timeout':
      return l10n.t("{0} didn't respond in time", host);
    case 'permission':
      return l10n.t("The key can't list models at {0}", host);
    case 'busy':
      return l10n.t('{0} is busy or limiting requests', host);
    case 'other':
      return l10n.t('{0} rejected the request', host);
  }
}

interface FixWords {
  readonly label: string;
  readonly detail: string;
}

/** Describes the fix and when it is the right one. */
export function fixWords(
  fix: SignInFix,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
): FixWords {
  switch (fix) {
    case 'enterKey':
      return {
        label: l10n.t('Enter Key'),
        detail: l10n.t("Stored in VS Code's secret storage, sent only to {0}.", new URL(baseUrl).origin),
      };
    case 'editKey':
      return {
        label: l10n.t('Edit Key'),
        detail: l10n.t('The key might be mistyped, incomplete, or revoked.'),
      };
    case 'otherHost':
      return {
        label: l10n.t('Try {0}', otherHostName(baseUrl)),
        detail: l10n.t("SiliconFlow's two hosts have separate keys. Yours is sent only after you confirm."),
      };
    case 'addVersion':
      return { label: l10n.t('Add /v1 and Try Again'), detail: `${baseUrl}/v1` };
    case 'editAddress':
      return { label: l10n.t('Edit Base URL'), detail: baseUrl };
    case 'retry':
      return { label: l10n.t('Try Again'), detail: baseUrl };
    case 'networkStack':
      return {
        label: l10n.t('Open Network Stack Setting'),
        detail: l10n.t('The network stack "editor" uses the system\'s certificates and proxy.'),
      };
    case 'getKey':
    case 'verifyIdentity':
      return pageWords(fix, baseUrl);
    case 'proxySetting':
      return {
        label: l10n.t('Open Proxy Setting'),
        detail: l10n.t('Set http.proxy, then try again here.'),
      };
    case 'keepUnchecked':
      return key === ''
        ? {
            label: l10n.t('Save Account Without Checking'),
            detail: l10n.t("Use this if the service isn't running."),
          }
        : { label: l10n.t('Save Key Without Checking'), detail: l10n.t("Use this if you're offline.") };
    case 'showExchange':
      return {
        label: l10n.t('Show Request and Response'),
        detail: l10n.t("Doesn't include the key."),
      };
  }
}

function pageWords(fix: 'getKey' | 'verifyIdentity', baseUrl: string): FixWords {
  const service = knownServiceOf(baseUrl)?.id;
  return fix === 'getKey'
    ? { label: l10n.t('Get API Key'), detail: servicePage(service, 'keys') ?? '' }
    : { label: l10n.t('Verify Identity'), detail: servicePage(service, 'identity') ?? '' };
}

function otherHostName(baseUrl: string): string {
  const other = otherHostOf(baseUrl);
  return other === undefined ? '' : new URL(publicHosts[other]).host;
}

/** Describes the problem of an entry in the profile list, or of a typed URL. */
export function addressProblemWords(problem: ProfileProblem['problem']): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Enter a URL, such as https://api.example.com/v1.');
    case 'key':
      return l10n.t('This is a key. Enter a URL.');
    case 'notAnAddress':
      return l10n.t('Invalid URL. For example: https://api.example.com/v1');
    case 'scheme':
      return l10n.t('Only https and http URLs are supported.');
    case 'plainHttp':
      return l10n.t('http is only allowed on this machine and in private networks. Use https.');
    case 'privateHttp':
      return l10n.t(
        'Over http, anyone on the private network can read the key. Set allowHttp in the entry, or use https.',
      );
    case 'credentials':
      return l10n.t('Remove the user name and password.');
    case 'query':
      return l10n.t('Remove everything from the ? or # onward.');
    case 'shape':
      return l10n.t('Add the properties "id", "name", and "baseUrl" to the entry.');
    case 'id':
      return l10n.t('Use up to 64 letters, digits, hyphens, and underscores.');
    case 'duplicateId':
      return l10n.t('Another entry has the same ID.');
  }
}

export function keyProblemWords(problem: KeyProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Paste the key here.');
    case 'address':
      return l10n.t('This is a URL. Enter a key.');
    case 'whiteSpace':
      return l10n.t('Copy only the key, without spaces or line breaks.');
    case 'control':
      return l10n.t('Control character in the key. Copy it again.');
    case 'nonAscii':
      return l10n.t('Invalid or invisible character in the key. Copy it again.');
    case 'tooLong':
      return l10n.t('Too long. Copy only the key.');
  }
}

/** `undefined` if the name is valid. */
export function nameProblemWords(
  text: string,
  profileId: string | undefined,
  list: readonly { readonly id: string; readonly name: string }[],
): string | undefined {
  const name = text.trim();
  if (name === '') return l10n.t('Enter a name.');
  if (name.length > maxNameChars) return l10n.t('Maximum length: {0} characters.', maxNameChars);
  const isTaken = list.some((profile) => profile.name === name && profile.id !== profileId);
  return isTaken ? l10n.t('Another account has this name.') : undefined;
}
