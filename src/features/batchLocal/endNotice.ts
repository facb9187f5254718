import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { Memento } from 'vscode';
import * as vscode from 'vscode';
import type { RunEnd } from '../../core/batch/local/localRun';
import { findResults } from '../../core/batch/local/resultFiles';
import { dropLargeCopy } from '../../core/batch/results/sentLines';
import { restPath, writeRest } from '../../core/batch/local/restOfFile';
import { updateRun } from '../../core/batch/results/runFolder';
import type { RunFolder } from '../../core/batch/results/runFolder';
import { runCommand } from '../../platform/contributions';
import { toStep } from '../../platform/errors/errorActions';
import { runAction } from '../../platform/errors/reportError';
import { createRetryLineage } from '../../services/batchFiles/retryLineage';
import { withWriting } from '../../platform/workspace/written';
import { inputOf } from './logic/localFolder';
import { endWords } from './localRunWords';
import type { RunCounts } from './localRunWords';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

export interface EndedRun {
  /** Stores the lineage of a run whose remaining requests are submitted as a batch. */
  readonly memento: Memento;
  /** Whether the service may take the rest as a batch. */
  readonly hasBatches: boolean;
  readonly folder: RunFolder;
  readonly name: string;
  readonly counts: RunCounts;
  readonly end: RunEnd;
  readonly goOn: () => Promise<void>;
  /** Stops offering to continue the run. */
  readonly forget: () => Promise<void>;
}

/** Reports how a run ended and offers what to do next. Resolves once the user has acted or closed the message. */
export async function tellEnd(ended: EndedRun): Promise<void> {
  const { folder, hasBatches, name, counts, end, goOn } = ended;
  const { weight, text, actions } = endWords(end, name, counts);
  const results = l10n.t('Open Results');
  const retry = l10n.t('Retry Failed');
  const rest = l10n.t('Submit Rest as Batch');
  const further = l10n.t('Resume');
  const offered = actions.filter(({ id }) => toStep(id));
  const buttons = [
    ...(end.kind === 'dailyLimit' && hasBatches ? [rest] : []),
    ...(end.kind === 'finished' || end.kind === 'held' ? [] : [further]),
    ...offered.map(({ label }) => label),
    ...(counts.answered + counts.failed > 0 ? [results] : []),
    ...(end.kind === 'finished' && counts.failed > 0 ? [retry] : []),
  ];
  const chosen = await showMessage(weight, text, ...buttons);
  if (chosen === results) await runCommand('inferenceDesk.batches.openResults', folder.path);
  else if (chosen === retry) await runCommand('inferenceDesk.batches.retryFailed', folder.path);
  else if (chosen === rest) await submitRest(ended);
  else if (chosen === further) await goOn();
  else {
    const step = offered.find(({ label }) => label === chosen);
    if (step) await runAction(step.id);
  }
}

/** Writes the requests without a result to a batch file beside the original, and ends the run. */
async function submitRest({ folder, forget, memento }: EndedRun): Promise<void> {
  const { input } = folder.run;
  if (!input) return;
  const target = await restPath(input.path);
  const { done } = await findResults(folder.path, { repair: false });
  const source = await inputOf(folder);
  const title = l10n.t('Writing {0}', foreign(path.basename(target)));
  const written = await withWriting(title, input.bytes, (monitor) =>
    writeRest(source, done, { target, replace: false, ...monitor }),
  );
  await createRetryLineage(memento).remember(target, { retryOf: folder.path, sha256: written.sha256 });
  const retry = { path: target, ...written, createdAt: Date.now() };
  await updateRun(folder.path, { ended: true, retries: [...(folder.run.retries ?? []), retry] });
  await dropLargeCopy(folder.path);
  await forget();
  if (folder.run.model !== undefined) tellModel(folder.run.model);
  await runCommand('inferenceDesk.batches.submit', vscode.Uri.file(target));
}

/** The lines are written unchanged, so the model that replaced theirs must be chosen for the batch again. */
function tellModel(model: string): void {
  const text = l10n.t('The run used {0} for all requests. Choose it for the batch, too.', foreign(model));
  void showMessage('information', text);
}
