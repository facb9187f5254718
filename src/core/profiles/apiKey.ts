import { keyForm } from './baseUrl';

/** Why a text cannot be a key. `nonAscii` also covers look-alikes and invisible characters from a web page. */
export type KeyProblem = 'empty' | 'address' | 'whiteSpace' | 'control' | 'nonAscii' | 'tooLong';

export type CleanedKey =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyProblem };

/** Far longer than any real key. Rejects an entire file pasted by mistake. */
const maxKeyChars = 2048;

/** Extracts the key from pasted text: trimmed, without quotes around it or `Authorization:` or `Bearer` before it. */
export function cleanKey(text: string): CleanedKey {
  const key = stripWrapping(text);
  if (key === '') return { ok: false, problem: 'empty' };
  if (key.length > maxKeyChars) return { ok: false, problem: 'tooLong' };
  // The order decides the message: to a user, a line break is white space, not a control character.
  if (/\s/.test(key)) return { ok: false, problem: 'whiteSpace' };
  if (/\p{Cc}/u.test(key)) return { ok: false, problem: 'control' };
  if (/[^\x21-\x7e]/.test(key)) return { ok: false, problem: 'nonAscii' };
  if (isAddress(key)) return { ok: false, problem: 'address' };
  return { ok: true, key };
}

/** Whether a text typed as an address is a key, which must then not be shown, stored or looked up as a name. */
export function looksLikeKey(text: string): boolean {
  const key = stripWrapping(text);
  if (key !== '' && key !== withoutQuotes(text.trim())) return !isAddress(key);
  return keyForm.test(key);
}

/** Returns a key's last four characters, by which its owner recognises it; `undefined` for keys too short to show any part of. */
export function lastCharacters(key: string): string | undefined {
  return key.length >= 16 ? key.slice(-4) : undefined;
}

const addressForms: readonly RegExp[] = [
  /^[a-z][a-z\d+.-]*:\/\//i,
  /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])(:\d{1,5})?(\/|$)/i,
  // A host name with a port or a path, or nothing but one.
  /^[a-z\d][a-z\d-]*(\.[a-z\d-]+)*(:\d{1,5}(\/\S*)?|\/(\S+\/)?v\d\S*)$/i,
  /^[a-z\d][a-z\d-]{0,30}(\.[a-z\d-]{1,30})*\.[a-z]{2,6}\/?$/,
];

function isAddress(key: string): boolean {
  return addressForms.some((form) => form.test(key));
}

/** Nobody pastes a key in more of them. */
const mostWrappings = 10;

function stripWrapping(text: string): string {
  let rest = text.trim();
  let before = '';
  for (let round = 0; before !== rest && round < mostWrappings; round++) {
    before = rest;
    rest = withoutQuotes(
      rest
        .replace(/^authorization\s*:/i, '')
        .replace(/^x-api-key\s*:/i, '')
        .replace(/^bearer(\s+|$)/i, '')
        .trim(),
    );
  }
  return rest;
}

function withoutQuotes(text: string): string {
  return text.replace(/^(["'`])(.*)\1$/s, '$2').trim();
}
