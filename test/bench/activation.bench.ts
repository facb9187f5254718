import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { testOptions } from '../host/bundle';
import { startCodeServer } from '../host/codeServer';
import { runInHost } from '../host/hostSuite';
import { resultVariable } from '../host/mocha';
import { newest, obtainEditor } from '../host/obtain';
import { root } from '../host/places';

interface Activation {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const rounds = 7;
const goalMs = 15;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Activates the extension in fresh extension hosts, one after the other. */
export async function run(): Promise<readonly BenchLine[]> {
  const outdir = path.join(root, 'dist/test/probe');
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/activationProbe.ts')], outdir });
  const result = path.join(os.tmpdir(), `desk-activation-${process.pid}.json`);
  const browser = await startBrowser();
  const server = await startCodeServer({ editor: await obtainEditor(newest), env: { [resultVariable]: result } });
  const measured: Activation[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await runInHost(server, browser, path.join(outdir, 'activationProbe.js'));
      measured.push(JSON.parse(readFileSync(result, 'utf8')));
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const cpu = median(measured.map(({ cpuMs }) => cpuMs));
  return [
    {
      name: `activate, CPU of the host process (median of ${rounds})`,
      ours: cpu,
      unit: 'ms',
      goal: `<= ${goalMs}`,
      met: cpu <= goalMs,
    },
    { name: 'activate, until done', ours: median(measured.map(({ wallMs }) => wallMs)), unit: 'ms' },
  ];
}
