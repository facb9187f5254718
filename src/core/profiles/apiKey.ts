/** Why a text cannot be a key. `nonAscii` also covers look-alikes and invisible signs from a web page. */
export type KeyProblem = 'empty' | 'whiteSpace' | 'control' | 'nonAscii' | 'tooLong';

export type CleanedKey =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyProblem };

/** Far above any real key; a whole file pasted by mistake is not one. */
const maxKeyChars = 2048;

/** The key in what a person pasted: trimmed, without quotes around it and without `Authorization:` or `Bearer` before it. */
export function cleanKey(text: string): CleanedKey {
  const key = stripWrapping(text);
  if (key === '') return { ok: false, problem: 'empty' };
  if (key.length > maxKeyChars) return { ok: false, problem: 'tooLong' };
  // The order matters to the words: a line break is white space to a person, not a control character.
  if (/\s/.test(key)) return { ok: false, problem: 'whiteSpace' };
  if (/\p{Cc}/u.test(key)) return { ok: false, problem: 'control' };
  if (/[^\x21-\x7e]/.test(key)) return { ok: false, problem: 'nonAscii' };
  return { ok: true, key };
}

/** Enough of a key for its owner to know it: its last four characters. `undefined` for keys too short to show any of. */
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
