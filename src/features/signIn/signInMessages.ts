import { l10n } from 'vscode';
import { otherHostOf, publicHosts } from '../../core/profiles/publicHosts';
import type { SignInCause, SignInFix } from '../../core/profiles/signInProblem';
import type { KeyProblem } from '../../core/profiles/apiKey';
import { maxNameChars } from '../../core/profiles/profile';
import type { ProfileProblem } from '../../core/profiles/profile';

/** Returns one short sentence that fits on a single line. */
export function causeWords(cause: SignInCause, host: string): string {
  switch (cause) {
    case 'keyMalformed':
      return l10n.t('{0} says that the key is malformed', host);
    case 'keyUnknown':
      return l10n.t('{0} does not know this key', host);
    case 'keyNeeded':
      return l10n.t('{0} wants a key', host);
    case 'missingVersion':
      return l10n.t('Nothing is found there: the address lacks /v1', host);
    case 'wrongAddress':
      return l10n.t('{0} has no such service at this path', host);
    case 'redirected':
      return l10n.t('{0} forwards to another address; the key is not sent on', host);
    case 'notTheInterface':
      return l10n.t('{0} answers, but not as this kind of service does', host);
    case 'proxy':
      return l10n.t('The proxy did not let the request through to {0}', host);
    case 'certificate':
      return l10n.t('The certificate of {0} is not trusted', host);
    case 'certificateTime':
      return l10n.t("The certificate of {0} has expired, or this machine's clock is wrong", host);
    case 'nameNotFound':
      return l10n.t('The name {0} was not found', host);
    case 'refused':
      return l10n.t('Nothing answers at {0}', host);
    case 'unreachable':
      return l10n.t('{0} cannot be reached', host);
    case 'timeout':
      return l10n.t('{0} did not answer in time', host);
    case 'permission':
      return l10n.t('{0} knows the key, but does not let it list the models', host);
    case 'busy':
      return l10n.t('{0} is busy or limits requests now', host);
    case 'other':
      return l10n.t('{0} refused the check', host);
  }
}

interface FixWords {
  readonly label: string;
  readonly detail: string;
}

/** Says what the fix does and when it is the right one. */
export function fixWords(
  fix: SignInFix,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
): FixWords {
  switch (fix) {
    case 'enterKey':
      return {
        label: l10n.t('Enter a key'),
        detail: l10n.t("Kept in the editor's secret storage and only ever sent to {0}.", new URL(baseUrl).origin),
      };
    case 'editKey':
      return {
        label: l10n.t('Edit the key'),
        detail: l10n.t('The key might be mistyped, incomplete, or revoked.'),
      };
    case 'otherHost':
      return {
        label: l10n.t('Try {0}', otherHostName(baseUrl)),
        detail: l10n.t('SiliconFlow has two hosts with separate keys. Your key is sent only after you confirm it.'),
      };
    case 'addVersion':
      return { label: l10n.t('Add /v1 and try again'), detail: `${baseUrl}/v1` };
    case 'editAddress':
      return { label: l10n.t('Edit the address'), detail: baseUrl };
    case 'retry':
      return {
        label: l10n.t('Try again'),
        detail: key === '' ? l10n.t('With the same address.') : l10n.t('With the same address and key.'),
      };
    case 'networkStack':
      return {
        label: l10n.t('Open the network stack setting'),
        detail: l10n.t("The stack “editor” knows the system's certificates and proxy. Then try again here."),
      };
    case 'proxySetting':
      return {
        label: l10n.t('Open the proxy setting'),
        detail: l10n.t('Set http.proxy, then try again here.'),
      };
    case 'keepUnchecked':
      if (key === '') {
        return {
          label: l10n.t('Keep the account without a check'),
          detail: l10n.t('For when the service does not run now.'),
        };
      }
      return {
        label: l10n.t('Keep the key without a check'),
        detail: l10n.t('For when you are offline now and sure of the key.'),
      };
    case 'showExchange':
      return {
        label: l10n.t('Show the exchange'),
        detail: l10n.t('What was sent and what came back, with the key left out.'),
      };
  }
}

function otherHostName(baseUrl: string): string {
  const other = otherHostOf(baseUrl);
  return other === undefined ? '' : new URL(publicHosts[other]).host;
}

/** Says what is wrong with an entry of the profile list, or with an address that was typed. */
export function addressProblemWords(problem: ProfileProblem['problem']): string {
  switch (problem) {
    case 'empty':
      return l10n.t('An address is needed, such as https://api.example.com/v1.');
    case 'key':
      return l10n.t('This is a key, not an address.');
    case 'notAnAddress':
      return l10n.t('This is not an address. It should look like https://api.example.com/v1.');
    case 'scheme':
      return l10n.t('Only https and http addresses can be used.');
    case 'plainHttp':
      return l10n.t(
        'Over plain http the key could be read on the way. Use https; http only works on this machine and in private networks.',
      );
    case 'privateHttp':
      return l10n.t(
        'Plain http in a private network has to be allowed: anyone there can read the key. Set allowHttp in the entry, or use https.',
      );
    case 'credentials':
      return l10n.t('Leave out the name and password: the key is asked for separately.');
    case 'query':
      return l10n.t('Leave out everything from the ? or # on.');
    case 'shape':
      return l10n.t('The entry must have an id, a name and a baseUrl, all of them text.');
    case 'id':
      return l10n.t('The id may only have letters, digits, - and _, up to 64 of them.');
    case 'duplicateId':
      return l10n.t('Another entry has the same id.');
  }
}

export function keyProblemWords(problem: KeyProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Paste the key here.');
    case 'address':
      return l10n.t('This is an address, not a key.');
    case 'whiteSpace':
      return l10n.t('There is a space or line break inside. Was more than the key copied?');
    case 'control':
      return l10n.t('There is a control character inside. Copy the key again.');
    case 'nonAscii':
      return l10n.t('There is a character inside that no key has, perhaps an invisible one. Copy the key again.');
    case 'tooLong':
      return l10n.t('This is far too long for a key.');
  }
}

/** `undefined` if the name is valid. */
export function nameProblemWords(
  text: string,
  profileId: string | undefined,
  list: readonly { readonly id: string; readonly name: string }[],
): string | undefined {
  const name = text.trim();
  if (name === '') return l10n.t('A name is needed.');
  if (name.length > maxNameChars) return l10n.t('At most {0} characters.', maxNameChars);
  const isTaken = list.some((profile) => profile.name === name && profile.id !== profileId);
  return isTaken ? l10n.t('Another account has this name.') : undefined;
}
