import type { Question } from '../question';
import { jsonTypes } from './jsonShape';
import { type Definition, type Parameter, callName, definitionsOf } from './outline';
import { type Source, fenceOf, fenced, inCode } from './source';

/** The kinds of values that a name or a value reveals, with their types in both languages below. */
type Kind = 'int' | 'float' | 'str' | 'bool' | 'list' | 'numbers' | 'texts' | 'dict' | 'call' | 'none';

const words: Readonly<Record<Kind, readonly [python: string, script: string]>> = {
  int: ['int', 'number'],
  float: ['float', 'number'],
  str: ['str', 'string'],
  bool: ['bool', 'boolean'],
  list: ['list', 'unknown[]'],
  numbers: ['list[float]', 'number[]'],
  texts: ['list[str]', 'string[]'],
  dict: ['dict', 'Record<string, unknown>'],
  call: ['Callable', '() => unknown'],
  none: ['None', 'void'],
};

function kindOfValue(value: string): Kind | undefined {
  if (/^-?\d+$/.test(value)) return 'int';
  if (/^-?\d*\.\d+$/.test(value)) return 'float';
  if (/^[rfb]?["'`]/.test(value)) return 'str';
  if (/^(?:True|False|true|false|not\b|!)/.test(value)) return 'bool';
  if (/^\[|^(?:list|sorted)\(/.test(value)) return 'list';
  if (/^\{|^dict\(/.test(value)) return 'dict';
  return undefined;
}

const names: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:is|has|should|can)[_A-Z]|^(?:verbose|strict|enabled|recursive|force)$/, 'bool'],
  [
    /^(?:n|k|i|j|count|size|limit|index|attempts?|retries|tries|width|height|age|year|port|number|quantity|length|depth)$|(?:Count|_count|_id)$/,
    'int',
  ],
  [
    /^(?:price|amount|rate|total|pause|delay|timeout|seconds|score|ratio|x|y|factor|discount|tax)$|(?:_price|_seconds|_rate)$/,
    'float',
  ],
  [
    /^(?:name|text|path|url|message|title|key|word|line|s|string|prefix|suffix|filename|file_name|email|label|query|separator|sep|city|customer)$|(?:Name|_name|_path|Path|_url|Url)$/,
    'str',
  ],
  [/^(?:items?_list|items|rows|results|list|lst|arr|array|elements|orders|users|left|right)$/, 'list'],
  [/^(?:numbers|nums|values|prices|scores|amounts|totals)$/, 'numbers'],
  [/^(?:words|lines|names|texts|tags|paths|urls)$/, 'texts'],
  [/^(?:call|callback|func|function|fn|handler|cb|run)$/, 'call'],
  [/^(?:options|config|settings|headers|mapping|data|params)$/, 'dict'],
];

export function kindOf({ name, fallback }: Parameter, body: string): Kind | undefined {
  const byName = names.find(([pattern]) => pattern.test(name))?.[1];
  const byValue = kindOfValue(fallback);
  if (byValue !== undefined) return byValue;
  if (new RegExp(String.raw`(?<![\w.])${name}\((?!\))|(?<![\w.])${name}\(\)`).test(body)) return 'call';
  if (
    new RegExp(
      String.raw`\bin ${name}:|\blen\(${name}\)|\bof ${name}\)|\b${name}\.(?:map|filter|length|reduce|append)\b|\bsorted\(${name}\)`,
    ).test(body)
  )
    return byName === 'str' || byName === 'numbers' || byName === 'texts' ? byName : 'list';
  if (
    new RegExp(String.raw`\b${name}\.(?:lower|upper|strip|split|startswith|trim|toLowerCase|toUpperCase)\(`).test(body)
  )
    return 'str';
  return byName;
}

/** Returns what every `return` of a function yields, as far as that is clear; `none` without any `return`. */
function returnKind(source: Source, { bodyAt, endAt, at }: Definition): Kind | undefined {
  const lines = source.lines.slice(bodyAt, endAt + 1);
  if (bodyAt === at || lines.some((line) => /^\s*(?:def|class|function)\b|\byield\b|=>\s*\{/.test(line)))
    return undefined;
  const values = lines.flatMap((line) => /\breturn\b\s*([^;\n]*)/.exec(line)?.[1] ?? []);
  if (values.length === 0) return 'none';
  const kinds = new Set(
    values.map((value) => {
      if (/^len\([^()]*\)$|^[\w.]+\.length$|^round\([^,]+\)$/.test(value)) return 'int';
      if (/^(?:\w|\.|\(|\))+ (?:==|===|!=|!==|<|>|<=|>=|in|not in|is) |^(?:any|all|isinstance)\(/.test(value))
        return 'bool';
      if (/ \/ /.test(value) && !/["'`]/.test(value)) return 'float';
      if (/\.join\(|\.(?:lower|upper|strip|trim|toLowerCase|toUpperCase|replace)\([^)]*\)$/.test(value)) return 'str';
      const assigned = /^\w+$/.test(value)
        ? lines
            .map((line) => new RegExp(String.raw`^\s*(?:let |var |const )?${value} = ([^;]+);?$`).exec(line)?.[1])
            .find((one) => one !== undefined)
        : undefined;
      const kind = kindOfValue(assigned ?? value);
      return kind === 'int' && assigned !== undefined && source.family === 'python' ? undefined : kind;
    }),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function typed(
  source: Source,
  definition: Definition,
): { readonly signature: string; readonly returns: string; readonly unknown: readonly string[] } {
  const isPython = source.family === 'python';
  const body = source.bare
    .slice(definition.at, definition.endAt + 1)
    .join('\n')
    .replace(/^.*?[:{]/, '');
  const unknown: string[] = [];
  let { signature } = definition;
  for (const parameter of definition.parameters) {
    if (parameter.type !== '' || /^[*.]/.test(parameter.name)) continue;
    const isNone = /^(?:None|null|undefined)$/.test(parameter.fallback);
    const kind = kindOf({ ...parameter, fallback: isNone ? '' : parameter.fallback }, body);
    if (kind === undefined) {
      unknown.push(parameter.name);
      continue;
    }
    const type = `${words[kind][isPython ? 0 : 1]}${isNone ? (isPython ? ' | None' : ' | null') : ''}`;
    signature = signature.replace(
      new RegExp(String.raw`(?<=[(,]\s*)${parameter.name}(\s*=\s*)?(?=[^\w:]|(?<=\s*=\s*).)`),
      (_, equals?: string) => `${parameter.name}: ${type}${equals === undefined ? '' : ' = '}`,
    );
  }
  const kind =
    definition.returns === '' && definition.name !== 'constructor' && !definition.isAsync
      ? returnKind(source, definition)
      : undefined;
  return { signature, unknown, returns: kind === undefined ? '' : words[kind][isPython ? 0 : 1] };
}

/** Answers with the code and the types that names, defaults and usage reveal. */
export function addTypes(source: Source, question: Question): string {
  const { say } = question;
  if (source.family === 'json') return jsonTypes(source, question);
  const functions = definitionsOf(source).filter(({ kind, signature }) => kind === 'function' && signature !== '');
  if (source.family === 'markdown' || source.family === 'other' || functions.length === 0)
    return say(
      `There are no functions here whose parameters could get types${source.family === 'other' ? ' by the rules I know' : ''}.`,
      `这里没有可以标注参数类型的函数。`,
    );
  const open: string[] = [];
  let count = 0;
  let text = source.text;
  for (const definition of functions) {
    const { signature, returns, unknown } = typed(source, definition);
    for (const one of unknown.map((name) => `${callName(definition)}: ${name}`)) open.push(one);
    const lines = text.split('\n');
    const before = lines.slice(0, definition.at).join('\n');
    const rest = lines.slice(definition.at).join('\n');
    const arrow = returns === '' ? '' : source.family === 'python' ? ` -> ${returns}` : `: ${returns}`;
    const hasSignature = rest.includes(definition.signature);
    if (!hasSignature || (signature === definition.signature && returns === '')) continue;
    count += 1;
    const changed = rest.replace(definition.signature, () => `${signature}${arrow}`);
    text = before === '' ? changed : `${before}\n${changed}`;
  }
  if (text.includes('Callable') && !/import.*Callable/.test(text))
    text = `from collections.abc import Callable\n${text}`;
  const left =
    open.length === 0
      ? ''
      : say(
          `Left open, as nothing in the code shows their type: ${open.map((one) => inCode(one)).join(', ')}.`,
          `代码中看不出类型，保持原样：${open.map((one) => inCode(one)).join('、')}。`,
        );
  if (text === source.text)
    return [
      say(
        'Nothing to add: what can be told from the code has its type already.',
        '无需补充：能从代码看出的类型都已写明。',
      ),
      left,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  return [
    say(
      `With types on ${count} function${count === 1 ? '' : 's'}, inferred from names, defaults and use:`,
      `为 ${count} 个函数补上类型（依据名称、默认值和用法）：`,
    ),
    fenced(source.family === 'script' ? 'typescript' : fenceOf(source), text),
    left,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
