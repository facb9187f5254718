import { l10n } from 'vscode';
import type { KeyProblem } from '../../core/profiles/apiKey';
import { maxNameChars } from '../../core/profiles/profile';
import type { ProfileProblem } from '../../core/profiles/profile';

/** Says what is wrong with an entry of the profile list, or with an address that was typed. */
export function addressProblemWords(problem: ProfileProblem['problem']): string {
  switch (problem) {
    case 'empty':
      return l10n.t('An address is needed, such as https://api.example.com/v1.');
    case 'notAnAddress':
      return l10n.t('This is not an address. It should look like https://api.example.com/v1.');
    case 'scheme':
      return l10n.t('Only https addresses can be used, and http on this machine.');
    case 'plainHttp':
      return l10n.t('Over plain http the key could be read on the way. Use https; http only works on this machine.');
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
  return isTaken ? l10n.t('Another profile has this name.') : undefined;
}
