import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LocalRun } from '../../core/batch/local/localRun';
import { sampleBatchFile } from '../../core/batch/job/estimateFileTokens';
import { startRun } from '../../core/batch/local/startRun';
import { updateRun } from '../../core/batch/results/runFolder';
import type { RunFolder } from '../../core/batch/results/runFolder';
import { dropLargeCopy } from '../../core/batch/results/sentLines';
import { Leases, HeldElsewhere } from '../../core/storage/leases';
import type { Lease } from '../../core/storage/leases';
import { defaultSeverities } from '../../core/batch/problem';
import { rulesOf } from '../../core/profiles/vendorRules';
import { foreign } from '../../core/text/foreignText';
import { createLocalCall } from '../../core/usage/localCall';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { showMessage } from '../../platform/notify';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import { lacksBatches } from '../../services/batches/batches';
import { leaseIdOf, localRunLeases, ownResultsRoot, resultsRoot } from '../../services/batches/resultsRoot';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { chooseRun, confirmGoOn, offerRuns, profileOf } from './continueRun';
import { confirmRun } from './confirmRun';
import { inputOf, newLocalFolder, readLocalFolder } from './logic/localFolder';
import { planRun } from './localPlan';
import { showRun, tellEnd } from './runDisplay';
import type { RunDisplay } from './runDisplay';
import type { UnfinishedRun, UnfinishedRuns } from './logic/unfinishedRuns';

/** How often to check whether another window took over the run. */
const leaseCheckMs = 5000;

/** Runs batch files on this machine, one at a time per window. */
export interface LocalRuns extends Disposable {
  /** Resolves once the run began or the user canceled. Throws the reason if it cannot be run. */
  runFile(file: unknown): Promise<void>;
  /** The same for a stopped run, given its folder. Without one, continues the paused run, else the user chooses. */
  goOn(folder: unknown): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): void;
  /** Shows the run's notification again. */
  show(): void;
  /** Offers to continue stopped runs, each once per window. */
  offer(runs: readonly UnfinishedRun[]): Promise<void>;
}

interface Current {
  readonly run: LocalRun;
  readonly display: RunDisplay;
}

/** The questions asked; they resolve to `undefined` if the user cancels. */
interface RunQuestions {
  readonly confirmRun: typeof confirmRun;
  readonly confirmGoOn: typeof confirmGoOn;
}

export function createLocalRuns(
  services: Services,
  unfinished: UnfinishedRuns,
  questions: RunQuestions = { confirmRun, confirmGoOn },
): LocalRuns {
  return new Runs(services, unfinished, questions);
}

class Runs implements LocalRuns {
  private readonly store = new DisposableStore();
  private readonly leases;
  private readonly offered = new Set<string>();
  /** Also true while a run is being prepared. */
  private isBusy = false;
  private current: Current | undefined;

  constructor(
    private readonly services: Services,
    private readonly unfinished: UnfinishedRuns,
    private readonly questions: RunQuestions,
  ) {
    const { context } = services;
    this.leases = this.store.add(
      new Leases(path.join(context.globalStorageUri.fsPath, localRunLeases), () => vscode.workspace.name ?? ''),
    );
    this.store.add({ dispose: () => this.current?.run.stop() });
  }

  async runFile(file: unknown): Promise<void> {
    await this.alone(async () => {
      const chosen = await chosenFile(file);
      const plan = chosen === undefined ? undefined : await planRun(chosen, this.services);
      if (!plan) return;
      const usage = await this.services.usage();
      const today = await usage.today(plan.profile.id);
      const confirmed = await this.questions.confirmRun(plan, this.services, today);
      if (!confirmed) return;
      await usage.check(plan.profile.id);
      const root = resultsRoot(this.services);
      const isPrivate = root === ownResultsRoot(this.services.context);
      const batchJobs = await this.services.batchJobs();
      const isTaken = (made: string) => batchJobs.jobs.some((job) => job.folder === made);
      const folder = await newLocalFolder(root, plan, confirmed.model, { isPrivate, isTaken });
      await this.begin(folder, plan.profile.id);
    });
  }

  async goOn(folder: unknown): Promise<void> {
    if (folder === undefined && this.current?.run.state.phase === 'paused') return this.resume();
    await this.alone(async () => {
      const elsewhere = await this.leases.elsewhere();
      const isHeld = (path: string) => elsewhere.has(leaseIdOf(path));
      const path = typeof folder === 'string' ? folder : await chooseRun(resultsRoot(this.services), isHeld);
      if (path === undefined) return;
      const found = await readLocalFolder(path);
      await inputOf(found);
      const profileId = await this.questions.confirmGoOn(found, this.services);
      if (profileId === undefined) return;
      await (await this.services.usage()).check(profileId);
      await this.begin(found, profileId);
    });
  }

  pause(): void {
    this.current?.run.pause();
  }

  resume(): void {
    this.current?.run.resume();
  }

  stop(): void {
    this.current?.run.stop();
  }

  show(): void {
    this.current?.display.show();
  }

  async offer(runs: readonly UnfinishedRun[]): Promise<void> {
    const elsewhere = await this.leases.elsewhere();
    const isNew = ({ folder }: UnfinishedRun) => !this.offered.has(folder) && !elsewhere.has(leaseIdOf(folder));
    const fresh = this.isBusy ? [] : runs.filter(isNew);
    for (const { folder } of fresh) this.offered.add(folder);
    await offerRuns(fresh, this.unfinished);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Throws `UserError` if a run is already in progress. */
  private async alone(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) {
      this.show();
      throw new UserError(
        l10n.t('A batch file is already running'),
        l10n.t("Runs share the account's limits. Stop the other run first, or wait."),
      );
    }
    this.isBusy = true;
    try {
      await work();
    } finally {
      this.isBusy = this.current !== undefined;
    }
  }

  /** Resolves once it is running. */
  private async begin(folder: RunFolder, profileId: string): Promise<void> {
    const { activity, connections, profiles, settings, report } = this.services;
    const lease = await this.take(folder.path);
    try {
      const rules = rulesOf(profiles.get(profileId)?.baseUrl).batch;
      const severities = { ...defaultSeverities, ...rules.severities, ...settings.get('batch.severities') };
      const checkLease = throttled(leaseCheckMs, () => lease.check());
      const { input = { path: folder.path, requests: 0 }, model } = folder.run;
      await this.unfinished.add({ folder: folder.path, input: input.path });
      const file = await inputOf(folder);
      const run = await startRun({
        folder: folder.path,
        run: leaseIdOf(folder.path).slice(0, 8),
        input: file,
        model,
        rules,
        isError: (code) => severities[code] === 'error',
        concurrency: () => settings.get('batch.localRequests'),
        call: createLocalCall((use) => connections.client(profileId, use)),
        mayGoOn: async () => {
          profileOf(folder, this.services);
          await checkLease();
        },
        onChange: () => this.current?.display.refresh(),
      });
      this.offered.add(folder.path);
      const name = path.basename(input.path);
      const { shares } = await sampleBatchFile(file).catch(() => ({ shares: [] }));
      const expected = shares.map((share) => ({ ...share, model: model ?? share.model }));
      const started = { name, requests: input.requests, run, folder: folder.path, profileId, expected };
      const display = showRun(started, activity);
      this.current = { run, display };
      this.finish(folder, lease, name).catch((error: unknown) => report(error));
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  private async finish(folder: RunFolder, lease: Lease, name: string): Promise<void> {
    const { run, display } = this.current!;
    const end = await run.ended;
    const { answered, incomplete, failed, usage } = run.state;
    // It may have been continued, each time with further costs.
    const cost = usage.cost === undefined ? folder.run.cost : (folder.run.cost ?? 0) + usage.cost;
    const result = { counts: { answered: answered - incomplete, failed, ...(incomplete > 0 && { incomplete }) }, cost };
    try {
      // Another window that took it over counts further.
      const isTakenOver = end.kind === 'held' && end.error instanceof HeldElsewhere;
      if (end.kind !== 'finished' && !isTakenOver)
        await updateRun(folder.path, result).catch((error: unknown) => this.services.log.warn(String(error)));
      if (end.kind === 'finished') {
        await updateRun(folder.path, { ...result, ended: true });
        await this.unfinished.remove(folder.path);
        await dropLargeCopy(folder.path);
      }
    } finally {
      display.dispose();
      this.current = undefined;
      this.isBusy = false;
      await lease.release();
    }
    const counts = { requests: folder.run.input?.requests ?? 0, answered, incomplete, failed };
    const forget = () => this.unfinished.remove(folder.path);
    const memento = this.services.context.globalState;
    const hasBatches = !lacksBatches(this.services.account.current);
    await tellEnd({ memento, hasBatches, folder, name, counts, end, forget, goOn: () => this.goOn(folder.path) });
  }

  private async take(folder: string): Promise<Lease> {
    try {
      return await this.leases.take(leaseIdOf(folder));
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      throw new UserError(
        l10n.t('The run continues in another window'),
        error.where === ''
          ? l10n.t('View or stop it in that window.')
          : l10n.t('View or stop it in the window of {0}.', error.where),
      );
    }
  }
}

/** Returns a function that does the work at most once per interval. */
function throttled(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - last < everyMs) return;
    last = performance.now();
    await work();
  };
}

/**
 * Returns the menu's batch file, or else that of the active tab, or the one the user picks, saved if it is open. Returns `undefined` if the
 * user picks none or declines to save it. Throws if it isn't on disk, or in a folder that isn't trusted.
 */
async function chosenFile(file: unknown): Promise<string | undefined> {
  const uri = file instanceof vscode.Uri ? file : (activeFile() ?? (await ask()));
  if (!uri) return undefined;
  if (uri.scheme !== 'file') {
    throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file on this machine first.'));
  }
  refuseUntrusted(uri);
  return (await isSaved(uri)) ? uri.fsPath : undefined;
}

/** Uses the active tab, because VS Code might not open its file. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri?.path.endsWith('.jsonl') ? uri : undefined;
}

async function ask(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Run Batch File Now'),
    openLabel: l10n.t('Run'),
    filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
  });
  return chosen?.[0];
}

async function isSaved(uri: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (!document?.isDirty) return true;
  const save = l10n.t('Save and Continue');
  const message = l10n.t('{0} has unsaved changes', foreign(path.basename(uri.fsPath)));
  const detail = l10n.t('The run uses the saved file.');
  if ((await showMessage('information', message, { modal: true, detail }, save)) !== save) return false;
  return document.save();
}
