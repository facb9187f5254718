import { existsSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { aptInstall, findProgram } from './aptInstall.ts';
import { runCommand, runMain, SetupError } from './command.ts';
import { withLock } from './folderLock.ts';
import { editorsFolder } from './places.ts';

/** A VS Code that npm can install. code-server contains its workbench, server, and Node extension host. */
export interface EditorVersion {
  readonly codeServer: string;
  readonly vscode: string;
  readonly nodeMajor: number;
  /** Whether the server has an option that allows a window to load extensions from a development path. */
  readonly hasDriverOption: boolean;
}

export const newest: EditorVersion = {
  codeServer: '4.139.1',
  vscode: '1.139.1',
  nodeMajor: 24,
  hasDriverOption: true,
};
/** The oldest version that `engines.vscode` allows. */
export const floor: EditorVersion = {
  codeServer: '4.106.3',
  vscode: '1.106.3',
  nodeMajor: 22,
  hasDriverOption: false,
};

/** An installed editor. */
export interface Editor {
  readonly version: EditorVersion;
  readonly node: string;
  readonly entry: string;
}

function nodePackage(): string {
  const { platform, arch } = process;
  if (platform === 'win32') {
    throw new SetupError(
      'code-server does not run on Windows: open this folder in VS Code and press F5, or use npm run test:desktop, or work in WSL.',
    );
  }
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
}

async function needCompiler(): Promise<void> {
  const missing = () => [['c++', 'g++', 'clang++'], ['make'], ['python3']].filter((names) => !findProgram(...names));
  if (missing().length > 0) await aptInstall(['build-essential', 'python3']);
  if (missing().length > 0) {
    throw new SetupError(
      `VS Code's native modules are built here and ${missing()
        .map(([name]) => name)
        .join(
          ', ',
        )} is missing: install a C++ compiler, make and python3 (Debian: apt-get install build-essential python3).`,
    );
  }
}

/** Replaces two declared sources of the floor version that aren't on the registry with the same packages in another version. */
function mendManifest(server: string): void {
  rmSync(path.join(server, 'npm-shrinkwrap.json'), { force: true });
  const file = path.join(server, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.dependencies['@parcel/watcher'] = '2.5.1';
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** Debian's own npm links native modules to Debian's Node, and an editor on another Node crashes because of that. */
const builder = 'npm@11.21.2';

async function install(version: EditorVersion, folder: string): Promise<void> {
  const nodeName = nodePackage();
  await needCompiler();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');

  const nodeFolder = path.join(folder, 'node_modules', nodeName);
  const server = path.join(folder, 'node_modules/code-server/lib/vscode');
  const purpose = `install VS Code ${version.vscode} (code-server ${version.codeServer}) from npm`;
  const common = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await runCommand(
    'npm',
    ['install', ...common, `code-server@${version.codeServer}`, `${nodeName}@${version.nodeMajor}`, builder],
    { cwd: folder, purpose },
  );

  const env = { ...process.env, PATH: `${path.join(nodeFolder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const isFloor = version === floor;
  if (isFloor) mendManifest(server);
  await runCommand('npm', ['install', '--omit=dev', ...common], { cwd: server, env, purpose });

  const npm = path.join(folder, 'node_modules/npm/bin/npm-cli.js');
  const build = (cwd: string, ...args: readonly string[]) =>
    runCommand(path.join(nodeFolder, 'bin/node'), [npm, 'rebuild', ...args, `--nodedir=${nodeFolder}`], {
      cwd,
      env,
      purpose: `${purpose} and build its native modules`,
    });
  await build(server, '@vscode/spdlog', isFloor ? 'native-watchdog' : '@vscode/native-watchdog');
  if (isFloor) await build(folder, 'argon2', '--build-from-source');
}

/** Returns the editor of this version from its folder, or installs it (about 30 s). */
export async function obtainEditor(version: EditorVersion): Promise<Editor> {
  const folder = path.join(editorsFolder, `code-server-${version.codeServer}`);
  const marker = path.join(folder, 'complete');
  if (!existsSync(marker)) {
    await withLock(path.join(editorsFolder, `code-server-${version.codeServer}.lock`), async () => {
      if (existsSync(marker)) return;
      console.log(`Installing VS Code ${version.vscode} into ${folder} (once, 600 MB) ...`);
      await install(version, folder);
      writeFileSync(marker, '');
    });
  }
  // It searches for a compiler that its npm package lacks, endlessly while a TypeScript file is open.
  const broken = path.join(folder, 'node_modules/code-server/lib/vscode/extensions/typescript-language-features');
  rmSync(broken, { recursive: true, force: true });
  return {
    version,
    node: path.join(folder, 'node_modules', nodePackage(), 'bin/node'),
    entry: path.join(folder, 'node_modules/code-server/out/node/entry.js'),
  };
}

if (import.meta.main) {
  await runMain(async () => {
    const editor = await obtainEditor(process.argv.includes('--floor') ? floor : newest);
    console.log(`VS Code ${editor.version.vscode} is in ${editor.entry}`);
  });
}
