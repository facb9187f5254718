import * as vscode from 'vscode';
import { lacksModel } from '../../core/catalogue/lacksModel';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import type { RerankForm, RerankSourceKind } from '../../protocol/rerank';
import { emptyForm } from '../../protocol/rerankForm';
import type { Reordered } from './editor/editorScores';
import type { RerankSource } from './logic/documents';
import { positionsAfter, reorderRanking } from './logic/rankedDocuments';
import { RerankPage, type SourceState } from './logic/rerankPage';
import type { SavedPage } from './logic/rerankStore';
import type { RerankWorkspace } from './rerankWorkspace';
import { isReadAgain, isStillOpen, isWritable, readAsNow, type SourceWatch, watchSource } from './sources/sourceWatch';

interface Held {
  readonly page: RerankPage;
  readonly watch: SourceWatch | undefined;
}

/** The pages of a tab, of which one is shown. Another source replaces them. Another order of the same text adds one, and undo shows the previous one. */
export class RerankTab implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  /** Pages for other orders of the same text. */
  private readonly held: Held[] = [];
  private shown: Held;
  /** The account whose models were known last, and the models that the page named for accounts before. */
  private account: string | undefined;
  private readonly models = new Map<string, string>();

  /** Fires when the page has to be updated. */
  readonly onDidChange = this.changed.event;

  constructor(
    saved: SavedPage | undefined,
    private readonly workspace: RerankWorkspace,
  ) {
    this.shown = this.hold(saved ?? nothingSaved(workspace.models().preferred));
    this.store.add(workspace.onDidChange(() => this.redraw()));
    this.store.add({
      dispose: () => this.held.forEach(({ page, watch }) => (page.stop(), watch?.dispose())),
    });
  }

  get page(): RerankPage {
    return this.shown.page;
  }

  async refresh(): Promise<void> {
    await this.workspace.refresh();
    this.fillModel();
  }

  /** Lets the user choose a source, asking as needed. Changes nothing on cancel. */
  async choose(kind: RerankSourceKind, signal?: AbortSignal): Promise<void> {
    this.refuseWhileRunning();
    const source = await this.workspace.readSource(kind, signal);
    signal?.throwIfAborted();
    if (source) await this.take(source);
  }

  /** Shows another source, keeping the form. */
  async take(source: RerankSource): Promise<void> {
    this.refuseWhileRunning();
    const saved = await this.workspace.store.create(source, this.page.record.form);
    this.letGo();
    this.show(this.hold(saved));
  }

  /** Updates the fields of the form that are set in `form`. */
  fill(form: Partial<RerankForm>): void {
    this.page.type({ ...this.page.record.form, ...form });
    this.changed.fire();
  }

  /** Reads the texts again. If that changes the documents, the previous ones keep their ranking. */
  async readAgain(): Promise<void> {
    this.refuseWhileRunning();
    const { source } = this.page.record;
    const now = source && (await readAsNow(source, this.workspace.services.settings));
    if (!now) return;
    if (!this.page.takeAgain(now)) {
      await this.take(now);
      return;
    }
    this.shown.watch?.dispose();
    this.replaceShown({ page: this.page, watch: this.watch(now, () => this.page) });
  }

  /** Continues with a text that was written in another order, and carries its ranking over. */
  async takeReordered(page: RerankPage, { text, start, order }: Reordered): Promise<void> {
    const { source, record } = page;
    const [before] = source.source.texts;
    if (!before?.at) return;
    const at = { ...before.at, line: start.line, character: start.character };
    const saved = await this.workspace.store.create(
      { ...source.source, texts: [{ ...before, text, at }] },
      record.form,
    );
    const { by, columns, form } = record;
    const choices = { by, columns, excluded: { [by]: positionsAfter(record.excluded[by] ?? [], order) }, form };
    await saved.memory.keepChoices(choices);
    const next = this.hold({ ...saved, record: { ...saved.record, ...choices } });
    const ranking = record.rankings[by];
    const isSame = next.page.source.documents.list.length === order.length;
    if (ranking && isSame) await next.page.keepResult(by, { ranking: reorderRanking(ranking, order) });
    this.show(next);
  }

  dispose(): void {
    this.store.dispose();
  }

  private hold(saved: SavedPage): Held {
    const page: RerankPage = new RerankPage(saved, this.workspace, {
      sourceState: () => this.stateOf(held),
      onChange: () => this.tellOf(held),
    });
    const { source } = saved.record;
    const held: Held = { page, watch: source && this.watch(source, () => page) };
    this.held.push(held);
    return held;
  }

  private watch(source: RerankSource, page: () => RerankPage): SourceWatch {
    return watchSource(source, () => this.onTextChanged(page()));
  }

  private stateOf({ page, watch }: Held): SourceState {
    const { source } = page.record;
    const changed = watch?.changed;
    return {
      ...(changed !== undefined && { changed }),
      canReadAgain: source !== undefined && isReadAgain(source),
      canWrite: source !== undefined && isWritable(source),
      isShowingScores: this.workspace.scores.isShown(page),
    };
  }

  /** If undo or redo restores the text of another order, shows that one. */
  private onTextChanged(page: RerankPage): void {
    if (page !== this.page) return;
    const standing = page.isRunning ? undefined : this.held.find((held) => held !== this.shown && stands(held.page));
    if (this.shown.watch?.changed !== undefined && standing) {
      standing.page.type({ ...page.record.form });
      this.show(standing);
    } else this.changed.fire();
  }

  private tellOf(held: Held): void {
    if (held === this.shown) this.changed.fire();
  }

  private show(held: Held): void {
    this.shown = held;
    this.changed.fire();
  }

  private replaceShown(held: Held): void {
    this.held[this.held.indexOf(this.shown)] = held;
    this.show(held);
  }

  private letGo(): void {
    for (const { watch } of this.held.splice(0)) watch?.dispose();
  }

  private redraw(): void {
    this.fillModel();
    this.changed.fire();
  }

  /** If models arrive after the page and none is chosen, or those of another account without the one chosen, chooses the preferred one. */
  private fillModel(): void {
    const { form } = this.page.record;
    const { profileId, fetchedAt, error } = this.workspace.services.models.state;
    const isKnown = fetchedAt !== undefined || error !== undefined;
    // What another account has is about to be known.
    if (!isKnown && this.account !== undefined && profileId !== this.account) return;
    const model = (isKnown ? this.modelFor(form.model) : form.model) || this.workspace.models().preferred;
    if (model !== form.model) this.page.type({ ...form, model });
  }

  /** Returns the model to go on with: `model`, unless the account has become another that lacks it. Empty if none was named with that one. */
  private modelFor(model: string): string {
    const { state } = this.workspace.services.models;
    const { profileId } = state;
    if (profileId === undefined || profileId === this.account) return model;
    const before = this.account;
    this.account = profileId;
    if (before === undefined) return model;
    this.models.set(before, model);
    return model === '' || lacksModel(model, state) ? (this.models.get(profileId) ?? '') : model;
  }

  private refuseWhileRunning(): void {
    if (this.page.isRunning) throw this.workspace.words.busy();
  }
}

function nothingSaved(model: string): SavedPage {
  const keep = async () => undefined;
  const form = { ...emptyForm, model };
  return {
    record: { id: 'new', by: 'whole', excluded: {}, form, rankings: {}, comparisons: {} },
    memory: { id: 'new', keepChoices: keep, keepSource: keep, keepResults: keep },
  };
}

function stands({ record: { source } }: RerankPage): boolean {
  return source !== undefined && isStillOpen(source);
}
