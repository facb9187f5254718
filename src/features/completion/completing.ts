import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandTitle, runCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import type { Services } from '../../services/services';
import { createBesideTexts } from './besideTexts';
import { tellShortly } from './endings';
import { isWritable, insertionPointAfter, insertionPointsOf, longestPrompt } from './insertionPoints';
import type { Way } from './insertionPoints';
import { createResults } from './results';
import type { NumberedResult } from './results';
import { CompletionRuns } from './runs';
import type { CompletionSettings } from './logic/completionSettings';
import { createTokenView } from './tokenView';
import type { TokenView } from './tokenView';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { factsList, isCutShort } from './factsWords';

/** Completes texts in editors, one run at a time per window. */
export class Completing implements Disposable {
  private readonly store = new DisposableStore();
  private readonly beside = this.store.add(createBesideTexts());
  private readonly results = this.store.add(createResults((uri) => this.beside.isOne(uri)));
  private readonly runs: CompletionRuns;
  readonly tokens: TokenView;

  constructor(
    private readonly services: Services,
    private readonly settings: CompletionSettings,
  ) {
    const { store, beside, results } = this;
    this.tokens = store.add(createTokenView(services.context.globalState, (uri) => beside.isOne(uri)));
    this.runs = store.add(new CompletionRuns(services, settings, beside, results, this.tokens));
  }

  /** Resolves when the answers are delivered. Throws the error that prevented any answer. */
  async run(way: Way): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) throw noEditor();
    refuseUntrusted(editor.document.uri);
    const mayWrite = isWritable(editor.document);
    const places = insertionPointsOf(editor, way, await this.mostTokens());
    if (way !== 'beside' && !mayWrite) {
      tellShortly(l10n.t('The file is read-only, so the completion opens to the side.'));
    }
    await this.runs.complete({ way: mayWrite ? way : 'beside', places });
  }

  /** Stops the run, keeping what has arrived. */
  stop(): void {
    this.runs.stop();
  }

  /** Lets the user pick from the last answers again. */
  async showAlternatives(): Promise<void> {
    await this.runs.showLast();
  }

  /** Continues an answer that was cut off, at its end. */
  async goOn(result: unknown): Promise<void> {
    await this.goOnAfter(this.find(result));
  }

  async showFacts(argument: unknown): Promise<void> {
    const result = this.find(argument);
    const action = await showFactsPick(result);
    if (action === 'goOn') await this.goOnAfter(result);
    else if (action === 'copy') await vscode.env.clipboard.writeText(result.choice.text);
    else if (action === 'hide') this.results.remove(result.number);
    else if (action === 'exchange') await runCommand('inferenceDesk.showExchange', result.facts.exchangeId);
  }

  hideFacts(argument: unknown): void {
    this.results.remove(this.find(argument).number);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async goOnAfter({ uri, span, prompt, choice }: NumberedResult): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const place = insertionPointAfter(document, span.end, `${prompt}${choice.text}`);
    const onto = this.beside.isOne(uri) ? { uri, text: document.getText() } : undefined;
    await this.runs.complete({ way: onto ? 'beside' : 'insert', places: [place], ...(onto && { onto }) });
  }

  private find(argument: unknown): NumberedResult {
    const result = this.results.find(argument);
    if (!result) throw noResult();
    return result;
  }

  private async mostTokens(): Promise<number> {
    const { models } = this.services;
    const model = await this.settings.model();
    return longestPrompt(model, models.state.models, (await this.settings.get()).parameters);
  }
}

function noEditor(): UserError {
  return new UserError(l10n.t('No file is open'), l10n.t('Select text, or place the cursor after text.'));
}

function noResult(): UserError {
  return new UserError(
    l10n.t('Completion not found'),
    l10n.t(
      'The text has changed. See the last completions with "{0}".',
      commandTitle('inferenceDesk.complete.alternatives'),
    ),
  );
}

type FactsAction = 'goOn' | 'exchange' | 'copy' | 'hide' | 'none';

/** Shows everything known about an answer. Resolves to the action the user picks. */
async function showFactsPick({ facts }: NumberedResult): Promise<FactsAction> {
  const action = (value: FactsAction, icon: string, label: string): PickItem<FactsAction> => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    value,
  });
  const items: readonly PickItem<FactsAction>[] = [
    ...(isCutShort(facts) ? [action('goOn', 'debug-continue', l10n.t('Continue Completion'))] : []),
    action('copy', 'copy', l10n.t('Copy Completion')),
    ...(facts.exchangeId === undefined ? [] : [action('exchange', 'arrow-swap', l10n.t('Show Request and Response'))]),
    action('hide', 'eye-closed', l10n.t('Hide Details')),
    { label: l10n.t('Details'), kind: vscode.QuickPickItemKind.Separator },
    ...factsList(facts).flatMap(([label, value]): PickItem<FactsAction>[] =>
      value === undefined ? [] : [{ label, description: value, value: 'none' }],
    ),
  ];
  const answer = await askPick<FactsAction>({
    title: l10n.t('Completion Details'),
    placeholder: l10n.t('Select an action'),
    canGoBack: false,
    canFilter: true,
    items,
  });
  return answer.kind === 'value' ? answer.value : 'none';
}
