import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EvalConfig, EvalFiles } from '../../../../src/core/evals/evalConfig';
import { cellsOf, planEval, requestOf } from '../../../../src/core/evals/evalPlan';
import { openEvalFiles } from '../../../../src/core/evals/folderFiles';
import { readExpectation, readType } from '../../../../src/core/evals/formats/assertions';
import { readTree, valueOf } from '../../../../src/core/evals/formats/configTree';
import { readPromptfoo } from '../../../../src/core/evals/formats/promptfoo';
import { readRowFile } from '../../../../src/core/evals/formats/rowFiles';
import { fillTemplate, namesIn } from '../../../../src/core/evals/formats/template';
import { readEval } from '../../../../src/core/evals/readEval';
import { setUpFolder } from '../../../support/temporaryFolder';

const filesOf = (contents: Readonly<Record<string, string>>): EvalFiles => ({
  async read(reference) {
    const text = contents[reference.replace(/^\.\//, '')];
    return text === undefined ? { problem: 'missing' } : { text };
  },
});
const none = filesOf({});
const marksOf = ({ problems }: EvalConfig) =>
  problems.filter(({ kind }) => kind === 'code').map(({ path: place, mark }) => `${place}: ${mark}`);

describe('reading promptfoo configs', () => {
  it('marks every place that would run code, and keeps the rest runnable', async () => {
    const config = await readPromptfoo(
      `
prompts: ['exec:make it', 'file://p.py:run', file://p.mjs, prompts/build.js, 'Say {{q}}']
providers:
  - exec:./ask.sh
  - python:ask.py
  - file://ask.ts
  - id: http
    config: { transformResponse: 'json.answer', transformRequest: file://t.js }
  - openai:chat:gpt-x
defaultTest:
  options: { transform: output.trim(), transformVars: 'return vars' }
  assert: [{ type: python, value: file://grade.py }]
tests:
  - file://rows.ts:make
  - vars: { q: hi, w: file://w.cjs }
    assertScoringFunction: file://score.js
    options: { postprocess: 'output' }
    assert:
      - { type: not-javascript, value: output.length > 3 }
      - { type: contains, value: a, transform: output.toUpperCase() }
      - { type: equals, value: 'file://expected.py:make' }
      - type: assert-set
        assert: [{ type: ruby, value: 'true' }, { type: webhook, value: https://example.com/hook }]
extensions: [file://hook.js:afterAll, file://other.js:beforeAll]
nunjucksFilters: { shout: file://shout.js }
`,
      none,
    );
    deepEqual(marksOf(config).toSorted(), [
      'defaultTest.assert[0]: assert-python(file)',
      'defaultTest.options.transform: transform',
      'defaultTest.options.transformVars: transformVars',
      'extensions: extensions',
      'nunjucksFilters: filter',
      'prompts[0]: prompt.exec',
      'prompts[1]: prompt.py',
      'prompts[2]: prompt.mjs',
      'prompts[3]: prompt.js',
      'providers[0]: provider-file',
      'providers[1]: provider-file',
      'providers[2]: provider-file',
      'providers[3].config.transformRequest: http-transformRequest(file)',
      'providers[3].config.transformResponse: http-transformResponse',
      'tests[0]: test-generator.ts',
      'tests[1].assertScoringFunction: assertScoringFunction',
      'tests[1].assert[0]: assert-javascript',
      'tests[1].assert[1].transform: assert-transform',
      'tests[1].assert[2]: assert-equals(file)',
      'tests[1].assert[3].assert[0]: assert-ruby',
      'tests[1].assert[3].assert[1]: assert-webhook',
      'tests[1].options.postprocess: transform',
      'tests[1].vars.w: variable',
    ]);
    const plan = planEval(config);
    deepEqual([plan.variants.length, plan.rows.length], [1, 1]);
    deepEqual(requestOf([...cellsOf(plan)][0]!).body, {
      model: 'gpt-x',
      messages: [{ role: 'user', content: 'Say hi' }],
    });
  });

  it('locates problems in the file', async () => {
    const text = 'prompts: [a]\nproviders: [echo]\ntests:\n  - assert:\n      - type: contians\n        value: x\n';
    const { problems } = await readPromptfoo(text, none);
    equal(problems.length, 1);
    const [{ span, message, kind }] = problems as [(typeof problems)[0]];
    equal(kind, 'warning');
    match(message, /"contians" isn't a known assertion type/);
    match(text.slice(span.start, span.end), /^type: contians\n +value: x/);
  });

  it('creates a row for each combination of values, and a cell for each row and variant', async () => {
    const config = await readPromptfoo(
      `prompts: ['{{a}} in {{b}}', '{{b}}: {{a}}']
providers: [openai:chat:m, { id: 'openrouter:x/y', config: { temperature: 0, apiKey: s } }]
tests: [{ vars: { a: [one, two, three], b: [French, German] }, assert: [{ type: icontains, value: '{{a}}' }] }]`,
      none,
    );
    const plan = planEval({ ...config, repeats: 2 });
    const cells = [...cellsOf(plan)];
    deepEqual([plan.rows.length, plan.variants.length, cells.length], [6, 4, 48]);
    equal(new Set(cells.map(({ id }) => id)).size, 48);
    ok(cells.every(({ id }) => /^e1\.[0-9a-f]{10}\.[0-9a-f]{6}\.[01]$/.test(id)));
    deepEqual(requestOf(cells.at(-1)!).body, {
      model: 'x/y',
      messages: [{ role: 'user', content: 'German: three' }],
      temperature: 0,
    });
    match(config.problems.map(({ message }) => message).join(), /apiKey isn't used/);
    // The same file gives the same IDs, so results of an earlier run are found again.
    deepEqual(
      [...cellsOf(planEval({ ...config, repeats: 2 }))].map(({ id }) => id),
      cells.map(({ id }) => id),
    );
  });

  it('reads gold rows with their response and grade, and reports those without', async () => {
    const read = async (tests: string, file = '') =>
      readPromptfoo(`prompts: [p]\nproviders: [openai:m]\ntests: ${tests}`, { read: async () => ({ text: file }) });
    const golds = (rows: EvalConfig['rows']) => rows.map(({ gold }) => gold);
    const own = await read(
      '[{ providerOutput: a, metadata: { desk: { gold: pass } } }, { providerOutput: b, metadata: { gold: fail } }]',
    );
    deepEqual([golds(own.rows), own.problems], [['pass', undefined], []]);
    const table = await read('file://t.csv', 'q,__providerOutput,__metadata:gold\na,yes,pass\nb,no,fail\nc,,\n');
    deepEqual([golds(table.rows), table.problems], [['pass', 'fail', undefined], []]);
    const lines = await read(
      'file://t.jsonl',
      '{"item":{"q":"a","__metadata:gold":"fail"},"sample":{"output_text":"b"}}',
    );
    deepEqual(golds(lines.rows), ['fail']);
    const message = 'A gold row requires a response in providerOutput, and a grade: pass or fail.';
    for (const wrong of [
      await read('[{ metadata: { desk: { gold: pass } } }]'),
      await read('[{ providerOutput: a, metadata: { desk: { gold: good } } }]'),
      await read('file://t.csv', 'q,__providerOutput,__metadata:gold\na,yes,maybe\n'),
    ])
      match(wrong.problems[0]?.message ?? '', new RegExp(`${message}$`));
  });

  it('repeats each request as the options of the file say', async () => {
    const repeated = async (options: string) => {
      const { repeats, problems } = await readPromptfoo(
        `prompts: [p]\nproviders: [openai:m]\ntests: [{}]\n${options}`,
        none,
      );
      return [repeats, ...problems.map(({ message }) => message)];
    };
    deepEqual(await repeated('evaluateOptions: { repeat: 3, maxConcurrency: 4 }'), [3]);
    deepEqual(await repeated('commandLineOptions: { repeat: 2 }\nevaluateOptions: { repeat: 3 }'), [2]);
    deepEqual(await repeated(''), [undefined]);
    for (const wrong of ['0', '21', '1.5', 'often'])
      deepEqual(await repeated(`evaluateOptions: { repeat: ${wrong} }`), [
        undefined,
        'Expected a whole number from 1 to 20.',
      ]);
  });

  it('reads default tests, templates of assertions, anchors, and merge keys', async () => {
    const { rows } = await readPromptfoo(
      `prompts: ['{{q}}']
providers: [echo]
defaultTest: { threshold: 0.5, vars: { tone: calm }, assert: [{ type: contains, value: z, weight: 0, metric: seen }] }
assertionTemplates: { polite: { type: icontains, value: please } }
base: &base { assert: [{ $ref: '#/assertionTemplates/polite' }], threshold: 0.9 }
tests: [{ <<: *base, vars: { q: a, id: 7, group: g } }, { vars: { q: b, tone: loud } }]`,
      none,
    );
    equal(rows.length, 2);
    deepEqual(
      rows.map(({ threshold }) => threshold),
      [0.9, 0.5],
    );
    deepEqual(
      rows.map(({ vars }) => vars.get('tone')),
      ['calm', 'loud'],
    );
    deepEqual(
      rows[0]!.assertions.map(({ type, value, weight, metric }) => [type, value, weight, metric]),
      [
        ['contains', 'z', 0, 'seen'],
        ['icontains', 'please', 1, undefined],
      ],
    );
    deepEqual([rows[0]!.id, rows[0]!.group], ['7', 'g']);
  });

  it('reads prompts and rows from files, and reports those that are missing', async () => {
    const files = filesOf({
      'both.txt': 'First {{q}}\n---\nSecond {{q}}\n',
      'chat.json': '[{"role":"system","content":"Be brief."},{"role":"user","content":"{{q}}"}]',
      'chat.yaml': '- role: system\n  content: Be kind.\n- role: user\n  content: "{{q}}"\n',
      'p.desk.md':
        '---\nsystem: You help with {{area}}.\nvariables:\n  area:\n    default: maps\nparameters:\n  temperature: 0\n---\nAnswer: {{q}}\n',
      'rows.csv': 'q,__expected\n"say ""hi""",contains: hi\n',
      'rows.jsonl': '{"q":"l"}\n\n{"item":{"q":"m"}}\n',
      'rows.yaml': '- vars: {q: y}\n  assert: [{type: bogus}]\n- q: plain\n',
    });
    const config = await readPromptfoo(
      `prompts: [file://both.txt, file://chat.json, chat.yaml, file://p.desk.md, file://gone.txt]
providers: [openai:m]
tests: [file://rows.csv, rows.jsonl, file://rows.yaml, file://gone.csv]`,
      files,
    );
    const plan = planEval(config);
    deepEqual([plan.variants.length, plan.rows.length], [5, 5]);
    const bodies = [...cellsOf(plan)].slice(0, 5).map((cell) => requestOf(cell).body);
    deepEqual(
      bodies.map(({ messages }) => messages.at(-1)!.content),
      ['First say "hi"', 'Second say "hi"', 'say "hi"', 'say "hi"', 'Answer: say "hi"'],
    );
    deepEqual(bodies[4], {
      model: 'm',
      messages: [
        { role: 'system', content: 'You help with maps.' },
        { role: 'user', content: 'Answer: say "hi"' },
      ],
      temperature: 0,
    });
    deepEqual(
      config.problems.map(({ kind, path: place, message, file }) => [kind, place, file, message.slice(0, 24)]),
      [
        ['error', 'prompts[4]', undefined, "gone.txt doesn't exist."],
        ['warning', '[0].assert[0]', 'rows.yaml', `"bogus" isn't a known as`],
        ['error', 'tests[3]', undefined, "gone.csv doesn't exist."],
      ].map(([kind, place, file, message]) => [kind, place, file, message!.slice(0, 24)]),
    );
  });

  it('says in one sentence what is missing', async () => {
    for (const text of ['prompts: []\nproviders: []\ntests: []', 'description: x'])
      deepEqual(
        (await readPromptfoo(text, none)).problems.map(({ message }) => message),
        ["The eval can't run yet. Add entries to: prompts, providers, tests"],
      );
    match((await readPromptfoo('just text', none)).problems[0]!.message, /^Expected a mapping/);
  });

  it('gives names such as __proto__ no special meaning', async () => {
    const { rows } = await readPromptfoo(
      `prompts: ['{{q}}']
providers: [echo]
tests: [{ vars: { q: hi, __proto__: { polluted: yes }, constructor: { prototype: { polluted: yes } } } }]`,
      none,
    );
    equal(({} as Record<string, unknown>)['polluted'], undefined);
    deepEqual([...rows[0]!.vars.keys()], ['q', '__proto__', 'constructor']);
  });

  it('reports duplicate names, unknown tags, and invalid YAML with their locations', async () => {
    const text = 'prompts: [a]\nprompts: [b]\nproviders: [echo]\ntests: [{ vars: { q: 1, q: 2 } }]';
    const { problems } = await readPromptfoo(text, none);
    deepEqual(
      problems.map(({ span }) => text.slice(0, span.start).split('\n').length),
      [2, 4],
    );
    const tagged = await readPromptfoo(
      `prompts: [a]\nproviders: [echo]\ntests: [{ vars: { q: !!js/function 'x' } }]`,
      none,
    );
    equal(tagged.rows[0]!.vars.get('q'), 'x');
    equal(tagged.problems[0]!.kind, 'warning');
    equal((await readPromptfoo('prompts: [a\nproviders: }', none)).problems[0]!.kind, 'error');
  });

  it('reads files with a byte-order mark and CRLF', async () => {
    const { problems, rows } = await readPromptfoo(
      '\uFEFFprompts:\r\n  - "{{q}}"\r\nproviders: [echo]\r\ntests:\r\n  - vars: { q: "a\\tb" }\r\n',
      none,
    );
    deepEqual([problems, rows[0]!.vars.get('q')], [[], 'a\tb']);
  });
});

describe('limits of eval files', () => {
  it('expands aliases up to a limit', () => {
    const names = 'abcdefghij';
    const levels = Array.from(
      names,
      (name, index) =>
        `${name}: &${name} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*${names[index - 1]}`)).join(', ')}]`,
    );
    const { root, problems } = readTree(levels.join('\n'));
    equal(root, undefined);
    match(problems[0]!.message, /aliases repeat too many values/);
    const shared = readTree('a: &a [1, 2]\nb: *a\nc: [*a, *a]');
    deepEqual(valueOf(shared.root!), {
      a: [1, 2],
      b: [1, 2],
      c: [
        [1, 2],
        [1, 2],
      ],
    });
  });

  it('rejects circular aliases and deep nesting', () => {
    match(readTree('a: &a [*a]').problems[0]!.message, /nested too deeply/);
    for (const opening of ['[', '{a: '])
      match(readTree(opening.repeat(50_000)).problems[0]!.message, /nested too deeply/);
    equal(readTree(`a: ${'['.repeat(3000)}${']'.repeat(3000)}`).problems.length, 1);
  });

  const top = "prompts: ['Hello']\nproviders: [echo]\n";
  const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(', ');
  const messagesOf = ({ problems }: EvalConfig) => problems.map(({ message }) => message);
  const tooMany = 'The eval has too many rows. Only the first 100000 are used.';

  it('creates rows of scenarios up to the limit', async () => {
    const config = await readPromptfoo(
      `${top}scenarios: [{ config: [${repeated('{}', 1000)}], tests: [${repeated('{}', 3000)}] }]`,
      none,
    );
    deepEqual([config.rows.length, messagesOf(config)], [100_000, [tooMany]]);
    const failing = await readPromptfoo(
      `${top}scenarios: [{ config: [${repeated('{}', 1000)}], tests: [${repeated('[1]', 3000)}, {}] }]`,
      none,
    );
    deepEqual([failing.rows.length, failing.problems.length], [1000, 3000]);
    const all = await readPromptfoo(
      `${top}tests: [${repeated('{}', 500)}]\nscenarios: [{ config: [${repeated('{}', 199)}], tests: [${repeated('{}', 500)}] }]`,
      none,
    );
    deepEqual([all.rows.length, messagesOf(all)], [100_000, []]);
  });

  it('creates rows of a test file up to the limit, and of a scenario in a file', async () => {
    const list = `[${repeated('1', 100)}]`;
    const tests = `[${repeated(`{ vars: { a: ${list}, b: ${list} } }`, 30)}]`;
    const files = filesOf({
      't.yaml': tests,
      's.yaml': `config: [${repeated('{}', 1000)}]\ntests: [${repeated('{}', 100)}]`,
    });
    for (const own of ['tests: file://t.yaml', `tests: ${tests}`, `scenarios: [${repeated('file://s.yaml', 3000)}]`]) {
      const config = await readPromptfoo(`${top}${own}`, files);
      deepEqual([config.rows.length, messagesOf(config)], [100_000, [tooMany]], own.slice(0, 30));
    }
  });

  it('stops when rows have too many values in total', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `v${index}: x`).join(', ');
    const config = await readPromptfoo(
      `${top}defaultTest: { vars: { ${names} } }\ntests: [${repeated('{}', 3000)}]`,
      none,
    );
    deepEqual([config.rows.length, messagesOf(config)], [2000, ['The file has more than 10000000 values.']]);
  });

  it('parses a file named by many tests once, and reports its problems once', async () => {
    const names = Array.from({ length: 8000 }, (_, index) => `v${index}: x`).join('\n');
    const config = await readPromptfoo(
      `${top}tests: [${repeated('{ vars: file://v.yaml, assert: [{ type: is-json, value: file://s.json }] }', 20)}]`,
      filesOf({ 'v.yaml': `${names}\nq: [a, b]\nq: c\nobject: { a: 1 }`, 's.json': '{"type":"object"}' }),
    );
    deepEqual(messagesOf(config), ['v.yaml: Duplicate key "q". Remove one of the entries.']);
    equal(config.rows.length, 40);
    deepEqual(
      config.rows.slice(0, 3).map(({ vars }) => [vars.size, vars.get('q')]),
      [
        [8002, 'a'],
        [8002, 'b'],
        [8002, 'a'],
      ],
    );
    equal(new Set(config.rows.map(({ vars }) => vars.get('object'))).size, 1);
    equal(new Set(config.rows.map(({ assertions }) => assertions[0]!.value)).size, 1);
  });

  it('reads prompts of files up to the limit of variants', async () => {
    const config = await readPromptfoo(
      `prompts: [${repeated('file://p.txt', 1000)}]\nproviders: [echo]\ntests: [{}]`,
      filesOf({ 'p.txt': Array.from({ length: 500 }, () => 'a').join('\n---\n') }),
    );
    ok(config.prompts.length < 2000);
    deepEqual(messagesOf(config), ['The eval has more than 1000 variants.']);
  });

  it("doesn't read configs above 1 MB", async () => {
    const { problems } = await readEval('c.yaml', `# ${'x'.repeat(1_000_000)}`, none);
    match(problems[0]!.message, /larger than 1 MB/);
  });

  it("doesn't allow a prompt's config to choose a model or messages", async () => {
    const config = await readPromptfoo(
      `prompts: [{ raw: '{{q}}', config: { model: other, messages: [], temperature: 0.5 } }]\nproviders: [openai:m]\ntests: [{ vars: { q: a } }]`,
      none,
    );
    const [cell] = cellsOf(planEval(config));
    deepEqual(requestOf(cell!).body, { model: 'm', messages: [{ role: 'user', content: 'a' }], temperature: 0.5 });
  });

  it('does not run more than 1,000 variants', async () => {
    const list = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
    const read = (prompts: number) =>
      readPromptfoo(
        `prompts: [${list('p', prompts).join()}]\nproviders: [${list('openai:m', 20).join()}]\ntests: [{}]`,
        none,
      );
    deepEqual((await read(50)).problems, []);
    const { problems, providers } = await read(51);
    deepEqual(
      problems.map(({ kind, message }) => [kind, message]),
      [['error', 'The eval has more than 1000 variants.']],
    );
    deepEqual(providers, []);
  });

  it("doesn't read CSV files whose short rows would create more than 10,000,000 values", () => {
    const text = `${'a,'.repeat(3000)}\n${'b\n'.repeat(4000)}`;
    deepEqual(readRowFile(text, 'r.csv'), {
      rows: [],
      problem: 'The file has more than 10000000 values.',
    });
  });

  it('uses the first 100,000 rows', async () => {
    const many = Array.from({ length: 330 }, (_, index) => index).join(', ');
    const { problems, rows } = await readPromptfoo(
      `prompts: [a]\nproviders: [echo]\ntests: [{ vars: { a: [${many}], b: [${many}] } }]`,
      none,
    );
    deepEqual([rows.length, problems.length], [0, 1]);
    const lines = Array.from({ length: 100_050 }, (_, index) => `{"q":${index}}`).join('\n');
    const table = `q\n${Array.from({ length: 100_050 }, (_, index) => index).join('\n')}`;
    const files = filesOf({ 'r.jsonl': lines, 'r.csv': table });
    for (const name of ['r.jsonl', 'r.csv']) {
      const read = await readPromptfoo(`prompts: [a]\nproviders: [echo]\ntests: [${name}]`, files);
      deepEqual(
        [read.rows.length, read.problems.map(({ message }) => message)],
        [100_000, ['The eval has too many rows. Only the first 100000 are used.']],
      );
    }
  });

  describe('in a folder', () => {
    const temporary = setUpFolder();

    it('does not read more than 200 MB, however often a file is named', async () => {
      writeFileSync(temporary.in('rows.csv'), Buffer.alloc(41_000_000, 'a'));
      const files = await openEvalFiles(temporary.in('.'), temporary.in('.'));
      for (let count = 0; count < 5; count++) ok('text' in (await files.read('rows.csv')));
      deepEqual(await files.read('rows.csv'), { problem: 'tooMuch' });
    });

    it('never reads files outside of the folder, through links, or with keys', async () => {
      const folder = temporary.in('project');
      mkdirSync(folder);
      writeFileSync(temporary.in('outside.txt'), 'secret');
      writeFileSync(path.join(folder, '.env'), 'KEY=1');
      writeFileSync(path.join(folder, 'p.txt'), 'fine');
      symlinkSync(temporary.in('outside.txt'), path.join(folder, 'link.txt'));
      const files = await openEvalFiles(folder, folder);
      deepEqual(await files.read('p.txt'), { text: 'fine' });
      deepEqual(await files.read('./p.txt'), { text: 'fine' });
      for (const reference of ['../outside.txt', temporary.in('outside.txt'), '/etc/passwd', 'link.txt'])
        deepEqual(await files.read(reference), { problem: 'outside' }, reference);
      deepEqual(await files.read('.env'), { problem: 'secret' });
      deepEqual(await files.read('gone'), { problem: 'missing' });
      deepEqual(await files.read('.'), { problem: 'unreadable' });
    });
  });
});

describe('expectations and rows', () => {
  it('reads the types of assertions and their negations', () => {
    deepEqual(readType('not-icontains'), { type: 'icontains', isNegated: true, class: 'local' });
    deepEqual(readType('llm-rubric').class, 'service');
    deepEqual(readType('trajectory:goal-success').class, 'other');
    deepEqual(
      ['max-length', 'not-empty', 'constructor'].map((type) => readType(type).class),
      ['unknown', 'unknown', 'unknown'],
    );
  });

  it('reads expectations of CSV columns', () => {
    for (const [text, expected] of [
      ['contains: hi there', { type: 'contains', value: 'hi there' }],
      ['equals:{"a":1}', { type: 'equals', value: '{"a":1}' }],
      ['similar(0.8): Hello', { type: 'similar', value: 'Hello', threshold: 0.8 }],
      ['levenshtein(3):abc', { type: 'levenshtein', value: 'abc', threshold: 3 }],
      ['is-json', { type: 'is-json' }],
      ['contains-any: red, "a, b",blue', { type: 'contains-any', value: ['red', 'a, b', 'blue'] }],
      ['not-contains-all: x,y', { type: 'not-contains-all', value: ['x', 'y'] }],
      ['grade: is polite', { type: 'llm-rubric', value: 'is polite' }],
      ['fn: output == 1', { type: 'javascript', value: 'output == 1' }],
      ['file://check.py', { type: 'python', value: 'file://check.py' }],
      ['Paris: the capital', { type: 'equals', value: 'Paris: the capital' }],
      ['답은 가능', { type: 'equals', value: '답은 가능' }],
      ['regex: ^a:b$', { type: 'regex', value: '^a:b$' }],
    ] as const)
      deepEqual(readExpectation(text), expected, text);
  });

  it('reads special columns of CSV files, with a byte-order mark and CRLF', () => {
    const { rows, problem } = readRowFile(
      '\uFEFFq,__expected1,__expected2,__metadata:tags[],__metadata:kind,__config:__expected2:threshold,__metric,__description,__threshold\r\n"two\r\nlines",contains: a,similar: b,"x,y\\,z",k,0.7,Recall,First,0.5\r\n',
      'r.csv',
    );
    equal(problem, undefined);
    const [row] = rows;
    deepEqual([...row!.vars], [['q', 'two\r\nlines']]);
    deepEqual(row!.expectations, [
      { type: 'contains', value: 'a' },
      { type: 'similar', value: 'b', threshold: 0.7 },
    ]);
    deepEqual(
      [...row!.metadata],
      [
        ['tags', ['x', 'y,z']],
        ['kind', 'k'],
      ],
    );
    deepEqual([row!.metric, row!.description, row!.threshold], ['Recall', 'First', 0.5]);
  });

  it("keeps rows before a line that isn't a JSON object", () => {
    const { rows, problem } = readRowFile('{"a":1}\n[2]\n{"a":3}', 'r.jsonl');
    deepEqual([rows.length, problem], [1, "Line 2 isn't a JSON object."]);
    ok(readRowFile('a,b\n"open', 'r.csv').problem);
  });

  it('converts OpenAI evals and never runs their Python graders', async () => {
    const eval1 = JSON.stringify({
      name: 'Mine',
      data_source_config: { type: 'custom' },
      testing_criteria: [
        {
          type: 'string_check',
          name: 'exact',
          input: '{{ sample.output_text }}',
          reference: '{{ item.want }}',
          operation: 'ne',
        },
        { type: 'string_check', input: '{{sample.output_json.a}}', reference: 'x', operation: 'ilike' },
        { type: 'text_similarity', reference: '{{item.want}}', evaluation_metric: 'fuzzy_match', pass_threshold: 0.8 },
        { type: 'text_similarity', reference: 'r', evaluation_metric: 'meteor' },
        { type: 'score_model', model: 'j', input: [{ role: 'user', content: 'Score' }], range: [0, 1] },
        { type: 'multi', graders: [{ type: 'python', source: 'def grade(): pass' }] },
      ],
    });
    const config = await readEval('eval.json', eval1, filesOf({ 'rows.jsonl': '{"item":{"input":"i","want":"w"}}' }), {
      rows: 'rows.jsonl',
      models: ['m'],
      prompts: [],
    });
    deepEqual(marksOf(config), ['testing_criteria[5].graders[0]: grader-python']);
    deepEqual(
      config.rows[0]!.assertions.map((one) => [
        one.type,
        one.class,
        one.isNegated,
        one.value,
        one.threshold,
        one.input,
      ]).slice(0, 4),
      [
        ['equals', 'local', true, '{{ item.want }}', undefined, undefined],
        ['icontains', 'local', false, 'x', undefined, '{{sample.output_json.a}}'],
        ['similarity', 'local', false, '{{item.want}}', 0.8, undefined],
        ['meteor', 'local', false, 'r', undefined, undefined],
      ],
    );
    deepEqual(config.rows[0]!.vars.get('item'), { input: 'i', want: 'w' });
    const run = JSON.stringify({
      data_source: {
        model: 'gpt-x',
        input_messages: {
          type: 'template',
          template: [{ role: 'developer', content: { type: 'input_text', text: 'Label {{item.input}}' } }],
        },
        source: { type: 'file_content', content: [{ item: { input: 'A' } }, { item: { input: 'B' } }] },
      },
    });
    const plan = planEval(await readEval('run.json', run, none));
    deepEqual(
      Array.from(cellsOf(plan), (cell) => requestOf(cell).body.messages),
      [[{ role: 'developer', content: 'Label A' }], [{ role: 'developer', content: 'Label B' }]],
    );
  });

  it('reads messages, responses, and the token limit in runs of OpenAI evals', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const run = JSON.stringify({
      data_source: {
        model: 'gpt-x',
        input_messages: { type: 'item_reference', item_reference: 'item.chat' },
        sampling_params: { max_completions_tokens: 9, seed: 1 },
        source: {
          type: 'file_content',
          content: [{ item: { chat: messages } }, { item: { chat: 'Yo' }, sample: { output_text: 'Yes' } }],
        },
      },
    });
    const plan = planEval(await readEval('run.json', run, none));
    deepEqual(
      Array.from(cellsOf(plan), (cell) => requestOf(cell).body),
      [messages, [{ role: 'user', content: 'Yo' }]].map((one) => ({
        model: 'gpt-x',
        messages: one,
        seed: 1,
        max_completion_tokens: 9,
      })),
    );
    deepEqual(
      plan.rows.map(({ output }) => output),
      [undefined, 'Yes'],
    );
    equal(readRowFile('{"item":{"q":1},"sample":{"output_text":"A"}}', 'r.jsonl').rows[0]!.output, 'A');
  });
});

describe('templates of evals', () => {
  const vars = new Map<string, unknown>([
    ['q', ' Hi '],
    ['list', ['a', 'b']],
    ['user', { name: 'Ann', tags: ['x'] }],
    ['inner', '{{q}}'],
  ]);

  it('fills variables, properties, and filters', () => {
    for (const [template, expected] of [
      ['{{q}}|{{ q | trim | upper }}', ' Hi |HI'],
      ['{{user.name}} {{ user["name"] }} {{user.tags[0]}} {{list[1]}}', 'Ann Ann x b'],
      ['{{list}} {{ user | dump }}{# note #}', 'a,b {"name":"Ann","tags":["x"]}'],
      ['{{user.constructor}}{{user.__proto__}}', ''],
      ['{{inner}}', '{{q}}'],
      ['{ {{q}} } {{', '{  Hi  } {{'],
      ["{{ nobody | default('none') }} {{ nobody.name or 'x' }} {{ env.REGION | d('eu') }}", 'none x eu'],
      ['{{ list | join(" / ") }} {{ list | length }} {{ q | trim | replace("H", "h") | capitalize }}', 'a / b 2 Hi'],
      [
        '{{ 7 / 2 | round }} {{ "3.7" | int }} {{ 2.345 | round(2) }} {{ q ~ 1 }} {{ list | first | upper }}',
        '3.5 3 2.35  Hi 1 A',
      ],
      ['{{ "a" if list.length > 1 else "b" }}{{ "yes" if "b" in list and not nobody }}', 'ayes'],
      ['{{ "long text here" | truncate(8) }} {{ user.tags | dump(1) | replace("\n", "") }}', 'long... [ "x"]'],
    ] as const)
      deepEqual(fillTemplate(template, vars), { text: expected, gaps: [] }, template);
  });

  it('fills conditions, loops, and their white space like Nunjucks', () => {
    for (const [template, expected] of [
      ['{% if nobody %}a{% elif user.name == "Ann" %}b{% else %}c{% endif %}', 'b'],
      ['{% if list is defined and nobody is not defined %}yes{% endif %}', 'yes'],
      ['{% for one in list %}{{ loop.index }}:{{ one }}{% if not loop.last %}, {% endif %}{% endfor %}', '1:a, 2:b'],
      ['{% for key, value in user %}{{ key }}={{ value }};{% endfor %}', 'name=Ann;tags=x;'],
      ['{% for one in nobody %}a{% else %}none{% endfor %}', 'none'],
      ['a \n{%- if q -%}\n b {%- endif %} c', 'ab c'],
      ['{% set n = list | length %}{{ n + 1 }}{% raw %}{{ q }}{% endraw %}', '3{{ q }}'],
      ['{% for a in list %}{% for b in list %}{{ a }}{{ b }} {% endfor %}{% endfor %}', 'aa ab ba bb '],
    ] as const)
      deepEqual(fillTemplate(template, vars), { text: expected, gaps: [] }, template);
    deepEqual(namesIn('{% for one in rows %}{{ one.x }}{{ loop.index }}{% if other %}{% endif %}{% endfor %}'), [
      'rows',
      'other',
    ]);
  });

  it('reports code, tags, and the environment, and leaves them empty', () => {
    deepEqual(
      fillTemplate('{{env.KEY}}{{ process.env.PATH }}{{nobody}}{% if q %}{{ q.trim() }}{{ q | safe | bogus }}', vars),
      {
        text: '',
        gaps: [
          { kind: 'environment', text: 'env.KEY' },
          { kind: 'environment', text: 'process.env.PATH' },
          { kind: 'unknown', text: 'nobody' },
          { kind: 'unsupported', text: '{% if q %}' },
          { kind: 'unsupported', text: '{{ q.trim() }}' },
          { kind: 'unsupported', text: '{{ q | safe | bogus }}' },
        ],
      },
    );
    deepEqual(namesIn('{{a}} {{ b.c | trim }} {{a}} {{1+1}}'), ['a', 'b']);
  });

  it('takes linear time for a hostile text, and fills up to 10 MB', () => {
    for (const hostile of [
      '{{'.repeat(200_000),
      `{{ ${' '.repeat(200_000)}`,
      `{{a${'.b'.repeat(100_000)}`,
      '{%'.repeat(200_000),
    ])
      ok(fillTemplate(hostile, vars).text.length <= hostile.length);
    const many = new Map([['many', Array.from({ length: 1000 }, () => 'x')]]);
    const loops = '{% for a in many %}'.repeat(6) + 'text' + '{% endfor %}'.repeat(6);
    ok(fillTemplate(loops, many).text.length <= 10_000_000);
    equal(fillTemplate(`{{ a${'.b'.repeat(100_000)} }}`, vars).gaps[0]?.kind, 'unsupported');
    equal(fillTemplate(`{{ ${'('.repeat(100_000)} }}`, vars).gaps[0]?.kind, 'unsupported');
    const big = new Map([['b', 'x'.repeat(1_000_000)]]);
    ok(fillTemplate('{{b}}'.repeat(50), big).text.length <= 11_000_000);
  });
});
