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
  /** Added to the environment of the server, and therefore of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kept after `stop`. Without it, a new folder is created, and removed by `stop`. */
  readonly dataFolder?: string;
  /** 0, the default, selects any free port. */
  readonly port?: number;
  /** Without this, every folder is trusted. With it, a folder opens in Restricted Mode, or VS Code asks. */
  readonly askForTrust?: boolean;
  /** A packaged extension to install before the start. */
  readonly vsix?: string;
  /** Folders of extensions to install as they are. */
  readonly extensions?: readonly string[];
}

export interface CodeServer {
  /** `127.0.0.1:<port>`. */
  readonly authority: string;
  readonly dataFolder: string;
  /** The root process of this server. */
  readonly pid: number;
  /** The logs of the extension hosts and the server, for a failure message. */
  logs(): string;
  /** Restarts with these settings. Its extension hosts and their stored data are removed. */
  renew(settings: EditorSettings): Promise<void>;
  stop(): Promise<void>;
}

/** Settings that keep VS Code quiet: no questions, suggestions, or telemetry. */
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
  // It would scan all processes of the machine for ports every few seconds.
  'remote.autoForwardPorts': false,
  'window.menuBarVisibility': 'compact',
  'workbench.reduceMotion': 'on',
  // Otherwise, the browser's color scheme overrides the configured theme.
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
};

const startLimitMs = 60_000;

/** Resolves to the port on which the server reports that it listens. */
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

/** Signals the server's process group, so that its extension hosts end with it, and no other process does. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already ended.
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

/** Starts a VS Code server on loopback, with its own folders, settings, and config file. Those of the user aren't changed. */
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
      // Sockets are created in a folder that is removed with everything else.
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
