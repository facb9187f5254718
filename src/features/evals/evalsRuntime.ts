import { basename, dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { canRun, evalFacts, factLines } from '../../core/evals/evalFacts';
import type { EvalFacts } from '../../core/evals/evalFacts';
import type { EvalConfig, EvalProblem } from '../../core/evals/evalConfig';
import { planEval } from '../../core/evals/evalPlan';
import type { EvalPlan } from '../../core/evals/evalPlan';
import { openEvalFiles } from '../../core/evals/folderFiles';
import { readEval } from '../../core/evals/readEval';
import { currencyOf } from '../../core/profiles/knownServices';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { codeLens } from '../../platform/notify';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { EvalActions } from './evalActions';
import type { AskToRun, PlannedEval } from './evalActions';
import { createEval } from './createEval';
import { registerEvalHelp } from './evalHelp';
import { EvalPages } from './evalPages';

const pauseMs = 300;
/** Files that an eval may name: rows, prompts, and values. */
const namedFile = /\.(?:csv|jsonl?|ya?ml|txt|md|j2|prompt)$/i;
const smokeRows = 3;
const selector: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*promptfooconfig*.{yaml,yml,json}' };

const severities = {
  // The file stays valid for promptfoo, so what is not used here is no error.
  code: vscode.DiagnosticSeverity.Information,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
} as const;

/** Diagnostics, facts above the first line, and runs of eval files. */
export class EvalsRuntime implements Disposable {
  private readonly store = new DisposableStore();
  private readonly shown = this.store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.evals'));
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly pauses = this.store.add(createDebounce(pauseMs));
  private readonly actions: EvalActions;
  /** What was read of a version of a document, for its problems and its lens. */
  private readings = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly config: Promise<EvalConfig> }
  >();
  private readonly plans = new WeakMap<EvalConfig, { readonly model: string | undefined; readonly plan: EvalPlan }>();
  private readonly pages: EvalPages;

  constructor(
    private readonly services: Services,
    private readonly evalFile: RegExp,
    ask?: AskToRun,
  ) {
    const { settings, connections } = services;
    const { store, changed } = this;
    const onChange = (file: string) => {
      changed.fire();
      this.pages.refresh(file);
    };
    this.actions = new EvalActions(services, onChange, (file) => this.pages.open(file), ask);
    this.pages = store.add(
      new EvalPages(services, this.actions, (file, isShown) => this.planned(vscode.Uri.file(file), isShown)),
    );
    const isOne = ({ uri }: vscode.TextDocument) => uri.scheme === 'file' && evalFile.test(uri.path);
    const look = (document: vscode.TextDocument) => {
      if (isOne(document)) this.publish(document).catch((error: unknown) => services.log.warn(String(error)));
    };
    store.add(vscode.workspace.onDidOpenTextDocument(look));
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isOne(document)) this.pauses.start(document.uri.toString(), () => look(document));
      }),
    );
    store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri)));
    // Files that an eval names may have changed: saved here, or by another program while the window was in the background.
    const lookAgain = () => {
      this.readings = new WeakMap();
      vscode.workspace.textDocuments.forEach(look);
      changed.fire();
      this.pages.refresh();
    };
    store.add(vscode.workspace.onDidSaveTextDocument((document) => namedFile.test(document.uri.path) && lookAgain()));
    store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && lookAgain()));
    store.add(settings.onDidChange((name) => (name === 'batch.lenses' || name === 'prices') && changed.fire()));
    store.add(connections.onDidChange(() => changed.fire()));
    store.add(
      vscode.languages.registerCodeLensProvider(selector, {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document) => this.lenses(document),
      }),
    );
    store.add(registerEvalHelp(services, selector, (document) => this.reading(document)));
    vscode.workspace.textDocuments.forEach(look);
  }

  async smokeTest(argument: unknown): Promise<void> {
    const planned = await this.planned(argument);
    const plan = { ...planned.plan, rows: planned.plan.rows.slice(0, smokeRows) };
    await this.actions.runNow({ ...planned, plan, facts: await this.facts(plan) });
  }

  async run(argument: unknown): Promise<void> {
    await this.actions.run(await this.planned(argument));
  }

  async results(argument: unknown): Promise<void> {
    await this.actions.results(await this.planned(argument));
  }

  /** Creates an eval of a batch file, a table, or a prompt file. */
  async create(argument: unknown): Promise<void> {
    await createEval(argument, await this.ownModel());
  }

  /** Restores a page with results after a reload of the window. Sends nothing. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    this.pages.restore(panel, state);
  }

  dispose(): void {
    this.store.dispose();
  }

  /**
   * The eval in the file passed, or else in the active editor. Throws for one that cannot run. What was read last is enough if it is only shown:
   * its files are read again once they are saved, and when the window gets the focus.
   */
  private async planned(argument: unknown, isShown = false): Promise<PlannedEval> {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (!uri || uri.scheme !== 'file' || !this.evalFile.test(uri.path))
      throw new UserError(l10n.t('No eval file'), l10n.t('Open an eval file, such as promptfooconfig.yaml.'));
    const document = await vscode.workspace.openTextDocument(uri);
    const config = await (isShown ? this.reading(document) : read(document));
    const plan = this.planOf(config, await this.ownModel());
    if (!canRun(plan, config))
      throw new UserError(l10n.t("Couldn't run the eval"), l10n.t('The file has errors. Fix them, then try again.'));
    const title = config.description ?? basename(uri.fsPath);
    return { file: uri.fsPath, title, plan, facts: await this.facts(plan) };
  }

  /** The same plan for the same config, so that what is known of its run stays known. */
  private planOf(config: EvalConfig, model: string | undefined): EvalPlan {
    const known = this.plans.get(config);
    if (known && known.model === model) return known.plan;
    const plan = planEval(withModel(config, model));
    this.plans.set(config, { model, plan });
    return plan;
  }

  private reading(document: vscode.TextDocument): Promise<EvalConfig> {
    const { version } = document;
    const before = this.readings.get(document);
    if (before?.version === version) return before.config;
    const config = read(document);
    this.readings.set(document, { version, config });
    return config;
  }

  private async publish(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const { problems } = await this.reading(document);
    if (document.isClosed || document.version !== version) return;
    this.shown.set(
      document.uri,
      problems.map((problem) => toDiagnostic(document, problem)),
    );
  }

  /** Used if a file names only scripts, or no model. */
  private async ownModel(): Promise<string | undefined> {
    const { models } = this.services;
    const { chooseModel } = await import('../../core/catalogue/jobs');
    return chooseModel('chat', await models.ready());
  }

  private async facts(plan: EvalPlan): Promise<EvalFacts> {
    return evalFacts(plan, await this.actions.prices(), await this.actions.modelsFor(plan));
  }

  private async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.services.settings.get('batch.lenses')) return [];
    const { uri } = document;
    const config = await this.reading(document);
    const plan = this.planOf(config, await this.ownModel());
    if (plan.variants.length === 0 || plan.rows.length === 0) return [];
    const lines = factLines(
      await this.facts(plan),
      currencyOf(this.services.account.current.baseUrl),
      vscode.env.language,
    );
    const tooltip = lines.join('\n');
    const lens = (title: string, name: string) =>
      codeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command: `inferenceDesk.evals.${name}`,
        tooltip,
        arguments: [uri],
      });
    return [
      lens(l10n.t('Smoke Test'), 'smokeTest'),
      lens(l10n.t('Run Eval…'), 'run'),
      ...((await this.actions.hasResults(uri.fsPath)) ? [lens(l10n.t('Show Results'), 'results')] : []),
      ...lines.map((line) => lens(line, 'run')),
    ];
  }
}

/** A config whose only provider is a script still has rows and assertions: they run with a model of the account. */
function withModel(config: EvalConfig, model: string | undefined): EvalConfig {
  if (model === undefined || config.providers.some(({ kind }) => kind !== 'none')) return config;
  return { ...config, providers: [{ label: model, kind: 'service', model, parameters: {} }] };
}

async function read(document: vscode.TextDocument): Promise<EvalConfig> {
  const folder = dirname(document.uri.fsPath);
  const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? folder;
  return readEval(document.uri.fsPath, document.getText(), await openEvalFiles(root, folder));
}

function toDiagnostic(
  document: vscode.TextDocument,
  { kind, message, span, file, mark }: EvalProblem,
): vscode.Diagnostic {
  // A place in another file is shown at the top.
  const range =
    file === undefined
      ? new vscode.Range(document.positionAt(span.start), document.positionAt(span.end))
      : new vscode.Range(0, 0, 0, 0);
  const text = file === undefined ? message : `${file}: ${message}`;
  const diagnostic = new vscode.Diagnostic(range, text, severities[kind]);
  diagnostic.source = 'Inference Desk';
  if (mark !== undefined) diagnostic.code = mark;
  return diagnostic;
}
