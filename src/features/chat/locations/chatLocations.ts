import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { ChatLocationKind } from '../../../protocol/chatLocations';
import { showMessage } from '../../../platform/notify';
import { titled } from '../../../protocol/sentences';
import { setContext } from '../../../platform/contributions';
import type { FocusEvent, PageFrame } from '../chatController';
import type { ChatRuntime } from '../chatRuntime';
import { ChatLocation } from './chatLocation';
import { panelIcon } from '../../../platform/panelIcon';
import { isConversationId } from '../../../schema/conversationId';
import { foreign } from '../../../core/text/foreignText';
import { conversationGone, notSaved } from '../logic/chatMessages';

/** The locations that show conversations in this window: the side bar and any number of tabs. A conversation is in one at a time. */
export class ChatLocations implements Disposable {
  private view: vscode.WebviewView | undefined;
  private sideBarLocation: ChatLocation;
  private readonly tabs = new Map<vscode.WebviewPanel, ChatLocation>();
  private lastUsed: ChatLocation | undefined;
  private readonly listening = new DisposableStore();
  private sentAnswering = false;

  constructor(private readonly runtime: ChatRuntime) {
    const { workspaceState } = runtime.services.context;
    this.sideBarLocation = this.createLocation(workspaceState.get<string>(currentIdKey), 'newest');
    const { answers, pool, queue } = runtime.engine;
    this.listening.add(queue.onDidChange((id) => void this.locationWith(id)?.page.tellUnsaved()));
    this.listening.add(answers.onDidChange((id) => this.onChange(id)));
    this.listening.add(pool.onDidChangeUnsaved((id) => this.onUnsaved(id)));
  }

  get sideBar(): ChatLocation {
    return this.sideBarLocation;
  }

  /** The location for commands that name none: the last used one. */
  get current(): ChatLocation {
    return this.lastUsed ?? this.sideBarLocation;
  }

  /** The tab that is the active editor. */
  get activeTab(): ChatLocation | undefined {
    return [...this.tabs].find(([panel]) => panel.active)?.[1];
  }

  get all(): readonly ChatLocation[] {
    return [this.sideBarLocation, ...this.tabs.values()];
  }

  showView(view: vscode.WebviewView): void {
    this.view = view;
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
    });
    this.sideBarLocation.page.show(view);
  }

  /** Restores a tab after a reload of the window. */
  async restoreTab(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = readTabState(state);
    const at = id === undefined ? undefined : this.locationWith(id);
    // The side bar, restored first, may have taken this conversation for lack of another.
    if (at && at === this.sideBarLocation) {
      await at.session.shown.showNew();
      await at.page.tellChanged();
    } else if (at) return panel.dispose();
    const location = this.createLocation(id, 'new');
    // If it cannot be read, the page reports it.
    await location.session.shown.current().catch(() => undefined);
    this.putIntoTab(location, panel);
  }

  /** Shows a conversation, or a new one, in a tab. */
  async openInEditor(id?: string): Promise<void> {
    const at = id === undefined ? undefined : this.locationWith(id);
    if (at && at === this.sideBarLocation) return this.moveToEditor();
    if (at) return this.reveal(at);
    const location = this.createLocation(undefined, 'new');
    try {
      if (id !== undefined && !(await location.session.shown.show(id))) {
        throw conversationGone();
      }
    } catch (error) {
      await location.dispose();
      throw error;
    }
    this.putIntoTab(location, createTab());
    await this.reveal(location);
  }

  /** Moves the side bar's conversation to a tab; the side bar starts a new one. */
  async moveToEditor(): Promise<void> {
    const location = this.sideBarLocation;
    this.sideBarLocation = this.createLocation(undefined, 'new');
    this.putIntoTab(location, createTab());
    if (this.view) this.sideBarLocation.page.show(this.view);
    await this.sideBarLocation.session.shown.current();
    await this.reveal(location);
  }

  /** Moves a tab's conversation to the side bar and closes the tab. The side bar's unsent draft and attachments move along. */
  async moveToSideBar(location: ChatLocation): Promise<void> {
    const panel = this.panelOf(location);
    if (!panel) return;
    const left = this.sideBarLocation;
    await takeUnsent(left, location);
    this.tabs.delete(panel);
    this.sideBarLocation = location;
    await left.dispose();
    if (this.view) location.page.show(this.view);
    panel.dispose();
    await this.rememberSideBar((await location.session.shown.current()).id);
    await this.reveal(location);
  }

  /** Reveals a location, with the cursor in its question box or in the requested control. */
  async reveal(location: ChatLocation, cursor: FocusEvent = 'chat/focusComposer'): Promise<void> {
    const panel = this.panelOf(location);
    if (panel) panel.reveal();
    // The editor creates this command for every view: it shows the view and focuses it.
    else await vscode.commands.executeCommand('inferenceDesk.chat.focus');
    this.use(location);
    location.page.focus(cursor);
  }

  locationWith(conversationId: string): ChatLocation | undefined {
    return this.all.find(({ session }) => session.shown.currentId === conversationId);
  }

  kindWith(conversationId: string): ChatLocationKind | undefined {
    const location = this.locationWith(conversationId);
    return location && (location === this.sideBarLocation ? 'sideBar' : 'editor');
  }

  /** Updates the pages and tabs after a change to a conversation. */
  onChange(conversationId: string): void {
    const location = this.locationWith(conversationId);
    const panel = location && this.panelOf(location);
    if (panel) nameTab(panel, location.session.shown.conversation?.transcript.title ?? '');
    if (location) void location.page.tellCompaction();
    for (const { page } of this.all) page.tellConversations();
    this.tellContext();
  }

  /** Reports a failed write on the page that shows the conversation, or as a notification if no page is visible. */
  private onUnsaved(id: string): void {
    const { engine, services } = this.runtime;
    const location = this.locationWith(id);
    void location?.page.tellUnsaved();
    for (const { page } of this.all) page.tellConversations();
    const unsaved = engine.pool.unsavedOf(id);
    if (unsaved?.tries !== 0) return;
    engine.services.window.onError(unsaved.error);
    if (location?.page.isSeen) return;
    const { title, detail } = notSaved(unsaved);
    const show = l10n.t('Show Conversation');
    void showMessage('error', titled(title, detail), show).then((answer) => {
      if (answer === show) void this.openInEditor(id).catch(services.report);
    });
  }

  dispose(): void {
    this.listening.dispose();
    for (const location of this.all) void location.dispose();
  }

  /** To be called when the user acts at a location. */
  use(location: ChatLocation): void {
    this.lastUsed = location === this.sideBarLocation ? undefined : location;
    this.tellContext();
  }

  private panelOf(location: ChatLocation): vscode.WebviewPanel | undefined {
    return [...this.tabs].find((tab) => tab[1] === location)?.[0];
  }

  private createLocation(first: string | undefined, otherwise: 'newest' | 'new'): ChatLocation {
    const location: ChatLocation = new ChatLocation(this.runtime, {
      get: () => first,
      otherwise,
      isTaken: (id) => this.all.some((other) => other !== location && other.session.shown.currentId === id),
      set: async (id) => {
        if (location === this.sideBarLocation) await this.rememberSideBar(id);
        this.onChange(id);
      },
    });
    return location;
  }

  /** Retains the conversation that the side bar shows across restarts. */
  private async rememberSideBar(id: string): Promise<void> {
    await this.runtime.services.context.workspaceState.update(currentIdKey, id);
  }

  /** Shows the conversation at another location. Resolves to false if no other location has it. */
  async revealElsewhere(id: string, location: ChatLocation): Promise<boolean> {
    const at = this.locationWith(id);
    if (!at || at === location) return false;
    await this.reveal(at);
    return true;
  }

  /** Makes any other location stop showing the conversation. */
  async leave(id: string, location: ChatLocation): Promise<void> {
    const at = this.locationWith(id);
    if (!at || at === location) return;
    const panel = this.panelOf(at);
    if (panel) return panel.dispose();
    await at.session.shown.showNew();
    await at.page.tellChanged();
  }

  /** Updates the context key that says whether there is an answer to stop. */
  private tellContext(): void {
    const id = this.current.session.shown.currentId;
    const value = id !== undefined && this.runtime.engine.answers.isAnswering(id);
    if (value === this.sentAnswering) return;
    this.sentAnswering = value;
    void setContext('inferenceDesk.chatAnswering', value);
  }

  private putIntoTab(location: ChatLocation, panel: vscode.WebviewPanel): void {
    this.tabs.set(panel, location);
    const store = this.listening.add(new DisposableStore());
    store.add(
      panel.onDidChangeViewState(() => {
        if (panel.active) this.use(location);
        else this.tellContext();
      }),
    );
    store.add(
      panel.onDidDispose(() => {
        store.dispose();
        if (this.lastUsed === location) this.lastUsed = undefined;
        // A location that was moved out of the tab lives on.
        if (this.tabs.delete(panel)) void location.dispose();
        for (const { page } of this.all) page.tellConversations();
        this.tellContext();
      }),
    );
    location.page.show(frameOfTab(panel, this.runtime.services.context.extensionUri));
    const { currentId } = location.session.shown;
    if (currentId !== undefined) this.onChange(currentId);
    if (panel.active) this.use(location);
  }
}

/** Moves the unsent draft and attachments of the location being replaced to its successor, so that they are not lost. */
async function takeUnsent(from: ChatLocation, to: ChatLocation): Promise<void> {
  const [left, next] = await Promise.all([from.session.shown.current(), to.session.shown.current()]);
  // A conversation with questions stays in the list and retains its own draft.
  if (left.transcript.turns().length > 0) return;
  for (const attachment of from.attachments.tray.attachments) to.attachments.tray.add(attachment);
  await left.attached.set([]);
  const unsent = await left.readDraft();
  if (unsent === '') return;
  const drafts = [await next.readDraft(), unsent].filter((text) => text !== '');
  await next.writeDraft(drafts.join('\n\n'));
  await left.writeDraft('');
}

const currentIdKey = 'chat.conversation';
const tabType = 'inferenceDesk.chatEditor';
/** The editor does not shorten titles, so a longer one would leave no space for other tabs. */
const maxTitle = 40;

/** Returns the id of the conversation that a tab's page saved for a reload of the window. */
function readTabState(state: unknown): string | undefined {
  const id =
    typeof state === 'object' && state !== null && 'conversationId' in state ? state.conversationId : undefined;
  return isConversationId(id) ? id : undefined;
}

/** Creates an empty tab in the active group. */
function createTab(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(tabType, l10n.t('Chat'), vscode.ViewColumn.Active);
}

/** Sets a tab's icon and returns the frame for its page. */
function frameOfTab(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): PageFrame {
  panel.iconPath = panelIcon(extensionUri, 'chat');
  return {
    webview: panel.webview,
    isTab: true,
    get visible() {
      return panel.visible;
    },
    onDidChangeVisibility: panel.onDidChangeViewState,
    onDidDispose: panel.onDidDispose,
  };
}

/** Sets the tab's title to the conversation's title, given by the user or derived from its first question. */
function nameTab(panel: vscode.WebviewPanel, title: string): void {
  const characters = Array.from(title);
  const short = characters.length > maxTitle ? `${characters.slice(0, maxTitle).join('').trimEnd()}…` : title;
  panel.title = title === '' ? l10n.t('New Conversation') : foreign(short);
}
