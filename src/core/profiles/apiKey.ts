/** Why a text cannot be a key. `nonAscii` also covers look-alikes and invisible characters from a web page. */
export type KeyProblem = 'empty' | 'whiteSpace' | 'control' | 'nonAscii' | 'tooLong';

export type CleanedKey =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyProblem };

/** Far longer than any real key; rejects a whole file pasted by mistake. */
const maxKeyChars = 2048;

/** Extracts the key from pasted text: trimmed, without quotes around it or `Authorization:` or `Bearer` before it. */
export function cleanKey(text: string): CleanedKey {
  const key = stripWrapping(text);
  if (key === '') return { ok: false, problem: 'empty' };
  if (key.length > maxKeyChars) return { ok: false, problem: 'tooLong' };
  // The order decides the message: to a person, a line break is white space, not a control character.
  if (/\s/.test(key)) return { ok: false, problem: 'whiteSpace' };
  if (/\p{Cc}/u.test(key)) return { ok: false, problem: 'control' };
  if (/[^\x21-\x7e]/.test(key)) return { ok: false, problem: 'nonAscii' };
  return { ok: true, key };
}

/** Returns a key's last four characters, by which its owner recognises it; `undefined` for keys too short to show any part of. */
export function lastCharacters(key: string): string | undefined {
  return key.length >= 16 ? key.slice(-4) : undefined;
}

function stripWrapping(text: string): string {
  let rest = text.trim();
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest
      .replace(/^authorization\s*:/i, '')
      .replace(/^bearer(\s+|$)/i, '')
      .replace(/^(["'`])(.*)\1$/s, '$2')
      .trim();
  }
  return rest;
}
