import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Activation, Idle } from '../host/activationProbe';
import type { BenchLine } from '../host/benchLine';
import { root } from '../host/places';
import { openHostProbe } from './hostProbe';

const rounds = 5;
const goalMs = 15;
const mostFiles = 4;
const mostBytes = 60_000;
const mostIdleMs = 50;

const ours = 'inference-desk.inference-desk';
const empty = 'inference-desk.empty';
/** Built-in extensions of VS Code, some with more and some with less code than ours. */
const builtIn = [
  'vscode.markdown-language-features',
  'vscode.npm',
  'vscode.media-preview',
  'vscode.references-view',
  'ms-vscode.js-debug',
];

/** Activations by extension, without built-in ones that this VS Code lacks or has already activated. */
type Round = Readonly<Record<string, Activation | undefined>>;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Installs an extension that does nothing, to show what VS Code itself spends on any activation. */
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

/** Copies our extension without its activation events, so that the probe activates it. Returns its folder. */
function withoutStart(dataFolder: string): string {
  const folder = path.join(dataFolder, 'ours');
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  // Copies files instead of linking them, because VS Code assigns a file to an extension by its real path.
  const isProduct = (file: string) =>
    !/^(test|screenshots|.*\.vsix)$/.test(path.relative(path.join(root, 'dist'), file));
  for (const name of ['dist', 'media', 'package.nls.json', 'package.nls.zh-cn.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter: isProduct });
  return folder;
}

async function measureRounds(): Promise<{ readonly measured: readonly Round[]; readonly idle: Idle }> {
  const probe = await openHostProbe('activationProbe', (dataFolder) => {
    installEmptyExtension(dataFolder);
    return withoutStart(dataFolder);
  });
  const measured: Round[] = [];
  try {
    // The first extension pays for what several of them load. Ours always does, and the order of the others rotates.
    for (let round = 0; round < rounds; round += 1)
      measured.push((await probe.ask([empty, ours, ...turned(builtIn, round)].join())) as Round);
    return { measured, idle: (await probe.ask(`idle:${ours}`)) as Idle };
  } finally {
    await probe.close();
  }
}

const turned = <T>(all: readonly T[], by: number): readonly T[] => {
  const at = by % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
};

/** Measures the activation of the extension in fresh extension hosts, compared with an empty one and built-in ones. */
export async function run(): Promise<readonly BenchLine[]> {
  const { measured, idle } = await measureRounds();
  const of = (id: string) => measured.flatMap((round) => round[id] ?? []);
  const cpu = (id: string) => median(of(id).map(({ cpuMs }) => cpuMs));
  const wall = (id: string) => median(of(id).map(({ wallMs }) => wallMs));
  const peers = builtIn.filter((id) => of(id).length === rounds);
  if ([ours, empty].some((id) => of(id).length < rounds) || peers.length === 0)
    throw new Error(`Not all of them could be activated: ${JSON.stringify(measured[0])}`);
  const unit = 'ms CPU';
  return [
    {
      name: `activate, CPU beyond an empty extension (median of ${rounds})`,
      ours: Math.max(0, cpu(ours) - cpu(empty)),
      unit,
      atMost: goalMs,
      title: 'Activate the extension',
    },
    { name: 'activate, CPU of the host', ours: cpu(ours), peer: cpu(empty), peerName: 'empty extension', unit },
    ...peers.map((id) => ({
      name: `the same beside ${id}`,
      ours: cpu(ours),
      peer: cpu(id),
      peerName: id,
      unit,
    })),
    { name: 'activate, until done', ours: wall(ours), peer: wall(empty), peerName: 'empty extension', unit: 'ms' },
    { name: 'files loaded by it', ours: idle.files, unit: 'files', atMost: mostFiles },
    { name: 'bytes loaded by it', ours: idle.bytes, unit: 'bytes', atMost: mostBytes },
    { name: 'timers that run while nothing is followed', ours: idle.timers, unit: 'timers', atMost: 0 },
    { name: 'files watched while nothing is followed', ours: idle.watchers, unit: 'watchers', atMost: 0 },
    { name: 'an hour of idle, CPU of our code', ours: idle.cpuMsPerHour, unit, atMost: mostIdleMs },
  ];
}
