import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { ListedModels } from '../../core/batch/fileRules';
import { checkInWorker } from '../../core/batch/job/checkInWorker';
import type { CheckedFile, UncheckedFile } from '../../core/batch/job/checkJob';
import { makeTemporaryFolder } from '../../core/storage/privateFiles';
import { defaultSeverities } from '../../core/batch/problem';

export interface CheckOptions {
  /** Path of the worker thread's program. */
  readonly program: string;
  readonly models: ListedModels | undefined;
  readonly signal: AbortSignal;
  /** Counts the file's bytes. */
  readonly onProgress: (bytes: number, total: number) => void;
}

const mostTold = 20;

/** Checks a batch file in a worker thread. Throws `AgentProblem` if it cannot be read, and the signal's reason on abort. */
export async function checkFile(
  file: string,
  { program, models, signal, onProgress }: CheckOptions,
): Promise<CheckedFile> {
  const folder = await makeTemporaryFolder('inference-desk-check-');
  let checked: CheckedFile | undefined;
  let unchecked: UncheckedFile | undefined;
  try {
    await checkInWorker({
      program,
      job: {
        files: [file],
        severities: defaultSeverities,
        report: join(folder, 'report.txt'),
        mostTold,
        digest: true,
        ...(models && { models }),
      },
      signal,
      onEvent(news) {
        if (news.kind === 'progress') onProgress(news.bytes, news.total);
        else if (news.kind === 'checked') checked = news.outcome;
        else if (news.kind === 'unchecked') unchecked = news.outcome;
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (checked) return checked;
  throw new AgentProblem(
    `The file could not be checked. ${unchecked?.reason ?? 'There may be no room left on the disk.'}`,
  );
}
