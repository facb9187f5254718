import { basename, extname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { EvalAssertion } from '../../core/evals/evalConfig';
import { chargeLines, evalFacts, priceToSend } from '../../core/evals/evalFacts';
import type { PriceBook } from '../../core/evals/evalFacts';
import { gradedByService, isMeasured, usesEmbeddings, usesJudge } from '../../core/evals/evalPlan';
import type { EvalPlan, EvalVariant, GraderModels } from '../../core/evals/evalPlan';
import { readBaseline, writeBaseline } from '../../core/evals/run/baseline';
import type { GradedCell } from '../../core/evals/graders/gradeCell';
import { measuringModel } from '../../core/evals/graders/measures';
import { EvalRun, runFolderOf } from '../../core/evals/run/evalRun';
import { readManifest } from '../../core/evals/run/storedRun';
import { allResults } from '../../core/evals/run/exports';
import { readLabels } from '../../core/evals/run/humanLabels';
import { ModelPreferences } from '../../core/evals/run/modelPreferences';
import { junitReport, markdownReport, reportOf } from '../../core/evals/run/report';
import type { EvalReport, Wording } from '../../core/evals/run/report';
import { EvalRunFolder, readRequests } from '../../core/evals/run/runFolder';
import type { EvalRequest } from '../../core/evals/run/runFolder';
import { calibratedLabels } from '../../core/evals/statistics/judges';
import { currencyOf } from '../../core/profiles/knownServices';
import { writeAtomic } from '../../core/storage/atomicFile';
import { HeldElsewhere } from '../../core/storage/leases';
import { foreign } from '../../core/text/foreignText';
import { checkJobs, environmentProblem, openEvalService, originOf, pricesFrom } from './evalService';
import type { OpenedService } from './evalService';
import type { EvalExit, EvalOutput } from './runEvalCommand';

export interface RunRequest {
  readonly command: 'run' | 'submit' | 'collect' | 'gate';
  readonly file: string;
  readonly plan: EvalPlan;
  readonly models: GraderModels;
  readonly folder: string | undefined;
  readonly wait: boolean;
  /** In percentage points. */
  readonly margin: number;
  readonly accept: boolean;
  /** Send requests without asking. */
  readonly yes: boolean;
  /** Send failed requests again. Those whose response was lost may be charged twice. */
  readonly retry: boolean;
  readonly variant: string | undefined;
  readonly junit: string | undefined;
  readonly markdown: string | undefined;
  /** Paths of files with all results, whose endings tell their format. */
  readonly outputs: readonly string[];
  readonly allowsUncalibratedJudge: boolean;
  /** Write JSON in place of Markdown. */
  readonly json: boolean;
}

/** Runs, submits, collects, or gates a planned eval. */
export async function runCommand(request: RunRequest, output: EvalOutput): Promise<EvalExit> {
  const folder = resolve(request.folder ?? runFolderOf(request.file));
  let service: OpenedService | undefined;
  let runFolder: EvalRunFolder | undefined;
  const ending = new AbortController();
  const stop = () => ending.abort();
  process.once('SIGINT', stop);
  try {
    // The folder first: it refuses links and a second run, before jobs in it are continued.
    runFolder = await EvalRunFolder.open(folder, originOf(output.variables));
    const waiting = await checkJobs(folder);
    if (waiting.length > 0 && !request.yes) {
      output.err(`${l10n.t('Unfinished batch submissions: {0}', waiting.length)}\n`);
      const requests = waiting.flat();
      if (requests.length > 0) output.err(chargeText(requests, output));
      if (!(await agreed(output, ending.signal))) return 3;
    }
    service = await openEvalService(output.variables, folder, (text) => output.err(`${text}\n`));
    const before = await modelsOfRun(folder, service.evals.origin);
    const models = { ...before, ...request.models };
    const opened = { service, runFolder, folder, before, signal: ending.signal };
    return await new Commands({ ...request, models }, output, opened).run();
  } catch (error) {
    const problem =
      error instanceof HeldElsewhere
        ? l10n.t('The eval is already running. Wait until it ends.')
        : (environmentProblem(error) ?? (error instanceof Error ? error.message : String(error)));
    output.err(`${problem}\n`);
    return 3;
  } finally {
    process.removeListener('SIGINT', stop);
    await runFolder?.close();
    await service?.close();
  }
}

/** The models that graded the run so far, whose grades are paid for. */
async function modelsOfRun(folder: string, origin: string): Promise<GraderModels> {
  const manifest = await readManifest(folder);
  if (manifest === 'damaged' || manifest?.origin !== origin) return {};
  const { judge, embeddings } = manifest;
  return { judge, embeddings };
}

interface Opened {
  readonly service: OpenedService;
  readonly runFolder: EvalRunFolder;
  readonly folder: string;
  /** The models that graded the run so far. */
  readonly before: GraderModels;
  readonly signal: AbortSignal;
}

type Graded = ReadonlyMap<EvalVariant, readonly GradedCell[]>;

/** Requests fail for one reason, as a rule. */
const mostReasons = 3;
const mostReasonChars = 500;

/** `unconfirmed`: requests are due that nobody has agreed to pay for. */
type Sending = 'sent' | 'none' | 'unconfirmed';

class Commands {
  private readonly evalRun: EvalRun;
  private readonly prices: PriceBook;
  private isConfirmed: boolean;

  constructor(
    private readonly request: RunRequest,
    private readonly output: EvalOutput,
    private readonly opened: Opened,
  ) {
    this.prices = pricesFrom(output.variables);
    this.isConfirmed = request.yes;
    this.evalRun = new EvalRun(request.plan, opened.runFolder, opened.service.evals, {
      prices: this.prices,
      ...request.models,
      retriesFailed: request.retry,
    });
  }

  async run(): Promise<EvalExit> {
    const { command, file, wait, retry } = this.request;
    const { signal } = this.opened;
    // A model grades later runs only if somebody agreed to its price.
    await this.evalRun.writeManifest(basename(file), this.opened.before);
    const isNow = command === 'run';
    if (retry && !(await this.submitLostAgain())) return 3;
    await this.evalRun.refresh(signal);
    let isUnconfirmed = false;
    let hasSent = false;
    for (;;) {
      const sending = await this.sendNext(isNow);
      isUnconfirmed = sending === 'unconfirmed';
      if (sending === 'sent') hasSent = true;
      if (isUnconfirmed || (!wait && (!isNow || sending === 'none'))) break;
      // What is waited for may be followed by requests for its grades.
      const isIdle = sending === 'none' && this.evalRun.progress.waiting === 0;
      const isSettled = (isNow && sending === 'sent') || (await this.settle());
      await this.evalRun.refresh(signal);
      if (!isSettled || isIdle) break;
    }
    // All responses may be here already.
    if (!hasSent && !isUnconfirmed) this.output.err(`${l10n.t('Requests sent: {0}', 0)}\n`);
    if (command !== 'submit') return this.finish(isUnconfirmed);
    await this.evalRun.refresh(signal);
    return this.submitted(isUnconfirmed);
  }

  /** Sends what is to be sent next. */
  private async sendNext(isNow: boolean): Promise<Sending> {
    const { service, runFolder, signal } = this.opened;
    const next = this.evalRun.next();
    if (next.length === 0) return 'none';
    const { command } = this.request;
    if ((command === 'collect' || command === 'gate') && next[0]?.id.startsWith('e1.')) return 'none';
    if (this.request.retry) this.showElsewhere();
    if (!(await this.confirm(next, isNow ? 'now' : 'batch'))) return 'unconfirmed';
    await this.evalRun.writeManifest(basename(this.request.file));
    const files = await runFolder.write(next, { how: isNow ? 'now' : 'batch', ...service.evals.form });
    for (const sent of files) {
      if (sent.how === 'now') await this.sendNow(sent);
      else await service.evals.submit(sent, signal);
    }
    this.output.err(`${l10n.t('Requests sent: {0}', next.length)}\n`);
    // Similarity and relevance are there at once, also if the other grades come by batch.
    if (!isNow) await this.evalRun.refresh(signal);
    return 'sent';
  }

  /** Shows the price of requests and asks once, before the first of them are sent. What is known to be free needs no answer. */
  private async confirm(requests: readonly EvalRequest[], how: 'batch' | 'now'): Promise<boolean> {
    const { plan, models } = this.request;
    const { language, variables, err } = this.output;
    const currency = currencyOf(variables['INFERENCE_DESK_BASE_URL']);
    const price = priceToSend(requests, how, this.prices);
    const isGraded = requests[0]?.id.startsWith('e1.') === true && isGradedBy(plan, models);
    const grades = isGraded ? evalFacts(plan, this.prices, models).grades?.[how] : 0;
    const lines = chargeLines(
      requests.length,
      { price, isFree: this.prices.isFree, ...(isGraded && { grades }) },
      currency,
      language,
    );
    err(`${lines.join('\n')}\n`);
    this.isConfirmed ||= price === 0 && grades === 0;
    this.isConfirmed ||= await agreed(this.output, this.opened.signal);
    return this.isConfirmed;
  }

  /** Submits batches again of which the service knows nothing. Resolves with whether that was confirmed. */
  private async submitLostAgain(): Promise<boolean> {
    const { service, runFolder, signal } = this.opened;
    for (const sent of runFolder.sentFiles) {
      if (sent.how !== 'batch' || !service.evals.isLost(sent)) continue;
      this.output.err(
        `${l10n.t('Submitting {0} again. If its first batch exists, you may be charged twice.', sent.name)}\n`,
      );
      this.output.err(chargeText(await readRequests(sent.path), this.output));
      // Other requests are confirmed on their own, with their price.
      if (!this.request.yes && !(await agreed(this.output, signal))) return false;
      await service.submitAgain(sent, signal);
    }
    return true;
  }

  private async sendNow(sent: EvalRunFolder['sentFiles'][number]): Promise<void> {
    const problem = await this.opened.service.evals.runNow(sent, this.opened.signal);
    if (problem !== undefined) throw new Error(problem);
  }

  /** Waits until all batches have ended. Resolves with `false` if one can't end without a user. */
  private async settle(): Promise<boolean> {
    const { service, runFolder, signal } = this.opened;
    let isSettled = true;
    for (const sent of runFolder.sentFiles) {
      if (sent.how !== 'batch' || (await service.settled(sent, signal))) continue;
      isSettled = false;
      const text = service.evals.isLost(sent)
        ? l10n.t(
            "The service doesn't list the batch for {0}. Check the service's console. To submit the batch again, add --retry.",
            sent.name,
          )
        : l10n.t("Couldn't continue the batch for {0}. Fix the problem, then collect again.", sent.name);
      this.output.err(`${text}\n`);
    }
    return isSettled;
  }

  /** Says what to do about batches that may exist and have no job in the run folder. */
  private showElsewhere(): boolean {
    const { elsewhere } = this.evalRun.progress;
    for (const [text, requests] of elsewhere)
      this.output.err(`${l10n.t('Requests without results: {0}', requests)}. ${text}\n`);
    return elsewhere.size > 0;
  }

  private get responsesLine(): string {
    const { requests, answered, waiting, failed } = this.counts;
    return `${l10n.t('Responses: {0} of {1}, waiting: {2}, failed: {3}', answered, requests, waiting, failed)}\n`;
  }

  private get counts() {
    const { requests, answered, waiting, failed } = this.evalRun.progress;
    return { requests, answered, waiting, failed };
  }

  private submitted(isUnconfirmed: boolean): EvalExit {
    const { folder } = this.opened;
    this.showProblems();
    const isElsewhere = this.showElsewhere();
    this.output.out(
      this.request.json
        ? `${JSON.stringify({ responses: this.counts, folder })}\n`
        : `${this.responsesLine}${folder}\n`,
    );
    return isUnconfirmed || isElsewhere ? 3 : 0;
  }

  /** Says what went wrong: with batches, and with requests, those with the same reason together. */
  private showProblems(): void {
    for (const problem of this.evalRun.progress.problems) this.output.err(`${problem}\n`);
    const reasons = new Map<string, number>();
    for (const { failure } of this.evalRun.answers())
      if (failure !== undefined) reasons.set(failure, (reasons.get(failure) ?? 0) + 1);
    const most = [...reasons].sort(([, a], [, b]) => b - a).slice(0, mostReasons);
    for (const [reason, count] of most)
      this.output.err(`${l10n.t('Failed requests: {0}', count)}. ${foreign(reason, mostReasonChars)}\n`);
  }

  private async finish(isUnconfirmed: boolean): Promise<EvalExit> {
    const { plan, margin, junit, markdown, command, accept, json } = this.request;
    const { requests, answered } = this.counts;
    const graded = this.evalRun.graded();
    const { found: baseline, problem } = command === 'gate' ? await readBaseline(this.request.file, plan) : {};
    if (problem !== undefined && !accept) {
      this.output.err(`${problem}\n`);
      return 3;
    }
    const { cost } = this.evalRun;
    const { judge } = this.request.models;
    const report = reportOf(plan, graded, {
      cost,
      margin: margin / 100,
      pairs: this.evalRun.judgedPairs,
      gold: this.evalRun.goldGrades,
      ...(judge !== undefined && usesJudge(plan) && { judge }),
      ...(baseline && { baseline }),
    });
    const text = markdownReport(report, this.wording);
    const scores = [...graded.values()].flat().map((cell) => JSON.stringify(cell));
    await this.opened.runFolder.writeFile('scores.jsonl', scores.length === 0 ? '' : `${scores.join('\n')}\n`);
    await this.opened.runFolder.writeFile('summary.json', `${JSON.stringify(summaryOf(report), undefined, 2)}\n`);
    if (junit !== undefined) await writeAtomic(resolve(junit), junitReport(graded, plan), { isPrivate: false });
    if (markdown !== undefined) await writeAtomic(resolve(markdown), text, { isPrivate: false });
    for (const path of this.request.outputs)
      await writeAtomic(resolve(path), this.exported(path, graded), { isPrivate: false });
    this.showProblems();
    this.showElsewhere();
    if (usesEmbeddings(plan) && this.request.models.embeddings === undefined)
      this.output.err(`${l10n.t("Similarity isn't graded. Add --embeddings with a model.")}\n`);
    if (usesJudge(plan) && this.request.models.judge === undefined)
      this.output.err(`${l10n.t("Some assertions aren't graded. Add {0} with a model.", '--judge')}\n`);
    this.output.err(this.responsesLine);
    this.output.out(json ? `${JSON.stringify({ responses: this.counts, ...summaryOf(report) })}\n` : text);
    if (isUnconfirmed || answered < requests) return 3;
    if (accept && !(await this.accept(report))) return 3;
    if (command !== 'gate' || accept) return 0;
    return this.gate(report, graded);
  }

  private exported(path: string, graded: Graded): string {
    const byId = new Map([...graded.values()].flat().map((one) => [one.id, one]));
    const cells = Array.from(this.evalRun.answers(), ({ cell, response }) => ({
      cell,
      graded: byId.get(cell.id)!,
      ...(response && { response }),
    }));
    const extension = extname(path).slice(1).toLowerCase();
    return allResults(this.request.plan, cells, { extension, file: basename(this.request.file) });
  }

  private get wording(): Wording {
    const { language, variables } = this.output;
    const currency = currencyOf(variables['INFERENCE_DESK_BASE_URL']);
    return { language, currency, plan: this.request.plan, answers: this.evalRun.answers() };
  }

  /** By the bounds of the interval, not by the mean: without a regression only if the margin is excluded. */
  private async gate(report: EvalReport, graded: Graded): Promise<EvalExit> {
    const judged = await this.uncalibrated(graded);
    if (judged !== undefined && !this.request.allowsUncalibratedJudge) {
      this.output.err(`${judged}\n`);
      return 2;
    }
    const chosen = report.comparisons.filter(({ second }) => isChosen(second, this.request.variant));
    const verdicts = chosen.map(({ comparison }) => comparison?.verdict ?? 'cantTell');
    if (verdicts.length === 0) {
      this.output.err(`${l10n.t('No baseline and only one variant. Accept a baseline with --accept.')}\n`);
      return 3;
    }
    if (verdicts.includes('worse')) return 1;
    return verdicts.includes('cantTell') ? 2 : 0;
  }

  /** Why the verdicts of the judge do not count yet; `undefined` if they do, or if none are used. */
  private async uncalibrated(graded: Graded): Promise<string | undefined> {
    const { plan } = this.request;
    if (!usesJudge(plan)) return undefined;
    const answers = new Map(Array.from(this.evalRun.answers(), (one) => [one.cell.id, one]));
    const models = new ModelPreferences({ plan, graded, answers, pairs: this.evalRun.judgedPairs });
    const labels = models.countRated(await readLabels(this.opened.folder));
    if (labels >= calibratedLabels) return undefined;
    return l10n.t(
      "Model grades aren't calibrated (human labels: {0} of {1}). To use them anyway, add --allow-uncalibrated.",
      labels,
      calibratedLabels,
    );
  }

  private async accept({ variants }: EvalReport): Promise<boolean> {
    const chosen = variants.find(({ variant }) => isChosen(variant, this.request.variant));
    if (!chosen) return false;
    if (chosen.result.values.size === 0) {
      const { plan, models } = this.request;
      const text =
        usesJudge(plan) && models.judge === undefined
          ? l10n.t(
              "{0} has no scores, so it can't be the baseline. Add {1} to grade the responses.",
              chosen.variant.label,
              '--judge',
            )
          : l10n.t(
              "{0} has no scores, so it can't be the baseline. Check the assertions and graders.",
              chosen.variant.label,
            );
      this.output.err(`${text}\n`);
      return false;
    }
    await writeBaseline(this.request.file, chosen.variant, chosen.result.values);
    this.output.err(`${l10n.t('Accepted {0} as the baseline.', chosen.variant.label)}\n`);
    return true;
  }
}

/** The price of requests that are submitted in batches, as lines of text. */
function chargeText(requests: readonly EvalRequest[], { variables, language }: EvalOutput): string {
  const prices = pricesFrom(variables);
  const price = priceToSend(requests, 'batch', prices);
  const currency = currencyOf(variables['INFERENCE_DESK_BASE_URL']);
  return `${chargeLines(requests.length, { price, isFree: prices.isFree }, currency, language).join('\n')}\n`;
}

/** Asks whether requests are sent. If not, says how to send them. */
async function agreed({ ask, err }: EvalOutput, signal: AbortSignal): Promise<boolean> {
  const answer = await ask?.(`${l10n.t('Send these requests? Type yes or no:')} `, signal);
  const isAgreed = answer !== undefined && /^(?:y|yes|是|好)$/i.test(answer.trim());
  if (!isAgreed) err(`${l10n.t('These requests were not sent. To send them, add --yes.')}\n`);
  return isAgreed;
}

/** Whether the service grades anything of an eval. */
function isGradedBy(plan: EvalPlan, { judge, embeddings }: GraderModels): boolean {
  const modelOf = (one: EvalAssertion) => (isMeasured(one) ? measuringModel(one, embeddings) : judge);
  return plan.rows.some((row) => gradedByService(row).some((one) => modelOf(one) !== undefined));
}

/** Whether a variant is the one of a name, by its ID or label. Without a name, each is. */
export function isChosen({ id, label }: EvalVariant, name: string | undefined): boolean {
  return name === undefined || id === name || label === name;
}

function summaryOf({ variants, comparisons, cost, judge }: EvalReport): object {
  return {
    cost,
    judge,
    variants: variants.map(({ variant: { id, label }, result: { passed, failed, missing, rate } }) => ({
      id,
      label,
      passed,
      failed,
      missing,
      rate,
    })),
    comparisons: comparisons.map(({ first, second, comparison, regressions, preferences }) => ({
      first,
      second: second.id,
      ...comparison,
      preferences,
      regressions,
    })),
  };
}
