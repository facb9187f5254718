import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { targets } from '../../esbuild.mjs';
import { testOptions } from '../host/bundle';
import { root } from '../host/places';

export interface RunningProgram {
  /** The first line of its output. */
  readonly firstLine: string;
  stop(): Promise<void>;
}

/** Bundles a test program so that it runs in a separate process, and returns its path. */
export async function bundleProgram(file: string): Promise<string> {
  const outdir = path.join(root, 'dist/test/programs');
  const { banner = {}, mainFields = [] } = targets.host;
  // Includes its packages, because many small files take four times as long to start.
  const whole = { sourcemap: false, packages: 'bundle', banner, mainFields } as const;
  await build({ ...testOptions, ...whole, entryPoints: [path.join(root, file)], outdir });
  return path.join(outdir, `${path.basename(file, '.ts')}.js`);
}

/** Runs a program to its end and returns its output. Rejects with its errors if it fails. */
export async function runProgram(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.err += String(chunk)));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${command} ended with ${child.exitCode}: ${output.err.slice(-2000)}`);
  return output.out;
}

/** Starts a Node program that runs until it is stopped. Resolves when it has printed a line. */
export async function startProgram(file: string): Promise<RunningProgram> {
  const child: ChildProcess = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output');
  const [firstLine] = await once(createInterface(child.stdout), 'line');
  return {
    firstLine: String(firstLine),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
