import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { defaultSeverities } from '../../src/core/batch/problem';
import type { LocalRunOptions } from '../../src/core/batch/local/localRun';
import { localFiles } from '../../src/core/batch/local/resultFiles';

export const localModel = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

/** Returns a line of a batch file, whose `n` identifies it in requests to a service. */
export const localRequest = (id: string, content = `Say ${id}.`, body: object = {}): string =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: localModel, messages: [{ role: 'user', content }], ...body },
  });

export interface ReadResult {
  readonly id: string;
  readonly custom_id: string | null;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: Readonly<Record<string, unknown>> & {
      readonly choices?: readonly {
        readonly message: Readonly<Record<string, unknown>>;
        readonly finish_reason: string;
      }[];
    };
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly partial?: Readonly<Record<string, unknown>>;
}

/** Returns the content of a run's files. Throws if a file contains anything but complete lines of JSON. */
export function resultsOf(folder: string): {
  readonly output: readonly ReadResult[];
  readonly errors: readonly ReadResult[];
} {
  const read = (name: string) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    if (text !== '' && !text.endsWith('\n')) throw new Error(`${name} ends within a line`);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ReadResult);
  };
  return { output: read(localFiles.output), errors: read(localFiles.errors) };
}

/** Returns the options of a run, except for the client. */
export async function localOptions(folder: string, input: string): Promise<Omit<LocalRunOptions, 'call'>> {
  await mkdir(folder, { recursive: true });
  const isError: LocalRunOptions['isError'] = (code) => defaultSeverities[code] === 'error';
  return { folder, run: 'a1b2c3', input, isError, concurrency: () => 4 };
}
