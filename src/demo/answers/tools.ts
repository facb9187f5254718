import { isRecord } from '../validate';
import type { Question } from './question';
import { excerpt, keywordsOf, wordsOf } from './words';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}

export type ToolChoice = { readonly type: 'auto' | 'any' | 'none' } | { readonly type: 'tool'; readonly name: string };

const stem = (word: string) => word.toLowerCase().replace(/(?:ies|ing|ed|es|s)$/, '');
const nameParts = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.:/-]+/)
    .map(stem)
    .filter((part) => part.length > 2);
const generic = new Set(
  ['get', 'set', 'the', 'tool', 'run', 'call', 'use', 'current', 'given', 'return', 'user', 'value', 'fetch'].map(stem),
);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether the question names the tool. A name that is an ordinary word only counts after a verb such as "use". */
function isNamed({ name }: Tool, ask: string): boolean {
  const isWord = /^[a-z]+$/.test(name);
  const said = isWord
    ? String.raw`\b(?:use|call|run|ask|invoke|with)\s+(?:the\s+)?(?:tool\s+)?`
    : String.raw`(?<![\w])`;
  return new RegExp(`${said}[\`"'“]?${escaped(name)}(?![\\w])`, 'i').test(ask);
}

/** Returns how closely the question matches a tool; it must contain every specific word of the tool's name. */
function relevance(tool: Tool, ask: string): number {
  const questionStems = new Set(wordsOf(ask).map(stem));
  const named = nameParts(tool.name).filter((part) => !generic.has(part));
  const described = keywordsOf(tool.description, 12)
    .map(stem)
    .filter((part) => !generic.has(part));
  const shared = described.filter((part) => questionStems.has(part)).length;
  const zh = keywordsOf(tool.description, 8).filter((key) => /\p{Script=Han}/u.test(key) && ask.includes(key)).length;
  const isWhole = named.length > 0 && named.every((part) => questionStems.has(part));
  return (isWhole && (named.length > 1 || shared > 0) ? named.length * 2 + shared : 0) + zh * 2;
}

/** Matches references to the open file. */
const meansFile =
  /\b(?:this|the|current|open)\s+(?:\w+\s+)?(?:file|code|module|script|class|function|document)\b|这个文件|当前文件|这段代码/i;

/** Returns a tool that reads the open file, if the question is about that file and its contents were not sent. */
const readerOf = (tools: readonly Tool[], { ask, material, openFile }: Question): Tool | undefined =>
  openFile !== '' && material === '' && meansFile.test(ask) ? tools.find(({ name }) => isFileReader(name)) : undefined;

export const isFileReader = (name: string): boolean => /(?:^|_)read_?file$/i.test(name);

/** Returns the tools to call, the best match first, or an empty list to answer in text. */
export function chooseTools(
  tools: readonly Tool[],
  choice: ToolChoice,
  question: Question,
  { parallel, isAnswerable }: { readonly parallel: boolean; readonly isAnswerable: boolean },
): readonly Tool[] {
  const { ask } = question;
  if (choice.type === 'none' || tools.length === 0) return [];
  if (choice.type === 'tool') return tools.filter((tool) => tool.name === choice.name);
  const named = tools.filter((tool) => isNamed(tool, ask));
  if (named.length > 0) return parallel ? named : named.slice(0, 1);
  const reader = readerOf(tools, question);
  if (reader !== undefined) return [reader];
  if (isAnswerable && choice.type === 'auto') return [];
  const ranked = tools.map((tool) => ({ tool, score: relevance(tool, ask) })).toSorted((a, b) => b.score - a.score);
  const fits = choice.type === 'any' || (ranked[0]?.score ?? 0) > 0;
  return fits ? ranked.slice(0, 1).map(({ tool }) => tool) : [];
}

/** Returns a tool's input, taken from the question. */
export function callInput({ name, schema }: Tool, { ask, openFile }: Question): unknown {
  const input = inputFor({ type: 'object', ...schema }, name, ask);
  if (openFile === '' || !isFileReader(name) || !isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      /path|file|uri/i.test(key) && !/line/i.test(key)
        ? openFile
        : /start|offset/i.test(key)
          ? 1
          : /end|limit/i.test(key)
            ? 1000
            : value,
    ]),
  );
}

function textFor(name: string, ask: string): string {
  const key = name.toLowerCase();
  if (/url|link|href/.test(key)) return /https?:\/\/\S+/.exec(ask)?.[0] ?? 'https://example.com/';
  if (/path|file|folder|dir/.test(key)) return /[\w./\\-]*[/.][\w-]+\.?\w*/.exec(ask)?.[0] ?? 'README.md';
  if (/date|day/.test(key)) return /\d{4}-\d{2}-\d{2}/.exec(ask)?.[0] ?? 'today';
  if (/city|location|place|country|region|town|城市|地点/.test(key)) {
    const place = /\b(?:in|at|for|of|from|near)\s+((?:\p{Lu}[\p{L}'-]+\s?){1,3})/u.exec(ask)?.[1]?.trim();
    return place ?? /([\p{Script=Han}]{2,3})(?:的?天气|现在|今天)/u.exec(ask)?.[1] ?? keywordsOf(ask, 1)[0] ?? 'Paris';
  }
  if (/expression|formula|math/.test(key)) return /[\d(][\d\s.+\-*/×÷^%()]*[\d)]/.exec(ask)?.[0].trim() ?? ask;
  return /["“'‘]([^"”'’]{2,})["”'’]/.exec(ask)?.[1] ?? excerpt(ask, 160);
}

/** Returns the quoted strings after the question's mention of the list. */
function quotedAfter(name: string, ask: string): readonly string[] {
  const at = ask.toLowerCase().indexOf(name.toLowerCase());
  return at < 0 ? [] : [...ask.slice(at).matchAll(/["“]([^"”]{2,})["”]/g)].map(([, quoted = '']) => quoted);
}

/** Returns a value that fits the schema, taken from the question if possible. */
export function inputFor(schema: unknown, name: string, ask: string, depth = 0): unknown {
  if (!isRecord(schema) || depth > 6) return textFor(name, ask);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) {
    const options: readonly unknown[] = schema['enum'];
    return (
      options.find((option) => typeof option === 'string' && ask.toLowerCase().includes(option.toLowerCase())) ??
      options[0]
    );
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return inputFor(alternatives[0], name, ask, depth + 1);
  const type: unknown = Array.isArray(schema['type']) ? schema['type'].find((item) => item !== 'null') : schema['type'];
  if (type === 'object' || isRecord(schema['properties'])) return objectFor(schema, ask, depth);
  const listed = type === 'array' ? quotedAfter(name, ask) : [];
  if (listed.length > 1) return listed;
  if (type === 'array') return [inputFor(schema['items'] ?? { type: 'string' }, name, ask, depth + 1)];
  if (type === 'boolean') return !/\b(not|no|without|don't|never)\b|不/.test(ask);
  if (type === 'null') return null;
  if (type === 'number' || type === 'integer') return figureFor(schema, type, ask);
  return textFor(name, ask);
}

function figureFor(schema: Record<string, unknown>, type: 'number' | 'integer', ask: string): number {
  const bound = (key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);
  const found = /-?\d+(?:\.\d+)?/.exec(ask)?.[0];
  const value = found === undefined ? (bound('default') ?? bound('minimum') ?? 1) : Number(found);
  const bounded = Math.min(Math.max(value, bound('minimum') ?? -Infinity), bound('maximum') ?? Infinity);
  return type === 'integer' ? Math.round(bounded) : bounded;
}

function objectFor(schema: Record<string, unknown>, ask: string, depth: number): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  // As complete words, because the name of the tool itself can contain that of a property.
  const words = new Set(ask.toLowerCase().split(/[^\p{L}\p{N}_]+/u));
  const mentioned = (key: string, value: unknown) =>
    required.includes(key) ||
    words.has(key.toLowerCase()) ||
    (isRecord(value) &&
      Array.isArray(value['enum']) &&
      value['enum'].some((option) => typeof option === 'string' && ask.toLowerCase().includes(option.toLowerCase())));
  const chosen = Object.entries(properties).filter(([key, value]) => mentioned(key, value));
  const used = chosen.length > 0 ? chosen : Object.entries(properties).slice(0, 1);
  return Object.fromEntries(used.map(([key, value]) => [key, inputFor(value, key, ask, depth + 1)]));
}

/** Returns the answer's text after tool results. */
export function aboutResults(
  { say, ask }: Question,
  results: readonly { readonly name: string; readonly text: string; readonly isError: boolean }[],
): string {
  const parts = results.map(({ name, text, isError }) => {
    const quoted = excerpt(text, 400);
    if (isError) return say(`\`${name}\` failed: ${quoted}`, `\`${name}\` 调用失败：${quoted}`);
    return say(`\`${name}\` answered:\n\n> ${quoted}`, `\`${name}\` 的结果：\n\n> ${quoted}`);
  });
  return [
    ...parts,
    say(`That is what I have on “${excerpt(ask, 80)}”.`, `以上就是关于“${excerpt(ask, 60)}”的结果。`),
  ].join('\n\n');
}
