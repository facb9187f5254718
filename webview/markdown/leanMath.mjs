import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What sets formulas, without what none of ours may do or few ever have: a third of it. Such a formula stands as its source. */
export const leanMath = {
  name: 'leanMath',
  setup({ onResolve, onLoad, onEnd }) {
    // Its files name each other as only a bundler finds them.
    onResolve({ filter: /^temml\// }, ({ path: name }) => ({
      path: path.join(import.meta.dirname, '../../node_modules', name),
    }));
    const empty = {
      // Addresses, pictures, marks of a page and definitions, which it would refuse, and we do.
      'functions/(?:def|html|includegraphics|ref)': '',
      'functions/label': 'export const invalidIdRegEx = undefined;',
      'functions/(?:bordermatrix|cancelto|multiscript|reflect|sfrac|vcenter|verb)': '',
      'environments/borderTree': 'export const bordermatrixParseTree = undefined;',
      'environments/cd': 'export const parseCD = undefined;',
      // A formula is one line, or a table of them.
      linebreaking: 'import { MathNode } from "./mathMLTree"; export default (parts) => new MathNode("mrow", parts);',
      // Letters with accents, and elements that are none of MathML.
      unicodeSymbols: 'export default {};',
      domTree: 'export const createClass = undefined; export class AnchorNode {} export class Span {}',
    };
    const missing = new Set(Object.keys(empty));
    let isUsed = false;
    for (const [name, contents] of Object.entries(empty)) {
      onLoad({ filter: new RegExp(`[/\\\\]temml[/\\\\]src[/\\\\]${name.replace('/', '[/\\\\]')}\\.js$`) }, () => {
        missing.delete(name);
        return { contents };
      });
    }
    onLoad({ filter: /[/\\]temml[/\\]src[/\\].*\.js$/ }, async ({ path: file }) => {
      isUsed = true;
      const code = await readFile(file, 'utf8');
      // CSS knows the names of colours that anybody writes.
      const plain = file.endsWith('color.js') ? code.replace(/JSON\.parse\(`[^`]*`\)/, '{}') : code;
      return {
        contents: file.endsWith('ParseError.js')
          ? plain
          : withoutMessages(plain.replaceAll(/\n {2}(?:toMarkup|toNode)\(\) \{[^]*?\n {2}\}/g, '')),
      };
    });
    onEnd(() => {
      if (isUsed && missing.size > 0) throw new Error(`Temml has no ${[...missing].join(', ')} any more.`);
    });
  },
};

/** What an error says is read by nobody, but for one that the reader itself looks for. */
function withoutMessages(code) {
  let [kept, at] = ['', 0];
  for (const { index, 0: begin } of code.matchAll(/new (?:Parse)?Error\(/g)) {
    const end = endOfCall(code, index + begin.length);
    if (!code.slice(index, end).includes('Unmatched delimiter')) kept += `${code.slice(at, index)}${begin})`;
    else kept += code.slice(at, end);
    at = end;
  }
  return kept + code.slice(at);
}

function endOfCall(code, start) {
  const signs = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[()]/gs;
  signs.lastIndex = start;
  for (let depth = 1; depth > 0;) {
    const [sign] = signs.exec(code);
    depth += { '(': 1, ')': -1 }[sign] ?? 0;
  }
  return signs.lastIndex;
}
