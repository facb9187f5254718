import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { delayText } from '../../core/batch/local/localRun';
import type { RunState } from '../../core/batch/local/localRun';
import { factLines, remainderText } from '../../core/evals/evalFacts';
import type { PlannedEval, PriceBook } from '../../core/evals/evalFacts';
import type { EvalRequest } from '../../core/evals/run/runFolder';
import { currencyOf } from '../../core/profiles/knownServices';
import { foreign } from '../../core/text/foreignText';
import { isMeasureBody } from '../../core/usage/localCall';
import type { StartedWork } from '../../platform/activity';
import { fileErrorWords } from '../../platform/errors/fileErrorMessages';
import { showMessage, withProgress } from '../../platform/notify';
import { listText } from '../../protocol/formats';
import { lacksBatches } from '../../services/batches/batches';
import type { Evals } from '../../services/evals/evals';
import type { Services } from '../../services/services';

/** Resolves with the chosen button. */
export type AskToRun = (question: string, detail: string, buttons: readonly string[]) => Promise<string | undefined>;

/** Asks how evals are run, and shows what they found. */
export class EvalActions {
  /** `show` opens the results of a file. */
  constructor(
    private readonly services: Services,
    private readonly evals: Evals,
    private readonly show: (file: string) => Promise<void>,
    private readonly ask: AskToRun = askToRun,
  ) {}

  /** Asks whether the requests are submitted as batches or sent now. With `retriesFailed`, failed requests are sent again too. */
  async run(planned: PlannedEval, retriesFailed = false): Promise<void> {
    const question = retriesFailed ? l10n.t('Retry failed requests?') : l10n.t('Run this eval?');
    const lost = l10n.t('You may be charged again for lost responses.');
    const more = [...(await this.remainderLines(planned, retriesFailed)), ...(retriesFailed ? [lost] : [])];
    const how = await this.chooseHow(question, this.detailOf(planned, more));
    if (how) await this.send(planned, { choose: async () => how, retriesFailed });
  }

  async runNow(planned: PlannedEval): Promise<void> {
    const run = l10n.t('Run Now');
    const detail = this.detailOf(planned, await this.remainderLines(planned, false));
    const chosen = await this.ask(l10n.t('Run a smoke test on the first rows now?'), detail, [run]);
    if (chosen === run) await this.send(planned, { choose: async () => 'now' });
  }

  /** Takes over what has come, asks whether a model grades what isn't graded yet, and shows the results in any case. */
  async results(planned: PlannedEval): Promise<void> {
    const prices = await this.evals.prices();
    await this.send(planned, {
      // With the results of a run, only its grades are sent.
      choose: async (next) => (next[0]?.id.startsWith('e1.') ? undefined : this.confirmGrades(next, prices)),
      isOfResults: true,
    });
  }

  /** Returns how much of a run remains to be sent, and its price. Empty if nothing of it is here. */
  private async remainderLines(planned: PlannedEval, retriesFailed: boolean): Promise<readonly string[]> {
    if (!(await this.evals.hasResults(planned.file))) return [];
    const { requests, elsewhere } = await this.evals.due(planned, retriesFailed);
    const risks = retriesFailed && elsewhere.size > 0 ? ['', ...elsewhere.keys()] : [];
    if (requests.length === planned.facts.requests) return risks;
    return [this.priceLine(requests, await this.evals.prices()), ...risks];
  }

  private priceLine(next: readonly EvalRequest[], prices: PriceBook): string {
    return remainderText(next, prices, currencyOf(this.services.account.current.baseUrl), vscode.env.language);
  }

  /** Asks whether and how a model grades responses, with the price. */
  private async confirmGrades(next: readonly EvalRequest[], prices: PriceBook): Promise<'now' | 'batch' | undefined> {
    const judges = listText([...new Set(next.map(({ body }) => body.model))], vscode.env.language);
    const detail = [l10n.t('Model: {0}', foreign(judges)), this.priceLine(next, prices)].join('\n');
    return this.chooseHow(
      l10n.t('Have a model grade the responses?'),
      detail,
      !next.every(({ body }) => isMeasureBody(body)),
    );
  }

  /** Asks whether requests are submitted as batches or sent now, if the service has batches. */
  private async chooseHow(question: string, detail: string, hasBatch = true): Promise<'now' | 'batch' | undefined> {
    const byBatch = l10n.t('Submit as Batch');
    const now = l10n.t('Run Now');
    const buttons = lacksBatches(this.services.account.current) || !hasBatch ? [now] : [byBatch, now];
    const chosen = await this.ask(question, detail, buttons);
    return chosen === now ? 'now' : chosen === byBatch ? 'batch' : undefined;
  }

  /** Returns the details of an eval for a confirmation. */
  private detailOf({ facts }: PlannedEval, more: readonly string[]): string {
    const { account } = this.services;
    return [
      ...factLines(facts, currencyOf(account.current.baseUrl), vscode.env.language),
      '',
      l10n.t('Saved responses are reused at no charge.'),
      ...more,
    ].join('\n');
  }

  private async send(planned: PlannedEval, options: Omit<Parameters<Evals['send']>[1], 'signal'>): Promise<void> {
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Running eval…'),
      cancellable: true,
    };
    let work: StartedWork | undefined;
    try {
      await withProgress(progress, async (reporter, token) => {
        const ending = new AbortController();
        const stop = () => ending.abort();
        token.onCancellationRequested(stop);
        const choose: typeof options.choose = async (next) => {
          const how = await options.choose(next);
          if (how) work ??= this.startWork(planned, stop);
          return how;
        };
        let shown = '';
        const onState = (state: RunState) => {
          const message = delayText(state, Date.now(), (error) => fileErrorWords(error)?.title ?? String(error)) ?? '';
          if (message !== shown) reporter.report({ message });
          shown = message;
        };
        await this.evals.send(planned, { ...options, choose, onState, signal: ending.signal });
      });
    } finally {
      work?.dispose();
      if (await this.evals.hasResults(planned.file)) await this.show(planned.file);
    }
  }

  private startWork({ title }: PlannedEval, stop: () => void): StartedWork {
    const { account, activity } = this.services;
    const profileId = account.current.profile?.id;
    return activity.start(l10n.t('Running an eval'), { kind: 'eval', subject: title, profileId, paid: true, stop });
  }
}

function askToRun(question: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  return showMessage<string>('information', question, { modal: true, detail }, ...buttons);
}
