import type { AssetKind } from './recipe';

/** Names a module cannot bind: the language's reserved words and those of strict mode. */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try typeof undefined var void while with yield NaN Infinity'
  ).split(' '),
);

/** Returns the JavaScript identifier for importing the file: its name without hash and ending. */
export function importNameOf(fileName: string, kind: AssetKind): string {
  const name = fileName
    .normalize('NFC')
    .replace(/(?!^)\.[^.]*$/u, '')
    .replace(/-[0-9a-f]{12}$/, '');
  const words = name.split(/[^\p{ID_Continue}]+/u).filter((word) => word !== '');
  const joined = words.map((word, index) => (index === 0 ? lowered(word) : raised(word))).join('');
  if (joined === '') return kind;
  if (!/^[\p{ID_Start}_]/u.test(joined)) return kind + joined;
  return reserved.has(joined) ? joined + raised(kind) : joined;
}

function lowered(word: string): string {
  const [first = '', ...rest] = word;
  return first.toLowerCase() + rest.join('');
}

function raised(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}
