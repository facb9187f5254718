import buildMathML, { type MathPart } from 'temml/src/buildMathML.js';
import { _mathmlGroupBuilders as builders } from 'temml/src/defineFunction.js';
import parseTree from 'temml/src/parseTree.js';
import Style from 'temml/src/Style.js';
import { escapeHtml } from './escapeHtml';

/** The delimiters of a formula, and whether it is displayed on separate lines. */
const forms = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '$', close: '$', isDisplay: false },
] as const;

const maxLength = 5000;
/** Maximum nesting of braces, brackets and environments. Each level slows the browser's layout down. */
const maxDepth = 40;
const maxParts = 5000;
/** Rows times columns, as if all were in one table, because short rows are padded. */
const maxCells = 50_000;
/** A macro expands to a few others; a hand-written formula stays far below this. */
const maxExpand = 500;
/** Maximum size of a gap, line or rule, in em and in other units. */
const maxSize = [40, 400];

/** Environments that number their lines. In an answer they are replaced by those without numbers. */
const numbered = /(\\(?:begin|end) *\{ *(?:align|alignat|equation|eqnarray|flalign|gather|multline))( *\})/g;

/** Definitions, which could make a short formula as long as a book, and references, which point to nothing in an answer. */
const rejected =
  /\\(?:long|global|[egx]?def|(?:future)?let|(?:re)?newcommand|providecommand|label|(?:eq)?ref)(?![A-Za-z])/;

/** Overrides macros, because a formula may not define any, which the library's own `\tag` would do. */
const macros = {
  '\\tag@literal': (context: MacroContext) => {
    const text = context.consumeArg().tokens.map((token) => token.text);
    context.macros.set('\\df@tag', `\\text{${text.toReversed().join('')}}`, true);
    return '';
  },
  '\\nonumber': '',
};

interface MacroContext {
  readonly macros: { set(name: string, value: string, isGlobal: boolean): void };
  consumeArg(): { readonly tokens: readonly { readonly text: string }[] };
}

/**
 * Converts a formula with its delimiters (`$x$`, `$$x$$`, `\(x\)`, `\[x\]`) to MathML that still has to be sanitized, with inline
 * styles in `data-style`. Returns `undefined` if it is not closed, invalid, too large to draw at once, or contains a URL or a
 * definition.
 */
export const toMathMarkup = createMathMarkup();

function createMathMarkup(): (source: string) => string | undefined {
  let spent = 0;
  const spend = () => {
    if (++spent > maxParts) throw new RangeError('A formula is too large.');
  };
  // Some builders build their content twice, so a few levels of nesting would take forever.
  for (const [name, build] of Object.entries(builders)) {
    builders[name] = (...parts) => {
      spend();
      return build(...parts);
    };
  }
  return (source) => {
    const { formula, isDisplay } = formulaOf(source) ?? {};
    if (formula === undefined) return undefined;
    const level = isDisplay ? 0 : 1;
    const settings = {
      displayMode: isDisplay,
      throwOnError: true,
      macros: Object.assign(Object.create(null), macros),
      maxExpand,
      wrap: 'none',
      wrapDelimiterPairs: true,
      isTrusted: () => false,
    };
    spent = 0;
    try {
      const built = buildMathML(parseTree(formula, settings), formula, new Style({ level, maxSize }), settings);
      spent = 0;
      return written(built, spend);
    } catch {
      // Errors of the library or of our limits, or a stack overflow: in any case the formula isn't drawn.
      return undefined;
    }
  };
}

function formulaOf(source: string): { readonly formula: string; readonly isDisplay: boolean } | undefined {
  const whole = source.trim();
  const form = forms.find(({ open, close }) => whole.startsWith(open) && whole.endsWith(close));
  if (!form || whole.length > maxLength || rejected.test(whole)) return undefined;
  const formula = whole.slice(form.open.length, -form.close.length);
  const { depth, isBroken } = shapeOf(formula);
  const cells = formula.split('&').length * formula.split('\\\\').length;
  if (formula.trim() === '' || depth > maxDepth || cells > maxCells) return undefined;
  const plain = formula.replaceAll(numbered, '$1*$2');
  // Line breaks need a table, which answers often leave out.
  return { formula: isBroken ? `\\begin{aligned}${plain}\\end{aligned}` : plain, isDisplay: form.isDisplay };
}

/** Returns the nesting depth, and whether there is a line break outside all environments and braces. */
function shapeOf(formula: string): { readonly depth: number; readonly isBroken: boolean } {
  let at = 0;
  let depth = 0;
  let isBroken = false;
  for (const [sign] of formula.matchAll(/\\(?:left|right|begin|end)(?![A-Za-z])|\\[^]|[{}]/g)) {
    if (sign === '{' || sign === '\\left' || sign === '\\begin') depth = Math.max(depth, ++at);
    else if (sign === '}' || sign === '\\right' || sign === '\\end') at--;
    else if (sign === '\\\\' && at === 0) isBroken = true;
  }
  return { depth, isBroken };
}

/** Each level of the source produces a few levels of markup. */
const maxMarkupDepth = 4 * maxDepth;

function written(part: MathPart, spend: () => void, depth = 0): string {
  spend();
  if (depth > maxMarkupDepth) throw new RangeError('A formula is too deep.');
  if (part.text !== undefined) return escapeHtml(part.text);
  const inner = (part.children ?? []).map((child) => written(child, spend, depth + 1)).join('');
  if (part.type === undefined) return inner;
  const styles = Object.entries(part.style ?? {}).map(([name, value]) => `${kebab(name)}:${value}`);
  const attributes = {
    ...part.attributes,
    ...(part.classes?.length && { class: part.classes.join(' ') }),
    ...(styles.length > 0 && { 'data-style': styles.join(';') }),
  };
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`);
  return `<${part.type}${named.join('')}>${inner}</${part.type}>`;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
