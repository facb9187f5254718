import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { factLines, priceToSend } from '../../core/evals/evalFacts';
import type { EvalFacts, PriceBook } from '../../core/evals/evalFacts';
import { usesEmbeddings, usesJudge } from '../../core/evals/evalPlan';
import type { EvalPlan, GraderModels } from '../../core/evals/evalPlan';
import { AccountEvals } from '../../core/evals/run/evalJobs';
import { EvalRun, manifestFile, readManifest, runFolderName } from '../../core/evals/run/evalRun';
import type { EvalService } from '../../core/evals/run/evalRun';
import { markdownReport, reportOf } from '../../core/evals/run/report';
import { EvalRunFolder } from '../../core/evals/run/runFolder';
import type { EvalRequest, SentFile } from '../../core/evals/run/runFolder';
import { chooseModel } from '../../core/catalogue/jobs';
import { currencyOf } from '../../core/profiles/knownServices';
import { batchDiscountAt, rulesOf } from '../../core/profiles/vendorRules';
import { HeldElsewhere } from '../../core/storage/leases';
import { foreign } from '../../core/text/foreignText';
import { createLocalCall, isMeasureBody } from '../../core/usage/localCall';
import { UserError } from '../../platform/errors/userError';
import { showMessage, withProgress } from '../../platform/notify';
import { lacksBatches } from '../../services/batches/batches';
import { listText, moneyText, numberFormat } from '../../protocol/formats';
import type { Services } from '../../services/services';
import { resultsIn } from './logic/storedRun';
import { margin } from './logic/verdictView';

export interface PlannedEval {
  /** Absolute. */
  readonly file: string;
  /** Its description, or else its file name. */
  readonly title: string;
  readonly plan: EvalPlan;
  readonly facts: EvalFacts;
}

/** Resolves with the chosen button. */
export type AskToRun = (question: string, detail: string, buttons: readonly string[]) => Promise<string | undefined>;

const reportFile = 'report.md';

/** Runs evals of the active account, and shows what they found. A run is a folder next to the eval file. */
export class EvalActions {
  /** `onChange` is called when a run begins and ends, with the eval file. `show` opens the results of a file. */
  constructor(
    private readonly services: Services,
    private readonly onChange: (file: string) => void,
    private readonly show: (file: string) => Promise<void>,
    private readonly ask: AskToRun = askToRun,
  ) {}

  /** Asks whether the requests are submitted as batches or sent now. With `retriesFailed`, failed requests are sent again too. */
  async run(planned: PlannedEval, retriesFailed = false): Promise<void> {
    const question = retriesFailed ? l10n.t('Retry failed requests?') : l10n.t('Run this eval?');
    const lost = l10n.t('You may be charged again for lost responses.');
    const more = [...(await this.remainderLines(planned, retriesFailed)), ...(retriesFailed ? [lost] : [])];
    const how = await this.chooseHow(question, this.detailOf(planned, more));
    if (how) await this.send(planned, how, retriesFailed);
  }

  async runNow(planned: PlannedEval): Promise<void> {
    const run = l10n.t('Run Now');
    const detail = this.detailOf(planned, await this.remainderLines(planned, false));
    const chosen = await this.ask(l10n.t('Run the first rows now?'), detail, [run]);
    if (chosen === run) await this.send(planned, 'now');
  }

  /** Takes over what has come, asks whether a model grades what isn't graded yet, and shows the results in any case. */
  async results(planned: PlannedEval): Promise<void> {
    await this.send(planned, 'results');
  }

  async hasResults(file: string): Promise<boolean> {
    return (await stat(join(folderOf(file), manifestFile)).catch(() => undefined)) !== undefined;
  }

  /** Says how much of a run remains to be sent, and its price. Empty if nothing of it is here. */
  private async remainderLines({ file, plan, facts }: PlannedEval, retriesFailed: boolean): Promise<readonly string[]> {
    const folder = folderOf(file);
    if (!(await this.hasResults(file))) return [];
    const service = (await this.viewer(folder))(undefined, false);
    const options = { ...(await this.modelsFor(plan)), prices: await this.prices(), retriesFailed };
    const { prices } = options;
    const run = new EvalRun(plan, await EvalRunFolder.view(folder, service.origin), service, options);
    await run.refresh(new AbortController().signal);
    const next = run.next();
    const { elsewhere } = run.progress;
    const risks = retriesFailed && elsewhere.size > 0 ? ['', ...elsewhere.keys()] : [];
    if (next.length === facts.requests) return risks;
    return [this.priceLine(next, prices), ...risks];
  }

  private priceLine(next: readonly EvalRequest[], prices: PriceBook): string {
    const language = vscode.env.language;
    const count = numberFormat(language).format(next.length);
    const [byBatch, now] = [priceToSend(next, 'batch', prices), priceToSend(next, 'now', prices)];
    if (byBatch === undefined || now === undefined) return l10n.t('Remaining requests: {0}', count);
    const money = (amount: number) => moneyText(amount, currencyOf(this.services.account.current.baseUrl), language);
    return l10n.t('Remaining requests: {0}. Price: about {1} by batch, {2} now.', count, money(byBatch), money(now));
  }

  /** Asks whether and how a model grades responses, with the price. */
  private async confirmGrades(next: readonly EvalRequest[], prices: PriceBook): Promise<'now' | 'batch' | undefined> {
    const judges = listText([...new Set(next.map(({ body }) => body.model))], vscode.env.language);
    const detail = [l10n.t('Model: {0}', foreign(judges)), this.priceLine(next, prices)].join('\n');
    return this.chooseHow(l10n.t('Grade the responses?'), detail, !next.every(({ body }) => isMeasureBody(body)));
  }

  /** Asks whether requests are submitted as batches or sent now, if the service has batches. */
  private async chooseHow(question: string, detail: string, hasBatch = true): Promise<'now' | 'batch' | undefined> {
    const byBatch = l10n.t('Submit as Batch');
    const now = l10n.t('Run Now');
    const buttons = lacksBatches(this.services.account.current) || !hasBatch ? [now] : [byBatch, now];
    const chosen = await this.ask(question, detail, buttons);
    return chosen === now ? 'now' : chosen === byBatch ? 'batch' : undefined;
  }

  /** What a question says of an eval. */
  private detailOf({ facts }: PlannedEval, more: readonly string[]): string {
    const { account } = this.services;
    return [
      ...factLines(facts, currencyOf(account.current.baseUrl), vscode.env.language),
      '',
      l10n.t('Responses in the run folder are reused.'),
      ...more,
    ].join('\n');
  }

  private async send(planned: PlannedEval, how: Advance['how'], retriesFailed = false): Promise<void> {
    try {
      await this.advanceWithProgress(planned, how, retriesFailed);
    } finally {
      if (await this.hasResults(planned.file)) await this.show(planned.file);
    }
  }

  private async advanceWithProgress(planned: PlannedEval, how: Advance['how'], retriesFailed: boolean): Promise<void> {
    const folder = folderOf(planned.file);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Running eval…'),
      cancellable: true,
    };
    await withProgress(options, async (_, token) => {
      const ending = new AbortController();
      token.onCancellationRequested(() => ending.abort());
      const service = await this.open(folder);
      const runFolder = await EvalRunFolder.open(folder, service.origin).catch((error: unknown) => {
        if (!(error instanceof HeldElsewhere)) throw error;
        const detail = l10n.t('The eval is already running. Wait until it ends.');
        throw new UserError(l10n.t("Couldn't run the eval"), detail);
      });
      try {
        this.onChange(planned.file);
        return await this.advance({ planned, service, runFolder, how, retriesFailed, signal: ending.signal });
      } finally {
        await runFolder.close();
        this.onChange(planned.file);
      }
    });
  }

  private async advance({ planned, service, runFolder, how, retriesFailed, signal }: Advance): Promise<void> {
    const { plan } = planned;
    const models = await this.modelsFor(planned.plan, how === 'results' ? planned.file : undefined);
    const { judge } = models;
    const prices = await this.prices();
    const run = new EvalRun(plan, runFolder, service, {
      prices,
      retriesFailed,
      ...models,
    });
    const noteRun = () => run.writeManifest(basename(planned.file));
    // Results can be shown with another account, whose service isn't that of the run.
    if (how !== 'results') await noteRun();
    await run.refresh(signal);
    for (let round = 0; round < 2 && !signal.aborted; round++) {
      const next = run.next();
      // With the results of a run, only its grades are sent.
      if (next.length === 0 || (how === 'results' && next[0]?.id.startsWith('e1.'))) break;
      const chosen = how === 'results' ? await this.confirmGrades(next, prices) : how;
      if (!chosen) break;
      if (how === 'results') await noteRun();
      for (const sent of await runFolder.write(next, { how: chosen, ...service.form })) {
        if (sent.how === 'now') await sendNow(service, sent, signal);
        else await service.submit(sent, signal);
      }
      await run.refresh(signal);
    }
    const currency = currencyOf(this.services.account.current.baseUrl);
    const pairs = run.judgedPairs;
    const report = reportOf(plan, run.graded(), {
      cost: run.cost,
      margin,
      pairs,
      ...(judge !== undefined && { judge }),
    });
    await runFolder.writeFile(reportFile, markdownReport(report, { plan, currency, language: vscode.env.language }));
  }

  /** Returns the models that grade an eval. For the results of a run, given its file, those of the run, whose grades are paid for. */
  async modelsFor(plan: EvalPlan, file?: string): Promise<GraderModels> {
    const offered = await this.services.models.ready();
    const manifest = file === undefined ? undefined : await readManifest(folderOf(file));
    const before = manifest === 'damaged' ? undefined : manifest;
    const choose = (job: 'chat' | 'embedding', model: string | undefined) =>
      chooseModel(job, model === undefined ? offered : { ...offered, defaults: { [job]: model } });
    return {
      ...(usesJudge(plan) && { judge: choose('chat', before?.judge) }),
      ...(usesEmbeddings(plan) && { embeddings: choose('embedding', before?.embeddings) }),
    };
  }

  /** Returns how a run looks at its service without sending anything, also while no account of that service is active. */
  async viewer(folder: string): Promise<(origin: string | undefined, isRunning: boolean) => EvalService> {
    const { id, baseUrl } = this.services.account.current;
    const at = await this.accountAt(folder, id);
    return (origin, isRunning) => {
      const isActive = baseUrl !== undefined && (origin === undefined || new URL(baseUrl).origin === origin);
      const url = isActive ? baseUrl : origin;
      if (url === undefined)
        throw new UserError(l10n.t("Couldn't show the results"), l10n.t('Sign in, then try again.'));
      return at(url).viewed(isRunning);
    };
  }

  private async open(folder: string): Promise<AccountEvals> {
    const { id, baseUrl } = this.services.account.current;
    if (baseUrl === undefined) throw new UserError(l10n.t("Couldn't run the eval"), l10n.t('Sign in, then try again.'));
    return (await this.accountAt(folder, id))(baseUrl);
  }

  private async accountAt(folder: string, id: string): Promise<(baseUrl: string) => AccountEvals> {
    const { connections, settings, batchJobs, log } = this.services;
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
      });
  }

  /** Returns the prices of the active account. */
  async prices(): Promise<PriceBook> {
    const { usage, account } = this.services;
    const prices = await (await usage()).readyPrices();
    return { pricesOf: (model) => prices.ofTokens(model), batchDiscount: batchDiscountAt(account.current.baseUrl) };
  }
}

function askToRun(question: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  return showMessage<string>('information', question, { modal: true, detail }, ...buttons);
}

interface Advance {
  readonly planned: PlannedEval;
  readonly service: AccountEvals;
  readonly runFolder: EvalRunFolder;
  readonly how: 'now' | 'batch' | 'results';
  readonly retriesFailed: boolean;
  readonly signal: AbortSignal;
}

/** The run folder of an eval file. */
export function folderOf(file: string): string {
  return join(dirname(file), runFolderName(file));
}

async function sendNow(service: AccountEvals, sent: SentFile, signal: AbortSignal): Promise<void> {
  const problem = await service.runNow(sent, signal);
  if (problem !== undefined && !signal.aborted) throw new UserError(l10n.t("Couldn't run the eval"), problem);
}
