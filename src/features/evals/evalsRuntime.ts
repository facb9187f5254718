import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { factLines, smokePlan } from '../../core/evals/evalFacts';
import type { PlannedEval } from '../../core/evals/evalFacts';
import type { EvalConfig, EvalProblem } from '../../core/evals/evalConfig';
import { currencyOf } from '../../core/profiles/knownServices';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { codeLens } from '../../platform/notify';
import { UserError } from '../../platform/errors/userError';
import type { Evals } from '../../services/evals/evals';
import type { Services } from '../../services/services';
import { EvalActions } from './evalActions';
import type { AskToRun } from './evalActions';
import { createEval } from './createEval';
import { registerEvalHelp } from './evalHelp';
import { EvalPages } from './evalPages';

const pauseMs = 300;
/** Files that an eval may name: rows, prompts, and values. */
const namedFile = /\.(?:csv|jsonl?|ya?ml|txt|md|j2|prompt)$/i;
const selector: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*promptfooconfig*.{yaml,yml,json}' };

const severities = {
  // The file stays valid for promptfoo, so unused parts aren't errors.
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
  /** The parsed version of a document, for its problems and its lens. */
  private readings = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly config: Promise<EvalConfig> }
  >();
  private readonly pages: EvalPages;

  constructor(
    private readonly services: Services,
    private readonly evals: Evals,
    private readonly evalFile: RegExp,
    ask?: AskToRun,
  ) {
    const { settings, connections } = services;
    const { store, changed } = this;
    this.actions = new EvalActions(services, evals, (file) => this.pages.open(file), ask);
    const plan = async (file: string, isShown?: boolean) => this.planned(vscode.Uri.file(file), { isShown });
    this.pages = store.add(new EvalPages(services, { evals, actions: this.actions, plan }));
    store.add(
      evals.onDidChange((file) => {
        changed.fire();
        this.pages.refresh(file);
      }),
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
    await this.actions.runNow(await this.planned(argument, { partOf: smokePlan }));
  }

  async run(argument: unknown): Promise<void> {
    await this.actions.run(await this.planned(argument));
  }

  async results(argument: unknown): Promise<void> {
    await this.actions.results(await this.planned(argument));
  }

  /** Creates an eval of a batch file, a table, or a prompt file. */
  async create(argument: unknown): Promise<void> {
    await createEval(argument, await this.evals.ownModel());
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
  private async planned(
    argument: unknown,
    { isShown = false, partOf }: { readonly isShown?: boolean | undefined; readonly partOf?: typeof smokePlan } = {},
  ): Promise<PlannedEval> {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (!uri || uri.scheme !== 'file' || !this.evalFile.test(uri.path))
      throw new UserError(l10n.t('No eval file'), l10n.t('Open an eval file, such as promptfooconfig.yaml.'));
    const document = await vscode.workspace.openTextDocument(uri);
    const config = await (isShown ? this.reading(document) : this.evals.read(document));
    return this.evals.planned(uri.fsPath, config, partOf);
  }

  private reading(document: vscode.TextDocument): Promise<EvalConfig> {
    const { version } = document;
    const before = this.readings.get(document);
    if (before?.version === version) return before.config;
    const config = this.evals.read(document);
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

  private async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.services.settings.get('batch.lenses')) return [];
    const { uri } = document;
    const config = await this.reading(document);
    const plan = await this.evals.planOf(config);
    if (plan.variants.length === 0 || plan.rows.length === 0) return [];
    const lines = factLines(
      await this.evals.facts(plan),
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
      ...((await this.evals.hasResults(uri.fsPath)) ? [lens(l10n.t('Show Results'), 'results')] : []),
      ...lines.map((line) => lens(line, 'run')),
    ];
  }
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
