import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runEvalCommand } from '../../../src/cli/eval/runEvalCommand';
import { startFilledDemo } from '../../support/filledDemo';
import { setUpFolder } from '../../support/temporaryFolder';

interface Sent {
  readonly path: string;
  readonly model: string;
  readonly input?: readonly string[];
  readonly query?: string;
  readonly documents?: readonly string[];
  readonly messages?: readonly { readonly content: string }[];
}

const config = `
prompts: ['short {{n}}', 'long {{n}}']
providers: [openai:chat:qwen3-8b]
defaultTest:
  assert:
    - { type: similar, value: 'long {{n}}', threshold: 0.9 }
    - { type: answer-relevance, metric: relevance, metadata: { desk: { reranker: bge-reranker } } }
tests: [${[0, 1, 2, 3].map((n) => `{ vars: { n: ${n} } }`).join(', ')}]
`;

describe('measures of evals on the command line', function () {
  this.timeout(60_000);
  const temporary = setUpFolder();
  let server: Server;
  let sent: Sent[];

  /** Answers chats with their prompt. Vectors tell "long" from "short"; row 3 can't be embedded. */
  const answer = ({ path, model, input = [], query = '', messages = [] }: Sent): object | undefined => {
    const usage = { prompt_tokens: 9, completion_tokens: 9 };
    if (path === '/v1/rerank')
      return {
        results: [{ index: 0, relevance_score: query.startsWith('long') ? 0.9 : 0.1 }],
        tokens: { input_tokens: 5 },
      };
    if (path === '/v1/embeddings') {
      if (input[0]?.endsWith('3')) return undefined;
      const data = input.map((one, index) => ({ index, embedding: one.startsWith('long') ? [1, 0] : [0, 1] }));
      return { data, usage: { prompt_tokens: 7 } };
    }
    const message = { role: 'assistant', content: messages.at(-1)!.content };
    return { model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  };

  beforeEach(async () => {
    sent = [];
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const one = { ...(JSON.parse(body) as Sent), path: request.url! };
        sent.push(one);
        const found = answer(one);
        response.setHeader('content-type', 'application/json');
        response.statusCode = found ? 200 : 400;
        response.end(JSON.stringify(found ?? { error: { message: 'The input is too long.' } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    writeFileSync(temporary.in('e.yaml'), config);
  });
  afterEach(() => void server.close());

  const command = async (baseUrl: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    let [out, err] = ['', ''];
    const [name = '', ...rest] = args;
    const code = await runEvalCommand([name, temporary.in('e.yaml'), ...rest], {
      out: (part) => void (out += part),
      err: (part) => void (err += part),
      variables: {
        INFERENCE_DESK_BASE_URL: baseUrl,
        INFERENCE_DESK_API_KEY: 'sk-test-of-evals-0123456789',
        INFERENCE_DESK_STATE: temporary.in('state'),
        INFERENCE_DESK_PRICES: '{"*":{"input":1,"output":2}}',
        ...more,
      },
      language: 'en',
    });
    return { code, out, err };
  };
  const run = (...args: readonly string[]) =>
    command(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, args);
  const countOf = (path: string) => sent.filter((one) => one.path === path).length;
  const scores = () =>
    readFileSync(temporary.in('e.eval/scores.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { readonly scores: readonly { readonly name: string; readonly grade: object }[] },
      );
  const gradesOf = (name: string) =>
    scores().flatMap((one) => one.scores.filter((score) => score.name === name).map(({ grade }) => grade));

  it('are requested once at their price, and are missing, not failed, after a service failure', async () => {
    const asked = await run('run', '--embeddings', 'e5');
    equal(asked.code, 3);
    match(asked.err, /\nModel grades: about 0\.00\d+\n/);
    equal(sent.length, 0);
    const { out, err } = await run('run', '--embeddings', 'e5', '--yes');
    deepEqual(['/v1/chat/completions', '/v1/embeddings', '/v1/rerank'].map(countOf), [8, 8, 8]);
    deepEqual(gradesOf('similar'), [
      ...Array.from({ length: 3 }, () => ({ value: 0, pass: false })),
      { missing: 'noVerdict' },
      ...Array.from({ length: 3 }, () => ({ value: 1, pass: true })),
      { missing: 'noVerdict' },
    ]);
    deepEqual(
      gradesOf('relevance').map((grade) => 'pass' in grade && grade.pass),
      [false, false, false, false, true, true, true, true],
    );
    match(err, /Responses: 22 of 24, waiting: 0, failed: 2\n/);
    match(out, /\nCost: 0\.000\d+\n/);
    await run('run', '--yes');
    equal(sent.length, 24);
    await run('run', '--yes', '--retry');
    equal(sent.length, 26);
  });

  it('store no embeddings in the run folder', async () => {
    await run('run', '--embeddings', 'e5', '--yes', '--limit', '1');
    const files = readdirSync(temporary.in('e.eval'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const all = files.map((one) => readFileSync(`${one.parentPath}/${one.name}`, 'utf8')).join('');
    ok(all.includes('cosine') && !all.includes('"embedding"'));
    const requests = files
      .filter(({ name }) => /^requests-.*\.jsonl$/.test(name))
      .map((one) => readFileSync(`${one.parentPath}/${one.name}`, 'utf8'));
    equal(requests.filter((one) => one.includes('"url":"/v1/embeddings"')).length, 1);
    equal(requests.filter((one) => one.includes('"url":"/v1/rerank"')).length, 1);
  });

  it('report scores that are missing without a model', async () => {
    const { err } = await run('run', '--yes', '--limit', '1');
    match(err, /Similarity isn't graded\. Add --embeddings with a model\.\n/);
    deepEqual(gradesOf('similar'), [{ missing: 'noVerdict' }, { missing: 'noVerdict' }]);
    equal(countOf('/v1/embeddings'), 0);
  });

  it('are confirmed with their price also if others have no model', async () => {
    match((await run('run')).err, /\nModel grades: about 0\.00\d+\n/);
    equal(sent.length, 0);
  });

  it('are requested now after a batch of responses', async () => {
    const demo = await startFilledDemo({ pace: 'instant' });
    try {
      writeFileSync(temporary.in('e.yaml'), config.replace('bge-reranker', 'BAAI/bge-reranker-v2-m3'));
      const variables = { INFERENCE_DESK_API_KEY: demo.apiKey };
      const models = ['--model', 'deepseek-ai/DeepSeek-V3', '--embeddings', 'BAAI/bge-m3', '--limit', '2', '--yes'];
      equal((await command(demo.baseUrl, ['submit', ...models, '--wait'], variables)).code, 0);
      const { err } = await command(demo.baseUrl, ['collect', ...models], variables);
      match(err, /Responses: 12 of 12, waiting: 0, failed: 0\n/);
      const files = readdirSync(temporary.in('e.eval')).filter((name) => /^requests-.*\.jsonl$/.test(name));
      deepEqual(
        files.map((name) => /batch|now/.exec(name)![0]),
        ['batch', 'now', 'now'],
      );
    } finally {
      await demo.close();
    }
  });
});
