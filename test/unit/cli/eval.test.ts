import { deepEqual, equal, match } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { runEvalCommand } from '../../../src/cli/eval/runEvalCommand';
import { setUpFolder } from '../../support/temporaryFolder';

async function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  let out = '';
  let err = '';
  const code = await runEvalCommand(args, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    variables,
    language: 'en',
  });
  return { code, out, err };
}

describe('the plan of an eval on the command line', () => {
  const temporary = setUpFolder();
  const write = (name: string, text: string) => {
    writeFileSync(temporary.in(name), text);
    return temporary.in(name);
  };

  it('shows the size, the price by batch and now, and the smallest detectable difference', async () => {
    const rows = Array.from(
      { length: 150 },
      (_, index) => `{"q":"question ${index}","__expected":"contains: ${index}"}`,
    );
    write('rows.jsonl', rows.join('\n'));
    const file = write(
      'c.yaml',
      `prompts: ['{{q}}', 'Briefly: {{q}}']\nproviders: [openai:chat:m]\ntests: file://rows.jsonl\n`,
    );
    const prices = {
      INFERENCE_DESK_BASE_URL: 'https://api.siliconflow.cn/v1',
      INFERENCE_DESK_PRICES: '{"m":{"input":4,"output":10}}',
    };
    const { code, out, err } = await run(['plan', file], prices);
    deepEqual([code, err], [0, '']);
    match(out, /^Rows: 150, variants: 2, requests: 300\nScores: 300 graded locally, 0 by a model, 0 not graded\n/);
    match(out, /\nPrice: about ¥0\.4\d as a batch, or ¥0\.9\d if run now \(output tokens per response: 300\)\n/);
    match(
      out,
      /\nDifferences below 8\.8 percentage points can't be detected\.\nTo detect 5 percentage points, use 469 rows \(about ¥1\.\d\d as a batch\)\.\n/,
    );
    match((await run(['plan', file])).out, /Price: unknown\. Set INFERENCE_DESK_PRICES to see it\./);
    for (const INFERENCE_DESK_BASE_URL of ['http://127.0.0.1:1/demo/v1', 'http://localhost:11434/v1'])
      match((await run(['plan', file], { INFERENCE_DESK_BASE_URL })).out, /\nPrice: free\nDifferences below/);
    const facts = JSON.parse((await run(['plan', file, '--json', '--repeat=3'])).out) as { readonly requests: number };
    equal(facts.requests, 900);
  });

  it('includes the price of every model and response, and says that model grades are charged separately', async () => {
    const rows = Array.from({ length: 800 }, (_, index) => `{"q":"question ${index}"}`);
    write('rows.jsonl', rows.join('\n'));
    const file = write(
      'c.yaml',
      `prompts: ['{{q}}']\nproviders: [openai:chat:free, { id: openai:chat:m, config: { n: 2 } }]\ndefaultTest: { assert: [{ type: llm-rubric, value: fine }] }\ntests: file://rows.jsonl\n`,
    );
    const { out } = await run(['plan', file, '--repeat', '2'], {
      INFERENCE_DESK_BASE_URL: 'https://api.siliconflow.cn/v1',
      INFERENCE_DESK_PRICES: '{"free":{"input":0,"output":0},"m":{"input":0,"output":1000}}',
    });
    match(
      out,
      /\nPrice: about ¥480\.00 as a batch, or ¥960\.00 if run now \(output tokens per response: 300\)\nModel grades are charged separately\.\n/,
    );
  });

  it('lists problems with their line and column, and exits with 3 if there are errors', async () => {
    const file = write(
      'bad.yaml',
      `prompts:\n  - '{{q}}'\n  - file://gone.txt\nproviders: [openai:chat:m]\ntests:\n  - vars: { q: a }\n    assert: [{ type: javascript, value: x }]\n`,
    );
    const { code, err } = await run(['plan', file]);
    equal(code, 3);
    match(err, /bad\.yaml:3:5: error prompts\[1\] gone\.txt doesn't exist\.\n/);
    match(err, /bad\.yaml:7:14: code tests\[0\]\.assert\[0\] assert-javascript Inference Desk never runs code/);
  });

  it('uses models, prompt files, and rows from the options', async () => {
    const rows = write('r.csv', 'id,q,__expected\n1,a,equals: b\n1,c,equals: d\n');
    const prompt = write('p.desk.md', '---\nmodel: own\n---\nAnswer {{q}}');
    const { code, out, err } = await run(['plan', rows, '--prompt', prompt, '--model', 'x', '--model', 'y']);
    equal(code, 0);
    match(out, /^Rows: 2, variants: 2, requests: 4\n/);
    match(err, /^Several rows have the same ID: 1\n$/);
    match((await run(['plan', prompt, '--rows', rows])).out, /variants: 1, requests: 2/);
    const alone = await run(['plan', rows]);
    equal(alone.code, 3);
    match(alone.err, /No model specified\. Add --model/);
  });

  it('explains what to do about a config that is too large', async () => {
    const row = `  - vars: { q: ${'a'.repeat(1000)} }\n`;
    const file = write('large.yaml', `prompts: ['{{q}}']\nproviders: [openai:chat:m]\ntests:\n${row.repeat(5000)}`);
    const { code, err } = await run(['plan', file]);
    equal(code, 3);
    match(err, /The file is larger than 1 MB\. Move its rows to a CSV or JSONL file, and add that file to "tests"\.\n/);
  });

  it('prints its usage if a command, a file, or an option is wrong', async () => {
    for (const args of [[], ['plan'], ['fly', 'x'], ['plan', 'x', '--repeat', '21'], ['plan', 'x', '--bogus']]) {
      const { code, err } = await run(args);
      equal(code, 3);
      match(err, /\n\nUsage: node eval\.js plan/);
    }
    equal((await run(['--help'])).code, 0);
    match((await run(['plan', temporary.in('none.yaml')])).err, /none\.yaml: The file doesn't exist\./);
  });
});
