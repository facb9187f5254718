import { type Source, indentOf } from './source';

export interface Finding {
  /** Line index. */
  readonly at: number;
  readonly what: readonly [en: string, zh: string];
  /** The lines that replace this one; unset if only a person can decide. */
  readonly fix?: readonly string[];
}

interface Rule {
  /** Matched against the line with its strings and comments blanked. */
  readonly seen: RegExp;
  readonly what: readonly [en: string, zh: string];
  readonly fix?: (line: string) => string;
}

const python: readonly Rule[] = [
  {
    seen: /^\s*(?:def|if|elif|else|for|while|class|try|except|finally|with)\b[^:]*[^\s:,\\([{]\s*$/,
    what: ['the colon at its end is missing', '行尾缺少冒号'],
    fix: (line) => `${line.trimEnd()}:`,
  },
  {
    seen: /^\s*(?:if|elif|while)\s[^=!<>:(]*[^=!<>:\s]\s*=\s*[^=\s]/,
    what: ['`=` assigns; a comparison is `==`', '`=` 是赋值，比较要用 `==`'],
    fix: (line) => line.replace(/([^=!<>:])=(?!=)/, '$1=='),
  },
  {
    seen: /[!=]=\s*None\b/,
    what: ['`None` is compared by `is`', '与 `None` 比较应使用 `is`'],
    fix: (line) => line.replace(/\s*==\s*None\b/g, ' is None').replace(/\s*!=\s*None\b/g, ' is not None'),
  },
  {
    seen: /==\s*(?:True|False)\b/,
    what: ['a truth value needs no comparison', '布尔值不必再比较'],
    fix: (line) => line.replace(/(\S+)\s*==\s*False\b/g, 'not $1').replace(/\s*==\s*True\b/g, ''),
  },
  {
    seen: /\bis\s+(?:not\s+)?(?:-?\d|["'])/,
    what: ['`is` compares identity, not value', '`is` 比较的是身份，不是值'],
    fix: (line) => line.replace(/\bis not\b/, '!=').replace(/\bis\b/, '=='),
  },
  {
    seen: /\brange\(\s*len\(\w+\)\s*\+\s*1\s*\)/,
    what: ['the last index is one beyond the end: `IndexError`', '最后一个下标越界：`IndexError`'],
    fix: (line) => line.replace(/range\(\s*len\((\w+)\)\s*\+\s*1\s*\)/, 'range(len($1))'),
  },
  {
    seen: /^\s*except\s*:/,
    what: ['catches everything, `KeyboardInterrupt` too', '捕获一切，包括 `KeyboardInterrupt`'],
    fix: (line) => line.replace(/except\s*:/, 'except Exception:'),
  },
  { seen: /\beval\s*\(|\bexec\s*\(/, what: ['runs whatever text it is given', '会执行传入的任何文本'] },
];

const script: readonly Rule[] = [
  {
    seen: /\b(?:if|while)\s*\(\s*[\w.]+\s*=\s*[^=>]/,
    what: ['`=` assigns; a comparison is `===`', '`=` 是赋值，比较要用 `===`'],
    fix: (line) => line.replace(/(\(\s*[\w.]+\s*)=(?!=)/, '$1==='),
  },
  {
    seen: /[^=!<>]==(?!=)(?!\s*null)/,
    what: ['`==` converts its sides; use `===`', '`==` 会做隐式转换，请用 `===`'],
    fix: (line) => line.replace(/([^=!<>])==(?!=)/g, '$1==='),
  },
  {
    seen: /!=(?!=)(?!\s*null)/,
    what: ['`!=` converts its sides; use `!==`', '`!=` 会做隐式转换，请用 `!==`'],
    fix: (line) => line.replace(/!=(?!=)/g, '!=='),
  },
  {
    seen: /<=\s*\w+\.length\b/,
    what: ['runs one beyond the last index, where the value is `undefined`', '多循环一次，越界处的值是 `undefined`'],
    fix: (line) => line.replace(/<=(\s*\w+\.length)/, '<$1'),
  },
  {
    seen: /^\s*(?:for \()?var\s/,
    what: ['`var` is seen outside of its block; use `let` or `const`', '`var` 会泄漏到块外，请用 `let` 或 `const`'],
    fix: (line) => line.replace(/\bvar\b/, 'let'),
  },
  {
    seen: /\bparseInt\(\s*[\w.]+\s*\)/,
    what: ['`parseInt` without a radix', '`parseInt` 没有指定进制'],
    fix: (line) => line.replace(/parseInt\(\s*([\w.]+)\s*\)/, 'parseInt($1, 10)'),
  },
  { seen: /catch\s*(?:\([^)]*\))?\s*\{\s*\}/, what: ['an error is swallowed', '错误被吞掉了'] },
  { seen: /\.sort\(\s*\)/, what: ['sorts as text, so that 10 comes before 9', '按文本排序，10 会排在 9 前面'] },
  { seen: /:\s*any\b|\bas any\b/, what: ['`any` turns the type check off', '`any` 关闭了类型检查'] },
  { seen: /\beval\s*\(/, what: ['runs whatever text it is given', '会执行传入的任何文本'] },
];

/** Returns one finding for each rule and line that breaks it. */
export function ruleFindings({ family, lines, bare }: Source): readonly Finding[] {
  const rules = family === 'python' ? python : script;
  let depth = 0;
  return bare.flatMap((quiet, at) => {
    const isContinued = depth > 0;
    depth += (quiet.match(/[([{]/g) ?? []).length - (quiet.match(/[)\]}]/g) ?? []).length;
    return rules
      .filter(({ seen, what }) => seen.test(quiet) && !(what[0].includes('colon') && (isContinued || depth > 0)))
      .map(({ what, fix }) => ({ at, what, ...(fix === undefined ? {} : { fix: [fix(lines[at] ?? '')] }) }));
  });
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Finds a bracket that is never closed or closes nothing. */
export function bracketFindings({ bare, text }: Source): readonly Finding[] {
  // In nested templates and between tags, quotes do not necessarily delimit strings.
  if (/\$\{[^}]*`|<\/|\/>/.test(text)) return [];
  const open: { letter: string; at: number }[] = [];
  for (const [at, line] of bare.entries())
    for (const letter of line) {
      if ('([{'.includes(letter)) open.push({ letter, at });
      else if (letter in pairs) {
        const last = open.pop();
        if (last?.letter !== pairs[letter])
          return [{ at, what: [`\`${letter}\` closes nothing that is open`, `\`${letter}\` 没有对应的开括号`] }];
      }
    }
  const last = open.at(-1);
  return last === undefined
    ? []
    : [{ at: last.at, what: [`\`${last.letter}\` is never closed`, `\`${last.letter}\` 没有闭合`] }];
}

const builtins = new Set(
  'self print range list dict tuple sorted open enumerate filter abs round input iter next this null true false undefined'.split(
    ' ',
  ),
);

/** Whether the names differ by one letter added, dropped, changed or swapped. */
function isSlip(a: string, b: string): boolean {
  if (a === b || a.length < 4 || b.length < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [x, y] = [a.slice(start), b.slice(start)];
  if (x.slice(1) === y || x === y.slice(1) || (x.length === y.length && x.slice(1) === y.slice(1))) return true;
  return x.length === y.length && x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
}

const definers =
  /\b(?:def|class|function|const|let|var|for|as|import)\s+(?:\(\s*)?(?:const |let )?([\w$]+)|([\w$]+)\s*(?::[^=\n,()]*)?=(?![=>])|[(,]\s*(?:\*+)?([\w$]+)(?=\s*[,):=])/g;

/** Finds names of values that are used but never defined, if a defined name differs by one letter. */
export function typoFindings({ bare, lines, text, family }: Source): readonly Finding[] {
  const quiet = bare.join('\n');
  const defined = new Set<string>();
  for (const line of bare)
    for (const [, a, b, c] of line.matchAll(definers)) {
      const isHead = /\b(?:def|function|lambda|import|for)\b|=>|\{\s*$/.test(line);
      for (const name of [a, b, isHead ? c : undefined]) if (name !== undefined) defined.add(name);
    }
  // Matches names in expressions that are not a member, a key, a call or one of a list of names.
  const uses = quiet.matchAll(
    /(?:\breturn |[-+*/<>=!] ?|(?<!\w)\()([a-z_]\w{3,})(?=\s*(?:[-+*/<>;)]|$))|^\s*([a-z_]\w{3,})(?=\s*[-+*/]=)/gm,
  );
  return [...new Set([...uses].map(([, a, b]) => a ?? b ?? ''))].flatMap((name) => {
    if (defined.has(name) || builtins.has(name)) return [];
    const count = (word: string) => text.split(new RegExp(String.raw`(?<![\w$])${word}(?![\w$])`)).length - 1;
    const meant = [...defined].find((other) => isSlip(name, other) && `${name}s` !== other && `${other}s` !== name);
    if (meant === undefined || count(name) > 1 || (family === 'script' && /[<>]\s*$|^\s*</m.test(quiet))) return [];
    const word = new RegExp(String.raw`(?<![\w.$])${name}(?![\w$])`, 'g');
    return bare.flatMap((line, at) =>
      line.search(word) < 0
        ? []
        : [
            {
              at,
              what: [`\`${name}\` is not defined; \`${meant}\` is`, `\`${name}\` 未定义，应为 \`${meant}\``] as const,
              fix: [(lines[at] ?? '').replace(word, meant)],
            },
          ],
    );
  });
}

export const withIndent = (like: string, text: string): string => ' '.repeat(indentOf(like)) + text;
