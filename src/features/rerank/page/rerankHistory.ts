import * as vscode from 'vscode';
import { l10n, env } from 'vscode';
import { emptyForm } from '../../../protocol/rerankForm';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import type { RerankForm, RerankSourceKind } from '../../../protocol/rerank';
import type { SourceState } from '../controller/rerankWorkspace';
import { reorderRanking, positionsAfter } from '../controller/rankedDocuments';
import { RerankController } from '../controller/rerankController';
import { readFiles } from '../sources/filesSource';
import type { RerankSource, SourceText } from '../sources/rerankSource';
import { readDocument } from '../sources/selectionSource';
import { tabGuard } from '../sources/readSource';
import type { SavedPage } from '../store/rerankStore';
import type { Reordered } from './editorScores';
import { stillStands } from './liveRange';
import type { RerankWindow } from './rerankWindow';
import { listText } from '../../../protocol/formats';
import { lacksModel } from '../../../core/catalogue/lacksModel';
import { commandTitle } from '../../../platform/contributions';

interface Held {
  readonly controller: RerankController;
  readonly watch: SourceWatch | undefined;
}

/** The controllers of a tab. Another source replaces them; another order of the same text adds one, and undo shows the previous one. */
export class RerankHistory implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  /** Controllers for other orders of the same text. */
  private readonly held: Held[] = [];
  private shown: Held;
  /** The account whose models were known last, and the models that the page named for accounts before. */
  private account: string | undefined;
  private readonly models = new Map<string, string>();

  /** Fires when the page has to be updated. */
  readonly onDidChange = this.changed.event;

  constructor(
    kept: SavedPage | undefined,
    private readonly window: RerankWindow,
  ) {
    this.shown = this.hold(kept ?? nothingKept(window.models().preferred));
    this.store.add(window.onDidChange(() => this.redraw()));
    this.store.add({
      dispose: () => this.held.forEach(({ controller, watch }) => (controller.stop(), watch?.dispose())),
    });
  }

  get controller(): RerankController {
    return this.shown.controller;
  }

  async refresh(): Promise<void> {
    await this.window.refresh();
    this.fillModel();
  }

  /** Lets the user choose a source, asking as needed. Changes nothing on cancel. */
  async choose(kind: RerankSourceKind, signal?: AbortSignal): Promise<void> {
    this.refuseWhileRunning();
    const source = await this.window.readSource(kind, signal);
    signal?.throwIfAborted();
    if (source) await this.take(source);
  }

  /** Shows another source, keeping the form. */
  async take(source: RerankSource): Promise<void> {
    this.refuseWhileRunning();
    const kept = await this.window.store.create(source, this.controller.record.form);
    this.letGo();
    this.show(this.hold(kept));
  }

  /** Updates the fields of the form that are set in `form`. */
  fill(form: Partial<RerankForm>): void {
    this.controller.type({ ...this.controller.record.form, ...form });
    this.changed.fire();
  }

  /** Reads the texts again. If that changes the documents, the previous ones keep their ranking. */
  async readAgain(): Promise<void> {
    this.refuseWhileRunning();
    const { source } = this.controller.record;
    const now = source && (await readAsNow(source, this.window));
    if (!now) return;
    if (!this.controller.takeAgain(now)) {
      await this.take(now);
      return;
    }
    this.shown.watch?.dispose();
    this.replaceShown({ controller: this.controller, watch: this.watch(now, () => this.controller) });
  }

  /** Continues with a text that was written in another order, and carries its ranking over. */
  async takeReordered(controller: RerankController, { text, start, order }: Reordered): Promise<void> {
    const { source, record } = controller;
    const [before] = source.source.texts;
    if (!before?.at) return;
    const at = { ...before.at, line: start.line, character: start.character };
    const kept = await this.window.store.create({ ...source.source, texts: [{ ...before, text, at }] }, record.form);
    const { by, form } = record;
    const choices = { by, excluded: { [by]: positionsAfter(record.excluded[by] ?? [], order) }, form };
    await kept.memory.keepChoices(choices);
    const next = this.hold({ ...kept, record: { ...kept.record, ...choices } });
    const ranking = record.rankings[by];
    const isSame = next.controller.source.documents.list.length === order.length;
    if (ranking && isSame) await next.controller.keepResult(by, { ranking: reorderRanking(ranking, order) });
    this.show(next);
  }

  dispose(): void {
    this.store.dispose();
  }

  private hold(page: SavedPage): Held {
    const controller: RerankController = new RerankController(page, this.window, {
      sourceState: () => this.stateOf(held),
      onChange: () => this.tellOf(held),
    });
    const { source } = page.record;
    const held: Held = { controller, watch: source && this.watch(source, () => controller) };
    this.held.push(held);
    return held;
  }

  private watch(source: RerankSource, controller: () => RerankController): SourceWatch {
    return watchSource(source, () => this.onTextChanged(controller()));
  }

  private stateOf({ controller, watch }: Held): SourceState {
    const { source } = controller.record;
    const changed = watch?.changed;
    return {
      ...(changed !== undefined && { changed }),
      canReadAgain: source !== undefined && isReadAgain(source),
      canWrite: source !== undefined && isWritable(source),
      isShowingScores: this.window.scores.isShown(controller),
    };
  }

  /** If undo or redo restores the text of another order, shows that one. */
  private onTextChanged(controller: RerankController): void {
    if (controller !== this.controller) return;
    const standing = controller.isRunning
      ? undefined
      : this.held.find((held) => held !== this.shown && stands(held.controller));
    if (this.shown.watch?.changed !== undefined && standing) {
      standing.controller.type({ ...controller.record.form });
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
    const { form } = this.controller.record;
    const { profileId, fetchedAt, error } = this.window.services.models.state;
    const isKnown = fetchedAt !== undefined || error !== undefined;
    // What another account has is about to be known.
    if (!isKnown && this.account !== undefined && profileId !== this.account) return;
    const model = (isKnown ? this.modelFor(form.model) : form.model) || this.window.models().preferred;
    if (model !== form.model) this.controller.type({ ...form, model });
  }

  /** Returns the model to go on with: `model`, unless the account has become another that lacks it. Empty if none was named with that one. */
  private modelFor(model: string): string {
    const { state } = this.window.services.models;
    const { profileId } = state;
    if (profileId === undefined || profileId === this.account) return model;
    const before = this.account;
    this.account = profileId;
    if (before === undefined) return model;
    this.models.set(before, model);
    return model === '' || lacksModel(model, state) ? (this.models.get(profileId) ?? '') : model;
  }

  private refuseWhileRunning(): void {
    if (this.controller.isRunning) throw this.window.words.busy();
  }
}

function nothingKept(model: string): SavedPage {
  const keep = async () => undefined;
  const form = { ...emptyForm, model };
  return {
    record: { id: 'new', by: 'whole', excluded: {}, form, rankings: {}, comparisons: {} },
    memory: { id: 'new', keepChoices: keep, keepSource: keep, keepResults: keep },
  };
}

function documentOf(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

function stands({ record }: RerankController): boolean {
  const { source } = record;
  const [text] = source?.texts ?? [];
  const document = text?.at && documentOf(text.at.uri);
  return source !== undefined && text !== undefined && document !== undefined && stillStands(document, source, text);
}

function isReadAgain({ kind }: RerankSource): boolean {
  return kind === 'file' || kind === 'tabs' || kind === 'files';
}

function isWritable({ texts }: RerankSource): boolean {
  const uri = texts[0]?.at && vscode.Uri.parse(texts[0].at.uri, true);
  if (!uri) return false;
  return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

async function readAsNow(source: RerankSource, { services }: RerankWindow): Promise<RerankSource | undefined> {
  if (!isReadAgain(source)) return undefined;
  const uris = source.texts.flatMap(({ at }) => (at ? [vscode.Uri.parse(at.uri, true)] : []));
  const open = source.kind === 'file' && uris[0] ? documentOf(uris[0].toString()) : undefined;
  if (source.kind === 'file' && !open) {
    throw new UserError(
      l10n.t('The file is no longer open'),
      l10n.t('Open the file, then select it as the source again.'),
    );
  }
  if (open) return readDocument(open);
  const limits = source.kind === 'tabs' ? { guard: await tabGuard(services.settings) } : {};
  return { ...(await readFiles(uris, limits)), kind: source.kind, title: source.title };
}

/** Debounce, because the whole text is compared. */
const quietMs = 300;
const mostNames = 3;

/** Watches whether the texts of a source are unchanged in their editors. Ignores files that are not open. */
interface SourceWatch extends Disposable {
  /** Localized; `undefined` while nothing has changed. */
  readonly changed: string | undefined;
}

function watchSource(source: RerankSource, onChange: () => void): SourceWatch {
  const store = new DisposableStore();
  const byUri = new Map<string, SourceText[]>();
  for (const text of source.texts) {
    if (text.at && !text.at.isAbout) byUri.set(text.at.uri, [...(byUri.get(text.at.uri) ?? []), text]);
  }
  const others = new Set<string>();
  const waiting = new Map<string, NodeJS.Timeout>();

  const look = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    const texts = byUri.get(uri) ?? [];
    const isOther = texts.some((text) => !stillStands(document, source, text));
    if (isOther === others.has(uri)) return;
    if (isOther) others.add(uri);
    else others.delete(uri);
    onChange();
  };
  const lookLater = (document: vscode.TextDocument) => {
    const uri = document.uri.toString();
    if (!byUri.has(uri)) return;
    clearTimeout(waiting.get(uri));
    waiting.set(
      uri,
      setTimeout(() => look(document), quietMs),
    );
  };
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => lookLater(document)));
  store.add(vscode.workspace.onDidOpenTextDocument(lookLater));
  store.add({ dispose: () => waiting.forEach((timer) => clearTimeout(timer)) });
  for (const document of vscode.workspace.textDocuments) lookLater(document);

  return {
    get changed() {
      if (others.size === 0) return undefined;
      const names = [...new Set([...others].flatMap((uri) => byUri.get(uri)?.[0]?.name ?? []))];
      const shown = listText([...names.slice(0, mostNames), names.length > mostNames ? '…' : ''], env.language);
      return source.kind === 'selection'
        ? l10n.t(
            '{0} has changed. To rank the current text, select it and run "{1}".',
            shown,
            commandTitle('inferenceDesk.rerank.selection'),
          )
        : l10n.t('Changed: {0}. The earlier text is still used here.', shown);
    },
    dispose: () => store.dispose(),
  };
}
