import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { CommandId } from '../../platform/commands';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { ListRow } from '../../platform/listRow';
import { setStatusBarMessage } from '../../platform/notify';
import { panelIcon } from '../../platform/panelIcon';
import { throttle } from '../../platform/throttle';
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
import type { BatchJob, BatchRow } from '../../services/batches/batches';
import type { Services } from '../../services/services';
import { readActivity, readSpendTable } from './activityView';

const changeMs = 300;

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

  constructor(
    private readonly services: Services,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { account, batchJobs, context, costs, log, media, profiles, settings, activity } = services;
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
    const change = this.store.add(throttle(changeMs, () => void tell().catch(services.report)));
    for (const onDidChange of [
      batchJobs.onDidChange,
      media.onDidChange,
      costs.onDidChange,
      account.onDidChange,
      activity.onDidChange,
      profiles.onDidChange,
      settings.onDidChange,
    ] as readonly vscode.Event<unknown>[])
      this.store.add(onDidChange(() => change.soon()));
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
    const [kind, jobId] = parted(id);
    const { batchJobs, media } = this.services;
    if (kind === 'batch') {
      const job = batchJobs.jobs.find((one) => one.id === jobId);
      if (job) await runCommand('inferenceDesk.batches.openResults', batchRow(job));
      return;
    }
    const job = media.jobs.find((one) => one.id === jobId);
    const [only, ...more] = job?.results?.flatMap(({ path: file }) => file ?? []) ?? [];
    if (job?.group === undefined && only !== undefined && more.length === 0)
      await runCommand('inferenceDesk.media.open', only);
    else if (job) {
      const screen = job.order.kind === 'image' ? 'inferenceDesk.images.open' : 'inferenceDesk.videos.open';
      await runCommand(screen, { as: 'job', id: job.id });
    }
  }

  /** Acts on the rows by the commands of the views, which ask first where that is needed. */
  private async act(ids: readonly string[], action: ActivityAction): Promise<void> {
    const { batchJobs, media } = this.services;
    const of = (kind: string) => new Set(ids.map(parted).flatMap(([own, id]) => (own === kind ? [id] : [])));
    const [batchIds, mediaIds] = [of('batch'), of('media')];
    const command = batchCommands[action];
    for (const job of batchJobs.jobs.filter(({ id }) => batchIds.has(id))) await runCommand(command, batchRow(job));
    const rows = media.jobs
      .filter(({ id }) => mediaIds.has(id))
      .map((job) => new ListRow(job.id, { kind: 'job', key: job.id, job }));
    const mediaCommand = mediaCommands[action];
    if (rows.length > 0 && mediaCommand) await runCommand(mediaCommand, rows[0], rows);
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

const batchCommands = {
  checkNow: 'inferenceDesk.batches.checkNow',
  cancel: 'inferenceDesk.batches.cancel',
  stopParts: 'inferenceDesk.batches.stopParts',
  retry: 'inferenceDesk.batches.createAgain',
  fetchAgain: 'inferenceDesk.batches.fetchResults',
  cleanUp: 'inferenceDesk.batches.cleanUp',
  forget: 'inferenceDesk.batches.forget',
} as const satisfies Readonly<Record<ActivityAction, CommandId>>;

/** The service can't cancel a video, and images are answered at once. */
const mediaCommands: Readonly<Partial<Record<ActivityAction, CommandId>>> = {
  checkNow: 'inferenceDesk.media.checkNow',
  retry: 'inferenceDesk.media.retry',
  fetchAgain: 'inferenceDesk.media.fetchAgain',
  forget: 'inferenceDesk.media.forget',
};
