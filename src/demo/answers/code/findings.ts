import type { Question } from '../question';
import { tableOf } from '../tables';
import { repairJson } from './json';
import { repairMarkdown } from './markdown';
import { type Definition, definitionsOf } from './outline';
import { type Finding, bracketFindings, ruleFindings, typoFindings, withIndent } from './rules';
import { type Source, fenceOf, fenced, indentOf } from './source';
import { statementsOf } from './walk';

const bodyOf = ({ bare }: Source, { bodyAt, endAt }: Definition): string => bare.slice(bodyAt, endAt + 1).join('\n');

/** Finds mutable default values, which all calls share. */
function sharedDefaults(source: Source, definition: Definition): readonly Finding[] {
  if (source.family !== 'python') return [];
  const bad = definition.parameters.filter(({ fallback }) =>
    /^(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\))$/.test(fallback),
  );
  if (bad.length === 0 || definition.bodyAt !== definition.at + 1) return [];
  const { at } = definition;
  let head = source.lines[at] ?? '';
  for (const { name, fallback } of bad)
    head = head.replace(
      new RegExp(String.raw`\b${name}(\s*:\s*[^=,]+?)?\s*=\s*${fallback.replace(/[[\]{}()]/g, String.raw`\$&`)}`),
      (_, type?: string) => `${name}${type === undefined ? '=None' : `${type} | None = None`}`,
    );
  const guards = bad.flatMap(({ name, fallback }) => [
    withIndent(source.lines[definition.bodyAt] ?? '', `if ${name} is None:`),
    withIndent(source.lines[definition.bodyAt] ?? '', `    ${name} = ${fallback}`),
  ]);
  const names = bad.map(({ name }) => `\`${name}\``).join(', ');
  return [
    {
      at,
      what: [
        `the default of ${names} is made once and shared by all calls`,
        `${names} 的默认值只创建一次，所有调用共用`,
      ],
      fix: [head, ...guards],
    },
  ];
}

/** Finds a division by a count that may be 0. */
function emptyDivisions(source: Source, definition: Definition): readonly Finding[] {
  const body = bodyOf(source, definition);
  const pattern = source.family === 'python' ? /\/\s*len\((\w+)\)/ : /\/\s*(\w+)\.length\b/;
  const name = pattern.exec(body)?.[1];
  if (name === undefined || definition.bodyAt === definition.at) return [];
  if (new RegExp(String.raw`if (?:not ${name}\b|len\(${name}\)|.*${name}\.length|\(!${name})`).test(body)) return [];
  const at = source.bare.findIndex((line, index) => index >= definition.bodyAt && pattern.test(line));
  const loop = source.bare
    .slice(definition.bodyAt, at)
    .find((line) => new RegExp(String.raw`\b(?:in|of) ${name}\b`).test(line));
  if (loop !== undefined && indentOf(loop) < indentOf(source.bare[at] ?? '')) return [];
  const first = statementsOf(source, definition.bodyAt, definition.endAt)[0]?.at;
  if (first === undefined) return [];
  const line = source.lines[first] ?? '';
  const guard =
    source.family === 'python'
      ? [withIndent(line, `if not ${name}:`), withIndent(line, `    raise ValueError("${name} is empty")`)]
      : [withIndent(line, `if (${name}.length === 0) throw new RangeError('${name} is empty');`)];
  const what: Finding['what'] =
    source.family === 'python'
      ? [`fails with \`ZeroDivisionError\` where \`${name}\` is empty`, `\`${name}\` 为空时抛出 \`ZeroDivisionError\``]
      : [`gives \`NaN\` where \`${name}\` is empty`, `\`${name}\` 为空时得到 \`NaN\``];
  return at === first
    ? [{ at, what, fix: [...guard, line] }]
    : [
        { at, what },
        { at: first, what: ['', ''], fix: [...guard, line] },
      ];
}

/** Finds a value that is computed but never returned. */
function lostResults(source: Source, definition: Definition): readonly Finding[] {
  const body = bodyOf(source, definition);
  if (
    source.family !== 'python' ||
    /\b(?:return|yield|raise|assert|print|global|nonlocal|pass)\b|\.\w+\(|^\s*\w[\w.]*\(|\bself\.|\w\[.*\]\s*=(?!=)|\.\.\./m.test(
      body,
    )
  )
    return [];
  const names = [...body.matchAll(/^\s+(\w+)\s*(?:[+\-*/]|\/\/|\*\*)?=(?!=)/gm)].map((match) => match[1] ?? '');
  const name = names.at(-1);
  if (name === undefined || name === '') return [];
  const last = source.lines[definition.endAt] ?? '';
  const first = source.lines[definition.bodyAt] ?? '';
  return [
    {
      at: definition.endAt,
      what: [
        `\`${definition.name}\` works out \`${name}\` and never returns it`,
        `\`${definition.name}\` 算出了 \`${name}\` 却没有返回`,
      ],
      fix: [last, withIndent(first, `return ${name}`)],
    },
  ];
}

/** Returns what a careful reviewer would point out, in line order. */
export function findingsIn(source: Source): readonly Finding[] {
  const perDefinition = definitionsOf(source)
    .filter(({ kind }) => kind === 'function')
    .flatMap((one) => [...sharedDefaults(source, one), ...emptyDivisions(source, one), ...lostResults(source, one)]);
  return [...ruleFindings(source), ...bracketFindings(source), ...typoFindings(source), ...perDefinition].toSorted(
    (a, b) => a.at - b.at,
  );
}

/** Returns the lines with every possible fix applied; repeats until none is left, because a line may need two. */
function repaired(source: Source): readonly string[] {
  let lines = source.lines;
  for (let round = 0; round < 8; round += 1) {
    const current = { ...source, lines, bare: round === 0 ? source.bare : rebared(source, lines) };
    const fixes = new Map<number, readonly string[]>();
    for (const { at, fix } of findingsIn(current)) if (fix !== undefined && !fixes.has(at)) fixes.set(at, fix);
    if (fixes.size === 0) return lines;
    lines = lines.flatMap((line, at) => fixes.get(at) ?? [line]);
  }
  return lines;
}

const rebared = (source: Source, lines: readonly string[]): readonly string[] => {
  const known = new Map(source.lines.map((line, at) => [line, source.bare[at] ?? line]));
  return lines.map(
    (line) =>
      known.get(line) ??
      line
        .replace(
          /(["'`])(?:\\.|(?!\1).)*\1/g,
          (text) => `${text[0] ?? ''}${' '.repeat(text.length - 2)}${text[0] ?? ''}`,
        )
        .replace(source.family === 'python' ? /#.*/ : /\/\/.*/, ''),
  );
};

/** Lists what is wrong in a text, line by line, and returns the corrected text. */
export function fix(source: Source, question: Question): string {
  const { say } = question;
  if (source.family === 'json') return repairJson(source, question);
  if (source.family === 'markdown') return repairMarkdown(source, question);
  const told = findingsIn(source).filter(({ what }) => what[0] !== '');
  const named = source.name === '' ? say('this code', '这段代码') : `\`${source.name}\``;
  if (source.family === 'other' || told.length === 0)
    return say(
      `I find nothing wrong in ${named}${source.family === 'other' ? `, but I do not know the rules of ${source.called}` : ` by the rules I know for ${source.called}: comparisons, defaults, indices, brackets, swallowed errors and misspelled names`}. The demo service has no model and does not run code, so a fault of its logic may still be there. Tell a real model what goes wrong and what you expect.`,
      `${named} 没有违反我知道的规则${source.family === 'other' ? `，但我不了解 ${source.called} 的规则` : '（比较、默认值、下标、括号、被吞掉的错误和拼错的名称）'}。演示服务没有模型，也不运行代码，逻辑错误仍可能存在。请把现象和期望告诉真实模型。`,
    );
  const after = repaired(source);
  const left = { ...source, lines: after, bare: rebared(source, after) };
  const open = findingsIn(left).filter(({ what }) => what[0] !== '').length;
  return [
    say(`${told.length} finding${told.length === 1 ? '' : 's'} in ${named}:`, `${named} 中有 ${told.length} 处问题：`),
    tableOf(
      [say('Line', '行'), say('What is wrong', '问题')],
      told.slice(0, 20).map(({ at, what }) => [String(source.firstLine + at), say(...what)]),
    ),
    ...(after.join('\n') === source.text
      ? []
      : [say('Corrected:', '修正后：'), fenced(fenceOf(source), after.join('\n'))]),
    ...(open > 0 && after.join('\n') !== source.text
      ? [say('What has no single right fix is left as it was.', '没有唯一改法的地方保持原样。')]
      : []),
  ].join('\n\n');
}
