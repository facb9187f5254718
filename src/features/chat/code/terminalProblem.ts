/** What speaks against putting code into a terminal; `found` is what it was found by, a code point (`U+202E`) or a part of the code. */
export type TerminalProblem =
  | 'empty'
  | 'tooLong'
  | { readonly kind: 'unseen' | 'rightToLeft' | 'stacked' | 'history'; readonly found: string };

export interface TerminalProblemOptions {
  /** The shell puts earlier commands in the place of `!` and of `^` at the beginning of a line, as bash and zsh do. */
  readonly replacesHistory?: boolean;
}

/** `undefined`: a small window shows all of the code as it is, and as it runs. */
export function terminalProblem(
  code: string,
  { replacesHistory = true }: TerminalProblemOptions = {},
): TerminalProblem | undefined {
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
   * Other than spaces and line feeds, what is drawn as nothing or as a blank, or acts on the terminal, tabs (which complete) among them.
   * An emoji may have its variation selector.
   */
  [
    'unseen',
    /(?![ \n])(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13440}-\u{13442}\u{16FE4}\u{1BC9D}\u{1D159}]/u,
  ],
  /** The blocks of Unicode for scripts that are written so, with those that are to come. One letter turns the signs around it. */
  ['rightToLeft', /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u],
  /** Any number of them can tower over the lines above and below. */
  ['stacked', /(?<=\p{M})\p{M}/u],
] as const;

/** What the editor's dialog shows without scrolling in a small window, 560 pixels high, however wide the letters are. */
const maxRows = 18;
/** In columns; the widest letter of ASCII, `W`, has one. */
const rowLength = 30;

/** Those of a line, broken between words and within words that are longer than a row. Blanks count wherever they stand. */
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

/** Which fonts draw what is not in ASCII is not known: no letter is wider than so many columns. */
function columnsOf(character: string): number {
  if (/[\x20-\x7E]/.test(character)) return 1;
  if (/\p{Script=Cuneiform}/u.test(character)) return 8;
  return usualScripts.test(character) ? 2 : 4;
}

/** Written in letters of at most two columns, but for dashes of several ems and one of many eyes. */
const usualScripts =
  /(?![\u2E3A\u2E3B\uA66E])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]/u;

/** The first place of a short code that bash or zsh may put an earlier command in, up to the next blank; where the two differ, or their versions, any of them. */
function fromHistory(code: string): string | undefined {
  const lines = code.split('\n');
  const substitution = lines.find((line) => line.startsWith('^'));
  if (substitution !== undefined) return /^\S+/.exec(substitution)?.[0];
  // Older ones read each line for itself.
  for (const read of [unquoted(code, ofText), ...lines.map((line, index) => unquoted(line, ofLine, index === 0))]) {
    const found = event.exec(read)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `!` stands for itself before a blank, `=`, and what ends a word. */
const event = /!(?!\\n["'])[^\s=()<>;&|"'`]\S*/;
/** What looks like one but is none in bash, and finds none in zsh. */
const noEvents = /\[!(?:0-9|[a-z])[^\s\]]*\]|\$\{![a-z_]/gi;

const ofText = /\\[^]|\$?'(?:(?<=\$')(?:\\[^]|[^\\'])*|[^']*)'?|"(?:\\[^]|[^"\\])*"?|(?<![^\s;&|()])#.*/g;
const ofLine = /\\.|'[^']*'?|"(?:\\.|[^"\\])*"?/g;

/** The code without what is between single quotes, and without each `!` that is escaped or begins an interpreter's line. */
function unquoted(code: string, tokens: RegExp, isFirst = true): string {
  return (isFirst ? code.replace(/^#!(?= ?\/)/, '') : code)
    .replaceAll(tokens, (token) => {
      if (/^\$?'/.test(token)) return "''";
      return token.startsWith('#') ? token : token.replaceAll(/\\([^])/g, (pair, char) => (char === '!' ? '_' : pair));
    })
    .replaceAll(noEvents, '');
}
