/** Why code is not put into a terminal; `found` is the evidence: a code point (`U+202E`) or a part of the code. */
export type TerminalProblem =
  | 'empty'
  | 'tooLong'
  | { readonly kind: 'unseen' | 'rightToLeft' | 'stacked' | 'history'; readonly found: string };

/**
 * Returns `undefined` if a small window can show all of the code exactly as it runs. `replacesHistory` says whether the shell replaces
 * `!`, and `^` at the beginning of a line, with earlier commands, as bash and zsh do.
 */
export function terminalProblem(code: string, replacesHistory = true): TerminalProblem | undefined {
  const text = code.trimEnd();
  if (text === '') return 'empty';
  for (const [kind, characters] of misleading) {
    const character = characters.exec(code)?.[0].codePointAt(0);
    if (character !== undefined) return { kind, found: `U+${character.toString(16).toUpperCase().padStart(4, '0')}` };
  }
  if (text.split('\n').reduce((rows, line) => rows + rowsOf(line), 0) > maxRows) return 'tooLong';
  const found = replacesHistory ? fromHistory(text) : undefined;
  return found === undefined ? undefined : { kind: 'history', found: found.slice(0, rowLength) };
}

const misleading = [
  /**
   * Characters other than spaces and line feeds that are invisible or blank, or that control the terminal, including tabs (which
   * complete). An emoji may have its variation selector.
   */
  [
    'unseen',
    /(?![ \n])(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13440}-\u{13442}\u{16FE4}\u{1BC9D}\u{1D159}]/u,
  ],
  /** Unicode's right-to-left blocks, including reserved ones. A single such letter reorders the signs around it. */
  ['rightToLeft', /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u],
  /** Any number of combining marks can cover the lines above and below. */
  ['stacked', /(?<=\p{M})\p{M}/u],
] as const;

/** The rows that the editor's dialog shows without scrolling in a small window, 560 pixels high, with letters of any width. */
const maxRows = 18;
/** In columns. The widest ASCII letter, `W`, takes one. */
const rowLength = 30;

/** Counts a line's rows, broken between words and within words longer than a row. Every blank counts. */
function rowsOf(line: string): number {
  let rows = 1;
  let column = 0;
  const put = (columns: number) => {
    if (column + columns > rowLength) [rows, column] = [rows + 1, 0];
    column += columns;
  };
  for (const [word] of line.matchAll(/ |[^ ]+/g)) {
    const widths = Array.from(word, columnsOf);
    const width = widths.reduce((sum, one) => sum + one, 0);
    if (width <= rowLength) put(width);
    else {
      if (column > 0) [rows, column] = [rows + 1, 0];
      for (const one of widths) put(one);
    }
  }
  return rows;
}

/** The fonts for characters outside ASCII are unknown; none is wider than the returned number of columns. */
function columnsOf(character: string): number {
  if (/[\x20-\x7E]/.test(character)) return 1;
  if (/\p{Script=Cuneiform}/u.test(character)) return 8;
  return usualScripts.test(character) ? 2 : 4;
}

/** Scripts with letters of at most two columns, except dashes of several ems and a letter with many eyes. */
const usualScripts =
  /(?![\u2E3A\u2E3B\uA66E])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * Returns the first part of the code, up to the next blank, that bash or zsh may replace with an earlier command. Where the two
 * shells or their versions differ, any of their rules counts.
 */
function fromHistory(code: string): string | undefined {
  const lines = code.split('\n');
  const substitution = lines.find((line) => line.startsWith('^'));
  if (substitution !== undefined) return /^\S+/.exec(substitution)?.[0];
  // Older versions parse each line separately.
  for (const read of [unquoted(code, ofText), ...lines.map((line, index) => unquoted(line, ofLine, index === 0))]) {
    const found = event.exec(read)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `!` is literal before a blank, `=`, and characters that end a word. */
const event = /!(?!\\n["'])[^\s=()<>;&|"'`]\S*/;
/** Looks like a history reference, but isn't one in bash and matches nothing in zsh. */
const noEvents = /\[!(?:0-9|[a-z])[^\s\]]*\]|\$\{![a-z_]/gi;

const ofText = /\\[^]|\$?'(?:(?<=\$')(?:\\[^]|[^\\'])*|[^']*)'?|"(?:\\[^]|[^"\\])*"?|(?<![^\s;&|()])#.*/g;
const ofLine = /\\.|'[^']*'?|"(?:\\.|[^"\\])*"?/g;

/** Removes what is in single quotes, and each `!` that is escaped or begins a shebang line. */
function unquoted(code: string, tokens: RegExp, isFirst = true): string {
  return (isFirst ? code.replace(/^#!(?= ?\/)/, '') : code)
    .replaceAll(tokens, (token) => {
      if (/^\$?'/.test(token)) return "''";
      return token.startsWith('#') ? token : token.replaceAll(/\\([^])/g, (pair, char) => (char === '!' ? '_' : pair));
    })
    .replaceAll(noEvents, '');
}
