import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunState } from '../../core/batch/local/localRun';
import { chooseModel } from '../../core/catalogue/jobs';
import type { EvalConfig } from '../../core/evals/evalConfig';
import { canRun, evalFacts } from '../../core/evals/evalFacts';
import type { EvalFacts, PlannedEval, PriceBook } from '../../core/evals/evalFacts';
import { planEval, withModel } from '../../core/evals/evalPlan';
import type { EvalPlan, GraderModels } from '../../core/evals/evalPlan';
import { openEvalFiles } from '../../core/evals/folderFiles';
import { readEval } from '../../core/evals/readEval';
import { AccountEvals, dueRequests, graderModels, sendDue } from '../../core/evals/run/evalJobs';
import type { ChooseHow, Due } from '../../core/evals/run/evalJobs';
import { EvalRun, manifestFile, runFolderOf } from '../../core/evals/run/evalRun';
import type { EvalService } from '../../core/evals/run/evalRun';
import { markdownReport, reportOf } from '../../core/evals/run/report';
import { EvalRunFolder } from '../../core/evals/run/runFolder';
import { margin, readManifest, resultsIn } from '../../core/evals/run/storedRun';
import { currencyOf, isFreeUnpriced } from '../../core/profiles/knownServices';
import { batchDiscountAt, rulesOf } from '../../core/profiles/vendorRules';
import { HeldElsewhere } from '../../core/storage/leases';
import { exists } from '../../core/storage/privateFiles';
import { createSecretCheck } from '../../core/workspace/secretFiles';
import { createLocalCall } from '../../core/usage/localCall';
import type { Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import type { Settings } from '../../platform/settings';
import type { Account, Connections } from '../account/account';
import type { LazyBatchJobs } from '../batches/batches';
import type { ModelCatalogue } from '../models/modelCatalogue';
import type { UsageService } from '../usage/usage';

const reportFile = 'report.md';

interface EvalSources {
  readonly settings: Settings;
  readonly account: Account;
  readonly connections: Connections;
  readonly models: ModelCatalogue;
  readonly usage: () => Promise<UsageService>;
  readonly batchJobs: LazyBatchJobs;
  readonly log: vscode.LogOutputChannel;
}

/** How a run is sent. */
interface SendOptions {
  readonly choose: ChooseHow;
  /** Sends failed requests again too. */
  readonly retriesFailed?: boolean;
  /** Grades are those of the run's models. As results can be shown with another account, the run keeps its own until more is sent. */
  readonly isOfResults?: boolean;
  /** Called when requests that are sent now begin or end to wait. */
  readonly onState?: (state: RunState) => void;
  readonly signal: AbortSignal;
}

/** Plans and runs evals of the active account. A run is a folder next to the eval file. */
export class Evals implements Disposable {
  private readonly changed = new vscode.EventEmitter<string>();
  /** Fires with the eval file when a run begins and ends. */
  readonly onDidChange = this.changed.event;
  private readonly plans = new WeakMap<EvalConfig, { readonly model: string | undefined; readonly plan: EvalPlan }>();

  constructor(private readonly sources: EvalSources) {}

  /** Reads an eval with its changes that aren't saved, and the files that it names, which are in its workspace folder. */
  async read(document: vscode.TextDocument): Promise<EvalConfig> {
    const folder = dirname(document.uri.fsPath);
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? folder;
    const isSecret = createSecretCheck(this.sources.settings.get('secretFiles'));
    const files = await openEvalFiles(root, folder, isSecret);
    return readEval(document.uri.fsPath, document.getText(), files);
  }

  /** The same plan for the same config, so that what is known of its run stays known. */
  async planOf(config: EvalConfig): Promise<EvalPlan> {
    const model = await this.ownModel();
    const known = this.plans.get(config);
    if (known && known.model === model) return known.plan;
    const plan = planEval(withModel(config, model));
    this.plans.set(config, { model, plan });
    return plan;
  }

  /** Plans the eval in a file. Throws for one that cannot run. `partOf`: the rows to run. */
  async planned(file: string, config: EvalConfig, partOf = (plan: EvalPlan) => plan): Promise<PlannedEval> {
    const whole = await this.planOf(config);
    if (!canRun(whole, config))
      throw new UserError(l10n.t("Couldn't run the eval"), l10n.t('The file has errors. Fix them, then try again.'));
    const plan = partOf(whole);
    return { file, title: config.description ?? basename(file), plan, facts: await this.facts(plan) };
  }

  /** Used if a file names only scripts, or no model. */
  async ownModel(): Promise<string | undefined> {
    return chooseModel('chat', await this.sources.models.ready());
  }

  async facts(plan: EvalPlan): Promise<EvalFacts> {
    return evalFacts(plan, await this.prices(), await this.modelsFor(plan));
  }

  async hasResults(file: string): Promise<boolean> {
    return exists(join(runFolderOf(file), manifestFile));
  }

  /** Returns what a run would send next, without sending anything. */
  async due({ file, plan }: PlannedEval, retriesFailed = false): Promise<Due> {
    const folder = runFolderOf(file);
    const service = (await this.viewer(folder))(undefined, false);
    return dueRequests(plan, folder, service, {
      ...(await this.modelsFor(plan)),
      prices: await this.prices(),
      retriesFailed,
    });
  }

  /** Sends what is due in a run, and writes its report. Throws a localized error if the eval is running, or if requests can't be sent. */
  async send(planned: PlannedEval, options: SendOptions): Promise<void> {
    const folder = runFolderOf(planned.file);
    const service = await this.open(folder, options.onState);
    const runFolder = await EvalRunFolder.open(folder, service.origin).catch((error: unknown) => {
      if (!(error instanceof HeldElsewhere)) throw error;
      throw notRun(l10n.t('The eval is already running. Wait until it ends.'));
    });
    try {
      this.changed.fire(planned.file);
      await this.advance(planned, runFolder, service, options);
    } finally {
      await runFolder.close();
      this.changed.fire(planned.file);
    }
  }

  private async advance(
    { file, plan }: PlannedEval,
    runFolder: EvalRunFolder,
    service: AccountEvals,
    { choose, retriesFailed = false, isOfResults = false, signal }: SendOptions,
  ): Promise<void> {
    const models = await this.modelsFor(plan, isOfResults ? file : undefined);
    const { judge } = models;
    const run = new EvalRun(plan, runFolder, service, { prices: await this.prices(), retriesFailed, ...models });
    const note = () => run.writeManifest(basename(file));
    const chooseAndNote: ChooseHow = async (next) => {
      const how = await choose(next);
      if (how && isOfResults) await note();
      return how;
    };
    if (!isOfResults) await note();
    const problem = await sendDue(run, runFolder, service, { choose: chooseAndNote, signal });
    if (problem !== undefined) throw notRun(problem);
    const currency = currencyOf(this.sources.account.current.baseUrl);
    const report = reportOf(plan, run.graded(), {
      cost: run.cost,
      margin,
      pairs: run.judgedPairs,
      gold: run.goldGrades,
      ...(judge !== undefined && { judge }),
    });
    const wording = { plan, currency, language: vscode.env.language, answers: run.answers() };
    await runFolder.writeFile(reportFile, markdownReport(report, wording));
  }

  /** Returns the models that grade an eval. For the results of a run, given its file, those of the run, whose grades are paid for. */
  async modelsFor(plan: EvalPlan, file?: string): Promise<GraderModels> {
    const before = file === undefined ? undefined : await readManifest(runFolderOf(file));
    return graderModels(plan, await this.sources.models.ready(), before === 'damaged' ? undefined : before);
  }

  /**
   * Returns how a run looks at its service without sending requests, also while no account of that service is active. With `checks`, it asks
   * the service about batches.
   */
  async viewer(
    folder: string,
    checks = false,
  ): Promise<(origin: string | undefined, isRunning: boolean) => EvalService> {
    const { id, baseUrl } = this.sources.account.current;
    const at = await this.accountAt(folder, id);
    return (origin, isRunning) => {
      const isActive = baseUrl !== undefined && (origin === undefined || new URL(baseUrl).origin === origin);
      const url = isActive ? baseUrl : origin;
      if (url === undefined)
        throw new UserError(l10n.t("Couldn't show the results"), l10n.t('Sign in, then try again.'));
      return at(url).viewed(isRunning, checks);
    };
  }

  /** Returns the prices of the active account. */
  async prices(): Promise<PriceBook> {
    const { usage, account } = this.sources;
    const prices = await (await usage()).readyPrices();
    const learned = prices.learned(account.current.id);
    return {
      pricesOf: (model) => prices.ofTokens(model),
      usualOutputOf: (model) => learned.outputOf(model, 'batchLines')?.usual,
      batchDiscount: batchDiscountAt(account.current.baseUrl),
      isFree: account.current.baseUrl !== undefined && isFreeUnpriced(account.current.baseUrl),
    };
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async open(folder: string, onState: SendOptions['onState']): Promise<AccountEvals> {
    const { id, baseUrl } = this.sources.account.current;
    if (baseUrl === undefined) throw notRun(l10n.t('Sign in, then try again.'));
    return (await this.accountAt(folder, id, onState))(baseUrl);
  }

  private async accountAt(
    folder: string,
    id: string,
    onState?: SendOptions['onState'],
  ): Promise<(baseUrl: string) => AccountEvals> {
    const { connections, settings, batchJobs, log } = this.sources;
    const jobs = await batchJobs();
    return (baseUrl) =>
      new AccountEvals({
        baseUrl,
        rules: rulesOf(baseUrl).batch,
        by: 'window',
        results: resultsIn(folder),
        jobs: () => jobs.jobs,
        submit: (submission, signal) => jobs.submit({ ...submission, profileId: id }, { signal }),
        check: (job) => jobs.checkNow(job),
        call: createLocalCall((use) => connections.client(id, use)),
        concurrency: () => settings.get('batch.localRequests'),
        onError: (error) => log.warn(`Evals: ${String(error)}`),
        ...(onState && { onState }),
      });
  }
}

function notRun(why: string): UserError {
  return new UserError(l10n.t("Couldn't run the eval"), why);
}
