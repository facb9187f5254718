import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConversationBin } from '../../core/conversation/conversationBin';
import { createConversationFolder } from '../../core/conversation/conversationFolder';
import { createConversationIndex } from '../../core/conversation/conversationIndex';
import { ageWords } from '../../platform/age';
import { setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { describe, runAction } from '../../platform/reportError';
import { showScreen } from '../../platform/webviewHost';
import type { ScreenHost } from '../../platform/webviewHost';
import type { Spent } from '../../protocol/chat';
import type { Services } from '../../services';
import { frameOf, isUnread } from './pageNews';
import { chatHandlers } from './chatHandlers';
import { chatParams } from './chatParams';
import { ChatSession } from './chatSession';
import { addBatchLine } from './addBatchLine';
import { exportConversation } from './exportConversation';
import { ChatSpending } from './chatSpending';
import { chatStrings } from './chatStrings';
import { budgetUsedUp, chatWords } from './chatWords';
import { createUsageLedger } from './usageLedger';
import { createCodeActions } from './code/codeActions';
import type { CodeActions } from './code/codeActions';
import { createAttachments } from './attachments/attachments';
import type { Attachments } from './attachments/attachments';
import { createLastEditor } from './code/lastEditor';
import { ConversationShelf } from './conversationShelf';
import { openParameterDesk } from './openParameterDesk';
import type { ParameterDesk } from './parameterDesk';

/** Pieces of an answer are told to the page at most this often: one message costs the page about as much as ten pieces. */
const gatherMs = 40;
/** So long a deleted conversation can be had back; the words of the page say so. */
const keepDeletedMs = 60 * 60_000;
const currentIdKey = 'chat.conversation';

/** The chat of this window. Lives as long as the extension; pages come and go. */
export interface ChatRuntime extends Disposable {
  show(view: vscode.WebviewView): void;
  startNew(): Promise<void>;
  stop(): void;
  /** Puts the cursor into the question box, now or as soon as there is one. */
  focusComposer(): void;
  /** Asks for a form and a place, and writes the conversation there. */
  exportConversation(): Promise<void>;
  /** Adds the conversation's request to a batch file. */
  addBatchLine(): Promise<void>;
  readonly code: Pick<CodeActions, 'apply' | 'discard'>;
  readonly attachments: Pick<Attachments, 'addSelection' | 'addFiles' | 'choose'>;
  /** Opens the list of conversations in the page, now or as soon as there is one. */
  showConversations(): void;
}

export function createChatRuntime(services: Services): ChatRuntime {
  const store = new DisposableStore();
  const onRunningChange = (running: boolean) => {
    void setContext('inferenceDesk.chatAnswering', running);
    page.tellConversations();
    void page.tellFolding();
  };
  const spending = createSpending(services);
  const desk = openParameterDesk(services);
  const session = store.add(createSession(services, { spending, desk, onRunningChange }));
  const lastEditor = store.add(createLastEditor());
  const code = store.add(createCodeActions(lastEditor));
  const attachments = store.add(createAttachments(lastEditor, () => page.tellAttachments()));
  const work = { spending, code, attachments, desk };
  const page = store.add(new ChatPage(services, session, createShelf(services, session), work));
  return {
    show: (view) => page.show(view),
    async startNew() {
      await session.startNew();
      await page.tellChanged();
    },
    stop: () => session.stop(),
    exportConversation: async () =>
      exportConversation(services, await session.exportable(attachments.tray.attachments)),
    addBatchLine: async () => addBatchLine(await session.exportable(attachments.tray.attachments)),
    code,
    attachments,
    focusComposer: () => page.focus('chat/focusComposer'),
    showConversations: () => page.focus('chat/showConversations'),
    dispose: () => store.dispose(),
  };
}

const folderOf = ({ context }: Pick<Services, 'context'>) => join(context.globalStorageUri.fsPath, 'conversations');

function createSpending({ context, connections, profiles, settings, log }: Services): ChatSpending {
  const folder = join(context.globalStorageUri.fsPath, 'usage');
  return new ChatSpending({
    ledger: createUsageLedger(folder, (error) => log.warn(`What was used could not be kept: ${String(error)}`)),
    profileId: () => profiles.active?.id,
    budget: () => settings.get('chat.dailyTokenBudget'),
    client: () => connections.client(),
    usedUp: budgetUsedUp,
    now: Date.now,
  });
}

interface SessionParts {
  readonly spending: ChatSpending;
  readonly desk: ParameterDesk;
  readonly onRunningChange: (running: boolean) => void;
}

function createSession(services: Services, { spending, desk, onRunningChange }: SessionParts): ChatSession {
  const { context, models, activity, profiles, settings, log } = services;
  return new ChatSession({
    folder: createConversationFolder(folderOf(services), Date.now),
    currentId: {
      get: () => context.workspaceState.get<string>(currentIdKey),
      set: (id) => context.workspaceState.update(currentIdKey, id),
    },
    client: () => spending.client(),
    models,
    activity,
    parameters: desk,
    profileName: () => profiles.active?.name ?? '',
    locale: vscode.env.language,
    describe,
    words: chatWords(),
    onTrouble: (error) => log.warn(`The conversation could not be saved: ${String(error)}`),
    onRunningChange,
    newId: randomUUID,
    now: Date.now,
    gatherMs,
    messageLimit: () => settings.get('chat.messageLimit'),
  });
}

function createShelf(services: Services, session: ChatSession): ConversationShelf {
  const folder = folderOf(services);
  return new ConversationShelf({
    session,
    index: createConversationIndex(folder),
    bin: createConversationBin(folder, { keepMs: keepDeletedMs, now: Date.now }),
    age: (at) => ageWords(at, Date.now(), vscode.env.language),
    gone: () => chatWords().conversationGone(),
  });
}

/** Where a command wants the cursor. */
type FocusEvent = 'chat/focusComposer' | 'chat/showConversations';

/** The page that shows the chat, while there is one. */
class ChatPage implements Disposable {
  private readonly listening = new DisposableStore();
  private host: ScreenHost<'chat'> | undefined;
  private view: vscode.WebviewView | undefined;
  private toldFrame = '';
  private wantedFocus: FocusEvent | undefined;

  constructor(
    private readonly services: Services,
    private readonly session: ChatSession,
    private readonly shelf: ConversationShelf,
    private readonly work: {
      readonly spending: ChatSpending;
      readonly code: CodeActions;
      readonly attachments: Attachments;
      readonly desk: ParameterDesk;
    },
  ) {
    const onNews = () => void this.tellNews();
    this.listening.add(services.models.onDidChange(onNews));
    this.listening.add(services.profiles.onDidChange(onNews));
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.messageLimit' && void this.tellFolding()),
    );
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.dailyTokenBudget' && void this.tellBudget()),
    );
  }

  show(view: vscode.WebviewView): void {
    this.host?.dispose();
    const host = showScreen({
      screen: 'chat',
      title: vscode.l10n.t('Chat'),
      webview: view.webview,
      extensionUri: this.services.context.extensionUri,
      strings: chatStrings(),
      handlers: this.handlers(),
      params: chatParams,
      log: this.services.log,
    });
    this.host = host;
    this.view = view;
    const perView = this.listening.add(new DisposableStore());
    perView.add(view.onDidChangeVisibility(() => !view.visible && host.forgetPage()));
    perView.add(
      view.onDidDispose(() => {
        host.dispose();
        perView.dispose();
        if (this.host !== host) return;
        this.host = undefined;
        this.view = undefined;
      }),
    );
  }

  focus(where: FocusEvent): void {
    this.wantedFocus = where;
    this.host?.tell(where, {});
  }

  tellAttachments(): void {
    this.host?.tell('chat/attachmentsChanged', { chips: this.work.attachments.tray.chips });
  }

  tellConversations(): void {
    this.host?.tell('chat/conversationsChanged', {});
  }

  async tellChanged(): Promise<void> {
    const { host } = this;
    if (!host) return;
    const snapshot = await this.session.snapshot();
    this.toldFrame = frameOf(snapshot);
    host.tell('chat/changed', snapshot);
  }

  /** Tells the page what the next request sends. */
  async tellFolding(): Promise<void> {
    await this.orWarn(async () => this.host?.tell('chat/folding', await this.session.folding.news()));
  }

  private async tellBudget(): Promise<void> {
    await this.orWarn(async () => this.host?.tell('chat/budget', await this.spent()));
  }

  private async spent(): Promise<Spent> {
    return this.work.spending.of(await this.session.exportable([]));
  }

  dispose(): void {
    this.host?.dispose();
    this.listening.dispose();
  }

  private handlers() {
    const { models } = this.services;
    const handlers = chatHandlers({
      session: this.session,
      shelf: this.shelf,
      desk: this.work.desk,
      models,
      copy: (text) => vscode.env.clipboard.writeText(text),
      openLink: (url) => vscode.env.openExternal(vscode.Uri.parse(url, true)),
      runAction,
      spending: { check: () => this.work.spending.check(), read: () => this.spent() },
      attachments: this.work.attachments,
      useCode: (used) => this.work.code.use(used),
      changed: () => void this.tellChanged().catch((error: unknown) => this.services.report(error)),
    });
    return {
      ...handlers,
      'chat/ready': async (...args: Parameters<(typeof handlers)['chat/ready']>) => {
        const snapshot = await handlers['chat/ready'](...args);
        this.toldFrame = frameOf(snapshot);
        const wanted = this.wantedFocus;
        if (wanted) setImmediate(() => this.host?.tell(wanted, {}));
        this.wantedFocus = undefined;
        return snapshot;
      },
    };
  }

  /** Tells the page of models and profile only when what it shows of them changed. */
  private async tellNews(): Promise<void> {
    if (!this.host) return;
    const { models } = this.services;
    // Someone signed in while the page was looked at; no other view need be open to ask for the models.
    if (this.view?.visible === true && isUnread(models.state)) void models.ensureFresh();
    await this.orWarn(async () => {
      const snapshot = await this.session.snapshot();
      if (frameOf(snapshot) !== this.toldFrame) await this.tellChanged();
    });
  }

  private async orWarn(tell: () => Promise<void>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.services.log.warn(`The chat page could not be brought up to date: ${String(error)}`);
    }
  }
}
