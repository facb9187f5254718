import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../core/conversation/attachment';
import { hasPrices, isDemo } from '../../core/profiles/knownServices';
import { countInputTokens } from '../../core/tokens/countTokens';
import type { ComparisonPrice } from '../../protocol/chatCompare';
import { priceLine } from '../../services/usage/costMessages';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { onDidChangeEditorColours, readEditorColours } from '../../platform/editorColours';
import { foreign } from '../../core/text/foreignText';
import { runAction } from '../../platform/errors/reportError';
import { showMessage } from '../../platform/notify';
import { isOutsideLink } from '../../platform/outsideLink';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import type { Handlers } from '../../protocol/call';
import {
  chatCalls,
  type ChatScreen,
  type ChatSnapshot,
  demoStep,
  demoSteps,
  type Spent,
  type Turn,
} from '../../protocol/chat';
import type { PendingFileView } from '../../protocol/chatEdits';
import { onDidChangeEditorContext } from './attachments/editorContext';
import { attachmentHandlers } from './attachments/attachments';
import { commandHandlers } from './chatCommands';
import { copyUnsaved, exportUnsaved, newConversation, openHere, saveUnsaved, withoutCalls } from './logic/chatMessages';
import { editHandlers } from './logic/editHandlers';
import { instructionHandlers } from './instructions';
import type { ChatLocation } from './locations/chatLocation';
import { parameterHandlers } from './logic/parameterService';
import { toolHandlers } from './logic/toolSettings';
import { whileVisible } from '../../platform/whileVisible';

/** Events with which a command moves the focus. */
export type FocusEvent = 'chat/focusComposer' | 'chat/showConversations';

/** The view or the tab in which a page is shown. */
export interface PageFrame {
  readonly webview: vscode.Webview;
  readonly isTab?: boolean;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
}

/** The chat page of a location: answers its calls, and notifies it of changes while it is open. */
export class ChatController implements Disposable {
  private readonly listening = new DisposableStore();
  private host: ScreenHost<'chat'> | undefined;
  private frame: PageFrame | undefined;
  private shownIn: Disposable | undefined;
  private sentFrame = '';
  /** The last scroll position of the log, and its conversation. */
  private scrolled: { readonly conversationId: string; readonly scrollTop: number } | undefined;
  /** For the page once it is ready. A page that is ready would be notified twice. */
  private requestedFocus: FocusEvent | undefined;
  /** Whether the page has asked for its content since it was last shown. */
  private isPageReady = false;
  private colours = readEditorColours();

  constructor(private readonly location: ChatLocation) {
    const { services, tools } = location.runtime;
    this.listening.add(tools.onDidChange(() => this.host?.tell('chat/toolsChanged', {})));
    const onChange = () => void this.tellChanges();
    this.listening.add(services.models.onDidChange(onChange));
    this.listening.add(services.profiles.onDidChange(onChange));
    this.listening.add(onDidChangeEditorContext(() => this.host?.tell('chat/editorContextChanged', {})));
    this.listening.add(onDidChangeEditorColours(() => void this.tellColours()));
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.messageLimit' && void this.tellCompaction()),
    );
    this.listening.add(
      services.settings.onDidChange((name) => name === 'chat.dailyTokenBudget' && void this.tellBudget()),
    );
  }

  /** Shows the page in this frame and leaves the previous one. */
  show(frame: PageFrame): void {
    this.leave();
    const { services } = this.location.runtime;
    const shownIn = new DisposableStore();
    const host = shownIn.add(
      showScreen({
        screen: 'chat',
        title: l10n.t('Chat'),
        location: frame.isTab === true ? 'editor' : 'view',
        webview: frame.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: chatCalls,
        log: services.log,
      }),
    );
    shownIn.add(frame.onDidChangeVisibility(() => !frame.visible && this.onHidden(host)));
    shownIn.add(whileVisible(frame, () => services.models.follow()));
    shownIn.add(frame.onDidDispose(() => this.frame === frame && this.leave()));
    this.host = host;
    this.frame = frame;
    this.shownIn = shownIn;
  }

  focus(where: FocusEvent): void {
    if (this.isPageReady) this.host?.tell(where, {});
    else this.requestedFocus = where;
  }

  tellAttachments(): void {
    this.host?.tell('chat/attachmentsChanged', { chips: this.location.attachments.tray.chips });
  }

  /** Has the page scale an image down and drop it. Returns whether there is a page to do that. */
  scaleImage(name: string, bytes: Uint8Array): boolean {
    if (!this.isPageReady || !this.host) return false;
    this.host.tell('chat/scaleImage', { name, base64: Buffer.from(bytes).toString('base64') });
    return true;
  }

  tellEdits(files: readonly PendingFileView[]): void {
    this.host?.tell('chat/editsChanged', { files });
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
    const snapshot = await this.snapshot();
    this.sentFrame = frameOf(snapshot);
    host.tell('chat/changed', snapshot);
  }

  /** Notifies the page of what the next request sends. */
  async tellCompaction(): Promise<void> {
    const { compaction } = this.location.session;
    await this.orWarn(async () => this.host?.tell('chat/compaction', await compaction.change()));
  }

  dispose(): void {
    this.leave();
    this.listening.dispose();
  }

  /** The editor discards a hidden page. */
  private onHidden(host: ScreenHost<'chat'>): void {
    host.forgetPage();
    if (this.host === host) this.isPageReady = false;
  }

  private leave(): void {
    this.isPageReady = false;
    this.shownIn?.dispose();
    this.shownIn = undefined;
    this.host = undefined;
    this.frame = undefined;
  }

  /** The parameters of the calls have already been validated with `chatCalls`. */
  private handlers(): Handlers<ChatScreen> {
    const { session, attachments, runtime } = this.location;
    const { engine, toolSettings, tools } = runtime;
    const toolsChanged = () => tools.tell();
    return {
      'chat/ready': () => this.ready(),
      'chat/spent': () => this.spent(),
      'chat/act': async ({ action, turnId }) => {
        await this.act(action, turnId);
        return {};
      },
      ...this.conversationHandlers(),
      ...this.askingHandlers(),
      ...this.comparisonHandlers(),
      ...this.historyHandlers(),
      ...this.editorHandlers(),
      ...attachmentHandlers(attachments, session),
      ...commandHandlers(this.location),
      ...editHandlers(this.location),
      ...instructionHandlers(this.location),
      ...parameterHandlers(session.parameters, engine.services.parameters, toolsChanged),
      ...toolHandlers(session, toolSettings, toolsChanged),
    };
  }

  private async ready(): Promise<ChatSnapshot> {
    // The colors are sent before the content that uses them.
    const [snapshot] = await Promise.all([this.snapshot(), this.tellColours(this.colours)]);
    this.sentFrame = frameOf(snapshot);
    this.isPageReady = true;
    const requested = this.requestedFocus;
    if (requested) setImmediate(() => this.host?.tell(requested, {}));
    this.requestedFocus = undefined;
    const { conversationId, scrollTop } = this.scrolled ?? {};
    const scroll = conversationId === snapshot.conversationId && scrollTop !== undefined ? { scrollTop } : {};
    return { ...snapshot, ...scroll };
  }

  /** Calls about the shown conversation. */
  private conversationHandlers() {
    const { session, runtime } = this.location;
    const { models } = runtime.services;
    return {
      'chat/follow': async (followed, context) => ({ answer: await session.follow(followed, context) }),
      'chat/stop': async ({ turnId }) => {
        session.stop(turnId);
        return {};
      },
      'chat/draft': async ({ text, conversationId }) => {
        await session.setDraft(text, conversationId);
        return {};
      },
      'chat/chooseModel': async ({ model }) => {
        // The user might know of more models than the service lists.
        await models.allowUnlisted(model);
        await session.chooseModel(model);
        return {};
      },
      'chat/walk': async ({ turnId, among, index }) => {
        await session.walk(turnId, among, index);
        return this.snapshot();
      },
      'chat/compactedText': async () => ({ text: await session.compaction.text() }),
      'chat/startFrom': async ({ turnId }) => ({ compaction: await session.compaction.startFrom(turnId) }),
    } satisfies Partial<Handlers<ChatScreen>>;
  }

  /** Calls that send a request, and therefore check the budget first. */
  private askingHandlers() {
    const { session } = this.location;
    const afterCheck = async (ask: () => Promise<Turn>) => {
      await this.checkBudget();
      return { turn: await ask() };
    };
    return {
      'chat/ask': ({ text, model, attachments }) =>
        this.askWith(attachments, (along) => session.ask(text, model, along)),
      'chat/steer': async ({ text, model, attachments }) => {
        await this.askWith(attachments, (along) => session.steer(text, model, along));
        return this.snapshot();
      },
      'chat/queue': async ({ text, model, attachments: ids = [] }) => {
        const { tray } = this.location.attachments;
        await session.queue(
          text,
          model,
          ids.map((id) => tray.get(id)),
        );
        if (ids.length > 0) tray.remove(ids);
        return this.snapshot();
      },
      'chat/sendQueued': async ({ id, model }) => {
        const { id: conversationId } = await session.shown.current();
        await session.engine.queue.send(conversationId, id, model);
        return this.snapshot();
      },
      'chat/unqueue': async ({ id, isEdited }) => {
        const { id: conversationId } = await session.shown.current();
        const { tray } = this.location.attachments;
        await session.engine.queue.remove(conversationId, id, ({ attachments }) => {
          if (isEdited) for (const one of attachments) tray.add(one);
        });
        return this.snapshot();
      },
      'chat/edit': ({ turnId, text, model }) => afterCheck(() => session.edit(turnId, text, model)),
      'chat/retry': ({ turnId, model }) => afterCheck(() => session.retry(turnId, model)),
      'chat/continue': ({ turnId }) => afterCheck(() => session.continue(turnId)),
      'chat/compare': ({ text, models, attachments }) =>
        this.askWith(attachments, (along) => session.comparisons.ask(text, models, along)),
      'chat/compareAgain': ({ turnId, tryId, model }) =>
        afterCheck(() => session.comparisons.again(turnId, tryId, model)),
    } satisfies Partial<Handlers<ChatScreen>>;
  }

  /** Asks with these attachments, which leave the question box once the question is recorded. */
  private async askWith(
    ids: readonly string[] = [],
    ask: (attachments: readonly Attachment[]) => Promise<Turn>,
  ): Promise<{ readonly turn: Turn }> {
    const { session, attachments } = this.location;
    await this.checkBudget();
    await session.comparisons.checkPicked();
    const turn = await ask(ids.map((id) => attachments.tray.get(id)));
    if (ids.length > 0) attachments.tray.remove(ids);
    return { turn };
  }

  private async checkBudget(): Promise<void> {
    await this.location.runtime.engine.services.account.checkBudget();
  }

  /** Calls about answers that are compared. */
  private comparisonHandlers() {
    const { session, runtime } = this.location;
    const { comparisons } = session;
    const { models } = runtime.services;
    return {
      'chat/price': async ({ models: requested, turnId, continues }) => {
        const price = await this.comparisonPrice(requested, turnId, continues);
        return price ? { price } : {};
      },
      'chat/compareWith': async (chosen) => {
        // As for one model, because an ID might have been typed.
        if (chosen.on) for (const model of chosen.models) await models.allowUnlisted(model);
        await comparisons.choose(chosen);
        // The selected models have changed, and the account might not offer them.
        void this.tellChanges();
        return {};
      },
      'chat/stopTry': async ({ turnId, tryId }) => {
        comparisons.stop(turnId, tryId);
        return {};
      },
      'chat/pick': async ({ turnId, tryId }) => {
        await comparisons.pick(turnId, tryId);
        return this.snapshot();
      },
      'chat/showComparison': async ({ turnId }) => {
        await comparisons.showAgain(turnId);
        return this.snapshot();
      },
    } satisfies Partial<Handlers<ChatScreen>>;
  }

  /** Calls about other conversations. */
  private historyHandlers() {
    const { history, runtime } = this.location;
    return {
      'chat/conversations': async ({ query }, { signal }) => history.list(query, signal),
      'chat/openConversation': async ({ id }) => {
        await history.open(id);
        return this.snapshot();
      },
      'chat/openInEditor': async ({ id }) => {
        await runtime.locations.openInEditor(id);
        return {};
      },
      'chat/renameConversation': async ({ id, title }) => {
        await history.rename(id, title);
        if (id === this.location.session.shown.currentId) this.changed();
        return {};
      },
      'chat/pinConversation': async ({ id, pinned }) => {
        await history.pin(id, pinned);
        return {};
      },
      'chat/deleteConversation': async ({ id }) => {
        if (await history.delete(id)) this.changed();
        return {};
      },
      'chat/restoreConversation': async ({ id }) => {
        await history.restore(id);
        return {};
      },
    } satisfies Partial<Handlers<ChatScreen>>;
  }

  /** Calls that use VS Code, or report the page's state to it. */
  private editorHandlers() {
    const { session, runtime } = this.location;
    return {
      'chat/used': async () => {
        runtime.locations.use(this.location);
        return {};
      },
      'chat/scrolled': async ({ scrollTop }) => {
        const { currentId } = session.shown;
        if (currentId !== undefined) this.scrolled = { conversationId: currentId, scrollTop };
        return {};
      },
      'chat/copy': async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return {};
      },
      'chat/openLink': async ({ url }) => {
        if (!isOutsideLink(url)) throw new Error('Only web and mail links can be opened.');
        await vscode.env.openExternal(vscode.Uri.parse(url, true));
        return {};
      },
      'chat/useCode': async (used) => {
        if (!(await session.turn(used.turnId))) throw new Error('The code is of no answer that is shown.');
        await runtime.code.use(used);
        return {};
      },
    } satisfies Partial<Handlers<ChatScreen>>;
  }

  /**
   * Runs an action offered with an error; the page itself runs those about the question (`retry`, `useModel:…`, `chooseModel`).
   * Ids come from the page, so unknown ones throw.
   */
  private async act(action: string, turnId?: string): Promise<void> {
    const { session, runtime } = this.location;
    if (action === 'refreshModels') await runtime.services.models.refresh();
    else if (action === newConversation) {
      await session.startNew(true);
      this.changed();
    } else if (action === saveUnsaved) await session.save();
    else if (action === copyUnsaved) await vscode.env.clipboard.writeText(await session.unsavedText());
    else if (action === exportUnsaved) await runCommand('inferenceDesk.chat.export');
    else if (action.startsWith(openHere)) {
      await session.takeOver(action.slice(openHere.length));
      this.changed();
    } else if (action === withoutCalls && turnId !== undefined) {
      const model = await session.sendCallsAsText(turnId);
      const text = l10n.t('Earlier tool calls are sent to {0} as text.', foreign(model, 60));
      void showMessage('information', text);
    } else if (action.startsWith(demoStep)) await this.takeDemoStep(action.slice(demoStep.length));
    else if (!(await runAction(action))) throw new Error(`Unknown action "${action.split(':')[0]}".`);
  }

  /** Runs the command that an answer of the demo service ends with. No other service can offer a command. */
  private async takeDemoStep(command: string): Promise<void> {
    const { services } = this.location.runtime;
    const known = demoSteps.find((step) => step === command);
    if (known === undefined || !isDemo(services.account.current.baseUrl ?? '')) throw new Error('Unknown step.');
    await runCommand(known);
  }

  private async snapshot(): Promise<ChatSnapshot> {
    const { session, runtime } = this.location;
    const snapshot = await session.snapshot();
    return isDemo(runtime.services.account.current.baseUrl ?? '') ? { ...snapshot, isDemo: true } : snapshot;
  }

  private changed(): void {
    void this.tellChanged().catch((error: unknown) => this.location.runtime.services.report(error));
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

  /** Each model gets the question, so all of them are paid for. */
  private async comparisonPrice(
    models: readonly string[],
    turnId?: string,
    continues?: boolean,
  ): Promise<ComparisonPrice | undefined> {
    const { services } = this.location.runtime;
    const { request } = await this.location.exportable(turnId, continues);
    if (!request || models.length === 0 || !hasPrices(services.account.current.baseUrl ?? '')) return undefined;
    const prices = await (await services.usage()).readyPrices();
    const inputTokens = countInputTokens(request);
    const parts = models.map((model) => ({ model, requests: 1, inputTokens, outputLimit: request.max_tokens }));
    const each = parts.map((part) => ({ model: part.model, ...prices.quote([part], { purpose: 'chat' }) }));
    return { total: priceLine(prices.quote(parts, { purpose: 'chat' })), each };
  }

  private async spent(): Promise<Spent> {
    const { session, runtime } = this.location;
    const { services } = runtime;
    const { id, usage } = await session.exportable([]);
    const spent = await (await services.usage()).spent(services.account.current.id);
    return { conversationId: id, conversation: usage, ...spent };
  }

  /** Notifies the page of changes to models and profile, but only if they affect what it shows. */
  private async tellChanges(): Promise<void> {
    if (!this.host) return;
    await this.orWarn(async () => {
      const snapshot = await this.snapshot();
      if (frameOf(snapshot) !== this.sentFrame) await this.tellChanged();
    });
  }

  private async orWarn(tell: () => Promise<void>): Promise<void> {
    try {
      await tell();
    } catch (error) {
      this.location.runtime.services.log.warn(`The chat page could not be brought up to date: ${String(error)}`);
    }
  }
}

/** Returns a key for everything around the turns, to detect changes, without the draft, because the page knows what was typed. */
function frameOf({ turns: _turns, draft: _draft, compaction: _compaction, ...frame }: ChatSnapshot): string {
  return JSON.stringify(frame);
}
