import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runEvalCommand } from '../../../src/cli/eval/runEvalCommand';
import { addLabel, answerHash } from '../../../src/core/evals/run/humanLabels';
import { setUpFolder } from '../../support/temporaryFolder';

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface Summary {
  readonly judge: { readonly model: string; readonly kin: readonly string[] };
  readonly variants: readonly { readonly passed: number; readonly failed: number; readonly missing: object }[];
  readonly comparisons: readonly {
    readonly verdict: string;
    readonly preferences: {
      readonly wins: number;
      readonly losses: number;
      readonly ties: number;
      readonly missing: number;
      readonly flipRate: { readonly estimate: number };
      readonly longerWins: { readonly estimate: number };
    };
  }[];
}

/** A row's answers: the second prompt's is longer from row 4 on, equal in row 0. */
const rows = 20;
const configOf = (count: number) => `
prompts: ['short {{n}}', 'long {{n}}']
providers: [openai:chat:qwen3-8b]
defaultTest: { assert: [{ type: select-best, value: Is clear }] }
tests: [${Array.from({ length: count }, (_, n) => `{ vars: { n: ${n} } }`).join(', ')}]
`;

describe('pairwise judges of evals', function () {
  this.timeout(60_000);
  const temporary = setUpFolder();
  let server: Server;
  let chats: Chat[];
  let judge: (a: string, b: string) => string;

  const answerOf = ({ model, messages }: Chat): string => {
    const content = messages.at(-1)!.content;
    if (model === 'qwen3-8b') {
      const [, kind, row] = /^(\w+) (\d+)$/.exec(content)!;
      return row === '0' ? 'same' : `${kind === 'long' && Number(row) >= 4 ? 'a longer answer' : `${kind}`} ${row}`;
    }
    const [, , a = '', , b = ''] = /<(ANSWER-A-\w+)>\n([\s\S]*)\n<\/\1>\s*<(ANSWER-B-\w+)>\n([\s\S]*)\n<\/\3>/.exec(
      content,
    )!;
    return judge(a, b);
  };

  beforeEach(async () => {
    chats = [];
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const chat = JSON.parse(body) as Chat;
        chats.push(chat);
        const message = { role: 'assistant', content: answerOf(chat) };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            id: 'x',
            model: chat.model,
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage: { prompt_tokens: 9, completion_tokens: 9 },
          }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    writeFileSync(temporary.in('e.yaml'), configOf(rows));
  });
  afterEach(() => void server.close());

  const command = async (name: string, ...more: readonly string[]) => {
    let [out, err] = ['', ''];
    const code = await runEvalCommand([name, temporary.in('e.yaml'), '--yes', ...more], {
      out: (part) => void (out += part),
      err: (part) => void (err += part),
      variables: {
        INFERENCE_DESK_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        INFERENCE_DESK_API_KEY: 'sk-test-of-evals-0123456789',
        INFERENCE_DESK_STATE: temporary.in('state'),
      },
      language: 'en',
    });
    return {
      code,
      out,
      err,
      summary: JSON.parse(readFileSync(temporary.in('e.eval/summary.json'), 'utf8')) as Summary,
    };
  };
  const run = (...more: readonly string[]) => command('run', '--judge', 'qwen-max', ...more);
  const judged = () => chats.filter(({ model }) => model === 'qwen-max').length;
  const winner = (name: string) => JSON.stringify({ reason: 'Because.', winner: name });

  it('ask in both orders, and prefer the response that wins in both', async () => {
    judge = (a, b) => winner(a.length > b.length ? 'A' : b.length > a.length ? 'B' : 'tie');
    const { code, out, summary } = await run();
    equal(code, 0);
    const [{ verdict, preferences }] = summary.comparisons as [Summary['comparisons'][0]];
    const { wins, losses, ties, missing, flipRate, longerWins } = preferences;
    // Row 0 is a tie for free; "short 1" is longer than "long 1".
    deepEqual([wins, losses, ties, missing], [16, 3, 1, 0]);
    deepEqual([flipRate.estimate, longerWins.estimate], [0, 1]);
    equal(judged(), 2 * (rows - 1));
    deepEqual(
      summary.variants.map(({ passed, failed }) => [passed, failed]),
      [
        [4, 16],
        [17, 3],
      ],
    );
    equal(verdict, 'better');
    match(
      out,
      /\nlong \{\{n\}\} preferred to short \{\{n\}\}: 84\.2% \(16 won, 3 lost, 1 tied\), p = 0\.004\. Verdicts that change when the responses are swapped: 0%\. Won by the longer response: 100%\. Length-controlled win rate: –\n/,
    );
    deepEqual(summary.judge, { model: 'qwen-max', kin: ['short {{n}}', 'long {{n}}'] });
    match(out, /qwen-max might favor models from the same vendor: short \{\{n\}\}, long \{\{n\}\}\n/);
    await run();
    equal(judged(), 2 * (rows - 1));
  });

  it('tie if the verdict depends on the order, and report how often it does', async () => {
    judge = () => winner('A');
    const { summary } = await run();
    const { wins, losses, ties, flipRate } = summary.comparisons[0]!.preferences;
    deepEqual([wins, losses, ties], [0, 0, rows]);
    equal(flipRate.estimate, 19 / 20);
    equal(summary.comparisons[0]!.verdict, 'cantTell');
  });

  it('leave rows without a clear verdict open, and ask for the reason before the verdict', async () => {
    judge = () => 'The first answer is better.';
    const { summary } = await run('--limit', '4');
    equal(summary.comparisons[0]!.preferences.missing, 3);
    deepEqual(
      summary.variants.map(({ missing }) => missing),
      [{ unreadableVerdict: 3 }, { unreadableVerdict: 3 }],
    );
    const prompt = chats.find(({ model }) => model === 'qwen-max')!.messages;
    ok(prompt[0]!.content.indexOf('"reason"') < prompt[0]!.content.indexOf('"winner"'));
    match(prompt[1]!.content, /\nCriterion:\nIs clear\n/);
  });

  it('are exported in all formats with the other results', async () => {
    judge = (a, b) => winner(a.length > b.length ? 'A' : 'B');
    const files = ['r.json', 'r.jsonl', 'r.csv'].map((name) => temporary.in(name));
    const { code } = await run('--limit', '6', ...files.flatMap((file) => ['--output', file]));
    equal(code, 0);
    const [promptfoo, lines, table] = files.map((file) => readFileSync(file, 'utf8')) as [string, string, string];
    const { results } = JSON.parse(promptfoo) as {
      readonly results: {
        readonly version: number;
        readonly stats: { readonly successes: number; readonly failures: number; readonly errors: number };
        readonly prompts: readonly { readonly metrics: { readonly testPassCount: number } }[];
        readonly results: readonly {
          readonly success: boolean;
          readonly vars: object;
          readonly response: { readonly output: string };
        }[];
      };
    };
    deepEqual([results.version, results.results.length, results.prompts.length], [3, 12, 2]);
    deepEqual([results.stats.successes, results.stats.failures, results.stats.errors], [7, 5, 0]);
    deepEqual(
      results.prompts.map(({ metrics }) => metrics.testPassCount),
      [4, 3],
    );
    deepEqual([results.results[0]!.vars, results.results[0]!.response.output], [{ n: 0 }, 'same']);
    const records = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly output: string; readonly result: string });
    deepEqual([records.length, records[9]!.output, records[9]!.result], [12, 'a longer answer 4', 'pass']);
    equal(table.split('\r\n')[0], 'n,variant,model,repeat,output,result,score,reason,cost,latencyMs,select-best');
    match(table, /\r\n4,long \{\{n\}\},qwen3-8b,0,a longer answer 4,pass,1,,/);
  });

  it("count for the gate after people have rated 50 of the run's rows and responses", async () => {
    judge = (a, b) => winner(a.length > b.length ? 'A' : 'B');
    writeFileSync(temporary.in('e.yaml'), configOf(60));
    await run();
    const paid = judged();
    const cells = readFileSync(temporary.in('e.eval/responses.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: string; readonly text: string })
      .filter(({ id }) => id.startsWith('e1.'));
    const { variants } = JSON.parse(readFileSync(temporary.in('e.eval/manifest.json'), 'utf8')) as {
      readonly variants: readonly [{ readonly id: string }, { readonly id: string }];
    };
    const [{ id: first }, { id: second }] = variants;
    const textOf = (row: string, variant: string) => cells.find(({ id }) => id === `e1.${row}.${variant}.0`)!.text;
    const planned = [...new Set(cells.map(({ id }) => id.split('.')[1]!))].slice(0, 50);
    const rate = (row: string, answers: [string, string]) =>
      addLabel(temporary.in('e.eval'), { row, first, second, answers, choice: 'second', time: 0, seconds: 1, at: 1 });
    for (const row of planned) await rate(row, ['of another', 'run']);
    const other = await command('gate');
    equal(other.code, 2);
    match(other.err, /\(human labels: 0 of 50\)/);
    for (const row of planned) await rate(row, [answerHash(textOf(row, first)), answerHash(textOf(row, second))]);
    // Without --judge, the judge is that of the run.
    equal((await command('gate')).code, 0);
    equal(judged(), paid);
  });
});
