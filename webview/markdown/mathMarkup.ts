import buildMathML, { type MathPart } from 'temml/src/buildMathML.js';
import { _mathmlGroupBuilders as builders } from 'temml/src/defineFunction.js';
import parseTree from 'temml/src/parseTree.js';
import Style from 'temml/src/Style.js';
import { escapeHtml } from './escapeHtml';

/** The signs a formula stands between, and whether it stands in lines of its own. */
const forms = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '$', close: '$', isDisplay: false },
] as const;

const maxLength = 5000;
/** Braces, brackets and environments within each other. The browser's layout takes its time with each level. */
const maxDepth = 40;
const maxParts = 5000;
/** Rows times columns, were all in one table: short rows are filled up. */
const maxCells = 50_000;
/** A macro stands for some others; what a formula can write out is far below this. */
const maxExpand = 500;
/** No gap, line or rule is larger than this, in em and in other units. */
const maxSize = [40, 400];

/** Environments that number their lines, which are those without numbers in an answer. */
const numbered = /(\\(?:begin|end) *\{ *(?:align|alignat|equation|eqnarray|flalign|gather|multline))( *\})/g;

/** Nothing is defined in a formula, which its own `\tag` would do by a definition. */
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
 * A formula with its signs (`$x$`, `$$x$$`, `\(x\)`, `\[x\]`) as MathML, which still has to be sanitized; what would be inline style is in
 * `data-style`. `undefined` for what is not closed, cannot be read, addresses or defines anything, or is too large to be drawn at once.
 */
export const toMathMarkup = createMathMarkup();

function createMathMarkup(): (source: string) => string | undefined {
  let spent = 0;
  const spend = () => {
    if (++spent > maxParts) throw new RangeError('A formula is too large.');
  };
  // Some of them build twice what is within them, so that a few levels would take for ever.
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
      // Its own errors, those of parts that are left out of it, ours, and a stack that is too deep: all say that this is not to be drawn.
      return undefined;
    }
  };
}

function formulaOf(source: string): { readonly formula: string; readonly isDisplay: boolean } | undefined {
  const whole = source.trim();
  const form = forms.find(({ open, close }) => whole.startsWith(open) && whole.endsWith(close));
  if (!form || whole.length > maxLength) return undefined;
  const formula = whole.slice(form.open.length, -form.close.length);
  const { depth, isBroken } = shapeOf(formula);
  const cells = formula.split('&').length * formula.split('\\\\').length;
  if (formula.trim() === '' || depth > maxDepth || cells > maxCells) return undefined;
  const plain = formula.replaceAll(numbered, '$1*$2');
  // Lines are of a table, which answers often leave out.
  return { formula: isBroken ? `\\begin{aligned}${plain}\\end{aligned}` : plain, isDisplay: form.isDisplay };
}

/** How deep its deepest part is, and whether it has lines that are in no part. */
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

/** Each level of what was written makes a few of these. */
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
