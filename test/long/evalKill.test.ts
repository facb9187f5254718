import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRandom } from '../../src/core/evals/statistics/resampling';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { bundleProgram } from '../support/programs';
import { setUpFolder } from '../support/temporaryFolder';

/** Set for another sample of points, or for a part of them. */
const points = Number(process.env['INFERENCE_DESK_POINTS'] ?? 100);
const seed = Number(process.env['INFERENCE_DESK_SEED'] ?? 1);
const rows = 12;
const config = `
prompts: ['What is {{a}} + {{b}}?', 'What is {{b}} + {{a}}?']
providers: [openai:chat:deepseek-ai/DeepSeek-V3]
defaultTest: { assert: [{ type: contains, value: '{{sum}}' }, { type: llm-rubric, value: is right }] }
tests: [${Array.from({ length: rows }, (_, n) => `{ vars: { a: ${n + 2}, b: ${3 * n + 1}, sum: '${4 * n + 3}' } }`).join(', ')}]
`;
/** Answers and verdicts of both prompts. */
const requests = 4 * rows;

describe('an eval that is killed at any point, over all stages', function () {
  this.timeout(points * 60_000);
  const temporary = setUpFolder();
  let demo: FilledDemo;
  let program: string;

  before(async () => {
    program = await bundleProgram('src/cli/eval.ts');
  });
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: { firstTokenMs: 20, tokenMs: 0, batchQueueMs: 100, batchLineMs: 5 } });
    writeFileSync(temporary.in('e.yaml'), config);
  });
  afterEach(() => demo.close());

  const start = (command: string, ...more: readonly string[]) =>
    spawn(
      process.execPath,
      [program, command, temporary.in('e.yaml'), '--yes', '--judge', 'deepseek-ai/DeepSeek-V3', ...more],
      {
        env: {
          PATH: process.env['PATH'],
          INFERENCE_DESK_BASE_URL: demo.baseUrl,
          INFERENCE_DESK_API_KEY: demo.apiKey,
          INFERENCE_DESK_STATE: temporary.in('state'),
        },
        stdio: 'ignore',
      },
    );
  const toEnd = async (command: string, ...more: readonly string[]) => {
    const [code] = (await once(start(command, ...more), 'exit')) as [number];
    return code;
  };
  const killedAfter = async (ms: number, command: string, ...more: readonly string[]) => {
    const child = start(command, ...more);
    const exit = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    await exit;
    clearTimeout(timer);
  };
  const lines = (name: string) =>
    readFileSync(temporary.in(`e.eval/${name}`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'));
  const paid = async () => {
    const all = await demo.requests();
    const posted = all.filter(({ method }) => method === 'POST');
    return {
      chats: posted.filter(({ path: at }) => at.endsWith('/chat/completions')).map(({ body }) => JSON.stringify(body)),
      batches: posted.filter(({ path: at }) => at.endsWith('/batches')).length,
    };
  };

  it('loses no response and sends no request twice if it runs now', async () => {
    const random = createRandom(seed);
    for (let point = 0; point < points / 2; point++) {
      const before = (await paid()).chats.length;
      for (let kill = 0; kill < 2; kill++) await killedAfter(random() * 2500, 'run');
      const code = await toEnd('run');
      const sent = (await paid()).chats.slice(before);
      equal(new Set(sent).size, sent.length, `a request was sent twice at point ${point}`);
      // What was under way may have been charged, so it is missing until it is sent again on request.
      ok(code === 0 || code === 3, `exit ${code} at point ${point}`);
      const summary = JSON.parse(readFileSync(temporary.in('e.eval/summary.json'), 'utf8')) as {
        readonly variants: readonly { readonly passed: number; readonly failed: number; readonly missing: object }[];
      };
      equal(await toEnd('run', '--retry'), 0, `after a retry at point ${point}`);
      const keys = lines('responses.jsonl').map((line) => (JSON.parse(line) as { readonly key: string }).key);
      equal(new Set(keys).size, requests, `responses at point ${point}`);
      equal(summary.variants.length, 2);
      rmSync(temporary.in('e.eval'), { recursive: true });
    }
  });

  it('creates each batch once', async () => {
    const random = createRandom(seed + 1);
    for (let point = 0; point < points / 2; point++) {
      const before = await paid();
      await killedAfter(random() * 2500, 'submit');
      await toEnd('submit');
      await killedAfter(random() * 4000, 'collect', '--wait');
      let code = await toEnd('collect', '--wait');
      // A kill in the middle of creating a batch: the service has none, which only a person can tell.
      if (code === 3) code = await toEnd('collect', '--wait', '--retry');
      equal(code, 0, `exit at point ${point}`);
      const now = await paid();
      deepEqual([now.chats.length - before.chats.length, now.batches - before.batches], [0, 2], `at point ${point}`);
      const keys = lines('responses.jsonl').map((line) => (JSON.parse(line) as { readonly key: string }).key);
      equal(new Set(keys).size, requests, `responses at point ${point}`);
      rmSync(temporary.in('e.eval'), { recursive: true });
    }
  });
});
