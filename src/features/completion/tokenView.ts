import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TokenLogprobs } from '../../core/api/completions/completionEvents';
import { isUnsure, confidenceOf, confidences, probability, type Confidence } from '../../core/completion/confidence';
import { movedSpans, type Span } from '../../core/completion/movedSpan';
import { tokenSpans, type TokenSpan } from '../../core/completion/tokenSpans';
import { commandTitle, setContext } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import type { TokenDetail } from './asking';
import { isSame } from './results';
import { changesOf, rangeOf } from './trackedRange';
import { createStatusBarItem, setStatusBarMessage, showMessage, joined, markdown } from '../../platform/notify';
import { askPick } from '../../platform/quickInput';
import { numberFormat } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import { numberText } from '../../platform/displayText';

const key = 'completion.tokens';

/** Shows the model's confidence in each token of its answers, as colors and underlines in the text. */
export interface TokenView extends Disposable {
  /** The tokens that completions request. */
  readonly detail: TokenDetail;
  /** Asks the user what to show, and shows what is already known. */
  show(): Promise<void>;
  hide(): Promise<void>;
  /** Adds the tokens of a text at its position. */
  add(uri: vscode.Uri, span: Span, logprobs: TokenLogprobs): void;
  /** If tokens are requested, reports that none were returned. */
  tellNone(): void;
  /** Moves the cursor to the next or previous unsure token. */
  goToUnsure(step: 1 | -1): Promise<void>;
}

/** `isStill`: whether a document is one of ours, whose text is replaced as a whole. */
export function createTokenView(memory: vscode.Memento, isStill: (uri: vscode.Uri) => boolean): TokenView {
  return new EditorTokens(memory, isStill);
}

class EditorTokens implements TokenView {
  private readonly store = new DisposableStore();
  private readonly colours = this.store.add(createTokenColours());
  private readonly status = this.store.add(
    createStatusBarItem('inferenceDesk.tokens', vscode.StatusBarAlignment.Right),
  );
  /** By document URI. */
  private readonly known = new Map<string, readonly TokenSpan[]>();

  constructor(
    private readonly memory: vscode.Memento,
    private readonly isStill: (uri: vscode.Uri) => boolean,
  ) {
    const { store } = this;
    const draw = () => this.draw();
    this.status.name = l10n.t('Completion Tokens');
    this.status.command = 'inferenceDesk.complete.nextUnsure';
    store.add(vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)));
    store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())));
    store.add(vscode.window.onDidChangeVisibleTextEditors(draw));
    store.add(vscode.window.onDidChangeActiveTextEditor(draw));
    const provideHover = (document: vscode.TextDocument, position: vscode.Position) => this.hover(document, position);
    store.add(vscode.languages.registerHoverProvider({ scheme: '*' }, { provideHover }));
    void setContext('inferenceDesk.completionTokens', this.detail !== 'off');
  }

  get detail(): TokenDetail {
    return this.memory.get<TokenDetail>(key, 'off');
  }

  async show(): Promise<void> {
    const chosen = await chooseTokens(this.detail);
    if (chosen === undefined) return;
    await this.set(chosen);
    if (chosen === 'off') return;
    const active = vscode.window.activeTextEditor;
    if (active && this.tokensOf(active.document.uri).length > 0) return;
    setStatusBarMessage(l10n.t('Token probabilities start with your next completion.'), 5000);
  }

  async hide(): Promise<void> {
    await this.set('off');
  }

  add(uri: vscode.Uri, at: Span, logprobs: TokenLogprobs): void {
    const document = vscode.workspace.textDocuments.find((one) => isSame(one.uri, uri));
    if (!document) return;
    const tokens = tokenSpans(document.getText(rangeOf(document, at)), logprobs).map((token) => ({
      ...token,
      start: token.start + at.start,
      end: token.end + at.start,
    }));
    const outside = this.tokensOf(uri).filter(({ start, end }) => end <= at.start || at.end <= start);
    this.known.set(
      uri.toString(),
      [...outside, ...tokens].toSorted((one, other) => one.start - other.start),
    );
    this.draw();
  }

  tellNone(): void {
    if (this.detail === 'off') return;
    void showMessage('information', l10n.t('No token probabilities for this completion.'));
  }

  async goToUnsure(step: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const tokens = editor ? this.shownIn(editor) : [];
    const unsure = tokens.filter(({ logprob }) => isUnsure(logprob));
    if (!editor || unsure.length === 0) throw noUnsure(tokens.length > 0);
    const at = editor.document.offsetAt(editor.selection.start);
    const next =
      step === 1
        ? (unsure.find(({ start }) => start > at) ?? unsure[0]!)
        : (unsure.findLast(({ start }) => start < at) ?? unsure.at(-1)!);
    const range = rangeOf(editor.document, next);
    // The hover appears at the cursor, so the cursor goes to the start of the token.
    editor.selection = new vscode.Selection(range.end, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    // An open hover would stay where it is.
    await vscode.commands.executeCommand('editor.action.hideHover');
    await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async set(tokens: TokenDetail): Promise<void> {
    await this.memory.update(key, tokens);
    await setContext('inferenceDesk.completionTokens', tokens !== 'off');
    this.draw();
  }

  private tokensOf(uri: vscode.Uri): readonly TokenSpan[] {
    return this.known.get(uri.toString()) ?? [];
  }

  private shownIn({ document }: vscode.TextEditor): readonly TokenSpan[] {
    return this.detail === 'off' ? [] : this.tokensOf(document.uri);
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) this.colours.draw(editor, this.shownIn(editor));
    const active = vscode.window.activeTextEditor;
    const here = active ? this.shownIn(active) : [];
    this.status.text = `$(pulse) ${tokensSummary(here)}`;
    this.status.tooltip = tokensTooltip(here);
    this.status.accessibilityInformation = { label: tokensSummary(here), role: 'button' };
    if (here.length > 0) this.status.show();
    else this.status.hide();
  }

  private follow(event: vscode.TextDocumentChangeEvent): void {
    const { uri } = event.document;
    const tokens = this.tokensOf(uri);
    if (event.contentChanges.length === 0 || tokens.length === 0 || this.isStill(uri)) return;
    this.known.set(uri.toString(), movedSpans(tokens, changesOf(event)));
    this.draw();
  }

  private hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (this.detail === 'off') return undefined;
    const at = document.offsetAt(position);
    const token = this.tokensOf(document.uri).find(({ start, end }) => start <= at && at < end);
    return token && new vscode.Hover(tokenHover(token), rangeOf(document, token));
  }
}

function noUnsure(hasTokens: boolean): UserError {
  return hasTokens
    ? new UserError(l10n.t('No low-confidence tokens'), l10n.t('All tokens have a probability of 50% or more.'))
    : new UserError(
        l10n.t('No token probabilities in this file'),
        l10n.t('Run "{0}", and then complete some text.', commandTitle('inferenceDesk.complete.showTokens')),
      );
}

/** Each step has its own underline style, for people who cannot distinguish the colors. */
const lineOf = { likely: 'dotted', unsure: 'dashed', doubtful: 'wavy' } as const;
const marked = ['likely', 'unsure', 'doubtful'] as const;

/** Highlights tokens in an editor by the model's confidence. */
interface TokenColours extends Disposable {
  /** Replaces the highlights of an editor. */
  draw(editor: vscode.TextEditor, tokens: readonly TokenSpan[]): void;
}

function createTokenColours(): TokenColours {
  const store = new DisposableStore();
  const types = marked.map((step) => {
    const colour = new vscode.ThemeColor(`inferenceDesk.token.${step}`);
    const type = vscode.window.createTextEditorDecorationType({
      backgroundColor: colour,
      textDecoration: `underline ${lineOf[step]}; text-underline-offset: 3px; text-decoration-skip-ink: none`,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      ...(step === 'doubtful' && { overviewRulerColor: colour }),
    });
    return { step, type: store.add(type) };
  });
  return {
    draw(editor, tokens) {
      for (const { step, type } of types) {
        const fitting = tokens.filter(({ logprob }) => confidenceOf(logprob) === step);
        editor.setDecorations(
          type,
          fitting.map((token) => rangeOf(editor.document, token)),
        );
      }
    },
    dispose: () => store.dispose(),
  };
}

/** Asks which tokens to show. `undefined` on cancel. */
async function chooseTokens(now: TokenDetail): Promise<TokenDetail | undefined> {
  const current = (tokens: TokenDetail) => (tokens === now ? { description: l10n.t('current') } : {});
  const answer = await askPick<TokenDetail>({
    title: l10n.t('Show Token Probabilities'),
    placeholder: l10n.t('Select the tokens to highlight by probability'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('Completion only'),
        ...current('answer'),
        value: 'answer',
      },
      {
        label: l10n.t('Prompt and completion'),
        detail: l10n.t("The completion isn't streamed."),
        ...current('all'),
        value: 'all',
      },
      { label: l10n.t('None'), ...current('off'), value: 'off' },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** Names each confidence step. */
function confidenceWords(confidence: Confidence): string {
  return {
    sure: l10n.t('very likely'),
    likely: l10n.t('likely'),
    unsure: l10n.t('unlikely'),
    doubtful: l10n.t('very unlikely'),
  }[confidence];
}

/** Returns the hover of a token. Its texts come from a model, so they are escaped and not read as Markdown. */
function tokenHover({ text, logprob, alternatives }: TokenSpan): vscode.MarkdownString {
  const confidence = confidenceOf(logprob);
  const known =
    logprob === null || confidence === undefined
      ? l10n.t('No probability available for this token.')
      : `${percentText(logprob)} · ${confidenceWords(confidence)} · ${l10n.t('logprob {0}', logprobText(logprob))}`;
  const others = alternatives.filter((one) => one.text !== text);
  const rows = others.map((one) => markdown`| ${cell(one.text)} | ${percentText(one.logprob)} |`);
  const head = markdown`| ${l10n.t('Alternatives')} | |\n|:--|--:|`;
  const table = rows.length === 0 ? [] : [joined([head, ...rows], '\n')];
  return joined([markdown`**${cell(text)}**  \n${known}`, ...table, markdown`${legend()}`]);
}

/** Explains the colors and underlines. */
function legend(): string {
  return l10n.t('Unmarked: 90% or more. Dotted: 50% or more. Dashed: 20% or more. Wavy: less.');
}

/** Counts the unsure tokens among all. */
function tokensSummary(tokens: readonly TokenSpan[]): string {
  const unsure = tokens.filter(({ logprob }) => isUnsure(logprob)).length;
  return l10n.t(
    'Low confidence: {0} of {1} tokens',
    numberText(unsure, vscode.env.language),
    numberText(tokens.length, vscode.env.language),
  );
}

/** Lists the number of tokens for each step, one per line. */
function tokensTooltip(tokens: readonly TokenSpan[]): string {
  const lines = confidences.map((step) => {
    const count = tokens.filter(({ logprob }) => confidenceOf(logprob) === step).length;
    return labelled(confidenceWords(step), numberText(count, vscode.env.language));
  });
  return [...lines, legend(), l10n.t('Select to go to the next low-confidence token.')].join('\n');
}

function logprobText(logprob: number): string {
  const digits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
  return numberFormat(vscode.env.language, digits).format(logprob);
}

function percentText(logprob: number): string {
  const format = numberFormat(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
  return format.format(probability(logprob));
}

/** Makes whitespace and line ends visible. */
function cell(text: string): string {
  const visible = text.replaceAll(' ', '␣').replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('\t', '⇥');
  return visible === '' ? '∅' : visible;
}
