import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cellId, planEval } from '../../src/core/evals/evalPlan';
import type { EvalCell, EvalPlan } from '../../src/core/evals/evalPlan';
import { readEval } from '../../src/core/evals/readEval';
import { EvalRun } from '../../src/core/evals/run/evalRun';
import type { EvalService, SentState } from '../../src/core/evals/run/evalRun';
import { EvalRunFolder } from '../../src/core/evals/run/runFolder';

export const evalOrigin = 'https://one.example';
export const evalPrices = { pricesOf: () => ({ input: 0.001, output: 0.002 }), batchDiscount: 0.5 };

/** Returns a service that has answered every request, except that a batch can have failed, be elsewhere, or still be open. */
export function answeredService(part: Partial<SentState> = {}): EvalService {
  return {
    origin: evalOrigin,
    submit: async () => undefined,
    runNow: async () => undefined,
    look: async () => ({ isOver: true, ...part }),
  };
}

/** Plans an eval from YAML text, without files. */
export async function planOfText(text: string): Promise<EvalPlan> {
  return planEval(await readEval('x.yaml', text, { read: async () => ({ problem: 'missing' }) }));
}

/** Returns a plan of two prompts, "one" and "two", and rows with an ID, a question `q`, and the text that the response must contain. */
export function planOfRows(rows: readonly { readonly id: string; readonly q: string; readonly expected: string }[]) {
  const tests = rows.map(({ id, q, expected }) => ({
    vars: { id, q },
    assert: [{ type: 'contains', value: expected }],
  }));
  return planOfText(
    `prompts: [{ label: one, raw: '1 {{q}}' }, { label: two, raw: '2 {{q}}' }]\nproviders: ['openai:m']\ntests: ${JSON.stringify(tests)}`,
  );
}

type Answer = string | { readonly failure: string } | undefined;

/** Writes the folder of a run in which `answer` is the service. Cells without an answer are sent, and get no response. */
export async function writeRun(
  folder: string,
  plan: EvalPlan,
  answer: (cell: EvalCell) => Answer,
  part: {
    readonly how?: 'now' | 'batch';
    readonly judge?: string;
    readonly embeddings?: string;
    readonly onlyJudge?: boolean;
  } = {},
): Promise<void> {
  const { how = 'now', judge, embeddings } = part;
  const opened = await EvalRunFolder.open(folder, evalOrigin);
  const run = new EvalRun(plan, opened, answeredService(), {
    prices: evalPrices,
    ...(judge !== undefined && { judge }),
    ...(embeddings !== undefined && { embeddings }),
  });
  await run.writeManifest('x.yaml');
  const [variant] = plan.variants;
  const ofGold = plan.gold.map((row): EvalCell => ({
    id: cellId(row.hash, variant!.id, 0),
    row,
    variant: variant!,
    repeat: 0,
  }));
  const cells = new Map([...Array.from(run.answers(), ({ cell }) => cell), ...ofGold].map((cell) => [cell.id, cell]));
  for (const sent of await opened.write(run.next(), { how, url: '/v1/chat/completions', idOf: (id) => id })) {
    const results = path.join(folder, 'here', sent.name);
    mkdirSync(results, { recursive: true });
    const lines = [...sent.keys.keys()].flatMap((id): readonly string[] => {
      const [, row, variant, repeat] = id.split('.');
      const text = answer(cells.get(`e1.${row}.${variant}.${repeat}`)!);
      if (text === undefined) return [];
      return [
        JSON.stringify(
          typeof text === 'string' ? answerLine(id, text) : { custom_id: id, error: { message: text.failure } },
        ),
      ];
    });
    writeFileSync(path.join(results, 'output.jsonl'), `${lines.join('\n')}\n`);
    await opened.takeOver(sent, results);
  }
  await opened.close();
}

function answerLine(id: string, content: string) {
  const message = { role: 'assistant', content };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const body = { model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  return { custom_id: id, response: { status_code: 200, body } };
}
