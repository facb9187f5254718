import type { Question } from '../question';
import { explainJson } from './json';
import { explainMarkdown } from './markdown';
import { type Definition, callName, definitionsOf, headOf, importsOf } from './outline';
import { type Source, inCode, indentOf } from './source';
import { phrase, statementsOf, stepsOf } from './walk';

/** What functions with matching names do. */
const purposes: readonly (readonly [RegExp, string, string])[] = [
  [/retry|backoff/i, 'tries something again after a failure', '在失败后重试'],
  [/median/i, 'finds the middle value', '求中位数'],
  [/average|mean/i, 'finds the average', '求平均值'],
  [/^(?:total|sum)/i, 'adds something up', '求和'],
  [/^merge/i, 'merges what it is given into one', '把给定内容合并'],
  [/^(?:is|has|can|should)(?=[_A-Z])/, 'answers a question with true or false', '回答是或否'],
];

function purposeOf({ name, doc }: Definition, { say }: Question): string {
  if (doc !== '') return say(`Its own comment: “${doc}”`, `它自己的注释：“${doc}”`);
  const known = purposes.find(([pattern]) => pattern.test(name));
  return known === undefined ? '' : say(`Judging by its name, it ${known[1]}.`, `从名字看，它${known[2]}。`);
}

export const range = ({ firstLine }: Source, at: number, endAt: number, { say }: Question): string =>
  at === endAt
    ? say(`line ${firstLine + at}`, `第 ${firstLine + at} 行`)
    : say(`lines ${firstLine + at}–${firstLine + endAt}`, `第 ${firstLine + at}–${firstLine + endAt} 行`);

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const inWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
const listed = (names: readonly string[], most = 8): string =>
  names
    .slice(0, most)
    .map((name) => inCode(name))
    .join(', ') + (names.length > most ? ', …' : '');

/** Describes in one sentence what kind of text it is and what it contains; every number is counted. */
export function overviewOf(source: Source, { say }: Question): string {
  const definitions = definitionsOf(source);
  const classes = definitions.filter(({ kind }) => kind === 'class');
  const types = definitions.filter(({ kind }) => kind === 'type');
  const functions = definitions.filter(({ kind, owner }) => kind === 'function' && owner === '');
  const methods = definitions.filter(({ kind, owner }) => kind === 'function' && owner !== '');
  const imports = importsOf(source);
  const groups: readonly (readonly [readonly string[], string, string])[] = [
    [imports, 'import', '个导入'],
    [classes.map(({ name }) => name), 'class', '个类'],
    [types.map(({ name }) => name), source.family === 'other' ? 'definition' : 'type', '个类型'],
    [functions.map(({ name }) => name), 'function', '个函数'],
    [methods.map(({ name }) => name), 'method', '个方法'],
  ];
  const parts = groups
    .filter(([names]) => names.length > 0)
    .map(([names, one, zh]) =>
      say(
        `${counted(names.length, one, one === 'class' ? 'classes' : undefined)} (${listed(names)})`,
        `${names.length} ${zh}（${listed(names)}）`,
      ),
    );
  const lines = source.lines.length;
  const file = source.name === '' ? say('This', '这段代码') : inCode(source.name);
  const named = source.firstLine === 1 ? file : say(`This part of ${file}`, `${file} 的这一部分`);
  return say(
    `${named} is ${counted(lines, 'line')} of ${source.called}${parts.length === 0 ? '' : ` with ${inWords(parts)}`}.`,
    `${named} 是 ${lines} 行 ${source.called}${parts.length === 0 ? '' : `，含 ${parts.join('、')}`}。`,
  );
}

function fieldsOf(source: Source, { bodyAt, endAt }: Definition): readonly string[] {
  return source.bare.slice(bodyAt, endAt + 1).flatMap((line) => {
    const name = /^\s+(?:(?:readonly|private|public|static)\s+)*(#?\w+)\??\s*(?::(?!:)|=(?!=))/.exec(line)?.[1];
    return name === undefined || indentOf(line) > 4 ? [] : [name];
  });
}

function aboutDefinition(source: Source, definition: Definition, question: Question, most: number): string {
  const { say } = question;
  const { kind, at, endAt, parameters, isAsync } = definition;
  const place = range(source, at, endAt, question);
  if (kind !== 'function') {
    const fields = kind === 'class' || source.family === 'script' ? fieldsOf(source, definition) : [];
    const methods = definitionsOf(source).filter(
      (other) => other.kind === 'function' && other.owner === definition.name,
    );
    const word = kind === 'class' ? say('class', '类') : say('type', '类型');
    return [
      `**${inCode(definition.name)}** (${word}, ${place})`,
      ...(definition.doc === '' ? [] : [purposeOf(definition, question)]),
      ...(fields.length === 0 ? [] : [say(`Fields: ${listed(fields)}.`, `字段：${listed(fields)}。`)]),
      ...(methods.length === 0
        ? []
        : [
            say(
              `Methods: ${listed(methods.map(({ name }) => name))}.`,
              `方法：${listed(methods.map(({ name }) => name))}。`,
            ),
          ]),
    ].join('\n\n');
  }
  const defaults = parameters.filter(({ fallback }) => fallback !== '');
  const takes = [
    purposeOf(definition, question),
    isAsync ? say('It is asynchronous.', '它是异步的。') : '',
    defaults.length === 0
      ? ''
      : say(
          `${listed(defaults.map(({ name }) => name))} may be left out (${defaults.map(({ name, fallback }) => inCode(`${name} = ${fallback}`)).join(', ')}).`,
          `可省略：${defaults.map(({ name, fallback }) => inCode(`${name} = ${fallback}`)).join('、')}。`,
        ),
  ].filter((part) => part !== '');
  return [
    `**${inCode(headOf(definition, source.family === 'python'), 100)}** (${place})`,
    ...(takes.length === 0 ? [] : [takes.join(' ')]),
    stepsOf(source, definition, question, most).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function topLevel(source: Source, question: Question): readonly string[] {
  const definitions = definitionsOf(source);
  const steps = statementsOf(source, 0, source.lines.length - 1).filter(
    ({ at, text }) =>
      !definitions.some((one) => at >= one.at && at <= one.endAt) && !/^(?:import|from|@|export \{|[})\]])/.test(text),
  );
  const told = steps.flatMap((step) => {
    const words = phrase(source, step, question);
    return words === undefined
      ? []
      : [
          question.say(
            `- line ${source.firstLine + step.at}: ${words}`,
            `- 第 ${source.firstLine + step.at} 行：${words}`,
          ),
        ];
  });
  return told.length === 0
    ? []
    : [[question.say('Outside of these:', '此外：'), told.slice(0, 10).join('\n')].join('\n\n')];
}

/** Explains code: what it defines, where, and what each part does line by line. */
export function explain(source: Source, question: Question): string {
  if (source.family === 'json') return explainJson(source, question);
  if (source.family === 'markdown') return explainMarkdown(source, question);
  const definitions = definitionsOf(source);
  if (source.family === 'other')
    return [
      overviewOf(source, question),
      question.say(
        `The demo service reads Python, TypeScript, JavaScript, JSON and Markdown. It has no model, so it cannot explain ${source.called}.`,
        `演示服务能读 Python、TypeScript、JavaScript、JSON 和 Markdown。它没有模型，无法解释 ${source.called}。`,
      ),
    ].join('\n\n');
  const asked = definitions.filter(
    ({ name }) => name.length > 2 && new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(question.ask),
  );
  if (asked.length > 0)
    return definitions
      .filter((one) => asked.includes(one) || asked.some(({ kind, name }) => kind === 'class' && one.owner === name))
      .map((one) => aboutDefinition(source, one, question, 14))
      .join('\n\n');
  const most = definitions.length > 4 ? 6 : 14;
  const shown = definitions.slice(0, 8);
  const left = definitions.length - shown.length;
  const own = topLevel(source, question);
  return [
    overviewOf(source, question),
    ...shown.map((definition) => aboutDefinition(source, definition, question, most)),
    ...(left > 0
      ? [
          question.say(
            `Not shown: ${listed(definitions.slice(8).map(callName))}.`,
            `未展开：${listed(definitions.slice(8).map(callName))}。`,
          ),
        ]
      : []),
    ...(definitions.length === 0 ? own.map((part) => part.replace(/^.*\n\n/, '')) : own),
  ].join('\n\n');
}
