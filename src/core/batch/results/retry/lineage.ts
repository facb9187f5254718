import { readRunFolder, updateRun } from '../runFolder';
import type { RunFolder } from '../runFolder';
import type { RetryFile } from '../runFile';

/** More are not kept of a run: older files are the same requests. */
const mostRetries = 50;

/** Notes in a run which batch file was made of its failed and missing requests. */
export async function recordRetry(folder: string, retry: RetryFile): Promise<RunFolder> {
  const known = (await readRunFolder(folder))?.run.retries ?? [];
  const others = known.filter(({ sha256, path }) => sha256 !== retry.sha256 || path !== retry.path);
  return updateRun(folder, { retries: [...others, retry].slice(-mostRetries) });
}
