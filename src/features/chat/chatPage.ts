import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { onDidChangeEditorColours, readEditorColours, type EditorColours } from '../../platform/editorColours';
import { runAction } from '../../platform/errors/reportError';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { chatCalls, type Spent, type ChatSnapshot } from '../../protocol/chat';
import type { Services } from '../../services/services';
import type { Attachments } from './attachments/attachments';
import { chatHandlers } from './chatHandlers';
import type { ChatSession } from './chatSession';
import type { CodeActions } from './code/codeActions';
import type { ConversationHistory } from './conversationHistory';
import type { ParameterService } from './parameterService';
import type { ToolSettings } from './tools/toolSettings';
import type { ToolChanges } from './tools/toolChanges';
import type { LocationLinks } from './locations/locationHandlers';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';

/** Events with which a command moves the focus. */
export type FocusEvent = 'chat/focusComposer' | 'chat/showConversations';

export interface ChatPageOptions {
  readonly services: Services;
  readonly session: ChatSession;
  readonly history: ConversationHistory;
  readonly attachments: Attachments;
  readonly code: CodeActions;
  readonly parameterService: ParameterService;
  readonly toolSettings: ToolSettings;
  readonly toolChanges: ToolChanges;
  readonly links: Omit<LocationLinks, 'scrolled'>;
}

/** The view or the tab in which a page is shown. */
export interface PageFrame {
  readonly webview: vscode.Webview;
  readonly isTab?: boolean;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
}

/** The page of a location that shows a conversation, while it is open. */
export class ChatPage implements Disposable {
  private readonly listening = new DisposableStore();
  private host: ScreenHost<'chat'> | undefined;
  private frame: PageFrame | undefined;
  private shownIn: Disposable | undefined;
  private toldFrame = '';
  /** The last scroll position of the log, and its conversation. */
  private scrolled: { readonly conversationId: string; readonly scrollTop: number } | undefined;
  private wantedFocus: FocusEvent | undefined;
  private colours: Promise<EditorColours> | undefined;

  constructor(private readonly options: ChatPageOptions) {
    const { services, toolChanges } = options;
    this.listening.add(toolChanges.onDidChange(() => this.host?.tell('chat/toolsChanged', {})));
    const onChange = () => void this.tellChanges();
    this.listening.add(services.models.onDidChange(onChange));
    this.listening.add(services.profiles.onDidChange(onChange));
    this.listening.add(onDidChangeEditorColours(() => void this.tellColours()));
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.messageLimit' && void this.tellFolding()),
    );
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.dailyTokenBudget' && void this.tellBudget()),
    );
  }

  /** Shows the page in this frame and leaves the previous one. */
  show(frame: PageFrame): void {
    this.leave();
    const { services } = this.options;
    const shownIn = new DisposableStore();
    const host = shownIn.add(
      showScreen({
        screen: 'chat',
        title: vscode.l10n.t('Chat'),
        location: frame.isTab === true ? 'editor' : 'view',
        webview: frame.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: chatCalls,
        log: services.log,
      }),
    );
    shownIn.add(frame.onDidChangeVisibility(() => !frame.visible && host.forgetPage()));
    shownIn.add(frame.onDidDispose(() => this.frame === frame && this.leave()));
    this.host = host;
    this.frame = frame;
    this.shownIn = shownIn;
  }

  focus(where: FocusEvent): void {
    this.wantedFocus = where;
    this.host?.tell(where, {});
  }

  tellAttachments(): void {
    this.host?.tell('chat/attachmentsChanged', { chips: this.options.attachments.tray.chips });
  }

  /** Whether the page is visible now. */
  get isSeen(): boolean {
    return this.frame?.visible === true;
  }

  async tellUnsaved(): Promise<void> {
    await this.orWarn(() => this.tellChanged());
  }

  tellConversations(): void {
    this.host?.tell('chat/conversationsChanged', {});
  }

  async tellChanged(): Promise<void> {
    const { host } = this;
    if (!host) return;
    const snapshot = await this.options.session.snapshot();
    this.toldFrame = frameOf(snapshot);
    host.tell('chat/changed', snapshot);
  }

  /** Notifies the page of what the next request sends. */
  async tellFolding(): Promise<void> {
    await this.orWarn(async () => this.host?.tell('chat/compaction', await this.options.session.compaction.news()));
  }

  private async tellBudget(): Promise<void> {
    await this.orWarn(async () => this.host?.tell('chat/budget', await this.spent()));
  }

  private async tellColours(reading = readEditorColours()): Promise<void> {
    await this.orWarn(async () => {
      this.colours = reading;
      const colours = await reading;
      // A theme change fires twice: the first reading may finish last and match neither theme.
      if (this.colours === reading) this.host?.tell('chat/codeColours', { colours });
    });
  }

  private async spent(): Promise<Spent> {
    const { session, services } = this.options;
    const { id, usage } = await session.exportable([]);
    const spent = await (await services.usage()).spent(services.profiles.active?.id ?? '');
    return { conversationId: id, conversation: usage, ...spent };
  }

  dispose(): void {
    this.leave();
    this.listening.dispose();
  }

  private leave(): void {
    this.shownIn?.dispose();
    this.shownIn = undefined;
    this.host = undefined;
    this.frame = undefined;
  }

  private handlers() {
    const { services, session, history, parameterService, attachments, code, toolSettings, toolChanges, links } =
      this.options;
    const handlers = chatHandlers({
      session,
      history,
      parameterService,
      toolSettings,
      toolsChanged: () => toolChanges.tell(),
      models: services.models,
      copy: (text) => vscode.env.clipboard.writeText(text),
      exportConversation: () => runCommand('inferenceDesk.chat.export'),
      openLink: (url) => vscode.env.openExternal(vscode.Uri.parse(url, true)),
      runAction,
      spending: {
        check: async () => (await services.usage()).check(services.profiles.active?.id ?? '', 'chat'),
        read: () => this.spent(),
      },
      attachments,
      useCode: (used) => code.use(used),
      location: { ...links, scrolled: (scrollTop) => this.onScrolled(scrollTop) },
      changed: () => void this.tellChanged().catch((error: unknown) => services.report(error)),
    });
    return {
      ...handlers,
      'chat/ready': async (...args: Parameters<(typeof handlers)['chat/ready']>) => {
        // Sent before the content that uses these colours.
        const [snapshot] = await Promise.all([handlers['chat/ready'](...args), this.tellColours(this.colours)]);
        this.toldFrame = frameOf(snapshot);
        const wanted = this.wantedFocus;
        if (wanted) setImmediate(() => this.host?.tell(wanted, {}));
        this.wantedFocus = undefined;
        const { conversationId, scrollTop } = this.scrolled ?? {};
        const stood = conversationId === snapshot.conversationId && scrollTop !== undefined ? { scrollTop } : {};
        return { ...snapshot, ...stood };
      },
    };
  }

  private onScrolled(scrollTop: number): void {
    const { currentId } = this.options.session.shown;
    if (currentId !== undefined) this.scrolled = { conversationId: currentId, scrollTop };
  }

  /** Notifies the page of changes to models and profile, but only if they affect what it shows. */
  private async tellChanges(): Promise<void> {
    if (!this.host) return;
    const { models } = this.options.services;
    // The user signed in while the page was visible; no other view may be open that would load the models.
    if (this.frame?.visible === true && isUnread(models.state)) void models.ensureFresh();
    await this.orWarn(async () => {
      const snapshot = await this.options.session.snapshot();
      if (frameOf(snapshot) !== this.toldFrame) await this.tellChanged();
    });
  }

  private async orWarn(tell: () => Promise<void>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.options.services.log.warn(`The chat page could not be brought up to date: ${String(error)}`);
    }
  }
}

/** Returns a key for everything around the turns, to detect changes. The draft is left out: the page knows what was typed. */
function frameOf({ turns: _turns, draft: _draft, compaction: _compaction, ...frame }: ChatSnapshot): string {
  return JSON.stringify(frame);
}

/** Whether the user is signed in and the models have never been requested. */
function isUnread({ session, fetchedAt, loading, error }: ModelCatalogue['state']): boolean {
  return session === 'signedIn' && fetchedAt === undefined && !loading && error === undefined;
}
