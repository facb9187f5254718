import type { Question } from '../question';
import { explainJson } from './json';
import { markdownContents } from './markdown';
import { type Definition, type Parameter, definitionsOf } from './outline';
import { type Source, fenceOf, fenced } from './source';

const spoken = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();

const thirdPerson = (verb: string): string =>
  /(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;

const verbs = new Set(
  `load read save write get set parse find make create build add remove delete filter sort count check validate format render convert merge split join send fetch open close start stop
  run retry compute calculate update print show apply handle process init reset clear copy move rename list map reduce group round wait call log test encode decode reverse normalize clean`.split(
    /\s+/,
  ),
);

/** Turns a name into a sentence: `load_order` becomes "Loads the order." */
function sentenceOf({ name, kind, parameters }: Definition): string {
  const [first = '', ...rest] = spoken(name).split(' ');
  if (kind !== 'function') return `${/^[aeiou]/i.test(name) ? 'An' : 'A'} ${spoken(name)}.`;
  if (/^(?:__init__|constructor)$/.test(name)) return 'Sets up a new object.';
  if (/^(?:is|has|can|should)$/.test(first)) return `Tells whether it ${first} ${rest.join(' ')}.`;
  if (!verbs.has(first)) return `Gives the ${[first, ...rest].join(' ')}.`;
  const object = rest.length > 0 ? rest.join(' ') : spoken(parameters[0]?.name.replace(/^[*.]+/, '') ?? '');
  const article = object === '' || /^(?:by|to|from|with|in|of|as|all|the|for|on)\b/.test(object) ? ' ' : ' the ';
  const said = `${thirdPerson(first)}${article}${object}`.trim();
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`;
}

const aboutParameter = ({ name, fallback }: Parameter): string =>
  `The ${spoken(name.replace(/^[*.]+/, ''))}${fallback === '' ? '' : `, \`${fallback}\` by default`}.`;

const bodyLines = ({ lines }: Source, { bodyAt, endAt }: Definition): readonly string[] =>
  lines.slice(bodyAt, endAt + 1);

function returned(source: Source, definition: Definition): string | undefined {
  const values = bodyLines(source, definition).flatMap(
    (line) => /^\s*(?:if .*)?\breturn\s+([^;]+);?\s*$/.exec(line)?.[1] ?? [],
  );
  const [first] = values;
  return first === undefined || /^[{[(]$/.test(first) ? undefined : values.map((value) => `\`${value}\``).join(' or ');
}

const thrown = (source: Source, definition: Definition): readonly string[] => [
  ...new Set(bodyLines(source, definition).flatMap((line) => /\b(?:raise|throw new)\s+(\w+)/.exec(line)?.[1] ?? [])),
];

function pythonDoc(source: Source, definition: Definition, indent: string): readonly string[] {
  const { parameters } = definition;
  const isFunction = definition.kind === 'function';
  const gives = isFunction ? returned(source, definition) : undefined;
  const errors = isFunction ? thrown(source, definition) : [];
  const sections = [
    ...(parameters.length === 0
      ? []
      : [[`${indent}Args:`, ...parameters.map((one) => `${indent}    ${one.name}: ${aboutParameter(one)}`)]]),
    ...(gives === undefined ? [] : [[`${indent}Returns:`, `${indent}    ${gives}`]]),
    ...(errors.length === 0 ? [] : [[`${indent}Raises:`, ...errors.map((error) => `${indent}    ${error}`)]]),
  ];
  const open = `${indent}"""${sentenceOf(definition)}`;
  return sections.length === 0
    ? [`${open}"""`]
    : [open, ...sections.flatMap((section) => ['', ...section]), `${indent}"""`];
}

function scriptDoc(source: Source, definition: Definition, indent: string): readonly string[] {
  const { parameters } = definition;
  const gives = definition.kind === 'function' ? returned(source, definition) : undefined;
  const tags = [
    ...parameters.map((one) => `${indent} * @param ${one.name.replace(/^\.+/, '')} ${aboutParameter(one)}`),
    ...(gives === undefined ? [] : [`${indent} * @returns ${gives}`]),
    ...(definition.kind === 'function'
      ? thrown(source, definition).map((error) => `${indent} * @throws ${error}`)
      : []),
  ];
  return tags.length === 0
    ? [`${indent}/** ${sentenceOf(definition)} */`]
    : [`${indent}/**`, `${indent} * ${sentenceOf(definition)}`, `${indent} *`, ...tags, `${indent} */`];
}

/** Returns the code with a comment on each definition that has none. */
export function addDocs(source: Source, question: Question): string {
  const { say } = question;
  if (source.family === 'json')
    return [
      say(
        'JSON takes no comments, so here are its keys as a table to keep beside it.',
        'JSON 不能写注释，下面是可以放在一旁的键说明。',
      ),
      explainJson(source, question),
    ].join('\n\n');
  if (source.family === 'markdown') return markdownContents(source, question);
  if (source.family === 'other')
    return say(
      `The demo service does not know how ${source.called} is documented.`,
      `演示服务不了解 ${source.called} 的文档写法。`,
    );
  const all = definitionsOf(source);
  const isPython = source.family === 'python';
  const bare = all.filter(
    ({ doc, bodyAt, at, endAt }) => doc === '' && (!isPython || (bodyAt > at && endAt >= bodyAt)),
  );
  if (bare.length === 0)
    return say(`Each of its ${all.length} definitions has a comment already.`, `它的 ${all.length} 个定义都已有注释。`);
  const put = new Map<number, readonly string[]>();
  for (const definition of bare) {
    const at = isPython ? definition.bodyAt : definition.at;
    const indent = /^\s*/.exec(source.lines[at] ?? '')?.[0] ?? '';
    put.set(at, isPython ? pythonDoc(source, definition, indent) : scriptDoc(source, definition, indent));
  }
  const text = source.lines.flatMap((line, at) => [...(put.get(at) ?? []), line]).join('\n');
  return [
    say(
      `${bare.length} comment${bare.length === 1 ? '' : 's'} added; the code is as it was. ${bare.length === 1 ? 'It says' : 'They say'} what names and code show; add the why.`,
      `补了 ${bare.length} 处注释，代码不变。注释只说明名称和代码能看出的内容，请补充原因。`,
    ),
    fenced(fenceOf(source), text),
  ].join('\n\n');
}
