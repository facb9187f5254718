import { isRecord } from '../../validate';
import type { Question } from '../question';
import { parseJson, tableOf } from '../tables';
import { type Source, fenced, inCode } from './source';

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const shortly = (value: unknown): string => inCode(JSON.stringify(value) ?? '', 40);

/** Returns the number of the line on which a key of the outermost object, or of one within it, first occurs. */
const lineOfKey = ({ lines, firstLine }: Source, key: string): number => {
  const at = lines.findIndex(
    (line) => line.includes(`${JSON.stringify(key)}:`) || line.includes(`${JSON.stringify(key)} :`),
  );
  return firstLine + Math.max(0, at);
};

function depthOf(value: unknown): number {
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : undefined;
  return inner === undefined ? 0 : 1 + inner.map(depthOf).reduce((most, one) => Math.max(most, one), 0);
}

export const jsonNotValid = (source: Source, question: Question): string =>
  [
    question.say('This is not valid JSON, so I put it right first.', '这不是合法的 JSON，先修正它。'),
    repairJson(source, question),
  ].join('\n\n');

function aboutList(value: readonly unknown[], { say }: Question): readonly string[] {
  const records = value.filter(isRecord);
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (keys.length === 0) return [];
  const rows = keys.map((key) => {
    const having = records.filter((record) => key in record);
    const count = say(`${having.length} of ${value.length}`, `${having.length}/${value.length}`);
    return [inCode(key), count, shortly(having[0]?.[key])];
  });
  return [tableOf([say('Key', '键'), say('In', '出现于'), say('First value', '首个值')], rows)];
}

function valueCell(item: unknown, { say }: Question): string {
  if (Array.isArray(item)) {
    const count = say(`${item.length} item${item.length === 1 ? '' : 's'}: `, `${item.length} 项：`);
    return count + shortly(item);
  }
  if (!isRecord(item)) return shortly(item);
  const keys = Object.keys(item);
  const names = keys
    .slice(0, 6)
    .map((name) => inCode(name))
    .join(say(', ', '、'));
  return say(`${keys.length} key${keys.length === 1 ? '' : 's'}: ${names}`, `${keys.length} 个键：${names}`);
}

export function explainJson(source: Source, question: Question): string {
  const { say } = question;
  const value = parseJson(source.text);
  if (value === undefined) return jsonNotValid(source, question);
  const named = source.name === '' ? say('This', '这段文本') : inCode(source.name);
  const count = source.lines.length;
  const lines = say(`${count} line${count === 1 ? '' : 's'}`, `${count} 行`);
  if (Array.isArray(value)) {
    const head = say(
      `${named} is a JSON array of ${value.length} items in ${lines}.`,
      `${named} 是 ${lines} JSON，一个含 ${value.length} 项的数组。`,
    );
    return [head, ...aboutList(value, question)].join('\n\n');
  }
  if (!isRecord(value))
    return say(`${named} is one JSON value: ${shortly(value)}.`, `${named} 是单个 JSON 值：${shortly(value)}。`);
  const entries = Object.entries(value);
  const asked = /\b(?:what|which|where|how)\b|什么|多少/i.test(question.ask)
    ? entries.filter(([key]) => new RegExp(String.raw`(?<!\w)${key.replace(/\W/g, '.')}(?!\w)`, 'i').test(question.ask))
    : [];
  if (asked.length > 0)
    return asked
      .map(([key, item]) =>
        say(
          `${inCode(key)} (line ${lineOfKey(source, key)}) is ${valueCell(item, question)}.`,
          `${inCode(key)}（第 ${lineOfKey(source, key)} 行）是 ${valueCell(item, question)}。`,
        ),
      )
      .join('\n\n');
  const rows = entries
    .slice(0, 30)
    .map(([key, item]) => [String(lineOfKey(source, key)), inCode(key), typeOf(item), valueCell(item, question)]);
  return [
    say(
      `${named} is a JSON object with ${entries.length} key${entries.length === 1 ? '' : 's'} in ${lines}, nested ${depthOf(value)} deep.`,
      `${named} 是 ${lines} JSON，一个含 ${entries.length} 个键的对象，嵌套 ${depthOf(value)} 层。`,
    ),
    tableOf([say('Line', '行'), say('Key', '键'), say('Type', '类型'), say('Value', '值')], rows),
  ].join('\n\n');
}

interface Slip {
  readonly seen: RegExp;
  readonly what: readonly [en: string, zh: string];
  readonly fix: (line: string, next: string) => string;
}

const slips: readonly Slip[] = [
  { seen: /^\s*(?:\/\/|#)/, what: ['JSON has no comments', 'JSON 没有注释'], fix: () => '' },
  {
    seen: /[\s,]\/\/[^"]*$/,
    what: ['JSON has no comments', 'JSON 没有注释'],
    fix: (line) => line.replace(/\s*\/\/[^"]*$/, ''),
  },
  {
    seen: /(?<=[:,{[]\s*|^\s*)'(?:[^'\\]|\\.)*'/,
    what: ['text stands in double quotes', '文本要用双引号'],
    fix: (line) => line.replace(/'((?:[^'\\]|\\.)*)'/g, '"$1"'),
  },
  {
    seen: /^\s*[A-Za-z_]\w*\s*:/,
    what: ['keys stand in double quotes', '键要用双引号'],
    fix: (line) => line.replace(/^(\s*)([A-Za-z_]\w*)(\s*:)/, '$1"$2"$3'),
  },
  {
    seen: /:\s*(?:True|False|None|undefined|NaN)\b/,
    what: ['the words of JSON are `true`, `false` and `null`', 'JSON 只有 `true`、`false` 和 `null`'],
    fix: (line) =>
      line
        .replace(/:\s*True\b/, ': true')
        .replace(/:\s*False\b/, ': false')
        .replace(/:\s*(?:None|undefined|NaN)\b/, ': null'),
  },
];

/** Says what is invalid JSON and on which line, and returns the corrected text if that makes it valid. */
export function repairJson(source: Source, { say }: Question): string {
  const named = source.name === '' ? say('The text', '这段文本') : inCode(source.name);
  const parsed = parseJson(source.text);
  if (parsed !== undefined)
    return say(
      `${named} is valid JSON: nothing to fix in its form. Whether its values are right, only a person or a real model can tell.`,
      `${named} 是合法的 JSON，形式上无需修正。值是否正确，要由人或真实模型判断。`,
    );
  const found: [number, string][] = [];
  const lines = source.lines.map((line, at) =>
    slips.reduce((text, slip) => {
      if (!slip.seen.test(text)) return text;
      found.push([at, say(...slip.what)]);
      return slip.fix(text, source.lines[at + 1] ?? '');
    }, line),
  );
  for (const [at, line] of lines.entries()) {
    const next =
      lines
        .slice(at + 1)
        .find((other) => other.trim() !== '')
        ?.trim() ?? '';
    if (/,\s*[}\]]/.test(line) || (/,\s*$/.test(line) && /^[}\]]/.test(next))) {
      found.push([at, say('a comma before the closing bracket', '右括号前多了逗号')]);
      lines[at] = line.replace(/,(\s*[}\]])/g, '$1').replace(/,\s*$/, /^[}\]]/.test(next) ? '' : ',');
    } else if (/(?:["\d}\]]|true|false|null)\s*$/.test(line) && /^["{[]/.test(next)) {
      found.push([at, say('the comma at its end is missing', '行尾缺少逗号')]);
      lines[at] = `${line.trimEnd()},`;
    }
  }
  const text = lines.filter((line, at) => line !== '' || source.lines[at] === '').join('\n');
  const closed = parseJson(text) === undefined ? closedUp(text) : text;
  if (closed !== text) found.push([lines.length - 1, say('the end is missing', '末尾缺少括号')]);
  const isRight = parseJson(closed) !== undefined;
  return [
    found.length === 0
      ? say(
          `${named} is not valid JSON, and I cannot tell where it goes wrong.`,
          `${named} 不是合法的 JSON，但我无法判断错在哪里。`,
        )
      : say(`${named} is not valid JSON:`, `${named} 不是合法的 JSON：`),
    ...(found.length === 0
      ? []
      : [
          tableOf(
            [say('Line', '行'), say('What is wrong', '问题')],
            found.toSorted(([a], [b]) => a - b).map(([at, what]) => [String(source.firstLine + at), what]),
          ),
        ]),
    ...(isRight ? [say('Corrected:', '修正后：'), fenced('json', closed)] : []),
  ].join('\n\n');
}

function closedUp(text: string): string {
  const open: string[] = [];
  for (const letter of text.replace(/"(?:\\.|[^"\\])*"/g, '')) {
    if (letter === '{') open.push('}');
    else if (letter === '[') open.push(']');
    else if (letter === '}' || letter === ']') open.pop();
  }
  return open.length === 0 ? text : `${text}\n${open.toReversed().join('\n')}`;
}
