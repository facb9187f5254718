import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { runEvalCommand } from '../../../../src/cli/eval/runEvalCommand';
import { canRun } from '../../../../src/core/evals/evalFacts';
import { cellsOf, planEval, requestOf } from '../../../../src/core/evals/evalPlan';
import type { EvalPlan } from '../../../../src/core/evals/evalPlan';
import { newEval, rowsName } from '../../../../src/core/evals/formats/newEval';
import { readEval } from '../../../../src/core/evals/readEval';
import { startFilledDemo } from '../../../support/filledDemo';
import { setUpFolder } from '../../../support/temporaryFolder';

const tables = readdirSync('media/samples').filter((name) => /\.(?:csv|jsonl)$/.test(name) && !name.includes('faults'));

/** Makes an eval, and reads it as if it were on disk next to its source. */
async function made(
  name: string,
  text: string,
  model: string | undefined = 'm',
): Promise<EvalPlan & { readonly config: string }> {
  const result = newEval({ name, text, model });
  ok(typeof result !== 'string', JSON.stringify(result));
  const rowsFile = `made${result.rows?.ending ?? ''}`;
  const config = result.config.replace(`file://${rowsName}`, `file://${rowsFile}`);
  const read = await readEval('made.promptfooconfig.yaml', config, {
    read: async (reference) =>
      reference === name
        ? { text }
        : result.rows && reference === rowsFile
          ? { text: result.rows.text }
          : { problem: 'missing' },
  });
  deepEqual(read.problems, [], config);
  const plan = planEval(read);
  ok(canRun(plan, read));
  return { ...plan, config };
}

const bodiesOf = (plan: EvalPlan) => Array.from(cellsOf(plan), (cell) => requestOf(cell).body);
const assertionsOf = ({ rows }: EvalPlan) =>
  rows[0]!.assertions.map(({ type, isNegated, value }) => [`${isNegated ? 'not-' : ''}${type}`, value]);
const lineOf = (id: string, body: object, more: object = {}) =>
  JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body, ...more });

describe('a new eval', () => {
  const temporary = setUpFolder();

  it('from a batch file has its system prompt once, and its questions as rows', async () => {
    const system = { role: 'system', content: 'Be brief: "yes" or\nno.' };
    const bodies = ['Is it, or not?', '=1+1', ' spaces ', 'two\nlines "quoted"', '-3', ''].map((content) => ({
      model: 'm',
      messages: [system, { role: 'user', content }],
      max_tokens: 9,
      temperature: 0,
    }));
    const plan = await made('x.jsonl', bodies.map((body, index) => lineOf(`r-${index}`, body)).join('\n'));
    deepEqual(bodiesOf(plan), bodies);
    deepEqual(
      plan.rows.map(({ id }) => id),
      ['r-0', 'r-1', 'r-2', 'r-3', 'r-4', 'r-5'],
    );
    equal(plan.config.match(/Be brief/g)!.length, 1);
    deepEqual(assertionsOf(plan), [
      ['regex', '\\S'],
      ['finish-reason', 'stop'],
    ]);
  });

  it('from a batch file has the system prompt next to the messages', async () => {
    const line = (system: unknown, content: string) =>
      JSON.stringify({ custom_id: content, params: { model: 'm', system, messages: [{ role: 'user', content }] } });
    for (const system of ['Be brief.', [{ type: 'text', text: 'Be brief.' }]]) {
      const plan = await made('x.jsonl', [line(system, 'one'), line(system, 'two')].join('\n'));
      deepEqual(
        bodiesOf(plan).map(({ messages }) => messages),
        ['one', 'two'].map((content) => [
          { role: 'system', content: system },
          { role: 'user', content },
        ]),
      );
    }
  });

  it('from a batch file has a limited number of columns', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) =>
      lineOf(
        String(index),
        { model: 'm', messages: [{ role: 'user', content: 'x' }] },
        { metadata: { [`k${index}`]: 'v' } },
      ),
    );
    const plan = await made('x.jsonl', lines.join('\n'));
    equal(plan.rows.length, 3000);
    ok(plan.rows[0]!.vars.size < 300);
  });

  it('from a batch file sends the same messages, whatever they are', async () => {
    const content = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{{question}}',
        '{{messages}} {% if %}',
        '- role: user',
        '[{"role":"user"}]',
        '# {#x#}',
        '"',
        'a: b',
      ),
      fc.array(fc.record({ type: fc.constant('text'), text: fc.string() }, { noNullPrototype: true }), {
        maxLength: 2,
      }),
    );
    const message = fc.record(
      { role: fc.constantFrom('user', 'assistant', 'system'), content },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(message, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (lists) => {
          const bodies = lists.map((messages) => ({ model: 'm', messages }));
          const plan = await made('x.jsonl', bodies.map((body, index) => lineOf(String(index), body)).join('\n'));
          deepEqual(bodiesOf(plan), bodies);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('from a batch file compares the models of its lines, and keeps only shared parameters', async () => {
    const of = (model: string, more: object) => ({ model, messages: [{ role: 'user', content: 'x' }], ...more });
    const plan = await made(
      'x.jsonl',
      [
        lineOf('a', of('one', { max_tokens: 5, temperature: 0 })),
        'not JSON',
        lineOf('b', of('two', { max_tokens: 5, temperature: 1 })),
      ].join('\r\n'),
    );
    deepEqual(
      plan.variants.map(({ label, provider }) => [label, provider.parameters]),
      [
        ['openai:chat:one', { max_tokens: 5 }],
        ['openai:chat:two', { max_tokens: 5 }],
      ],
    );
    equal(plan.rows.length, 2);
  });

  it('grades by values next to requests, in columns, and in graders of a table', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
    const batch = await made('x.jsonl', lineOf('a', body, { metadata: { expected: 'seven' } }));
    deepEqual(assertionsOf(batch), [['icontains', '{{expected}}']]);
    equal(batch.rows[0]!.vars.get('expected'), 'seven');
    const own = await made('x.csv', 'q,__expected\nx,contains: y\n');
    deepEqual(assertionsOf(own), [['contains', 'y']]);
    const json = await made('x.csv', 'q,Expected\nx,"{""a"":1}"\n');
    deepEqual(assertionsOf(json), [['is-json', undefined]]);
    const long = await made('x.csv', `q,ground_truth\nx,${'word '.repeat(40)}\n`);
    deepEqual(assertionsOf(long), [['similar', '{{ground_truth}}']]);
    const short = await made('x.jsonl', '{"question":"2+2","answer":"4"}\n{"question":"2+3","answer":"5"}\n');
    deepEqual(
      [assertionsOf(short), bodiesOf(short)[1]!.messages],
      [[['icontains', '{{answer}}']], [{ role: 'user', content: '2+3' }]],
    );
  });

  it('from a table with labels names them in its prompt', async () => {
    const rows = ['Charged twice,billing', 'Late,delivery', 'Again,billing', 'Lost,delivery'];
    const plan = await made('tickets.csv', `ticket,category\n${rows.join('\n')}\n`);
    match(
      String(bodiesOf(plan)[0]!.messages[0]!.content),
      /^Answer with only one of these labels: billing, delivery\n\nCharged twice$/,
    );
  });

  it('from a prompt file has a row for each option of a variable', async () => {
    const name = 'reply.desk.md';
    const plan = await made(name, readFileSync(`media/samples/${name}`, 'utf8'), undefined);
    deepEqual(
      plan.variants.map(({ provider }) => provider.model),
      ['Qwen/Qwen3-30B-A3B-Instruct-2507'],
    );
    deepEqual(
      plan.rows.map(({ vars }) => vars.get('tone')),
      ['friendly', 'formal', 'brief'],
    );
    equal(bodiesOf(plan)[0]!['max_tokens'], 300);
  });

  it('from each sample runs', async () => {
    for (const name of tables) await made(name, readFileSync(`media/samples/${name}`, 'utf8'));
  });

  it("explains why a file can't be used", () => {
    const of = (name: string, text: string, model?: string) => newEval({ name, text, model });
    equal(of('x.csv', 'a,b\n', 'm'), 'The file has no rows.');
    equal(of('x.jsonl', '', 'm'), 'The file has no rows.');
    match(JSON.stringify(of('x.jsonl', 'nothing', 'm')), /^"Line 1 isn't a JSON object/);
    equal(of('x.csv', 'q\nx\n'), 'No model is available. Sign in, then try again.');
    equal(of('x.desk.md', 'Say hi'), 'No model is available. Sign in, then try again.');
    equal(
      newEval({ name: 'x.csv', text: 'question;answer\nWhat?;a\n', model: 'm' }),
      'The first line has no usable column names. Separate them with commas.',
    );
    equal(
      newEval({ name: 'x.jsonl', text: lineOf('1', { model: 'm', input: 'Hi' }), model: 'm' }),
      'The file has no chat requests.',
    );
  });

  it('runs on the demo service unchanged', async function () {
    this.timeout(60_000);
    const demo = await startFilledDemo({ pace: 'instant' });
    try {
      for (const name of [...tables, 'reply.desk.md']) {
        const text = readFileSync(`media/samples/${name}`, 'utf8');
        const result = newEval({ name, text, model: 'deepseek-ai/DeepSeek-V3' });
        ok(typeof result !== 'string');
        const file = temporary.in(`${name}.promptfooconfig.yaml`);
        writeFileSync(temporary.in(name), text);
        writeFileSync(temporary.in('made.rows'.concat(result.rows?.ending ?? '')), result.rows?.text ?? '');
        writeFileSync(
          file,
          result.config.replace(`file://${rowsName}`, `file://made.rows${result.rows?.ending ?? ''}`),
        );
        let out = '';
        const code = await runEvalCommand(['run', file, '--limit', '3', '--yes'], {
          out: (part) => void (out += part),
          err: () => undefined,
          variables: {
            INFERENCE_DESK_BASE_URL: demo.baseUrl,
            INFERENCE_DESK_API_KEY: demo.apiKey,
            INFERENCE_DESK_STATE: temporary.in('state'),
          },
          language: 'en',
        });
        equal(code, 0, name);
        // Passed, failed, and missing: without expected values, a complete response is enough.
        const isFree = ['requests.jsonl', 'reviews.csv', 'reply.desk.md'].includes(name);
        match(
          out,
          isFree ? /\| 3 \| 100% \([\d.%– ]+\) \| 0 \| 0 \|/ : /\| [0-3] \| [\d.%– ()]+ \| [0-3] \| 0 \|/,
          `${name}: ${out}`,
        );
      }
    } finally {
      await demo.close();
    }
  });
});
