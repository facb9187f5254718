import { withStated } from '../../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../../core/profiles/vendorRules';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { defaultSeverities } from '../../../core/batch/problem';
import type { CheckJob, RatedProblem } from '../../../core/batch/job/checkJob';
import { listedModels } from '../../../core/batch/fileRules';
import type { CatalogueModel } from '../../../core/catalogue/model';
import { makeTemporaryFolder, writeFile } from '../../../core/storage/privateFiles';
import { checkBatchFiles } from '../../../services/batchFiles/checkFiles';
import { reasonWords } from '../../../services/batchFiles/checkWords';
import type { Services } from '../../../services/services';
import { PublicApiError } from '../apiError';
import type { BatchCheck, BatchProblem } from '../logic/inferenceDesk';
import { sentences } from '../../../protocol/sentences';

const mostProblems = 1000;

/** Checks a text like a file on disk, in a worker thread; the text is on disk during the check, readable only by this user. */
export async function checkBatchText(text: string, services: Services, signal: AbortSignal): Promise<BatchCheck> {
  const folder = await makeTemporaryFolder(`inference-desk-check-${process.pid}-`);
  try {
    const file = join(folder, 'batch.jsonl');
    await writeFile(file, text);
    signal.throwIfAborted();
    const { models: listed } = await services.models.ready();
    const job = jobOf(file, folder, listed, services);
    const { checked, unchecked } = await checkBatchFiles(job, services, { signal, onProgress: () => undefined });
    const [found] = checked;
    if (!found) throw new PublicApiError('failed', sentences(...unchecked.map(reasonWords)));
    const { problems, counts, requests, models } = found;
    return { problems: problems.map(toProblem).toSorted(byPlace), counts, requests, models };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function jobOf(file: string, folder: string, models: readonly CatalogueModel[], services: Services): CheckJob {
  const listed = listedModels(models);
  const rules = withStated(rulesOf(services.account.current.baseUrl).batch, services.connections.statedOfBatches());
  const translations = vscode.l10n.bundle;
  return {
    files: [file],
    rules,
    severities: { ...defaultSeverities, ...rules.severities, ...services.settings.get('batch.severities') },
    report: join(folder, 'problems.txt'),
    maxListed: mostProblems,
    ...(listed && { models: listed }),
    ...(translations && { translations }),
  };
}

function toProblem({ line, span, severity, code, message, firstLine }: RatedProblem): BatchProblem {
  const { start, end } = span;
  return { line, start, end, severity, code, message, ...(firstLine !== undefined && { firstLine }) };
}

function byPlace(one: BatchProblem, other: BatchProblem): number {
  return one.line - other.line || one.start - other.start;
}
