import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { planEval } from '../../src/core/evals/evalPlan';
import { openEvalFiles } from '../../src/core/evals/folderFiles';
import { readEval } from '../../src/core/evals/readEval';
import { EvalRun } from '../../src/core/evals/run/evalRun';
import { EvalRunFolder } from '../../src/core/evals/run/runFolder';
import { answeredService, evalOrigin, evalPrices } from './evalRuns';
import { peakKb } from './peakMemory';

/** `node gradeClient.js <eval file> <run folder>`: reads a run, then grades it, and prints the scores and what each took. */
const [file = '', folder = ''] = process.argv.slice(2);
const idleKb = peakKb();
const home = path.dirname(file);
const plan = planEval(await readEval(file, await readFile(file, 'utf8'), await openEvalFiles(home, home)));
const viewed = await EvalRunFolder.view(folder, evalOrigin);
const run = new EvalRun(plan, viewed, answeredService(), { prices: evalPrices });
const readMs = cpuMs();
const graded = [...run.graded().values()].flat();
const grades = graded.flatMap(({ scores }) => scores.map(({ grade }) => grade));
process.stdout.write(
  JSON.stringify({
    cells: graded.length,
    passed: grades.filter((grade) => 'pass' in grade && grade.pass).length,
    readMs,
    gradeMs: cpuMs() - readMs,
    overIdleMb: (peakKb() - idleKb) / 1024,
  }),
);

/** Returns the CPU of the process so far, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
