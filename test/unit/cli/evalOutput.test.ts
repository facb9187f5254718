import { deepEqual, equal, match } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { runEvalCommand } from '../../../src/cli/eval/runEvalCommand';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { setUpFolder } from '../../support/temporaryFolder';

/** The second prompt asks for more in the second row. */
const config = `
prompts: [{ label: plain, raw: 'What is {{a}} + 1?' }, { label: longer, raw: 'What is {{a}} + 1{{more}}?' }]
providers: [openai:chat:deepseek-ai/DeepSeek-V3]
defaultTest: { assert: [{ type: contains, value: '{{sum}}' }] }
tests:
  - vars: { id: first, a: 4, sum: '5', more: '' }
  - vars: { id: second, a: 6, sum: '7', more: ' as a poem' }
`;

describe('the output of evals on the command line', function () {
  this.timeout(60_000);
  const temporary = setUpFolder();
  let demo: FilledDemo;

  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
    writeFileSync(temporary.in('e.yaml'), config);
  });
  afterEach(() => demo.close());

  const run = async (args: readonly string[], baseUrl = demo.baseUrl) => {
    let out = '';
    let err = '';
    const code = await runEvalCommand([args[0]!, temporary.in('e.yaml'), ...args.slice(1), '--yes'], {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      variables: {
        INFERENCE_DESK_BASE_URL: baseUrl,
        INFERENCE_DESK_API_KEY: demo.apiKey,
        INFERENCE_DESK_STATE: temporary.in('state'),
      },
      language: 'en',
    });
    return { code, out, err };
  };

  it('lists regressions with their responses, and says that a second run sends nothing', async () => {
    const { out, err } = await run(['run']);
    match(out, /\n### Regressions of longer\n\n- second: \w.{5,}\n/);
    match(err, /Requests sent: 3\n/);
    match((await run(['run'])).err, /^Requests sent: 0\nResponses: 4 of 4/m);
  });

  it('is JSON with --json, whatever the command', async () => {
    const { code, out } = await run(['run', '--json']);
    const { responses, comparisons } = JSON.parse(out) as {
      readonly responses: unknown;
      readonly comparisons: readonly { readonly lost: number; readonly regressions: readonly string[] }[];
    };
    equal(code, 0);
    deepEqual(responses, { requests: 4, answered: 4, waiting: 0, failed: 0 });
    deepEqual([comparisons[0]!.lost, comparisons[0]!.regressions.length], [1, 1]);
    deepEqual(JSON.parse((await run(['gate', '--json'])).out), JSON.parse(out));
    const submitted = JSON.parse((await run(['submit', '--json'])).out) as { readonly folder: string };
    equal(submitted.folder, temporary.in('e.eval'));
  });

  it('says why requests failed, once for each reason', async () => {
    const { code, err } = await run(['run'], demo.baseUrl.replace(/\/v1$/, '/other'));
    equal(code, 3);
    match(err, /^Failed requests: 4\. \S.*\nResponses: 0 of 4, waiting: 0, failed: 4\n/m);
  });

  it('names the assertions that failed in a table', async () => {
    await run(['run', '--output', temporary.in('r.csv')]);
    const [, ...lines] = readFileSync(temporary.in('r.csv'), 'utf8').trimEnd().split('\n');
    const failed = lines.filter((line) => line.includes(',fail,'));
    equal(failed.length, 1);
    match(failed[0]!, /,fail,0,contains failed,/);
  });
});
