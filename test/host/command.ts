import { spawn } from 'node:child_process';

/** A problem that the user can fix, described in one sentence. Runners print only its message. */
export class SetupError extends Error {}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The process is killed after this time. */
  readonly timeoutMs?: number;
  /** The purpose of the command, as in "could not install the editor". */
  readonly purpose: string;
  /** `inherit` streams the output. `quiet` (the default) shows it only after a failure. */
  readonly output?: 'quiet' | 'inherit';
}

const shownOnFailure = 2000;

/** Runs a command without stdin. Rejects with a `SetupError` that contains the purpose, the exit code, and the last output. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { cwd, env = process.env, timeoutMs = 600_000, purpose, output = 'quiet' } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', output === 'inherit' ? 'inherit' : 'pipe', output === 'inherit' ? 'inherit' : 'pipe'],
    });
    let text = '';
    const keep = (data: Buffer): void => {
      text += data.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) =>
      reject(new SetupError(`Could not ${purpose}: ${command} did not start (${error.message}).`)),
    );
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(text);
      if (text.includes('ENOSPC'))
        return reject(
          new SetupError(
            `Could not ${purpose}: the disk is full. Make room for ${cwd ?? process.cwd()} and run it again.`,
          ),
        );
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal} (limit ${timeoutMs / 1000} s)`;
      const said = text.trim() === '' ? '' : `\n${text.trim().slice(-shownOnFailure)}`;
      reject(new SetupError(`Could not ${purpose}: ${[command, ...args].join(' ').slice(0, 200)} ${how}.${said}`));
    });
  });
}

/**
 * Runs a script's main part. Prints a `SetupError` as its sentence, and other errors with their stack. Both exit with 1. On a signal, the
 * script exits normally, so that the editors and browsers it started end with it.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  try {
    await main();
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    process.exitCode = 1;
  }
}
