import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { ChatLocationKind } from '../../../protocol/chatLocations';
import { showMessage } from '../../../platform/notify';
import { titled } from '../../../protocol/sentences';
import { chatMessages } from '../chatMessages';
import type { FocusEvent } from '../chatPage';
import type { ShownMemory } from '../shownConversation';
import { createChatLocation } from './chatLocation';
import type { ChatLocation, ChatLocationParts } from './chatLocation';
import { createTab, frameOfTab, nameTab, readTabState } from './chatTab';

export interface ChatLocationsOptions {
  readonly parts: ChatLocationParts;
  /** Which conversation the side bar shows, kept over a restart. */
  readonly sideBarMemory: ShownMemory;
  /** The error of a conversation that is not there. */
  readonly gone: () => Error;
  /** What is shown where, what is used, or whether something is answered there changed. */
  readonly changed: () => void;
}

/** Where this window shows conversations: the side bar, and any number of tabs. A conversation is in one place at a time. */
export class ChatLocations implements Disposable {
  private view: vscode.WebviewView | undefined;
  private sideBarPlace: ChatLocation;
  private readonly tabs = new Map<vscode.WebviewPanel, ChatLocation>();
  private lastUsed: ChatLocation | undefined;
  private readonly listening = new DisposableStore();

  constructor(private readonly options: ChatLocationsOptions) {
    this.sideBarPlace = this.createPlace(options.sideBarMemory.get(), 'newest');
    const { runs, pool } = options.parts.engine;
    this.listening.add(runs.onDidChange((id) => this.onNews(id)));
    this.listening.add(pool.onDidChangeUnsaved((id) => this.onUnsaved(id)));
  }

  get sideBar(): ChatLocation {
    return this.sideBarPlace;
  }

  /** The place commands mean that name none: the one used last. */
  get current(): ChatLocation {
    return this.lastUsed ?? this.sideBarPlace;
  }

  /** The tab that is the active editor. */
  get activeTab(): ChatLocation | undefined {
    return [...this.tabs].find(([panel]) => panel.active)?.[1];
  }

  get all(): readonly ChatLocation[] {
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
    const location = this.createPlace(id, 'new');
    // If it cannot be read, the page says so.
    await location.session.shown.current().catch(() => undefined);
    this.putIntoTab(location, panel);
  }

  /** Shows a conversation, or a new one, in a tab. */
  async openInEditor(id?: string): Promise<void> {
    const at = id === undefined ? undefined : this.placeWith(id);
    if (at && at === this.sideBarPlace) return this.moveToEditor();
    if (at) return this.reveal(at);
    const location = this.createPlace(undefined, 'new');
    try {
      if (id !== undefined && !(await location.session.shown.show(id))) throw this.options.gone();
    } catch (error) {
      await location.dispose();
      throw error;
    }
    this.putIntoTab(location, createTab());
    await this.reveal(location);
  }

  /** The conversation of the side bar goes on in a tab, and the side bar begins another. */
  async moveToEditor(): Promise<void> {
    const location = this.sideBarPlace;
    this.sideBarPlace = this.createPlace(undefined, 'new');
    this.putIntoTab(location, createTab());
    if (this.view) this.sideBarPlace.page.show(this.view);
    await this.sideBarPlace.session.shown.current();
    await this.reveal(location);
  }

  /** The conversation of a tab goes on in the side bar, and the tab is closed. What stood there unsent comes along. */
  async moveToSideBar(location: ChatLocation): Promise<void> {
    const panel = this.panelOf(location);
    if (!panel) return;
    const left = this.sideBarPlace;
    await takeUnsent(left, location);
    this.tabs.delete(panel);
    this.sideBarPlace = location;
    await left.dispose();
    if (this.view) location.page.show(this.view);
    panel.dispose();
    await this.options.sideBarMemory.set((await location.session.shown.current()).id);
    await this.reveal(location);
  }

  /** Brings a place to the front, with the cursor in its question box or where else it is wanted. */
  async reveal(location: ChatLocation, cursor: FocusEvent = 'chat/focusComposer'): Promise<void> {
    const panel = this.panelOf(location);
    if (panel) panel.reveal();
    // Made by the editor for every view: shows it and gives it the focus.
    else await vscode.commands.executeCommand('inferenceDesk.chat.focus');
    this.use(location);
    location.page.focus(cursor);
  }

  placeWith(conversationId: string): ChatLocation | undefined {
    return this.all.find(({ session }) => session.shown.currentId === conversationId);
  }

  kindWith(conversationId: string): ChatLocationKind | undefined {
    const location = this.placeWith(conversationId);
    return location && (location === this.sideBarPlace ? 'sideBar' : 'editor');
  }

  /** Brings the pages and tabs up to date with a conversation. */
  onNews(conversationId: string): void {
    const location = this.placeWith(conversationId);
    const panel = location && this.panelOf(location);
    if (panel) nameTab(panel, location.session.shown.conversation?.transcript.title ?? '');
    if (location) void location.page.tellFolding();
    for (const { page } of this.all) page.tellConversations();
    this.options.changed();
  }

  /** What the disk refused is told on the page that shows the conversation, or in the window where nobody sees one. */
  private onUnsaved(id: string): void {
    const { engine, services, onTrouble } = this.options.parts;
    const location = this.placeWith(id);
    void location?.page.tellUnsaved();
    for (const { page } of this.all) page.tellConversations();
    const unsaved = engine.pool.unsavedOf(id);
    if (unsaved?.tries !== 0) return;
    onTrouble(unsaved.error);
    if (location?.page.isSeen) return;
    const { title, detail } = chatMessages().unsaved(unsaved);
    const show = vscode.l10n.t('Show Conversation');
    void showMessage('error', titled(title, detail), show).then((answer) => {
      if (answer === show) void this.openInEditor(id).catch(services.report);
    });
  }

  dispose(): void {
    this.listening.dispose();
    for (const location of this.all) void location.dispose();
  }

  private use(location: ChatLocation): void {
    this.lastUsed = location === this.sideBarPlace ? undefined : location;
    this.options.changed();
  }

  private panelOf(location: ChatLocation): vscode.WebviewPanel | undefined {
    return [...this.tabs].find((tab) => tab[1] === location)?.[0];
  }

  private createPlace(first: string | undefined, otherwise: 'newest' | 'new'): ChatLocation {
    const location: ChatLocation = createChatLocation(this.options.parts, {
      memory: {
        get: () => first,
        otherwise,
        isTaken: (id) => this.all.some((other) => other !== location && other.session.shown.currentId === id),
        set: async (id) => {
          if (location === this.sideBarPlace) await this.options.sideBarMemory.set(id);
          this.onNews(id);
        },
      },
      links: { used: () => this.use(location), openInEditor: (id) => this.openInEditor(id) },
      others: {
        kindWith: (id) => this.kindWith(id),
        reveal: (id) => this.revealElsewhere(id, location),
        leave: (id) => this.leave(id, location),
        changed: (id) => this.onNews(id),
      },
    });
    return location;
  }

  /** False when no other place shows it. */
  private async revealElsewhere(id: string, location: ChatLocation): Promise<boolean> {
    const at = this.placeWith(id);
    if (!at || at === location) return false;
    await this.reveal(at);
    return true;
  }

  /** No other place than this one shows the conversation any more. */
  private async leave(id: string, location: ChatLocation): Promise<void> {
    const at = this.placeWith(id);
    if (!at || at === location) return;
    const panel = this.panelOf(at);
    if (panel) return panel.dispose();
    await at.session.shown.showNew();
    await at.page.tellChanged();
  }

  private putIntoTab(location: ChatLocation, panel: vscode.WebviewPanel): void {
    this.tabs.set(panel, location);
    const store = this.listening.add(new DisposableStore());
    store.add(
      panel.onDidChangeViewState(() => {
        if (panel.active) this.use(location);
        else this.options.changed();
      }),
    );
    store.add(
      panel.onDidDispose(() => {
        store.dispose();
        if (this.lastUsed === location) this.lastUsed = undefined;
        // What was moved lives on.
        if (this.tabs.delete(panel)) void location.dispose();
        for (const { page } of this.all) page.tellConversations();
        this.options.changed();
      }),
    );
    location.page.show(frameOfTab(panel, this.options.parts.services.context.extensionUri));
    const { currentId } = location.session.shown;
    if (currentId !== undefined) this.onNews(currentId);
    if (panel.active) this.use(location);
  }
}

/** What a person wrote or attached in the place that goes is not lost: it goes on in the one that takes its place. */
async function takeUnsent(from: ChatLocation, to: ChatLocation): Promise<void> {
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
