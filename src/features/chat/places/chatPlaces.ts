import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { ChatPlaceKind } from '../../../protocol/chatPlaces';
import { showMessage } from '../../../platform/notify';
import { titled } from '../../../protocol/sentences';
import { chatWords } from '../chatWords';
import type { FocusEvent } from '../chatPage';
import type { ShownMemory } from '../shownConversation';
import { createChatPlace } from './chatPlace';
import type { ChatPlace, ChatPlaceParts } from './chatPlace';
import { createTab, frameOfTab, nameTab, readTabState } from './chatTab';

export interface ChatPlacesOptions {
  readonly parts: ChatPlaceParts;
  /** Which conversation the side bar shows, kept over a restart. */
  readonly sideBarMemory: ShownMemory;
  /** The error of a conversation that is not there. */
  readonly gone: () => Error;
  /** What is shown where, what is used, or whether something is answered there changed. */
  readonly changed: () => void;
}

/** Where this window shows conversations: the side bar, and any number of tabs. A conversation is in one place at a time. */
export class ChatPlaces implements Disposable {
  private view: vscode.WebviewView | undefined;
  private sideBarPlace: ChatPlace;
  private readonly tabs = new Map<vscode.WebviewPanel, ChatPlace>();
  private lastUsed: ChatPlace | undefined;
  private readonly listening = new DisposableStore();

  constructor(private readonly options: ChatPlacesOptions) {
    this.sideBarPlace = this.createPlace(options.sideBarMemory.get(), 'newest');
    const { runs, pool } = options.parts.engine;
    this.listening.add(runs.onDidChange((id) => this.onNews(id)));
    this.listening.add(pool.onDidChangeUnsaved((id) => this.onUnsaved(id)));
  }

  get sideBar(): ChatPlace {
    return this.sideBarPlace;
  }

  /** The place commands mean that name none: the one used last. */
  get current(): ChatPlace {
    return this.lastUsed ?? this.sideBarPlace;
  }

  /** The tab that is the active editor. */
  get activeTab(): ChatPlace | undefined {
    return [...this.tabs].find(([panel]) => panel.active)?.[1];
  }

  get all(): readonly ChatPlace[] {
    return [this.sideBarPlace, ...this.tabs.values()];
  }

  showView(view: vscode.WebviewView): void {
    this.view = view;
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
    });
    this.sideBarPlace.page.show(view);
  }

  /** Brings a tab back after a reload of the window. */
  async restoreTab(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = readTabState(state);
    const at = id === undefined ? undefined : this.placeWith(id);
    // The side bar, which came first, may have taken it for want of another.
    if (at && at === this.sideBarPlace) {
      await at.session.shown.showNew();
      await at.page.tellChanged();
    } else if (at) return panel.dispose();
    const place = this.createPlace(id, 'new');
    // If it cannot be read, the page says so.
    await place.session.shown.current().catch(() => undefined);
    this.putIntoTab(place, panel);
  }

  /** Shows a conversation, or a new one, in a tab. */
  async openInEditor(id?: string): Promise<void> {
    const at = id === undefined ? undefined : this.placeWith(id);
    if (at && at === this.sideBarPlace) return this.moveToEditor();
    if (at) return this.reveal(at);
    const place = this.createPlace(undefined, 'new');
    try {
      if (id !== undefined && !(await place.session.shown.show(id))) throw this.options.gone();
    } catch (error) {
      await place.dispose();
      throw error;
    }
    this.putIntoTab(place, createTab());
    await this.reveal(place);
  }

  /** The conversation of the side bar goes on in a tab, and the side bar begins another. */
  async moveToEditor(): Promise<void> {
    const place = this.sideBarPlace;
    this.sideBarPlace = this.createPlace(undefined, 'new');
    this.putIntoTab(place, createTab());
    if (this.view) this.sideBarPlace.page.show(this.view);
    await this.sideBarPlace.session.shown.current();
    await this.reveal(place);
  }

  /** The conversation of a tab goes on in the side bar, and the tab is closed. What stood there unsent comes along. */
  async moveToSideBar(place: ChatPlace): Promise<void> {
    const panel = this.panelOf(place);
    if (!panel) return;
    const left = this.sideBarPlace;
    await takeUnsent(left, place);
    this.tabs.delete(panel);
    this.sideBarPlace = place;
    await left.dispose();
    if (this.view) place.page.show(this.view);
    panel.dispose();
    await this.options.sideBarMemory.set((await place.session.shown.current()).id);
    await this.reveal(place);
  }

  /** Brings a place to the front, with the cursor in its question box or where else it is wanted. */
  async reveal(place: ChatPlace, cursor: FocusEvent = 'chat/focusComposer'): Promise<void> {
    const panel = this.panelOf(place);
    if (panel) panel.reveal();
    // Made by the editor for every view: shows it and gives it the focus.
    else await vscode.commands.executeCommand('inferenceDesk.chat.focus');
    this.use(place);
    place.page.focus(cursor);
  }

  placeWith(conversationId: string): ChatPlace | undefined {
    return this.all.find(({ session }) => session.shown.currentId === conversationId);
  }

  kindWith(conversationId: string): ChatPlaceKind | undefined {
    const place = this.placeWith(conversationId);
    return place && (place === this.sideBarPlace ? 'sideBar' : 'editor');
  }

  /** Brings the pages and tabs up to date with a conversation. */
  onNews(conversationId: string): void {
    const place = this.placeWith(conversationId);
    const panel = place && this.panelOf(place);
    if (panel) nameTab(panel, place.session.shown.conversation?.transcript.title ?? '');
    if (place) void place.page.tellFolding();
    for (const { page } of this.all) page.tellConversations();
    this.options.changed();
  }

  /** What the disk refused is told on the page that shows the conversation, or in the window where nobody sees one. */
  private onUnsaved(id: string): void {
    const { engine, services, onTrouble } = this.options.parts;
    const place = this.placeWith(id);
    void place?.page.tellUnsaved();
    for (const { page } of this.all) page.tellConversations();
    const unsaved = engine.pool.unsavedOf(id);
    if (unsaved?.tries !== 0) return;
    onTrouble(unsaved.error);
    if (place?.page.isSeen) return;
    const { title, detail } = chatWords().unsaved(unsaved);
    const show = vscode.l10n.t('Show Conversation');
    void showMessage('error', titled(title, detail), show).then((answer) => {
      if (answer === show) void this.openInEditor(id).catch(services.report);
    });
  }

  dispose(): void {
    this.listening.dispose();
    for (const place of this.all) void place.dispose();
  }

  private use(place: ChatPlace): void {
    this.lastUsed = place === this.sideBarPlace ? undefined : place;
    this.options.changed();
  }

  private panelOf(place: ChatPlace): vscode.WebviewPanel | undefined {
    return [...this.tabs].find((tab) => tab[1] === place)?.[0];
  }

  private createPlace(first: string | undefined, otherwise: 'newest' | 'new'): ChatPlace {
    const place: ChatPlace = createChatPlace(this.options.parts, {
      memory: {
        get: () => first,
        otherwise,
        isTaken: (id) => this.all.some((other) => other !== place && other.session.shown.currentId === id),
        set: async (id) => {
          if (place === this.sideBarPlace) await this.options.sideBarMemory.set(id);
          this.onNews(id);
        },
      },
      links: { used: () => this.use(place), openInEditor: (id) => this.openInEditor(id) },
      others: {
        kindWith: (id) => this.kindWith(id),
        reveal: (id) => this.revealElsewhere(id, place),
        leave: (id) => this.leave(id, place),
        changed: (id) => this.onNews(id),
      },
    });
    return place;
  }

  /** False when no other place shows it. */
  private async revealElsewhere(id: string, place: ChatPlace): Promise<boolean> {
    const at = this.placeWith(id);
    if (!at || at === place) return false;
    await this.reveal(at);
    return true;
  }

  /** No other place than this one shows the conversation any more. */
  private async leave(id: string, place: ChatPlace): Promise<void> {
    const at = this.placeWith(id);
    if (!at || at === place) return;
    const panel = this.panelOf(at);
    if (panel) return panel.dispose();
    await at.session.shown.showNew();
    await at.page.tellChanged();
  }

  private putIntoTab(place: ChatPlace, panel: vscode.WebviewPanel): void {
    this.tabs.set(panel, place);
    const store = this.listening.add(new DisposableStore());
    store.add(
      panel.onDidChangeViewState(() => {
        if (panel.active) this.use(place);
        else this.options.changed();
      }),
    );
    store.add(
      panel.onDidDispose(() => {
        store.dispose();
        if (this.lastUsed === place) this.lastUsed = undefined;
        // What was moved lives on.
        if (this.tabs.delete(panel)) void place.dispose();
        for (const { page } of this.all) page.tellConversations();
        this.options.changed();
      }),
    );
    place.page.show(frameOfTab(panel, this.options.parts.services.context.extensionUri));
    const { currentId } = place.session.shown;
    if (currentId !== undefined) this.onNews(currentId);
    if (panel.active) this.use(place);
  }
}

/** What a person wrote or attached in the place that goes is not lost: it goes on in the one that takes its place. */
async function takeUnsent(from: ChatPlace, to: ChatPlace): Promise<void> {
  const [left, next] = await Promise.all([from.session.shown.current(), to.session.shown.current()]);
  // A conversation in which something was asked is in the list, and keeps its own.
  if (left.transcript.turns().length > 0) return;
  for (const attachment of from.attachments.tray.attachments) to.attachments.tray.add(attachment);
  await left.attached.set([]);
  const unsent = await left.readDraft();
  if (unsent === '') return;
  const drafts = [await next.readDraft(), unsent].filter((text) => text !== '');
  await next.writeDraft(drafts.join('\n\n'));
  await left.writeDraft('');
}
