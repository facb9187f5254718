import { evaluate } from '../arithmeticSkill';
import type { Question } from '../question';
import { jsonTests } from './jsonShape';
import { type Definition, type Parameter, definitionsOf } from './outline';
import { type Source, fenced, indentOf } from './source';
import { kindOf } from './types';
import { statementsOf } from './walk';

/** Sample arguments of each kind, in Python and in TypeScript. */
const samples: Readonly<Record<string, readonly [python: string, script: string]>> = {
  int: ['3', '3'],
  float: ['1.5', '1.5'],
  str: ['"text"', "'text'"],
  bool: ['True', 'true'],
  list: ['[1, 2, 3]', '[1, 2, 3]'],
  records: ['[]', '[]'],
  numbers: ['[1, 2, 3]', '[1, 2, 3]'],
  texts: ['["a", "b"]', "['a', 'b']"],
  dict: ['{"key": "value"}', "{ key: 'value' }"],
  call: ['lambda: 42', '() => 42'],
};

function kindOfType(type: string): string | undefined {
  if (/^(?:readonly )?[A-Z]\w*\[\]$|^(?:list|Sequence|Iterable|ReadonlyArray|Array)[[<][A-Z]/.test(type))
    return 'records';
  if (/^(?:list|set|tuple|Sequence|Iterable|readonly |Array|ReadonlyArray)|\[\]$/.test(type)) return 'list';
  if (/^(?:str|string)\b/.test(type)) return 'str';
  if (/^(?:int|number)\b/.test(type)) return 'int';
  if (/^float\b/.test(type)) return 'float';
  if (type.startsWith('bool')) return 'bool';
  if (/^(?:Callable\b|\(.*=>)/.test(type)) return 'call';
  return /^(?:dict|Record|Map)\b/.test(type) ? 'dict' : undefined;
}

const isNeeded = ({ name, fallback }: Parameter): boolean => fallback === '' && !/^[*.]/.test(name);

/** Returns sample arguments for the parameters without a default. */
function argumentsFor(source: Source, definition: Definition): readonly string[] {
  const at = source.family === 'python' ? 0 : 1;
  const body = source.bare.slice(definition.bodyAt, definition.endAt + 1).join('\n');
  return definition.parameters
    .filter(isNeeded)
    .map((parameter) => samples[kindOfType(parameter.type) ?? kindOf(parameter, body) ?? '']?.[at] ?? '...');
}

/**
 * Returns the result of a purely arithmetic function for 2, 3, 4 …; `undefined` for any other. Checks for negative or missing values may
 * precede it.
 */
function arithmetic(source: Source, { bodyAt, endAt, parameters }: Definition): readonly [string, number] | undefined {
  const body = statementsOf(source, bodyAt, endAt)
    .map(({ text }) => text)
    .filter(
      (text) =>
        !/^\}?$|^(?:raise|throw)\b/.test(text) &&
        !/^if \(?(?:not \w+|!\w+|\w+ (?:<|<=|==|===) 0)\)? ?(?:[:{]|throw\b.*)$/.test(text),
    );
  const [, expression = ''] = (body.length === 1 ? /^return ([\w\s+\-*/%().]+?);?$/.exec(body[0] ?? '') : null) ?? [];
  if (expression === '' || parameters.length === 0 || expression.includes('//')) return undefined;
  const values = parameters.map((_, index) => String(index + 2));
  const filled = parameters.reduce(
    (text, { name }, index) => text.replace(new RegExp(String.raw`\b${name}\b`, 'g'), values[index] ?? ''),
    expression,
  );
  const value = /[A-Za-z_]/.test(filled) ? undefined : evaluate(filled.replaceAll('**', '^'));
  return value === undefined || !Number.isInteger(value) ? undefined : [values.join(', '), value];
}

/** Returns each error a function raises, its condition, and an argument that meets it if that is obvious. */
function refusals(
  source: Source,
  definition: Definition,
): readonly { error: string; condition: string; input: string | undefined }[] {
  const lines = source.lines.slice(definition.bodyAt, definition.endAt + 1);
  const needed = definition.parameters.filter(isNeeded);
  return lines.flatMap((line, at) => {
    const error = /\b(?:raise|throw new)\s+(\w+)/.exec(line)?.[1];
    const above = [line, lines[at - 1] ?? '']
      .map((text) => /\bif (?:\((.+?)\) (?:\{|throw)|\((.+)\) ?\{?$|(.+?):)/.exec(text.trim()))
      .find((match) => match !== null);
    const condition = above?.slice(1).find((part) => part !== undefined);
    if (error === undefined || condition === undefined) return [];
    const sample = argumentsFor(source, definition);
    const which = needed.findIndex(({ name }) => new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(condition));
    const one = needed[which];
    const meets = one === undefined ? undefined : meeting(one, condition);
    const input =
      meets === undefined ? undefined : sample.map((value, index) => (index === which ? meets : value)).join(', ');
    return [{ error, condition, input }];
  });
}

/** Returns a value that meets a simple condition on a parameter. */
function meeting({ name, type }: Parameter, condition: string): string | undefined {
  if (new RegExp(String.raw`^(?:not ${name}|!${name}|len\(${name}\) == 0|${name}\.length === 0)$`).test(condition))
    return kindOfType(type) === 'str' ? '""' : '[]';
  const [, sign = '', figure] = new RegExp(String.raw`^${name} (<=?|>=?|={2,3}) (-?\d+)$`).exec(condition) ?? [];
  return figure === undefined ? undefined : String(Number(figure) + (sign === '<' ? -1 : sign === '>' ? 1 : 0));
}

const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

function pythonTests(source: Source, functions: readonly Definition[]): string {
  const raises = functions.some((one) => refusals(source, one).length > 0);
  const cases = functions.flatMap((one) => {
    const sum = arithmetic(source, one);
    const call = `${one.name}(${sum?.[0] ?? argumentsFor(source, one).join(', ')})`;
    const wait = one.isAsync ? `asyncio.run(${call})` : call;
    return [
      `def test_${snake(one.name)}():\n    assert ${wait} == ${sum === undefined ? '...  # what you expect' : String(sum[1])}`,
      ...refusals(source, one).map(
        ({ error, condition, input }, at) =>
          `def test_${snake(one.name)}_raises_${snake(error)}${at === 0 ? '' : `_${at + 1}`}():\n    with pytest.raises(${error}):  # if ${condition}\n        ${one.name}(${input ?? '...'})`,
      ),
    ];
  });
  const head = [
    ...(functions.some(({ isAsync }) => isAsync) ? ['import asyncio'] : []),
    ...(raises ? ['import pytest'] : []),
    `from ${source.name.replace(/\.\w+$/, '') || 'module'} import ${functions.map(({ name }) => name).join(', ')}`,
  ];
  return [head.join('\n'), ...cases].join('\n\n\n');
}

function scriptTests(source: Source, functions: readonly Definition[]): string {
  const cases = functions.flatMap((one) => {
    const sum = arithmetic(source, one);
    const call = `${one.isAsync ? 'await ' : ''}${one.name}(${sum?.[0] ?? argumentsFor(source, one).join(', ').replaceAll('...', 'undefined')})`;
    return [
      `test('${one.name}', ${one.isAsync ? 'async ' : ''}() => {\n  assert.deepEqual(${call}, ${sum === undefined ? 'undefined /* what you expect */' : String(sum[1])});\n});`,
      ...refusals(source, one).map(({ error, condition, input }) => {
        const refused = `${one.name}(${input ?? '/* arguments */'})`;
        return one.isAsync
          ? `test('${one.name} refuses: ${condition.replaceAll("'", String.raw`\'`)}', async () => {\n  await assert.rejects(${refused}, ${error});\n});`
          : `test('${one.name} refuses: ${condition.replaceAll("'", String.raw`\'`)}', () => {\n  assert.throws(() => ${refused}, ${error});\n});`;
      }),
    ];
  });
  const head = [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    `import { ${functions.map(({ name }) => name).join(', ')} } from './${source.name || 'module.ts'}';`,
  ];
  return [head.join('\n'), ...cases].join('\n\n');
}

/** Writes a test file with a case for each function and for each error it raises. */
export function writeTests(source: Source, question: Question): string {
  const { say } = question;
  if (source.family === 'json') return jsonTests(source, question);
  if (source.family === 'markdown')
    return say(
      'Markdown is text: there is nothing to run, so there is nothing to test. Ask me to check its form (“fix this”) or for its contents.',
      'Markdown 是文本，没有可运行的内容，也就没有可测试的。可以让我检查格式（“修正”）或列出目录。',
    );
  const isExporting = source.family === 'script' && /^export\b/m.test(source.text);
  const functions = definitionsOf(source).filter(
    ({ kind, owner, name, at }) =>
      kind === 'function' &&
      owner === '' &&
      name !== 'main' &&
      indentOf(source.lines[at] ?? '') === 0 &&
      (!isExporting || /^export\b/.test(source.lines[at] ?? '')),
  );
  if (source.family === 'other' || functions.length === 0)
    return say(
      `I find no function in it that a test could call${source.family === 'other' ? `; of ${source.called} I know too little` : ''}.`,
      `其中没有可供测试调用的函数。`,
    );
  const isPython = source.family === 'python';
  const known = functions.filter((one) => arithmetic(source, one) !== undefined).length;
  const text = isPython ? pythonTests(source, functions) : scriptTests(source, functions);
  const isOpen = text.includes('what you expect') || text.includes('(...)') || text.includes('/* arguments */');
  const names = functions.map(({ name }) => `\`${name}\``).join(', ');
  return [
    say(
      `Tests for ${names}, ${isPython ? 'for pytest' : 'for `node --test`'}:`,
      `${names} 的测试（${isPython ? 'pytest' : '`node --test`'}）：`,
    ),
    fenced(isPython ? 'python' : source.called.toLowerCase(), text),
    isOpen
      ? say(
          `The demo service does not run code. ${known === functions.length ? 'Put in the arguments that are left open.' : 'Put in the values you expect: the tests fail until you do.'}`,
          `演示服务不运行代码。${known === functions.length ? '请填入留空的参数。' : '请填入期望值，填好之前测试会失败。'}`,
        )
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
