import { basename, dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { evalFacts } from '../../core/evals/evalFacts';
import type { PlannedEval } from '../../core/evals/evalFacts';
import { writeBaseline } from '../../core/evals/run/baseline';
import { rowValues } from '../../core/evals/run/compare';
import { allResults, type ExportedCell } from '../../core/evals/run/exports';
import { runFolderOf } from '../../core/evals/run/evalRun';
import { addLabel, readLabels, thisRater, undoLabel } from '../../core/evals/run/humanLabels';
import { junitReport, markdownReport, reportOf } from '../../core/evals/run/report';
import { currencyOf } from '../../core/profiles/knownServices';
import { writeAtomic } from '../../core/storage/atomicFile';
import { foreign } from '../../core/text/foreignText';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { describe, runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { showMessage, showQuickPick } from '../../platform/notify';
import { panelIcon } from '../../platform/panelIcon';
import { ScreenTabs, type ScreenTab } from '../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { tellWritten } from '../../platform/workspace/written';
import { done, type Handlers } from '../../protocol/call';
import { evalResultsCalls, type EvalChoice, type EvalResultsScreen, type EvalView } from '../../protocol/evalResults';
import { numberFormat } from '../../protocol/formats';
import type { Evals } from '../../services/evals/evals';
import type { Services } from '../../services/services';
import type { EvalActions } from './evalActions';
import { BlindReview } from './logic/blindReview';
import { EvalTable } from './logic/evalTable';
import { RunReader, comparedIn, isComplete, margin } from '../../core/evals/run/storedRun';
import type { Compared, StoredRun } from '../../core/evals/run/storedRun';
import { verdictView } from './logic/verdictView';

const pauseMs = 300;
/** Between looks at a run that is in progress. */
const lookMs = 3000;

/** Reads and plans an eval file. Throws a localized error if it can't run. `isShown`: what was read of it last is enough. */
type PlanEval = (file: string, isShown?: boolean) => Promise<PlannedEval>;

/** The open results, one page per eval file. */
export class EvalPages implements Disposable {
  private readonly tabs: ScreenTabs<ResultsController>;

  constructor(
    private readonly services: Services,
    private readonly parts: Parts,
  ) {
    this.tabs = new ScreenTabs(services.context.workspaceState, 'evalResults.files');
  }

  /** Shows the results of an eval file. */
  async open(file: string): Promise<void> {
    const known = this.tabs.get(file);
    if (known) {
      known.tab.panel.reveal();
      known.refresh();
      return;
    }
    const panel = vscode.window.createWebviewPanel('inferenceDesk.evalResults', '', vscode.ViewColumn.Active);
    const tab = this.tabs.newTab(panel);
    this.add(tab, file);
    await this.tabs.store(tab.id, { file });
  }

  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const tab = this.tabs.restored(panel, state, 'pageId');
    const stored = tab && this.tabs.stored(tab.id);
    const file = typeof stored === 'object' && stored !== null && 'file' in stored ? stored.file : undefined;
    if (!tab || typeof file !== 'string' || this.tabs.get(file)) panel.dispose();
    else this.add(tab, file);
  }

  /** Shows what has changed of the run of a file, or in the file itself; without a file, of all. */
  refresh(file?: string): void {
    for (const page of this.tabs.all) if (file === undefined || page.file === file) page.refresh();
  }

  dispose(): void {
    this.tabs.dispose();
  }

  private add(tab: ScreenTab, file: string): void {
    this.tabs.add(file, new ResultsController(this.services, this.parts, tab, file));
  }
}

interface Parts {
  readonly evals: Evals;
  readonly actions: EvalActions;
  readonly plan: PlanEval;
}

/** The results of an eval in a tab. Must be disposed when the tab is closed. */
class ResultsController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly host: ScreenHost<'evalResults'>;
  private readonly pauses = this.store.add(createDebounce(pauseMs));
  private readonly looks = this.store.add(createDebounce(lookMs));
  private isDisposed = false;
  /** Logged once, however often it is met. */
  private lastFailure: string | undefined;
  private readonly reader = new RunReader();
  private last: StoredRun | undefined;
  private table: EvalTable | undefined;
  private review: BlindReview | undefined;
  /** What the page shows of the table. */
  private choice: EvalChoice | undefined;
  private compared: Compared = { reference: '', candidate: '' };

  constructor(
    private readonly services: Services,
    private readonly parts: Parts,
    readonly tab: ScreenTab,
    readonly file: string,
  ) {
    const { panel } = tab;
    const { extensionUri } = services.context;
    panel.iconPath = panelIcon(extensionUri, 'eval');
    panel.title = l10n.t('Eval: {0}', foreign(basename(file)));
    this.host = this.store.add(
      showScreen({
        screen: 'evalResults',
        title: l10n.t('Eval results'),
        webview: panel.webview,
        extensionUri,
        handlers: this.handlers(),
        calls: evalResultsCalls,
        log: services.log,
      }),
    );
    this.store.add(panel.onDidChangeViewState(() => !panel.visible && this.host.forgetPage()));
    this.store.add(services.batchJobs.onDidChange(() => this.refresh()));
  }

  /** Loads the run again soon, if the page is visible: a hidden one loads it when it is shown. */
  refresh(): void {
    this.pauses.start('load', () => {
      if (this.isDisposed || !this.tab.panel.visible) return;
      this.view().then(
        (view) => this.host.tell('eval/changed', view),
        (error: unknown) => this.failed(error),
      );
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.store.dispose();
  }

  /** Shows why what has changed couldn't be loaded, and looks again: the next look may work. */
  private failed(error: unknown): void {
    if (this.isDisposed) return;
    const words = describe(error);
    const text = `Eval results: ${words.title}: ${words.detail}`;
    if (text !== this.lastFailure) this.services.log.warn(text);
    this.lastFailure = text;
    this.host.tell('eval/failed', words);
    this.looks.start('look', () => this.refresh());
  }

  private handlers(): Handlers<EvalResultsScreen> {
    return {
      'eval/load': async (compared) => {
        this.compared = compared;
        return this.view();
      },
      'eval/act': async ({ action }) => done(this.act(action)),
      'eval/arrange': async (choice) => {
        const table = await this.currentTable();
        this.choice = choice;
        const { count, rows } = table.arrange(choice);
        const text = l10n.t('Rows: {0}', numberFormat(vscode.env.language).format(rows));
        return { count, text, summary: table.summary };
      },
      'eval/rows': async ({ from, count }) => ({ rows: (await this.currentTable()).rows(from, count) }),
      'eval/find': async ({ row }) => {
        const index = (await this.currentTable()).find(row);
        return index === undefined ? {} : { index };
      },
      'eval/details': async ({ row }) => (await this.currentTable()).details(row),
      'eval/review': async ({ size, scale }) => {
        const run = this.last ?? (await this.run()).run;
        const labels = await readLabels(runFolderOf(this.file));
        this.review = BlindReview.of({ ...run, labels }, comparedIn(run, this.compared), {
          size,
          scale,
          rater: thisRater(),
        });
        return this.review ? { review: this.review.progress(vscode.env.language) } : {};
      },
      'eval/reviewItem': async ({ index }) => this.openReview.item(index),
      'eval/rate': async ({ index, choice, ...part }) => {
        const { openReview } = this;
        const label = openReview.label(index, choice, part);
        await addLabel(runFolderOf(this.file), label);
        openReview.set(index, label);
        return openReview.progress(vscode.env.language);
      },
      'eval/undo': async ({ index }) => {
        const { openReview } = this;
        const label = openReview.labelAt(index);
        if (label) await undoLabel(runFolderOf(this.file), label);
        openReview.set(index, undefined);
        const review = openReview.progress(vscode.env.language);
        return { review, key: openReview.keyAt(index), note: label?.note ?? '' };
      },
      'eval/reviewResult': async () => this.openReview.result(vscode.env.language),
      'eval/accept': async ({ variant }) => ({ isAccepted: await this.accept(variant) }),
    };
  }

  private async run(): Promise<{ readonly planned: PlannedEval; readonly run: StoredRun }> {
    const { evals } = this.parts;
    const planned = await this.parts.plan(this.file, true);
    const folder = runFolderOf(this.file);
    const [prices, serviceAt] = await Promise.all([evals.prices(), evals.viewer(folder)]);
    return { planned, run: await this.reader.read(this.file, planned.plan, { folder, prices, serviceAt }) };
  }

  private get openReview(): BlindReview {
    if (!this.review) throw new UserError(l10n.t("Couldn't continue the review"), l10n.t('Reopen the review.'));
    return this.review;
  }

  /** The table of the run that was loaded last, which the page shows. */
  private async currentTable(): Promise<EvalTable> {
    if (!this.table) await this.view();
    return this.table!;
  }

  private async view(): Promise<EvalView> {
    const { planned, run } = await this.run();
    this.last = run;
    this.lastFailure = undefined;
    this.table = new EvalTable(run, comparedIn(run, this.compared), vscode.env.language);
    // Rows that the page asks for in the meantime are those of its choice.
    if (this.choice) this.table.arrange(this.choice);
    if (run.isRunning) this.looks.start('look', () => this.refresh());
    this.tab.panel.title = l10n.t('Eval: {0}', foreign(planned.title));
    return verdictView(run, {
      pageId: this.tab.id,
      title: planned.title,
      language: vscode.env.language,
      currency: this.currency,
      facts: run.plan === planned.plan ? planned.facts : evalFacts(run.plan, await this.parts.evals.prices()),
      compared: this.compared,
    });
  }

  private get currency() {
    return currencyOf(this.services.account.current.baseUrl);
  }

  private async act(action: string): Promise<void> {
    const { actions, plan } = this.parts;
    switch (action) {
      case 'run':
        return actions.run(await plan(this.file));
      case 'retry':
        return actions.run(await plan(this.file), true);
      case 'collect':
        return actions.results(await plan(this.file));
      case 'addRows':
        return openRows(this.file);
      case 'export':
        return this.export();
      default:
        // An action of an error that the page shows.
        await runAction(action);
    }
  }

  /** Writes the baseline, after a question if that replaces one. */
  private async accept(id: string): Promise<boolean> {
    const { run } = await this.run();
    const variant = run.plan.variants.find((one) => one.id === id);
    const values = rowValues((variant && run.graded.get(variant)) ?? []);
    if (!variant || !isComplete(run) || values.size === 0)
      throw new UserError(
        l10n.t("Couldn't set the baseline"),
        l10n.t("The run isn't complete. Resume it, then set the baseline."),
      );
    if (run.baseline || run.baselineProblem !== undefined) {
      const replace = l10n.t('Replace');
      const detail = l10n.t('Future runs will be compared with {0}.', foreign(variant.label));
      const answer = await showMessage('warning', l10n.t('Replace the baseline?'), { modal: true, detail }, replace);
      if (answer !== replace) return false;
    }
    await writeBaseline(this.file, variant, values);
    void showMessage('information', l10n.t('Saved {0} as the baseline in baseline.json.', foreign(variant.label)));
    return true;
  }

  private async export(): Promise<void> {
    const { planned, run } = await this.run();
    const language = vscode.env.language;
    const chosen = await showQuickPick(
      [
        { label: 'Markdown', extension: 'md' },
        { label: 'JUnit XML', extension: 'xml' },
        { label: l10n.t('JSON Lines'), extension: 'jsonl' },
        { label: 'CSV', extension: 'csv' },
        { label: l10n.t('JSON (promptfoo)'), extension: 'json' },
      ],
      { title: l10n.t('Export Results'), placeHolder: l10n.t('Select a format') },
    );
    if (!chosen) return;
    const { extension, label } = chosen;
    const report = () => {
      const { reference } = comparedIn(run, this.compared);
      const isBaseline = reference === 'baseline' && run.baseline;
      const against = isBaseline ? { baseline: isBaseline } : { reference };
      return reportOf(run.plan, run.graded, { cost: run.cost, margin, pairs: run.pairs, gold: run.gold, ...against });
    };
    const text =
      extension === 'md'
        ? markdownReport(report(), {
            plan: planned.plan,
            currency: this.currency,
            language,
            answers: run.answers.values(),
          })
        : extension === 'xml'
          ? junitReport(run.graded, run.plan)
          : allResults(run.plan, cellsOf(run), { extension, file: basename(this.file) });
    const defaultUri = vscode.Uri.file(`${runFolderOf(this.file)}.${extension}`);
    const target = await vscode.window.showSaveDialog({ defaultUri, filters: { [label]: [extension] } });
    if (!target) return;
    if (target.scheme !== 'file')
      throw new UserError(l10n.t("This location isn't on disk"), l10n.t('Choose a folder on disk.'));
    await writeAtomic(target.fsPath, text, { isPrivate: false });
    tellWritten(target, l10n.t('Exported to {0}.', foreign(basename(target.path))));
  }
}

function cellsOf({ graded, answers }: StoredRun): readonly ExportedCell[] {
  return [...graded.values()].flat().flatMap((one) => {
    const { cell, response } = answers.get(one.id) ?? {};
    return cell ? [{ cell, graded: one, ...(response && { response }) }] : [];
  });
}

const rowsFile = /^tests:\s*['"]?(?:file:\/\/)?([^\s'"]+\.(?:csv|jsonl|ya?ml|json))['"]?\s*$/m;

/** Opens the end of the rows of an eval, in their own file or in the eval file, and says what happens with new ones. */
async function openRows(file: string): Promise<void> {
  const config = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const text = config.getText();
  const name = rowsFile.exec(text)?.[1];
  const rows = name === undefined ? undefined : await openQuietly(resolve(dirname(file), name));
  const document = rows ?? config;
  const tests = text.search(/^["']?tests["']?\s*:|^\s*"tests"\s*:/m);
  const place = rows ? document.lineAt(document.lineCount - 1).range.end : config.positionAt(Math.max(0, tests));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
  void showMessage('information', l10n.t('Add rows, save the file, then select Run Eval. Saved responses are reused.'));
}

async function openQuietly(path: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  } catch {
    return undefined;
  }
}
