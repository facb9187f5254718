import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { planEval } from '../../src/core/evals/evalPlan';
import { openEvalFiles } from '../../src/core/evals/folderFiles';
import { readEval } from '../../src/core/evals/readEval';
import type { BenchLine } from '../host/benchLine';
import { writeRun } from '../support/evalRuns';
import { bundleProgram, runProgram } from '../support/programs';

const rows = 25_000;
const cells = rows * 2;
const rounds = 3;
const mostCpuMs = 3000;
const mostMb = 150;

/** Reads a run of 50,000 responses and grades it with three local assertions each, in a separate process. */
export async function run(): Promise<readonly BenchLine[]> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-evals-'));
  try {
    const [file, folder] = [path.join(home, 'promptfooconfig.yaml'), path.join(home, 'run.eval')];
    await writeFile(file, config);
    await writeFile(path.join(home, 'rows.csv'), csv());
    const plan = planEval(await readEval(file, await readFile(file, 'utf8'), await openEvalFiles(home, home)));
    await writeRun(folder, plan, ({ row, variant }) => answer(Number(row.id), variant.prompt.label ?? ''));
    const client = await bundleProgram('test/support/gradeClient.ts');
    const best = { readMs: Infinity, gradeMs: Infinity, overIdleMb: Infinity, naiveMs: Infinity };
    for (let round = 0; round < rounds; round += 1) {
      const graded = JSON.parse(await runProgram(process.execPath, [client, file, folder])) as Graded;
      if (graded.cells !== cells || graded.passed !== passed()) throw new Error(JSON.stringify(graded));
      const times = { ...graded, naiveMs: naive(folder) };
      for (const name of ['readMs', 'gradeMs', 'overIdleMb', 'naiveMs'] as const)
        best[name] = Math.min(best[name], times[name]);
    }
    const peer = { peer: best.naiveMs, peerName: 'JSON.parse of its requests and responses', unit: 'ms CPU' };
    const what = `${cells.toLocaleString('en')} responses of 300 characters`;
    return [
      { name: `${what}, graded by three assertions`, ours: best.gradeMs, ...peer, atMost: mostCpuMs },
      { name: `${what}, read with the plan of 25,000 rows`, ours: best.readMs, ...peer },
      { name: `${what}, peak memory beyond the idle program's`, ours: best.overIdleMb, unit: 'MB', atMost: mostMb },
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Reads the two files as anyone would, without planning or grading. Returns milliseconds of CPU. */
function naive(folder: string): number {
  const before = process.cpuUsage();
  let count = 0;
  for (const name of ['requests-0001-now.jsonl', 'responses.jsonl']) {
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      if (line !== '' && JSON.parse(line) !== null) count += 1;
    }
  }
  if (count !== 2 * cells) throw new Error(`${count} lines were read.`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Graded {
  readonly cells: number;
  readonly passed: number;
  readonly readMs: number;
  readonly gradeMs: number;
  readonly overIdleMb: number;
}

const labels = ['billing', 'bug', 'feature', 'account'];
const labelOf = (number: number) => labels[number % labels.length]!;
/** The second prompt is wrong in every tenth row. */
const isWrong = (number: number, prompt: string) => prompt === 'two' && number % 10 === 0;

const config = `prompts:
  - { label: one, raw: 'Label the ticket as JSON: {{ticket}}' }
  - { label: two, raw: 'Return {"label": …} for this ticket: {{ticket}}' }
providers: ['openai:m']
tests: file://rows.csv
defaultTest:
  assert:
    - type: is-json
    - type: regex
      value: '"label": ?"\\w+"'
`;

function csv(): string {
  const lines = Array.from(
    { length: rows },
    (_, number) => `${number},"Ticket ${number}: ${'the invoice is wrong, '.repeat(8)}",icontains:${labelOf(number)}`,
  );
  return `id,ticket,__expected\n${lines.join('\n')}\n`;
}

function answer(number: number, prompt: string): string {
  const label = isWrong(number, prompt) ? 'other' : labelOf(number);
  return JSON.stringify({ label, reason: `Ticket ${number} is about this. `.repeat(9) });
}

/** Every assertion passes but the last one of wrong answers. */
function passed(): number {
  const wrong = Array.from({ length: rows }, (_, number) => number).filter((number) => isWrong(number, 'two')).length;
  return cells * 3 - wrong;
}
