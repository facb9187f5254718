import { deepEqual, equal } from 'node:assert/strict';
import type { EvalConfig } from '../../../../src/core/evals/evalConfig';
import { evalFacts } from '../../../../src/core/evals/evalFacts';
import { cellsOf, planEval, requestOf } from '../../../../src/core/evals/evalPlan';
import { gradeCell } from '../../../../src/core/evals/graders/gradeCell';
import { readPromptfoo } from '../../../../src/core/evals/formats/promptfoo';
import { readEval } from '../../../../src/core/evals/readEval';

const read = (text: string, files: Readonly<Record<string, string>> = {}) =>
  readPromptfoo(text, {
    read: async (name) => {
      const found = files[name];
      return found === undefined ? { problem: 'missing' } : { text: found };
    },
  });
const usual = `prompts: ['{{q}}']\nproviders: [openai:m]\n`;
const bodies = (config: EvalConfig) => Array.from(cellsOf(planEval(config)), (cell) => requestOf(cell).body);
const contents = (config: EvalConfig) => bodies(config).map(({ messages }) => messages.at(-1)?.content);
const values = ({ rows }: EvalConfig) => rows[0]!.assertions.map(({ value }) => value);
const messages = ({ problems }: EvalConfig) => problems.map(({ message }) => message);

describe('promptfoo config formats', () => {
  it("read an assertion's value from a file instead of using its path", async () => {
    const text = `${usual}tests: [{ vars: { q: a }, assert: [{ type: is-json, value: file://s.json }, { type: equals, value: file://e.txt }, { type: llm-rubric, value: file://r.md }, { type: contains-all, value: file://l.yaml }, { type: assert-set, assert: [{ type: not-contains, value: file://e.txt }] }] }]`;
    const files = { 's.json': '{"type":"object"}', 'e.txt': 'yes\n', 'r.md': 'Be kind', 'l.yaml': '[a, b]' };
    const config = await read(text, files);
    deepEqual(values(config).slice(0, 4), [{ type: 'object' }, 'yes', 'Be kind', ['a', 'b']]);
    equal(config.rows[0]!.assertions[4]!.members[0]!.value, 'yes');
    deepEqual(config.problems, []);
  });

  it("report an assertion with a missing file, and don't grade it", async () => {
    const config = await read(
      `${usual}tests: [{ vars: { q: a }, assert: [{ type: equals, value: file://gone.txt }] }]`,
    );
    deepEqual(messages(config), ["gone.txt doesn't exist."]);
    const [cell] = cellsOf(planEval(config));
    const response = { text: 'file://gone.txt', calls: [], isTruncated: false, isRefused: false };
    deepEqual(gradeCell(cell!, response, () => undefined).result, { missing: 'notGraded' });
  });

  it('take variables, defaults, and providers from files', async () => {
    const files = {
      'v.yaml': 'q: from a file',
      'd.yaml': 'assert: [{ type: contains, value: x }]',
      'p.yaml': 'id: openai:chat:a\nconfig: { temperature: 0.2 }',
      'all.json': '[{"id":"openai:b"},"anthropic:messages:c"]',
    };
    const config = await read(
      `prompts: ['{{q}}']\nproviders: [file://p.yaml, file://all.json]\ndefaultTest: file://d.yaml\ntests: [{ vars: file://v.yaml }]`,
      files,
    );
    deepEqual(
      bodies(config).map(({ model, temperature }) => [model, temperature]),
      [
        ['a', 0.2],
        ['b', undefined],
        ['c', undefined],
      ],
    );
    equal(contents(config)[0], 'from a file');
    deepEqual(values(config), ['x']);
    deepEqual(config.problems, []);
  });

  it('mark a script in a provider file, and never run it', async () => {
    const config = await read(`prompts: [a]\nproviders: [file://p.yaml]\ntests: [{}]`, { 'p.yaml': 'id: file://x.py' });
    deepEqual(
      config.problems.map(({ kind, path, mark }) => [kind, path, mark]),
      [['code', 'providers[0]', 'provider-file']],
    );
  });

  it('have each test of a scenario once for each of its sets of variables', async () => {
    const config = await read(
      `prompts: ['{{l}} {{q}}']\nproviders: [openai:m]\nscenarios:\n  - config: [{ vars: { l: de } }, { vars: { l: fr }, assert: [{ type: contains, value: y }] }]\n    tests: [{ vars: { q: a }, assert: [{ type: equals, value: x }] }, { vars: { q: b } }]`,
    );
    deepEqual(contents(config), ['de a', 'de b', 'fr a', 'fr b']);
    deepEqual(
      config.rows.map(({ assertions }) => assertions.map(({ value }) => value)),
      [['x'], [], ['y', 'x'], ['y']],
    );
    deepEqual(config.problems, []);
  });

  it('send a prompt only to the models that name it', async () => {
    const config = await read(
      `prompts: [{ raw: a, label: A }, { raw: b, label: B }]\nproviders: [{ id: openai:m, prompts: [B] }, openai:n]\ntests: [{}]`,
    );
    deepEqual(
      bodies(config).map(({ model, messages: sent }) => [model, sent[0]!.content]),
      [
        ['m', 'b'],
        ['n', 'a'],
        ['n', 'b'],
      ],
    );
  });

  it('surround prompts with text, and keep a list as one value on request', async () => {
    const config = await read(
      `${usual}defaultTest: { options: { prefix: 'P ', suffix: ' S' } }\ntests: [{ vars: { q: a } }, { vars: { q: [a, b] }, options: { prefix: 'X ', disableVarExpansion: true } }]`,
    );
    deepEqual(contents(config), ['P a S', 'X a,b S']);
  });

  it('grade a stored output without a request', async () => {
    const config = await read(
      `${usual}tests: [{ vars: { q: a }, providerOutput: fixed, assert: [{ type: equals, value: fixed }] }, { vars: { q: b } }]`,
    );
    deepEqual(
      config.rows.map(({ output }) => output),
      ['fixed', undefined],
    );
    equal(evalFacts(planEval(config), { pricesOf: () => undefined, batchDiscount: 1 }).requests, 1);
  });

  it('name prompts in tables, JSON Lines, and maps of files', async () => {
    const files = {
      'p.csv': 'prompt,label\n"Hi, {{q}}",A\nYo {{q}},B\n',
      'p.jsonl': '[{"role":"user","content":"1 {{q}}"}]\n[{"role":"user","content":"2 {{q}}"}]\n',
      'p.txt': 'T {{q}}',
    };
    const prompts = async (written: string) => {
      const config = await read(`prompts: ${written}\nproviders: [openai:m]\ntests: [{ vars: { q: a } }]`, files);
      deepEqual(config.problems, []);
      return [config.prompts.map(({ label }) => label), contents(config)];
    };
    deepEqual(await prompts('[file://p.csv]'), [
      ['A', 'B'],
      ['Hi, a', 'Yo a'],
    ]);
    deepEqual(await prompts('[p.jsonl]'), [
      ['p.jsonl (1)', 'p.jsonl (2)'],
      ['1 a', '2 a'],
    ]);
    deepEqual(await prompts('{ p.txt: first }'), [['first'], ['T a']]);
  });

  it("send no chat request to other providers, and mark a provider's transform as code", async () => {
    const config = await read(
      `prompts: [a]\nproviders: ['openai:embedding:e', 'openai:image:i', { id: 'openai:m', transform: output.trim() }]\ntests: [{}]`,
    );
    deepEqual(
      config.providers.map(({ kind }) => kind),
      ['none', 'none', 'service'],
    );
    deepEqual(
      config.problems.flatMap(({ mark }) => mark ?? []),
      ['transform'],
    );
  });

  it('report a prompt that is empty in each row', async () => {
    const prompt =
      "{{ q }} {{ typo }} {{ env.KEY }} {{ q | bogus }} {{ other | default('x') }}{% if rare %}{{ rare }}{% endif %}";
    const config = await read(
      `prompts: [${JSON.stringify(prompt)}]\nproviders: [openai:m]\ntests: [{ vars: { q: a } }, { vars: { q: b, rare: c } }]`,
    );
    deepEqual(messages(config), [
      "Inference Desk doesn't support {{ q | bogus }}, so it's left empty.",
      'No row has a value for typo, so it stays empty.',
      'env.KEY stays empty because environment variables are never read.',
    ]);
    deepEqual(contents(config), ['a    x', 'b    xc']);
  });

  it('use table columns that frame or replace the request, and parameters and images from their locations', async () => {
    const prompt = JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: '{{q}}' } },
          { type: 'text', text: 'Look at {{q}}' },
        ],
      },
    ]);
    const config = await read(
      `prompts: ['{{q}}', '${prompt}']\nproviders: [{ id: 'openai:m', config: { tools: file://t.json, response_format: file://no.json } }]\ntests: file://r.csv`,
      { 't.json': '[{"type":"function"}]', 'r.csv': 'q,__prefix,__suffix,__providerOutput\na,Say ,!,\nb,,,B' },
    );
    deepEqual(messages(config), ["no.json doesn't exist."]);
    deepEqual(
      config.rows.map(({ output }) => output),
      [undefined, 'B'],
    );
    const [text] = bodies(config);
    deepEqual([text!.messages.at(-1)?.content, text!['tools']], ['Say a!', [{ type: 'function' }]]);
    deepEqual(Object.keys(text!), ['model', 'messages', 'tools']);
    deepEqual(bodies({ ...config, rows: [{ ...config.rows[1]!, vars: config.rows[0]!.vars }] })[1]!.messages, [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'a' } },
          { type: 'text', text: 'Look at a' },
        ],
      },
    ]);
  });

  it('read a CSV file that they name like one that is opened alone', async () => {
    const csv =
      'q,__expected,__metric,__description,__threshold,__prefix,__suffix,__providerOutput,id,group\na,similar: b,Recall,First,0.5,Say ,!,c,7,x\nd,,,,,,,,,\n';
    const alone = await readEval('r.csv', csv, { read: async () => ({ problem: 'missing' }) });
    const named = await read(`${usual}tests: file://r.csv`, { 'r.csv': csv });
    const asNamed = alone.rows.map((row) => ({
      ...row,
      vars: new Map([...row.vars].filter(([name]) => name !== 'item')),
    }));
    deepEqual(asNamed, named.rows);
    deepEqual(
      named.rows.map(({ id, group }) => [id, group]),
      [
        ['7', 'x'],
        [undefined, undefined],
      ],
    );
  });

  it('reports files without rows', async () => {
    for (const [name, text] of [
      ['r.csv', ''],
      ['r.yaml', 'tests: file://r.yaml'],
    ] as const)
      deepEqual(messages(await read(`${usual}tests: file://${name}`, { [name]: text })), [`${name} has no rows.`]);
    const table = await readEval('r.csv', 'q,a\n', { read: async () => ({ problem: 'missing' }) });
    deepEqual(messages(table), ['The file has no rows.']);
  });

  it('gives rows the same hash with and without gold rows', async () => {
    const tests = `${usual}tests:\n`;
    const row = '  - vars: { q: a }\n';
    const gold = (grade: string) =>
      `  - { vars: { q: a }, providerOutput: b, metadata: { desk: { gold: ${grade} } } }\n`;
    const hashes = (planned: ReturnType<typeof planEval>) =>
      planned.rows.filter(({ gold: grade }) => grade === undefined).map(({ hash }) => hash);
    const [alone, beside] = await Promise.all([read(tests + row), read(tests + gold('pass') + gold('fail') + row)]);
    deepEqual(hashes(planEval(beside)), hashes(planEval(alone)));
  });
});
