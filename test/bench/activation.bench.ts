import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { Activation } from '../host/activationProbe';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { testOptions } from '../host/bundle';
import { startCodeServer } from '../host/codeServer';
import { runInHost } from '../host/hostSuite';
import { resultVariable } from '../host/mocha';
import { newest, obtainEditor } from '../host/obtain';
import { root } from '../host/places';

interface Round {
  readonly empty: Activation;
  readonly ours: Activation;
}

const rounds = 9;
const goalMs = 15;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What the editor itself spends on any activation is seen by an extension that does nothing. */
function installEmptyExtension(dataFolder: string): void {
  const folder = path.join(dataFolder, 'extensions/inference-desk.empty-0.0.1');
  const manifest = {
    name: 'empty',
    publisher: 'inference-desk',
    version: '0.0.1',
    type: 'module',
    main: './empty.js',
    engines: { vscode: '^1.106.0' },
    activationEvents: ['onCommand:inferenceDeskEmpty'],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(folder, 'empty.js'),
    "import * as vscode from 'vscode';\nexport const activate = () => vscode.version;\n",
  );
}

/** Ours, but that the editor leaves its start to the probe. Resolves to its folder. */
function withoutStart(dataFolder: string): string {
  const folder = path.join(dataFolder, 'ours');
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  // No links: the editor tells by its real path which extension a file is of.
  const isProduct = (file: string) =>
    !/^(test|screenshots|.*\.vsix)$/.test(path.relative(path.join(root, 'dist'), file));
  for (const name of ['dist', 'media', 'package.nls.json', 'package.nls.zh-cn.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter: isProduct });
  return folder;
}

async function measureRounds(): Promise<readonly Round[]> {
  const outdir = path.join(root, 'dist/test/probe');
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/activationProbe.ts')], outdir });
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'desk-'));
  installEmptyExtension(dataFolder);
  const extension = withoutStart(dataFolder);
  const result = path.join(dataFolder, 'activation.json');
  const editor = await obtainEditor(newest);
  const browser = await startBrowser();
  const server = await startCodeServer({ editor, dataFolder, env: { [resultVariable]: result } });
  const measured: Round[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const code = await runInHost(server, browser, path.join(outdir, 'activationProbe.js'), extension);
      if (code !== 0) throw new Error(`The extension host could not measure.\n${server.logs()}`);
      measured.push(JSON.parse(readFileSync(result, 'utf8')));
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
  return measured;
}

/** Activates the extension in fresh extension hosts, one after the other, beside an empty one. */
export async function run(): Promise<readonly BenchLine[]> {
  const measured = await measureRounds();
  const cpu = median(measured.map(({ ours }) => ours.cpuMs));
  const emptyCpu = median(measured.map(({ empty }) => empty.cpuMs));
  const wall = median(measured.map(({ ours }) => ours.wallMs));
  const emptyWall = median(measured.map(({ empty }) => empty.wallMs));
  const peerName = 'empty';
  return [
    {
      name: `activate, CPU of the host, median of ${rounds}`,
      ours: cpu,
      peer: emptyCpu,
      peerName,
      ratio: cpu / emptyCpu,
      unit: 'ms',
      goal: `<= ${goalMs}`,
      met: cpu <= goalMs,
    },
    { name: 'activate, CPU beyond an empty extension', ours: cpu - emptyCpu, unit: 'ms' },
    { name: 'activate, until done', ours: wall, peer: emptyWall, peerName, ratio: wall / emptyWall, unit: 'ms' },
  ];
}
