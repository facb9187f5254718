import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalRun } from '../../core/batch/local/localRun';
import { setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Activity } from '../../platform/activity';
import { listText } from '../../protocol/formats';
import { stateWords } from './localRunWords';
import { createStatusBarItem, withProgress } from '../../platform/notify';
import type { MessageLink } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

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
}

/** Shows a run's progress until it ends: a notification that can be hidden, and a status bar item that shows it again. */
export interface RunDisplay extends Disposable {
  /** To be called when the run changed. */
  refresh(): void;
  /** Shows the notification again if it was hidden. */
  show(): void;
}

export function showRun(shown: ShownRun, activity: Activity): RunDisplay {
  const { run, name, folder, profileId, requests } = shown;
  const store = new DisposableStore();
  const facts = { kind: 'batchFile', paid: true, subject: name, folder, profileId, stop: () => run.stop() } as const;
  const work = store.add(activity.start(l10n.t('Running a batch file'), facts));
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

/** A link beside the notification's stop button. */
function linkIn(phase: string): MessageLink | undefined {
  if (phase === 'running') return { label: l10n.t('Pause'), command: 'inferenceDesk.batchFile.pauseLocal' };
  if (phase !== 'paused') return undefined;
  return { label: l10n.t('Resume'), command: 'inferenceDesk.batchFile.continueLocal' };
}
