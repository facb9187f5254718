import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { dayOf } from '../../core/usage/usage';
import { numberText } from '../../platform/displayText';
import { ListRow } from '../../platform/listRow';
import { setStatusBarMessage, showMessage } from '../../platform/notify';
import { panelIcon } from '../../platform/panelIcon';
import { throttle, type Throttle } from '../../platform/throttle';
import { showScreen } from '../../platform/webview/webviewHost';
import { SingleTab } from '../../platform/webview/singleTab';
import { freePath } from '../../platform/workspace/writeTarget';
import {
  activityCalls,
  type ActivityAction,
  type ActivityScreen,
  type ActivitySelection,
  type ActivityView,
} from '../../protocol/activity';
import { done, type Handlers } from '../../protocol/call';
import type { LocalRunRecord } from '../../services/batches/localRuns';
import { leaseIdOf } from '../../services/batches/resultsRoot';
import type { BatchJob, BatchRow } from '../../services/batches/batches';
import type { Services } from '../../services/services';
import { jobsOfRow } from './activityRows';
import { readActivity, readSpendTable } from './activityView';

const changeMs = 300;
/** How often the times of work in progress are updated. */
const tickMs = 5000;

/** The tab with all work and spending; at most one per window. */
export function createActivityPage(services: Services) {
  const tab = new SingleTab('inferenceDesk.activity', (panel) => new ActivityController(services, panel));
  return {
    open: () => void tab.open(),
    restore: (panel: vscode.WebviewPanel) => tab.restore(panel),
    dispose: () => tab.dispose(),
  };
}

class ActivityController implements Disposable {
  private readonly store = new DisposableStore();
  private selection: ActivitySelection = { days: 7, by: 'client', account: '' };
  private view: ActivityView | undefined;
  private readonly change: Throttle;

  constructor(
    private readonly services: Services,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { account, activity, batchJobs, context, costs, log, media, otherWork, profiles, settings } = services;
    panel.title = l10n.t('Activity and Spend');
    panel.iconPath = panelIcon(context.extensionUri, 'spend');
    const host = this.store.add(
      showScreen({
        screen: 'activity',
        title: panel.title,
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: this.handlers(),
        calls: activityCalls,
        log,
      }),
    );
    const tell = async () => {
      if (panel.visible && this.view) host.tell('activity/changed', await this.read());
    };
    const change = (this.change = this.store.add(throttle(changeMs, () => void tell().catch(services.report))));
    for (const onDidChange of [
      otherWork.onDidChange,
      activity.onDidProgress,
      batchJobs.onDidChange,
      media.onDidChange,
      costs.onDidChange,
      account.onDidChange,
      activity.onDidChange,
      profiles.onDidChange,
      settings.onDidChange,
    ] as readonly vscode.Event<unknown>[])
      this.store.add(onDidChange(() => change.soon()));
    // Nothing else tells that time passes, or that another day has begun.
    let day = dayOf(Date.now());
    const ticking = setInterval(() => {
      const today = dayOf(Date.now());
      if (this.view?.active.length || today !== day) change.soon();
      day = today;
    }, tickMs);
    this.store.add({ dispose: () => clearInterval(ticking) });
    this.store.add(
      panel.onDidChangeViewState(() => {
        if (panel.visible) change.soon();
        else host.forgetPage();
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<ActivityScreen> {
    return {
      'activity/ready': async (selection) => this.select(selection),
      'activity/select': async (selection) => this.select(selection),
      'activity/open': async ({ id }) => done(this.open(id)),
      'activity/act': async ({ ids, action }) => done(this.act(ids, action)),
      'activity/changeLimit': async ({ id }) => {
        const setting = { spendingCap: 'dailySpendingCap', tokenBudget: 'chat.dailyTokenBudget' }[id];
        return done(vscode.commands.executeCommand('workbench.action.openSettings', `inferenceDesk.${setting}`));
      },
      'activity/chooseTools': async () => done(chooseChatTools()),
      'activity/export': async () => done(this.export()),
    };
  }

  private select(selection: ActivitySelection): Promise<ActivityView> {
    this.selection = selection;
    return this.read();
  }

  private async read(): Promise<ActivityView> {
    if (this.panel.visible) await this.services.failures.markSeen();
    return (this.view = await readActivity(this.services, this.selection));
  }

  private async open(id: string): Promise<void> {
    const [kind, ofKind] = parted(id);
    const { batchJobs, media } = this.services;
    if (kind === 'batch') {
      const job = batchJobs.jobs.find((one) => one.id === ofKind);
      if (job) await runCommand('inferenceDesk.batches.openResults', batchRow(job));
    } else if (kind === 'run') {
      const run = await this.runOf(ofKind);
      if (run) await runCommand('inferenceDesk.batches.openResults', run.path);
    } else if (kind === 'media') {
      const job = media.jobs.find((one) => one.id === ofKind);
      const [only, ...more] = job?.results?.flatMap(({ path: file }) => file ?? []) ?? [];
      if (job?.group === undefined && only !== undefined && more.length === 0)
        await runCommand('inferenceDesk.media.open', only);
      else if (job) {
        const screen = job.task.kind === 'image' ? 'inferenceDesk.images.open' : 'inferenceDesk.videos.open';
        await runCommand(screen, { as: 'job', id: job.id });
      }
    }
  }

  /**
   * Acts on rows, each as far as the action applies to it. One row is left to the commands of its view, which ask first where that is
   * needed. Several are asked about once.
   */
  private async act(ids: readonly string[], action: ActivityAction): Promise<void> {
    const rows = (this.view ? [...this.view.active, ...this.view.finished] : []).filter(
      (row) => ids.includes(row.id) && row.actions.some((one) => one.action === action),
    );
    if (rows.length > 1 && !(await isConfirmed(action, rows.length))) return;
    const failures: unknown[] = [];
    const isOne = rows.length === 1;
    const media = rows.filter(({ id }) => id.startsWith('media:'));
    const others = rows.filter((row) => !media.includes(row));
    const attempts = [
      ...others.map(
        ({ id }) =>
          () =>
            this.actOn(id, action, isOne),
      ),
      ...(media.length > 0
        ? [
            () =>
              this.actOnMedia(
                media.map(({ id }) => parted(id)[1]),
                action,
                isOne,
              ),
          ]
        : []),
    ];
    for (const attempt of attempts) await attempt().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async actOn(id: string, action: ActivityAction, isOne: boolean): Promise<void> {
    const [kind, ofKind] = parted(id);
    if (kind === 'work') {
      this.services.activity.running.find((one) => String(one.id) === ofKind)?.stop?.();
    } else if (kind === 'other') {
      await this.services.otherWork.stop(ofKind);
    } else if (kind === 'run') {
      const run = await this.runOf(ofKind);
      if (run) await this.actOnRun(run, action);
    } else if (kind === 'batch') {
      const { batchJobs } = this.services;
      const job = batchJobs.jobs.find((one) => one.id === ofKind);
      const command = (batchCommands as Readonly<Partial<Record<ActivityAction, BatchCommand>>>)[action];
      if (!job || !command) return;
      if (isOne) await runCommand(command, batchRow(job));
      else if (action === 'cancel') await (await batchJobs()).cancel(job.id);
      else if (action === 'forget') await (await batchJobs()).forget(job.id);
      else await runCommand(command, batchRow(job));
    }
  }

  private async actOnRun(run: LocalRunRecord, action: ActivityAction): Promise<void> {
    if (action === 'pause' || action === 'resume' || action === 'stop') {
      const elsewhere = (await this.services.otherWork.list()).find(({ folder }) => folder === run.path);
      if (elsewhere) await this.services.otherWork.stop(elsewhere.id);
      else await runCommand(runCommands[action]);
    } else if (action === 'continue') await runCommand('inferenceDesk.batchFile.resumeLocal', run.path);
    else if (action === 'retryFailed') await runCommand('inferenceDesk.batches.retryFailed', run.path);
    else if (action === 'forget') {
      await (await this.services.localRuns()).forget(run.path);
      this.change.soon();
    }
  }

  /** The jobs of a series are acted on together. */
  private async actOnMedia(ids: readonly string[], action: ActivityAction, isOne: boolean): Promise<void> {
    const { media } = this.services;
    const jobs = ids.flatMap((id) => jobsOfRow(media.jobs, id));
    if (!isOne && action === 'forget') {
      for (const { id } of jobs) await (await media()).forget(id);
      return;
    }
    const rows = jobs.map((job) => new ListRow(job.id, { kind: 'job', key: job.id, job }));
    const command = mediaCommands[action];
    if (!command) return;
    // The label of a single one has its price, so it isn't asked about again.
    const [only, ...more] = jobs;
    if (more.length > 0) await runCommand(command, rows[0], rows);
    else if (only) await runCommand(command, only.id);
  }

  private async runOf(id: string): Promise<LocalRunRecord | undefined> {
    const runs = await (await this.services.localRuns()).all();
    return runs.find((run) => leaseIdOf(run.path) === id);
  }

  private async export(): Promise<void> {
    const { view } = this;
    if (!view) return;
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
    const uri = await vscode.window.showSaveDialog({
      title: l10n.t('Export Spend'),
      ...(folder !== undefined && { defaultUri: vscode.Uri.file(await freePath(path.join(folder, 'spend.csv'))) }),
      filters: { CSV: ['csv'] },
    });
    if (!uri) return;
    const text = await readSpendTable(this.services, this.selection);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    setStatusBarMessage(l10n.t('Exported to {0}.', path.basename(uri.path)), 4000);
  }
}

/** An ID of a row: the kind of its job, and the ID of that. */
function parted(id: string): readonly [kind: string, jobId: string] {
  const at = id.indexOf(':');
  return [id.slice(0, at), id.slice(at + 1)];
}

function batchRow(job: BatchJob): ListRow<BatchRow> {
  return new ListRow<BatchRow>(job.id, { key: job.id, job, ...(job.batch && { batch: job.batch }) });
}

type BatchCommand = (typeof batchCommands)[keyof typeof batchCommands];

/** Asks once before several batches are canceled, or several rows removed. What is paid for is asked about by its own command. */
async function isConfirmed(action: ActivityAction, count: number): Promise<boolean> {
  const number = numberText(count, vscode.env.language);
  const ask = async (message: string, detail: string, button: string) =>
    (await showMessage('warning', message, { modal: true, detail }, button)) === button;
  if (action === 'cancel')
    return ask(
      l10n.t('Cancel the selected batches ({0})?', number),
      l10n.t("You're charged for completed requests. The remaining requests won't run."),
      l10n.t('Cancel Batches'),
    );
  if (action === 'forget')
    return ask(
      l10n.t('Remove the selected items from the list ({0})?', number),
      l10n.t(
        "Saved files aren't deleted. Jobs that are still running at a service will no longer be tracked, but may still be charged.",
      ),
      l10n.t('Remove'),
    );
  return true;
}

const batchCommands = {
  checkNow: 'inferenceDesk.batches.checkNow',
  cancel: 'inferenceDesk.batches.cancel',
  stopParts: 'inferenceDesk.batches.stopParts',
  retry: 'inferenceDesk.batches.createAgain',
  retryFailed: 'inferenceDesk.batches.retryFailed',
  fetchAgain: 'inferenceDesk.batches.fetchResults',
  cleanUp: 'inferenceDesk.batches.cleanUp',
  forget: 'inferenceDesk.batches.forget',
} as const satisfies Readonly<Partial<Record<ActivityAction, CommandId>>>;

/** For the run of this window: one window runs one batch file at a time. */
const runCommands = {
  pause: 'inferenceDesk.batchFile.pauseLocal',
  resume: 'inferenceDesk.batchFile.continueLocal',
  stop: 'inferenceDesk.batchFile.stopLocal',
} as const;

/** The service can't cancel a video, and images are answered at once. */
const mediaCommands: Readonly<Partial<Record<ActivityAction, CommandId>>> = {
  checkNow: 'inferenceDesk.media.checkNow',
  retry: 'inferenceDesk.media.retry',
  fetchAgain: 'inferenceDesk.media.fetchAgain',
  forget: 'inferenceDesk.media.forget',
};

/** Opens VS Code Chat's own list of tools, which needs an open chat. */
async function chooseChatTools(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
  await vscode.commands.executeCommand('workbench.action.chat.configureTools');
}
