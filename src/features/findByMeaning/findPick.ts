import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortened } from '../../platform/displayText';
import type { NewVectors } from '../../core/search/find/embeddingCandidates';
import {
  isLarge,
  largestRanking,
  largestUnasked,
  rankCandidates,
  rankingSize,
} from '../../core/search/find/findPassages';
import { embedderOf } from '../../core/search/find/searchAccount';
import { chooseModel } from '../../core/catalogue/jobs';
import { openAccount, find, wayOfFinding } from '../../services/search/search';
import type { WorkspaceAccount, WorkspaceFinding, WorkspaceProgress } from '../../services/search/search';
import { DisposableStore } from '../../platform/disposables';
import { isCancellation } from '../../platform/errors/report';
import { priceLine } from '../../services/usage/costMessages';
import type { Expected, PriceBook } from '../../services/usage/prices';
import type { Services } from '../../services/services';
import { placeholderOf, rowsOf, listText } from './pickRows';
import type { FindRow, FindState, RowAction } from './pickRows';
import { createQuickPick, setStatusBarMessage } from '../../platform/notify';
import type { Disposable } from '../../platform/disposables';

/** A longer title would take a second line from the list. */
const longestTitle = 56;

/** How the user left, with the finding if it was complete. */
type FindEnd = { readonly finding: WorkspaceFinding | undefined } & (
  | { readonly kind: 'closed' | 'back' }
  | { readonly kind: 'step'; readonly step: string }
);

/** Finds passages for a question, and shows them until the user picks one or leaves. */
export class FindPick {
  private readonly store = new DisposableStore();
  private readonly pick = this.store.add(createQuickPick<FindRow>());
  private readonly preview: Preview = this.store.add(createPreview());
  private readonly copy = button('copy', l10n.t('Copy List'));
  private again = button('refresh', l10n.t('Search Again'));
  private other = button('arrow-swap', l10n.t('Change Search Method'));
  private stopping = new AbortController();
  private state: FindState = { kind: 'working' };
  private answer: ((by: 'embeddings' | 'text' | undefined) => void) | undefined;
  private isClosed = false;
  private reranker: string | undefined;
  private prices: PriceBook | undefined;
  /** Of the ranking in progress. */
  private price = '';
  private leave: (end: FindEnd) => void = () => undefined;

  /** `signal` aborts when the extension is deactivated. */
  constructor(
    private readonly question: string,
    private readonly services: Services,
    signal: AbortSignal,
  ) {
    const { pick } = this;
    Object.assign(pick, { ignoreFocusOut: true, matchOnDescription: true, matchOnDetail: true });
    pick.title = l10n.t('Semantic Search: {0}', shortened(question.replaceAll(/\s+/g, ' '), longestTitle));
    const stop = () => this.close({ kind: 'closed' });
    signal.addEventListener('abort', stop);
    this.store.add({ dispose: () => signal.removeEventListener('abort', stop) });
  }

  /** Shows `held` instead of searching, if provided. Disposes this at the end. */
  run(held: WorkspaceFinding | undefined): Promise<FindEnd> {
    const { pick, store } = this;
    const end = new Promise<FindEnd>((resolve) => (this.leave = resolve));
    store.add(pick.onDidChangeActive(([row]) => this.look(row)));
    store.add(pick.onDidAccept(() => this.accept(pick.selectedItems[0])));
    store.add(pick.onDidTriggerItemButton(({ item }) => this.open(item, { toSide: true })));
    store.add(pick.onDidTriggerButton((pressed) => this.press(pressed)));
    store.add(pick.onDidHide(() => this.close({ kind: 'closed' })));
    if (held) {
      this.draw({ kind: 'done', finding: held });
      void this.priceButtons();
    } else this.search();
    pick.show();
    return end.finally(() => this.dispose());
  }

  private dispose(): void {
    this.stopping.abort();
    this.store.dispose();
  }

  /** Each search replaces the previous one. */
  private search(work: (signal: AbortSignal) => Promise<WorkspaceFinding> = (signal) => this.findAnew(signal)): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.draw({ kind: 'working' });
    void this.priceButtons();
    const profileId = this.services.account.current.profile?.id;
    const running = this.services.activity.start(l10n.t('Running a semantic search'), {
      kind: 'search',
      profileId,
      paid: true,
    });
    const tell = (state: FindState) => signal.aborted || this.draw(state);
    work(signal)
      .then(
        (finding) => tell({ kind: 'done', finding }),
        (error: unknown) => (isCancellation(error) && signal.aborted ? undefined : tell({ kind: 'failed', error })),
      )
      .finally(() => running.dispose());
  }

  private async findAnew(signal: AbortSignal): Promise<WorkspaceFinding> {
    const { services } = this;
    const account = await openAccount(services, { source: 'search' });
    this.prices = await (await services.usage()).readyPrices();
    signal.throwIfAborted();
    this.reranker = account.reranker;
    const way = wayOfFinding(services.settings, services.context);
    return find({ question: this.question, by: way.by }, account, services, {
      signal,
      onProgress: (progress) => signal.aborted || this.progress(progress),
      confirm: async (needed) => !isLarge(needed) || this.confirm(needed, account, signal),
    });
  }

  private rank(finding: WorkspaceFinding): void {
    const { services } = this;
    this.search(async (signal) => {
      const onProgress = (done: number, of: number) => signal.aborted || this.progress({ kind: 'ranking', done, of });
      this.draw({ kind: 'working', finding });
      const account = await openAccount(services, { source: 'search' });
      this.prices = await (await services.usage()).readyPrices();
      this.reranker = account.reranker;
      this.price = this.rankingPrice(finding);
      return rankCandidates(finding, account, { signal, onProgress });
    });
  }

  private progress(progress: WorkspaceProgress): void {
    const known = this.state.kind === 'working' ? this.state.finding : undefined;
    const { question } = this;
    const finding = progress.kind === 'candidates' ? { question, candidates: progress.candidates } : known;
    if (progress.kind === 'candidates' && finding) this.price = this.rankingPrice(finding);
    const isNew = finding !== known || this.state.kind !== 'working';
    this.state = { kind: 'working', progress, ...(finding && { finding }) };
    if (isNew) this.draw(this.state);
    else this.pick.placeholder = this.placeholder();
  }

  private rankingPrice(finding: WorkspaceFinding): string {
    const { prices, reranker: model } = this;
    if (!prices || model === undefined || finding.candidates.items.length === 0) return '';
    return priceLine(prices.quote([{ model, ...rankingSize(finding), outputLimit: 0 }])).text;
  }

  private placeholder(): string {
    const { state } = this;
    const isRanking = state.kind === 'working' && ['candidates', 'ranking'].includes(state.progress?.kind ?? '');
    if (isRanking) return [placeholderOf(state), this.price].filter(Boolean).join(' · ');
    return state.kind === 'done'
      ? [placeholderOf(state), chargedText(state.finding, this.prices)].filter(Boolean).join(' · ')
      : placeholderOf(state);
  }

  private async confirm(
    needed: NewVectors,
    { profile: { name: service }, reranker }: WorkspaceAccount,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { settings, context } = this.services;
    const answered = new Promise<'embeddings' | 'text' | undefined>((resolve) => {
      this.answer = resolve;
      signal.addEventListener('abort', () => resolve(undefined));
    });
    const { model, tokens, ranked } = needed;
    const { prices } = this;
    const vectors = { model, requests: 1, inputTokens: tokens, outputLimit: 0 };
    const parts: readonly Expected[] = [
      vectors,
      ...(reranker === undefined ? [] : [{ model: reranker, requests: 1, inputTokens: ranked.tokens, outputLimit: 0 }]),
    ];
    this.draw({
      kind: 'asking',
      vectors: needed,
      tokens: prices?.inputTokens([vectors]) ?? tokens,
      service,
      price: prices?.quote(parts).text ?? l10n.t('unknown'),
    });
    const by = await answered;
    signal.throwIfAborted();
    this.draw({ kind: 'working' });
    const way = wayOfFinding(settings, context);
    if (by !== undefined && way.isOpen) await way.choose(by);
    return by === 'embeddings';
  }

  private draw(state: FindState): void {
    this.state = state;
    const { pick } = this;
    pick.busy = state.kind === 'working';
    pick.placeholder = this.placeholder();
    pick.items = rowsOf(state);
    this.drawButtons();
  }

  private drawButtons(): void {
    const { state } = this;
    this.pick.buttons = [
      vscode.QuickInputButtons.Back,
      ...(state.kind === 'done' && state.finding.candidates.items.length > 0 ? [this.copy] : []),
      ...(state.kind === 'done' ? [this.again] : []),
      ...(this.canSwap() ? [this.other] : []),
    ];
  }

  /** Adds prices to the buttons that search. Without them, the buttons work as well. */
  private async priceButtons(): Promise<void> {
    const { services } = this;
    const { by } = wayOfFinding(services.settings, services.context);
    try {
      const again = await searchText(services, l10n.t('Search Again'), by);
      const next = by === 'text' ? 'embeddings' : 'text';
      const other = await searchText(services, l10n.t('Change Search Method'), next);
      if (this.isClosed) return;
      this.again = button('refresh', again);
      this.other = button('arrow-swap', other);
      this.drawButtons();
    } catch (error) {
      services.log.warn(String(error));
    }
  }

  /** Previews final results only: candidates still being ranked change too quickly. */
  private look(row: FindRow | undefined): void {
    if (this.state.kind === 'done' && row) this.withPlace(row, (place) => this.preview.show(place));
  }

  private accept(row: FindRow | undefined): void {
    if (row?.action) this.take(row.action);
    else if (row) this.open(row, { toSide: false });
  }

  private open(row: FindRow, options: { readonly toSide: boolean }): void {
    this.withPlace(row, (place) => {
      const { report } = this.services;
      this.close({ kind: 'closed' }, () => this.preview.open(place, options).catch(report));
    });
  }

  private take(action: RowAction): void {
    const { state } = this;
    if (action.kind === 'makeVectors') this.answer?.('embeddings');
    else if (action.kind === 'useWords') this.answer?.('text');
    else if (action.kind === 'tell') void this.services.report(action.error);
    else if (action.kind === 'step') this.close({ kind: 'step', step: action.step });
    else if (action.kind === 'askAgain') this.close({ kind: 'back' });
    else if (state.kind === 'done') this.rank(state.finding);
    else this.search();
  }

  private press(pressed: vscode.QuickInputButton): void {
    if (pressed === vscode.QuickInputButtons.Back) this.close({ kind: 'back' });
    else if (pressed === this.again) this.search();
    else if (pressed === this.copy) void this.copyList();
    else if (pressed === this.other) void this.swap();
  }

  private async copyList(): Promise<void> {
    if (this.state.kind !== 'done') return;
    await vscode.env.clipboard.writeText(listText(this.state.finding));
    setStatusBarMessage(l10n.t('Copied the list'), 3000);
  }

  private canSwap(): boolean {
    const { settings, context } = this.services;
    return this.state.kind === 'done' && wayOfFinding(settings, context).isOpen;
  }

  private async swap(): Promise<void> {
    const { settings, context } = this.services;
    const way = wayOfFinding(settings, context);
    await way.choose(way.by === 'text' ? 'embeddings' : 'text');
    this.search();
  }

  private withPlace({ place, line }: FindRow, work: (shown: Shown) => void): void {
    if (place && line !== undefined) work({ uri: place.uri, range: place.range, line });
  }

  /** Only once, because later hide events do not come from the user. */
  private close(
    end: { readonly kind: 'closed' | 'back' } | { readonly kind: 'step'; readonly step: string },
    last?: () => Promise<void>,
  ): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stopping.abort();
    const finding = this.state.kind === 'done' ? this.state.finding : undefined;
    const ending = last ? last() : this.preview.restore();
    void ending.finally(() => this.leave({ ...end, finding }));
  }
}

/** Returns the text of an action that searches, with the highest price of what it sends without asking. */
export async function searchText(
  { context, models, settings, usage }: Services,
  action: string,
  by = wayOfFinding(settings, context).by,
): Promise<string> {
  const catalogue = await models.ready();
  const reranker = chooseModel('rerank', catalogue);
  const embedder = by === 'text' ? undefined : embedderOf(catalogue);
  const price = (await (await usage()).readyPrices()).brief([
    ...(embedder === undefined ? [] : [{ model: embedder, ...largestUnasked, outputLimit: 0 }]),
    ...(reranker === undefined ? [] : [{ model: reranker, ...largestRanking, outputLimit: 0 }]),
  ]);
  if (!price || (embedder ?? reranker) === undefined) return action;
  if (price.range === undefined) return l10n.t('{0} (price unknown)', action);
  return embedder === undefined
    ? l10n.t('{0} (up to {1})', action, price.likely)
    : l10n.t('{0} (up to {1} without confirmation)', action, price.likely);
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/** What the vectors and the ranking of a finding cost, as far as prices are known. */
function chargedText({ candidates, ranking }: WorkspaceFinding, prices: PriceBook | undefined): string {
  const { model, tokens } = candidates;
  const list = ranking?.list;
  const charged = prices?.charged([
    ...(model !== undefined && tokens > 0 ? [{ model, requests: 1, inputTokens: tokens, outputTokens: 0 }] : []),
    ...(ranking && list
      ? [
          {
            model: ranking.model,
            requests: list.calls,
            inputTokens: list.tokens.input,
            outputTokens: list.tokens.output,
          },
        ]
      : []),
  ]);
  return charged ? l10n.t('Cost {0}', charged.text) : '';
}

interface Shown {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** From 0. */
  readonly line: number;
}

/** Previews passages while the user browses them, and restores the editor afterward. */
export interface Preview extends Disposable {
  /** If called in quick succession, may skip all but the last. */
  show(place: Shown): void;
  /** Resolves when the editor is restored. */
  restore(): Promise<void>;
  /** Opens a passage permanently. Rejects if the file no longer exists. */
  open(place: Shown, options: { readonly toSide: boolean }): Promise<void>;
}

export function createPreview(): Preview {
  const store = new DisposableStore();
  const highlight = store.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
      borderColor: new vscode.ThemeColor('editor.rangeHighlightBorder'),
    }),
  );
  const before = rememberEditor();
  let next: Shown | undefined;
  let working: Promise<void> = Promise.resolve();
  let shown: vscode.TextEditor | undefined;

  const showNext = async (): Promise<void> => {
    const place = next;
    next = undefined;
    if (!place) return;
    const document = await vscode.workspace.openTextDocument(place.uri);
    if (next) return;
    const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    if (shown !== editor) shown?.setDecorations(highlight, []);
    shown = editor;
    before.noteShown(place.uri);
    editor.setDecorations(highlight, [place.range]);
    reveal(editor, place);
  };
  const settle = async () => {
    next = undefined;
    await working;
    shown?.setDecorations(highlight, []);
  };

  return {
    show(place) {
      next = place;
      // A missing file has no preview; opening it reports the error.
      working = working.then(showNext).catch(() => undefined);
    },
    async restore() {
      await settle();
      await before.restore();
    },
    async open(place, { toSide }) {
      await settle();
      if (toSide) await before.restore();
      const viewColumn = toSide ? vscode.ViewColumn.Beside : undefined;
      const editor = await vscode.window.showTextDocument(place.uri, {
        preview: false,
        ...(viewColumn !== undefined && { viewColumn }),
      });
      const start = new vscode.Position(Math.min(place.line, editor.document.lineCount - 1), 0);
      editor.selection = new vscode.Selection(start, start);
      reveal(editor, place);
      await before.closeOthers(place.uri);
    },
    dispose: () => store.dispose(),
  };
}

function reveal(editor: vscode.TextEditor, { line }: Shown): void {
  const last = Math.min(line, editor.document.lineCount - 1);
  editor.revealRange(new vscode.Range(last, 0, last, 0), vscode.TextEditorRevealType.InCenter);
}

interface RememberedEditor {
  noteShown(uri: vscode.Uri): void;
  restore(): Promise<void>;
  /** Closes everything that was previewed, except this. */
  closeOthers(except: vscode.Uri): Promise<void>;
}

/** Remembers the tab group in which previews open: its tabs, and the selections of its text. */
function rememberEditor(): RememberedEditor {
  const group = vscode.window.tabGroups.activeTabGroup;
  const column = group.viewColumn;
  const open = new Set(group.tabs.map(uriOf));
  const previewed = group.tabs.find(({ isPreview }) => isPreview);
  const previewedUri = previewed?.input instanceof vscode.TabInputText ? previewed.input.uri : undefined;
  const editor = vscode.window.activeTextEditor;
  const text = editor && { uri: editor.document.uri, selections: editor.selections };
  const others = new Set<string>();
  const closeStrange = async () => {
    const strange = tabsAt(column).filter(
      (tab) => others.has(uriOf(tab) ?? '') && !open.has(uriOf(tab)) && !tab.isDirty,
    );
    await vscode.window.tabGroups.close(strange, true);
  };

  return {
    noteShown: (uri) => void others.add(uri.toString()),
    async closeOthers(except) {
      others.delete(except.toString());
      await closeStrange();
    },
    async restore() {
      if (others.size === 0) return;
      const isGone = previewedUri && !tabsAt(column).some((tab) => uriOf(tab) === previewedUri.toString());
      if (isGone) await showQuietly(previewedUri, { viewColumn: column, preview: true });
      if (text) {
        const preview = text.uri.toString() === previewedUri?.toString();
        // VS Code itself restores the scroll position.
        const back = await showQuietly(text.uri, { viewColumn: column, preview });
        if (back) back.selections = text.selections;
      }
      await closeStrange();
    },
  };
}

function tabsAt(column: vscode.ViewColumn): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === column)?.tabs ?? [];
}

function uriOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputText ? input.uri.toString() : undefined;
}

async function showQuietly(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor | undefined> {
  return vscode.window.showTextDocument(uri, options).then(
    (editor) => editor,
    () => undefined,
  );
}
