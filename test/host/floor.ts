import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtVariable, buildProduct } from './buildProduct.ts';
import { runMain } from './command.ts';
import { countsIn, tell } from './lanes.ts';
import { resultVariable, sumOf, type Counts } from './mocha.ts';
import { root } from './places.ts';
import { runStep } from './runStep.ts';

/** Longer than any of them takes on a slow machine. A hang ends as a failure. */
const limitMs = 3_600_000;

/**
 * `npm run test:floor [-- part of a path …]`: runs the integration tests of version-dependent behavior and the journey through every view
 * action on the oldest supported VS Code. With arguments, runs the integration tests whose path contains one of them.
 */
await runMain(async () => {
  const words = process.argv.slice(2);
  const scripts = [['integration.ts', ...words], ...(words.length === 0 ? [['e2e.ts', 'viewActions']] : [])];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-floor-'));
  const counts: Counts[] = [];
  await buildProduct();
  for (const [script = '', ...args] of scripts) {
    const result = path.join(folder, `${script}.json`);
    const code = await runStep(process.execPath, [path.join(import.meta.dirname, script), '--floor', ...args], {
      cwd: root,
      limitMs,
      env: { [resultVariable]: result, [builtVariable]: '1' },
    });
    counts.push(countsIn(result, code));
  }
  rmSync(folder, { recursive: true, force: true });
  tell(sumOf(counts));
});
