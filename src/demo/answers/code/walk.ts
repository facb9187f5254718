import type { Question } from '../question';
import { type Definition, definitionsOf } from './outline';
import { type Source, inCode } from './source';

type Pair = readonly [en: string, zh: string];
type Rule = readonly [RegExp, (...parts: readonly string[]) => Pair | undefined];

/** A statement joined into one line, with the index of its first line. */
export interface Statement {
  readonly at: number;
  readonly text: string;
}

/** Returns the statements in a range of lines, joining those that span several lines within brackets. */
export function statementsOf({ lines, bare, family }: Source, from: number, to: number): readonly Statement[] {
  const found: Statement[] = [];
  const open = family === 'python' ? /[([{]/g : /[([]/g;
  const close = family === 'python' ? /[)\]}]/g : /[)\]]/g;
  let depth = 0;
  let current: { at: number; text: string } | undefined;
  let isInText = false;
  for (let at = from; at <= to; at += 1) {
    const quiet = bare[at] ?? '';
    const quotes = (quiet.match(/"""|'''/g) ?? []).length;
    if (isInText) {
      if (quotes % 2 === 1) isInText = false;
      continue;
    }
    const raw = (lines[at] ?? '').trim();
    const isText = /^[rRbBfF]?(?:"""|''')/.test(raw);
    if (isText) isInText = quotes % 2 === 1;
    if (raw === '' || quiet.trim() === '' || isText) continue;
    const line = (lines[at] ?? '').slice(0, quiet.trimEnd().length).trim();
    current = current === undefined ? { at, text: line } : { ...current, text: `${current.text} ${line}` };
    depth += (quiet.match(open)?.length ?? 0) - (quiet.match(close)?.length ?? 0);
    if (depth > 0) continue;
    found.push(current);
    [current, depth] = [undefined, 0];
  }
  return current === undefined ? found : [...found, current];
}

const c = (text: string): string => inCode(text.replace(/;$/, ''));
const when = (condition: string, otherwise = false): Pair =>
  otherwise
    ? [`or else, if ${c(condition)}:`, `否则，如果 ${c(condition)}：`]
    : [`if ${c(condition)}:`, `如果 ${c(condition)}：`];

const pythonRules: readonly Rule[] = [
  [
    /^for (.+?) in ([^:]+): (.+)$/,
    (x = '', y = '', z = '') => [`for each ${c(x)} in ${c(y)}: ${c(z)}`, `对 ${c(y)} 中的每个 ${c(x)}：${c(z)}`],
  ],
  [
    /^(?:async )?for (.+?) in (.+):$/,
    (x, y) => [`goes through ${c(y ?? '')}, one ${c(x ?? '')} at a time`, `逐个取 ${c(y ?? '')} 中的 ${c(x ?? '')}`],
  ],
  [
    /^while (.+):$/,
    (x = '') =>
      x === 'True'
        ? ['repeats until it is left from inside', '一直循环，直到从内部退出']
        : [`repeats while ${c(x)}`, `当 ${c(x)} 时重复`],
  ],
  [/^if (.+):$/, (x = '') => when(x)],
  [/^if (.+?): (.+)$/, (x = '', y = '') => [`if ${c(x)}: ${c(y)}`, `如果 ${c(x)}：${c(y)}`]],
  [/^elif (.+):$/, (x = '') => when(x, true)],
  [/^else:$/, () => ['otherwise:', '否则：']],
  [/^try:$/, () => ['tries the following', '尝试以下步骤']],
  [/^except:$/, () => ['catches every error', '捕获所有错误']],
  [/^except (.+?)(?: as \w+)?:$/, (x = '') => [`catches ${c(x)}`, `捕获 ${c(x)}`]],
  [/^finally:$/, () => ['in any case, at the end:', '无论如何，最后：']],
  [
    /^(?:async )?with (.+?)(?: as (\w+))?:$/,
    (x = '', y = '') => [
      `opens ${c(x)}${y === '' ? '' : ` as ${c(y)}`} and closes it at the end`,
      `打开 ${c(x)}${y === '' ? '' : `（记为 ${c(y)}）`}，用完自动关闭`,
    ],
  ],
  [/^raise$/, () => ['raises the same error again', '重新抛出同一个错误']],
  [/^raise (.+)$/, (x = '') => [`raises ${c(x)}`, `抛出 ${c(x)}`]],
];

const scriptRules: readonly Rule[] = [
  [
    /^for (?:await )?\((?:const|let|var) (.+?) of (.+)\)/,
    (x = '', y = '') => [`goes through ${c(y)}, one ${c(x)} at a time`, `逐个取 ${c(y)} 中的 ${c(x)}`],
  ],
  [/^for \(;;\)/, () => ['repeats until it is left from inside', '一直循环，直到从内部退出']],
  [
    /^for \((.*);(.*);(.*)\) ?\{?$/,
    (x = '', y = '') => [
      y.trim() === '' ? `counts from ${c(x)} until it is left from inside` : `counts from ${c(x)} while ${c(y)}`,
      y.trim() === '' ? `从 ${c(x)} 开始计数，直到从内部退出` : `从 ${c(x)} 开始，当 ${c(y)} 时继续`,
    ],
  ],
  [/^while \((.+)\) ?\{?$/, (x = '') => [`repeats while ${c(x)}`, `当 ${c(x)} 时重复`]],
  [/^\}? ?else if \((.+)\) ?\{?$/, (x = '') => when(x, true)],
  [/^\}? ?else ?\{?$/, () => ['otherwise:', '否则：']],
  [
    /^if \(([^()]*(?:\([^()]*\)[^()]*)*)\) (?!\{)(.+)$/,
    (x = '', y = '') => [`if ${c(x)}: ${c(y)}`, `如果 ${c(x)}：${c(y)}`],
  ],
  [/^if \((.+)\) ?\{?$/, (x = '') => when(x)],
  [/^try ?\{$/, () => ['tries the following', '尝试以下步骤']],
  [/^\} ?catch(?: ?\((\w+).*?\))? ?\{/, () => ['catches an error', '捕获错误']],
  [/^\}? ?finally ?\{/, () => ['in any case, at the end:', '无论如何，最后：']],
  [/^throw (.+?);?$/, (x = '') => [`throws ${c(x)}`, `抛出 ${c(x)}`]],
  [
    /^(?:const|let|var) \{(.+)\} = (.+?);?$/,
    (x = '', y = '') => [`takes ${c(x)} out of ${c(y)}`, `从 ${c(y)} 中取出 ${c(x)}`],
  ],
];

const sharedRules: readonly Rule[] = [
  [/^return;?$/, () => ['returns', '返回']],
  [/^return (?:\{|\[|\()$/, () => ['returns what the next lines build', '返回下面几行构造的值']],
  [/^return (.+)$/, (x = '') => [`returns ${c(x)}`, `返回 ${c(x)}`]],
  [/^yield (.+)$/, (x = '') => [`hands out ${c(x)}, one at a time`, `逐个产出 ${c(x)}`]],
  [/^break;?$/, () => ['leaves the loop', '退出循环']],
  [
    /^(?:const|let|var)? ?(\[?[\w.$,[\]' ]+?)(?: ?: ?[\w[\]<>, |]+)? ([+\-*/|&]|\*\*|\/\/)= (.+)$/,
    (x = '', op = '', y = '') =>
      op === '+'
        ? [`adds ${c(y)} to ${c(x)}`, `把 ${c(y)} 加到 ${c(x)}`]
        : [`changes ${c(x)} by ${c(`${op} ${y}`)}`, `用 ${c(`${op} ${y}`)} 更新 ${c(x)}`],
  ],
  [
    /^(?:const |let |var )?([[\]\w.$,'" ]+?)(?: ?: ?[\w.[\]<>, |]+)? = (.+)$/,
    (x = '', y = '') => [`sets ${c(x)} to ${c(y)}`, `令 ${c(x)} 为 ${c(y)}`],
  ],
  [/^(?:await )?([\w.$]+\(.*\));?$/, (x = '') => [`calls ${c(x)}`, `调用 ${c(x)}`]],
];

/** Describes what a statement does; `undefined` if it says nothing on its own. */
export function phrase({ family }: Source, { text }: Statement, { say }: Question): string | undefined {
  const rules = [...(family === 'python' ? pythonRules : scriptRules), ...sharedRules];
  for (const [pattern, write] of rules) {
    const match = pattern.exec(text);
    const pair = match === null ? undefined : write(...match.slice(1));
    if (pair !== undefined) return say(...pair);
  }
  return undefined;
}

const control =
  /^(?:\}? ?(?:for|while|if|elif|else if|try|except|with|switch|return|raise|throw|yield|catch|finally)\b|async (?:for|with))/;

/** Lists step by step what a definition does: at most `most` lines, control flow first. */
export function stepsOf(source: Source, definition: Definition, question: Question, most: number): readonly string[] {
  const { say } = question;
  const inner = definitionsOf(source).filter((other) => other.at > definition.at && other.endAt <= definition.endAt);
  const isInner = (at: number) => inner.some((other) => at >= other.at && at <= other.endAt);
  const inline = definition.bodyAt === definition.at;
  const all = inline ? inlineBody(source, definition) : statementsOf(source, definition.bodyAt, definition.endAt);
  const told = all
    .filter(({ at }) => !isInner(at))
    .flatMap((statement) => {
      const words = phrase(source, statement, question);
      return words === undefined ? [] : [{ ...statement, words }];
    });
  const kept = new Set(
    told
      .map((step, index) => ({ index, rank: control.test(step.text) ? 0 : 1 }))
      .toSorted((a, b) => a.rank - b.rank || a.index - b.index)
      .slice(0, most)
      .map(({ index }) => index),
  );
  const shown = told.filter((_, index) => kept.has(index));
  const left = told.length - shown.length;
  return [
    ...shown.map(({ at, words }) =>
      say(`- line ${source.firstLine + at}: ${words}`, `- 第 ${source.firstLine + at} 行：${words}`),
    ),
    ...(left > 0 ? [say(`- and ${left} more step${left === 1 ? '' : 's'}`, `- 另有 ${left} 步`)] : []),
  ];
}

function inlineBody({ lines, bare }: Source, { at, endAt, signature }: Definition): readonly Statement[] {
  const text = lines.slice(at, endAt + 1).join('\n');
  const quiet = bare.slice(at, endAt + 1).join('\n');
  const head = signature === '' ? 0 : text.indexOf(signature) + signature.length;
  const arrow = quiet.indexOf('=>', Math.max(0, head));
  const from = arrow >= 0 ? arrow + 2 : quiet.indexOf(':', quiet.indexOf(')', head - 1)) + 1;
  const body = text.slice(from).replace(/\s+/g, ' ').trim();
  return [{ at, text: arrow >= 0 ? `return ${body}` : body }];
}
