import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandTitle, runCommand, setContext } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import type { Services } from '../../services/services';
import { createBesideTexts, type BesideTexts } from './besideTexts';
import { tellShortly, brokenOff, failureWords, tellNothingCame } from './endings';
import {
  isWritable,
  insertionPointAfter,
  insertionPointsOf,
  longestPrompt,
  type Way,
  type InsertionPoint,
} from './insertionPoints';
import { createResults, type NumberedResult, type Results } from './results';
import type { CompletionSettings } from './logic/completionSettings';
import { createTokenView, type TokenView } from './tokenView';
import { askPick, type PickItem } from '../../platform/quickInput';
import { factsList, isCutShort } from './factsWords';
import type { Completion } from '../../core/api/completions/completionEvents';
import { estimateTokens } from '../../core/tokens/estimate';
import { numberText } from '../../platform/displayText';
import { createStatusBarItem } from '../../platform/notify';
import { sentences } from '../../protocol/sentences';
import { createAlternatives, savedAnswersOf } from './alternatives';
import { createAsking } from './asking';
import { createDelivery, type Delivered } from './delivery';
import { createAnswerHistory } from './logic/answerHistory';
import { cssText } from '../../core/completion/cssText';
import type { TrackedRange } from './trackedRange';

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
      'The text has changed. To see the last completions, run "{0}".',
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

/** The completions of one command. */
interface Run {
  readonly way: Way;
  /** Disposed at the end. */
  readonly places: readonly InsertionPoint[];
  /** The side document to continue, and its current text. */
  readonly onto?: { readonly uri: vscode.Uri; readonly text: string };
}

type Came = Omit<Delivered, 'choice'>;

/** Runs completions in a window, one at a time, and keeps the last answers. */
class CompletionRuns implements Disposable {
  private readonly asking;
  private readonly running;
  private readonly history;
  private readonly delivery;
  private readonly alternatives;

  constructor(
    private readonly services: Services,
    settings: CompletionSettings,
    private readonly beside: BesideTexts,
    results: Results,
    private readonly tokens: TokenView,
  ) {
    this.asking = createAsking(services, settings);
    this.running = createRunning(services);
    this.history = createAnswerHistory(services.context.globalStorageUri.fsPath, (error) =>
      services.log.warn(`The last completion could not be saved: ${String(error)}`),
    );
    this.delivery = createDelivery(beside, results, tokens);
    this.alternatives = createAlternatives(this.history, beside, this.delivery);
  }

  /**
   * Requests a completion for each insertion point in turn, shows them as they stream, and delivers them. Throws an error that prevented any
   * answer; an error after some text has arrived is only reported.
   */
  async complete(run: Run): Promise<void> {
    const { places } = run;
    try {
      const isOnly = isOnlyOne(run);
      const price = await this.asking.price(places.map(({ prompt }) => ({ prompt, isOnly })));
      if (places.length > 1) {
        const number = numberText(places.length, vscode.env.language);
        tellShortly(sentences(l10n.t('Sending {0} requests, one for each selection.', number), price));
      }
      const { came, failure } = await this.running.alone((signal) => this.askAll(run, { signal, price }), price);
      const answered = came.filter(({ completion }) => completion.answer.choices.some(({ text }) => text !== ''));
      if (answered.length === 0) {
        if (failure !== undefined) throw failureWords(failure);
        tellNothingCame(came[0]?.completion);
        return;
      }
      const where = await this.deliver(run, answered);
      if (failure !== undefined) void this.services.report(brokenOff(failure, where));
    } finally {
      for (const place of places) place.dispose();
    }
  }

  /** Stops the run, keeping what has arrived. */
  stop(): void {
    this.running.stop();
  }

  /** Lets the user pick from the last answers again. */
  async showLast(): Promise<void> {
    await this.alternatives.showLast();
  }

  dispose(): void {
    this.running.dispose();
  }

  private async askAll(run: Run, asked: Asked) {
    const came: Came[] = [];
    for (const place of run.places) {
      try {
        const one = await this.askOne(run, place, asked);
        came.push(one);
        if (one.completion.end !== 'done') return { came, failure: one.completion.error };
      } catch (failure) {
        return { came, failure };
      }
    }
    return { came, failure: undefined };
  }

  private async askOne(run: Run, place: InsertionPoint, { signal, price }: Asked): Promise<Came> {
    const { asking, beside, tokens, history, running } = this;
    const before = run.onto?.text ?? '';
    const uri =
      run.way === 'beside' ? (run.onto?.uri ?? beside.add(l10n.t('Completion'), place.document.uri)) : undefined;
    const growing = uri ? undefined : showGrowing(place, price);
    const closing = beside.onDidClose((closed) => closed.toString() === uri?.toString() && running.stop());
    if (uri) await beside.show(uri);
    try {
      const completion = await asking.ask({
        prompt: place.prompt,
        tokens: tokens.detail,
        isOnly: isOnlyOne(run),
        signal,
        onGrow: (answer) => {
          const text = answer.choices[0]?.text ?? '';
          growing?.update(text, growthWords(answer));
          if (uri) beside.set(uri, `${before}${text}`);
          history.keepGrowing(() => savedAnswersOf(place, answer));
        },
      });
      return { place, completion, before, ...(uri && { uri }) };
    } finally {
      closing.dispose();
      growing?.dispose();
    }
  }

  /** Delivers the answers. Resolves to a sentence that says where they are. */
  private async deliver({ way }: Run, answered: readonly Came[]): Promise<string> {
    const { history, alternatives, delivery } = this;
    const [first] = answered;
    if (first) await history.keep(savedAnswersOf(first.place, first.completion.answer, first.completion));
    if (answered.length === 1 && first && first.completion.answer.choices.length > 1) {
      const isTaken = await alternatives.choose(first, way);
      return isTaken
        ? l10n.t('Stopped. You chose one of the completions received so far.')
        : l10n.t(
            'To see the completions received so far, run "{0}".',
            commandTitle('inferenceDesk.complete.alternatives'),
          );
    }
    const items = answered.flatMap((one) => {
      const choice = one.completion.answer.choices[0];
      return choice ? [{ ...one, choice }] : [];
    });
    if (way === 'beside') {
      for (const item of items) await delivery.showBeside(item);
      return l10n.t('The text received so far is shown to the side.');
    }
    return (await delivery.write(items))
      ? l10n.t('The text received so far has been inserted.')
      : l10n.t('The text received so far is shown to the side.');
  }
}

/** The display of a run in progress, and how to stop it. */
interface Asked {
  readonly signal: AbortSignal;
  /** Of all requests, as text. Missing if the service has no prices. */
  readonly price: string | undefined;
}

/** Whether one completion of each text is requested, whatever the settings say. */
function isOnlyOne({ places, onto }: Run): boolean {
  return places.length > 1 || onto !== undefined;
}

function beginningWords(price: string | undefined): string {
  return [l10n.t('Completing… (press Esc to stop)'), price].filter((text) => text !== undefined).join(' · ');
}

/** Describes how much has arrived, for example "120 tokens" or "3 answers, 120 tokens". */
function growthWords({ choices }: Completion): string {
  const tokens = choices.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const words = l10n.t('{0} tokens', numberText(tokens, vscode.env.language));
  return choices.length > 1 ? l10n.t('{0} completions, {1}', choices.length, words) : words;
}

/** Throttle for redraws. */
const everyMs = 100;
/** Only the end of the streamed text is shown. */
const mostLines = 8;
const mostColumns = 72;

/** Shows streamed text below a position. The document itself is edited only once, at the end, so that there is one undo step. */
interface GrowingText extends Disposable {
  update(text: string, count: string): void;
}

function showGrowing(place: TrackedRange, price: string | undefined): GrowingText {
  const type = vscode.window.createTextEditorDecorationType({});
  let text = '';
  let count = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    const { span, document } = place;
    const at = span && document.positionAt(span.end);
    const words =
      count === '' ? beginningWords(price) : l10n.t('Completing… {0} (Esc to stop and keep the text)', count);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document !== document) continue;
      const range = at && new vscode.Range(at, at);
      editor.setDecorations(type, range ? [{ range, renderOptions: { after: look(`${words}\n${endOf(text)}`) } }] : []);
    }
  };
  draw();
  const listening = vscode.window.onDidChangeVisibleTextEditors(draw);
  return {
    update(newText, newCount) {
      [text, count] = [newText, newCount];
      timer ??= setTimeout(draw, everyMs);
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
      type.dispose();
    },
  };
}

/** Breaks lines between words if there are any. */
const wrapping = new RegExp(`.{1,${mostColumns}}(?:\\s|$)|.{1,${mostColumns}}`, 'gu');

/**
 * A decoration shows only one line. CSS appended to its `textDecoration` turns it into a box of several lines below, as many extensions do.
 * https://github.com/microsoft/vscode/issues/63600
 */
function look(text: string): vscode.ThemableDecorationAttachmentRenderOptions {
  const [first = ''] = text.split('\n');
  const style = {
    content: cssText(text),
    display: 'block',
    position: 'absolute',
    'z-index': '5',
    left: '0',
    top: '100%',
    'margin-top': '3px',
    padding: '3px 10px',
    'white-space': 'pre',
    'border-left': '3px solid var(--vscode-progressBar-background)',
    'box-shadow': '0 2px 8px var(--vscode-widget-shadow)',
    'pointer-events': 'none',
  };
  const rules = Object.entries(style).map(([name, value]) => `${name}: ${value}`);
  return {
    contentText: first,
    color: new vscode.ThemeColor('editorHoverWidget.foreground'),
    backgroundColor: new vscode.ThemeColor('editorHoverWidget.background'),
    textDecoration: `none; ${rules.join('; ')}`,
  };
}

function endOf(text: string): string {
  const lines = text.replace(/^(\s*\n)+/, '').split(/\r\n|\r|\n/);
  const wrapped = lines.slice(-mostLines).flatMap((line) => line.match(wrapping) ?? ['']);
  return wrapped.slice(-mostLines).join('\n');
}

/** Allows one completion at a time, and shows that it is running. */
interface Running extends Disposable {
  /** Throws `UserError` while another completion is running. */
  alone<T>(work: (signal: AbortSignal) => Promise<T>, price: string | undefined): Promise<T>;
  stop(): void;
}

function createRunning({ account, activity }: Services): Running {
  let current: AbortController | undefined;
  const status = createStatusBarItem('inferenceDesk.completing', vscode.StatusBarAlignment.Right);
  status.name = l10n.t('Completion');
  status.tooltip = l10n.t('Stop and keep the text so far');
  status.command = 'inferenceDesk.complete.stop';
  return {
    async alone(work, price) {
      if (current) {
        throw new UserError(l10n.t('A completion is already in progress'), l10n.t('Wait, or press Esc to stop it.'));
      }
      current = new AbortController();
      const stop = () => current?.abort();
      const profileId = account.current.profile?.id;
      const running = activity.start(l10n.t('Completing'), { kind: 'completion', profileId, paid: true, stop });
      const words = beginningWords(price);
      status.text = `$(loading~spin) ${words}`;
      status.accessibilityInformation = { label: words, role: 'button' };
      status.show();
      void setContext('inferenceDesk.completing', true);
      try {
        return await work(current.signal);
      } finally {
        current = undefined;
        running.dispose();
        status.hide();
        void setContext('inferenceDesk.completing', false);
      }
    },
    stop: () => current?.abort(),
    dispose() {
      current?.abort();
      status.dispose();
    },
  };
}
