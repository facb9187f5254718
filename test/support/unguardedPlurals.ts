import { parseSync, Visitor } from 'oxc-parser';

/** Nouns that are counted in texts. Add a noun to detect texts with it. */
const nouns = [
  'requests models lines files errors warnings infos hints problems answers pictures images videos batches documents',
  'characters tokens messages jobs responses orders texts parts rows columns selections alternatives calls entries places minutes',
  'hours seconds bytes recipes conversations questions tools turns results candidates voices items matches clips',
]
  .join(' ')
  .replaceAll(' ', '|');
const counted = new RegExp(String.raw`\{\d\}( [a-z-]+)? (${nouns})\b`);

/** A comparison that distinguishes one from several, as in `count === 1 ? … : …` or `if (lines > 1)`. */
const tellsOne = /(===|!==|>|<=|<|>=) [12]\b/;

/** Returns the texts of a source that count things in the plural without a condition that distinguishes one from several. */
export function unguardedPlurals(file: string, source: string): readonly string[] {
  const guarded: (readonly [from: number, to: number])[] = [];
  const texts: (readonly [at: number, text: string])[] = [];
  const guard = (test: { start: number; end: number }, whole: { start: number; end: number }) => {
    if (tellsOne.test(source.slice(test.start, test.end))) guarded.push([whole.start, whole.end]);
  };
  new Visitor({
    ConditionalExpression: (node) => guard(node.test, node),
    IfStatement: (node) => guard(node.test, node),
    LogicalExpression: (node) => guard(node.left, node),
    CallExpression({ callee, arguments: [text] }) {
      if (/^(vscode\.)?l10n\.t$/.test(source.slice(callee.start, callee.end)) && text?.type === 'Literal') {
        texts.push([text.start, String(text.value)]);
      }
    },
  }).visit(parseSync(file, source).program);
  return texts.flatMap(([at, text]) => {
    const isGuarded = guarded.some(([from, to]) => from < at && at < to);
    return counted.test(text) && !isGuarded ? [text] : [];
  });
}
