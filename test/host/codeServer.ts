import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCommand, SetupError } from './command.ts';
import { endExtensionHosts } from './extensionHosts.ts';
import type { Editor } from './obtain.ts';

export type EditorSettings = Readonly<Record<string, unknown>>;

export interface CodeServerOptions {
  readonly editor: Editor;
  readonly settings?: EditorSettings;
  /** Added to the environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kept after `stop`. Without it a fresh folder is made, and removed by `stop`. */
  readonly dataFolder?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Every folder is trusted unless this is set: then a folder opens in Restricted Mode, or asks. */
  readonly askForTrust?: boolean;
  /** A packaged extension to install before the start. */
  readonly vsix?: string;
  /** Folders of extensions that are installed as they are. */
  readonly extensions?: readonly string[];
}

export interface CodeServer {
  /** `127.0.0.1:<port>`. */
  readonly authority: string;
  readonly dataFolder: string;
  /** The process that everything of this server descends from. */
  readonly pid: number;
  /** What extension hosts and server logged, for a failure. */
  logs(): string;
  /** As if it were started anew, with these settings: its extension hosts and what they kept are gone. */
  renew(settings: EditorSettings): Promise<void>;
  stop(): Promise<void>;
}

/** Quiet ground for tests: nothing that asks, suggests or calls home. */
const quietSettings: EditorSettings = {
  'security.workspace.trust.untrustedFiles': 'open',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  // It would look through all processes of the machine for ports, every few seconds.
  'remote.autoForwardPorts': false,
  'window.menuBarVisibility': 'compact',
  'workbench.reduceMotion': 'on',
  // Else the browser's colour scheme wins over the theme of the settings.
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
};

const startLimitMs = 60_000;

/** Resolves with the port the server says it listens on. */
function listening(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new SetupError(`code-server ${why}.\n${output().slice(-2000)}`));
    const timer = setTimeout(() => fail(`did not listen within ${startLimitMs / 1000} s`), startLimitMs);
    const look = (): void => {
      const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.on('data', look);
    child.once('error', (error) => fail(`did not start (${error.message})`));
    child.once('exit', (code) => fail(`ended at once with code ${code}`));
  });
}

/** The server is the leader of its own process group, so that its extension hosts end with it and nothing else does. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 5000);
    signalGroup(child, 'SIGTERM');
    await exited;
    clearTimeout(timer);
  }
  signalGroup(child, 'SIGKILL');
}

function readLogs(folder: string): string {
  try {
    return readdirSync(path.join(folder, 'logs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /remoteexthost\.log$|inference-desk.*\.log$/.test(name))
      .map((name) => `--- ${name}\n${readFileSync(path.join(folder, 'logs', name), 'utf8').slice(-3000)}`)
      .join('\n');
  } catch {
    return '';
  }
}

/** Starts an editor's server on loopback. Its folders, settings and config file are its own; the user's are not touched. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { editor, env = {}, port = 0 } = options;
  const dataFolder = options.dataFolder ?? mkdtempSync(path.join(os.tmpdir(), 'desk-'));
  const folder = (name: string): string => {
    const made = path.join(dataFolder, name);
    mkdirSync(made, { recursive: true, mode: 0o700 });
    return made;
  };
  const data = folder('data');
  const config = path.join(dataFolder, 'config.yaml');
  writeFileSync(config, '');
  const writeSettings = (settings: EditorSettings = {}): void => {
    const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
    writeFileSync(path.join(folder('data/User'), 'settings.json'), text);
  };
  writeSettings(options.settings);

  for (const source of options.extensions ?? [])
    cpSync(source, path.join(folder('extensions'), path.basename(source)), { recursive: true });

  const places = ['--config', config, '--user-data-dir', data, '--extensions-dir', folder('extensions')];
  if (options.vsix !== undefined) {
    const purpose = `install ${path.basename(options.vsix)} in the editor`;
    await runCommand(editor.node, [editor.entry, ...places, '--install-extension', options.vsix], {
      purpose,
      timeoutMs: 120_000,
    });
  }
  const flags = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  if (editor.version.hasDriverOption) flags.push('--vscode-option', 'enable-smoke-test-driver');
  if (options.askForTrust !== true) flags.push('--disable-workspace-trust');
  const child = spawn(
    editor.node,
    [editor.entry, ...places, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...flags],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Sockets of the editor go where they are removed with everything else.
      env: { ...process.env, XDG_RUNTIME_DIR: folder('run'), ...env },
    },
  );
  let output = '';
  const keep = (text: Buffer): void => {
    output += text.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const endAtExit = (): void => signalGroup(child, 'SIGKILL');
  process.once('exit', endAtExit);

  const stop = async (): Promise<void> => {
    process.off('exit', endAtExit);
    await end(child);
    if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const authority = `127.0.0.1:${await listening(child, () => output)}`;
    const pid = child.pid ?? 0;
    const renew = async (settings: EditorSettings): Promise<void> => {
      await endExtensionHosts(pid);
      rmSync(folder('data/User'), { recursive: true, force: true, maxRetries: 5 });
      writeSettings(settings);
    };
    return { authority, dataFolder, pid, logs: () => `${output}\n${readLogs(data)}`, renew, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
