import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalRun, RunEnd } from '../../core/batch/local/localRun';
import { restPath, writeRest } from '../../core/batch/local/restOfFile';
import { findResults } from '../../core/batch/local/resultFiles';
import { updateRun } from '../../core/batch/results/runFolder';
import type { RunFolder } from '../../core/batch/results/runFolder';
import type { ExpectedCharge } from '../../core/prices/paidWork';
import { dropLargeCopy } from '../../core/batch/results/sentLines';
import { setContext, runCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Activity } from '../../platform/activity';
import { toStep } from '../../platform/errors/errorActions';
import { runAction } from '../../platform/errors/reportError';
import { withWriting } from '../../platform/workspace/written';
import { listText } from '../../protocol/formats';
import { createRetryLineage } from '../../services/batchFiles/retryLineage';
import { stateWords, endWords } from './localRunWords';
import { createStatusBarItem, withProgress, showMessage } from '../../platform/notify';
import type { MessageLink } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import type { Memento } from 'vscode';
import type { RunCounts } from './localRunWords';
import { inputOf } from './logic/localFolder';

/** How often countdowns are updated. */
const tickMs = 500;

export interface ShownRun {
  /** Name of the batch file. */
  readonly name: string;
  /** The number of non-blank lines in the batch file. */
  readonly requests: number;
  readonly run: LocalRun;
  /** The folder of its results. */
  readonly folder: string;
  readonly profileId: string;
  /** What all its requests will be charged for. */
  readonly expected: readonly ExpectedCharge[];
}

/** Shows a run's progress until it ends: a notification that can be hidden, and a status bar item that shows it again. */
export interface RunDisplay extends Disposable {
  /** To be called when the run changed. */
  refresh(): void;
  /** Shows the notification again if it was hidden. */
  show(): void;
}

export function showRun(shown: ShownRun, activity: Activity): RunDisplay {
  const { run, name, folder, profileId, requests, expected } = shown;
  const store = new DisposableStore();
  const work = store.add(
    activity.start(l10n.t('Running a batch file'), {
      kind: 'batchFile',
      paid: true,
      subject: name,
      folder,
      profileId,
      stop: () => run.stop(),
      expected: () => expected,
    }),
  );
  const item = store.add(createStatusBarItem('inferenceDesk.localRun', vscode.StatusBarAlignment.Left, -1));
  item.name = l10n.t('Batch File Run');
  item.command = 'inferenceDesk.batchFile.showLocal';
  const notices = new Set<() => void>();
  let phase = '';
  let reported = '';

  const refresh = () => {
    drawItem(item, shown);
    for (const draw of notices) draw();
    const { phase: now, answered, failed } = run.state;
    const progress = JSON.stringify([answered, failed, now]);
    if (progress !== reported)
      work.report({ done: answered + failed, total: requests, ...(now === 'paused' && { isPaused: true }) });
    reported = progress;
    if (now === phase) return;
    phase = now;
    void setContext('inferenceDesk.batchLocal', now === 'paused' ? 'paused' : now === 'ended' ? 'none' : 'running');
  };
  const show = () => {
    if (notices.size === 0) void showNotice(shown, notices);
  };
  const timer = setInterval(refresh, tickMs);
  store.add({ dispose: () => clearInterval(timer) });
  refresh();
  item.show();
  show();
  return {
    refresh,
    show,
    dispose() {
      refresh();
      store.dispose();
    },
  };
}

function drawItem(item: vscode.StatusBarItem, { name, run, requests }: ShownRun): void {
  const { phase, answered, failed, wait } = run.state;
  const icon = phase === 'paused' ? 'debug-pause' : wait ? 'watch' : 'sync~spin';
  const done = answered + failed;
  const text = `$(${icon}) ${foreign(name, 60)} ${done}/${requests}`;
  if (item.text !== text) item.text = text;
  const words = stateWords(run.state, requests, Date.now());
  if (item.tooltip !== words) item.tooltip = words;
  item.accessibilityInformation = { label: listText([name, words], vscode.env.language), role: 'button' };
}

async function showNotice({ name, run, requests }: ShownRun, notices: Set<() => void>): Promise<void> {
  const title = l10n.t('Running {0}', foreign(name));
  const shown = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await withProgress(shown, async (progress, token) => {
    let before = 0;
    let announced = '';
    const draw = () => {
      const { answered, failed, phase } = run.state;
      const done = requests === 0 ? 0 : Math.min(100, ((answered + failed) / requests) * 100);
      const message = stateWords(run.state, requests, Date.now());
      const words = `${phase} ${message}`;
      if (words === announced && done === before) return;
      progress.report({ message, link: linkIn(phase), increment: done - before });
      announced = words;
      before = done;
    };
    notices.add(draw);
    draw();
    const stopped = new Promise<void>((resolve) => {
      token.onCancellationRequested(() => {
        run.stop();
        resolve();
      });
    });
    await Promise.race([run.ended, stopped]);
    notices.delete(draw);
  });
}

/** A link next to the notification's stop button. */
function linkIn(phase: string): MessageLink | undefined {
  if (phase === 'running') return { label: l10n.t('Pause'), command: 'inferenceDesk.batchFile.pauseLocal' };
  if (phase !== 'paused') return undefined;
  return { label: l10n.t('Resume'), command: 'inferenceDesk.batchFile.continueLocal' };
}

interface EndedRun {
  /** Stores the lineage of a run whose remaining requests are submitted as a batch. */
  readonly memento: Memento;
  /** Whether the service might accept the rest as a batch. */
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

/** Writes the requests without a result to a batch file next to the original, and ends the run. */
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
  const text = l10n.t('The run used {0} for all requests. Choose it for the batch.', foreign(model));
  void showMessage('information', text);
}
