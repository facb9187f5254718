import { spawn } from 'node:child_process';

export interface StepOptions {
  readonly cwd: string;
  readonly limitMs: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command with streamed output, and resolves to its exit code, or 1 if it didn't start or exceeded the limit. It leads a separate
 * process group, so that all its processes end at the limit and when this process exits.
 */
export function runStep(command: string, args: readonly string[], options: StepOptions): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    });
    const signalGroup = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // It has already ended.
      }
    };
    const onExit = (): void => signalGroup('SIGTERM');
    process.once('exit', onExit);
    const timer = setTimeout(() => {
      console.error(`${command} ${args.join(' ')} did not end within ${options.limitMs / 1000} s and was stopped.`);
      signalGroup('SIGTERM');
      setTimeout(() => signalGroup('SIGKILL'), 10_000).unref();
    }, options.limitMs);
    const done = (code: number): void => {
      clearTimeout(timer);
      process.off('exit', onExit);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`${command} did not start: ${error.message}`);
      done(1);
    });
    child.once('exit', (code) => done(code ?? 1));
  });
}
