import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import type { ChatRequest } from '../../../services/chat/chatService';
import { createAttachments, type Attachments } from '../attachments/attachments';
import { ChatController } from '../chatController';
import type { ChatRuntime } from '../chatRuntime';
import { ChatSession } from '../logic/chatSession';
import { ConversationHistory } from '../logic/conversationHistory';
import type { Exportable } from '../logic/exportable';
import type { ShownMemory } from '../logic/shownConversation';

const summaryRequest = (): string =>
  l10n.t(
    'Summarize this conversation so that it can continue from your summary alone. Include the goal, decisions, relevant code and file paths, results so far, and open questions.',
  );

/** A shown conversation with everything that belongs to it. It can be moved between the side bar and a tab. */
export class ChatLocation implements Disposable {
  readonly session: ChatSession;
  readonly attachments: Attachments;
  readonly history: ConversationHistory;
  readonly page: ChatController;

  constructor(
    readonly runtime: ChatRuntime,
    memory: ShownMemory,
  ) {
    const { engine, services, lastEditor, documents } = runtime;
    this.session = new ChatSession(engine, memory);
    this.attachments = createAttachments({
      shown: this.session.shown,
      lastEditor,
      settings: services.settings,
      documents,
      changed: () => this.page.tellAttachments(),
      scaleImage: (name, bytes) => this.page.scaleImage(name, bytes),
      onError: engine.services.window.onError,
    });
    this.history = new ConversationHistory(this.session, {
      kindWith: (id) => runtime.locations.kindWith(id),
      reveal: (id) => runtime.locations.revealElsewhere(id, this),
      leave: (id) => runtime.locations.leave(id, this),
      changed: (id) => runtime.locations.onChange(id),
    });
    this.page = new ChatController(this);
  }

  /** Starts a new conversation and reveals it, with the cursor in the question box. */
  async startNew(): Promise<void> {
    await this.session.startNew();
    await this.page.tellChanged();
    await this.runtime.locations.reveal(this);
  }

  /** Asks the model for a summary of the conversation, with which later requests begin instead of the turns before it. */
  async compact(): Promise<void> {
    const { session, page, runtime } = this;
    const { turns, model = '' } = await session.snapshot();
    if (turns.length === 0) throw new UserError(l10n.t('No turns to compact'), l10n.t('Ask a question first.'));
    await runtime.engine.services.account.checkBudget();
    const { isOver } = await session.compact(summaryRequest(), model);
    await page.tellChanged();
    void isOver.then(() => page.tellCompaction()).catch(runtime.engine.services.window.onError);
  }

  /** Sends the next question of the shown conversation to this model alone. */
  async useModel(model: string): Promise<void> {
    const { comparisons } = this.session;
    await this.session.chooseModel(model);
    await comparisons.choose({ models: (await comparisons.chosen()).models, on: false });
    await this.page.tellChanged();
  }

  /** Asks in a new conversation. The user's draft and attachments are retained for the next question. */
  async ask({ text, models, parameters }: ChatRequest): Promise<void> {
    const { session } = this;
    const draft = await session.startApart();
    try {
      await session.parameters.set(parameters);
      const [model = ''] = models;
      if (models.length > 1) {
        await session.comparisons.choose({ models, on: true });
        await session.comparisons.ask(text, models, []);
      } else {
        await session.chooseModel(model);
        await session.ask(text, model);
      }
    } finally {
      if (draft !== '') await session.setDraft(draft);
      await this.page.tellChanged();
    }
  }

  /** Asks for a format and a target, and writes the conversation there. */
  async exportConversation(): Promise<void> {
    const { exportConversation } = await import('../exportConversation');
    await exportConversation(this.runtime.services, await this.exportable());
  }

  /** Asks for a batch file and adds the conversation's request to it. */
  async addBatchLine(): Promise<void> {
    const { addBatchLine } = await import('../exportConversation');
    await addBatchLine(this.runtime.services, await this.exportable());
  }

  /** Writes the question and its settings to a prompt file that the user chooses. */
  async savePrompt(): Promise<void> {
    const { savePrompt } = await import('../exportConversation');
    await savePrompt(await this.session.snapshot(), await this.session.parameters.get());
  }

  dispose(): Promise<void> {
    this.page.dispose();
    return this.session.shown.close();
  }

  /** Returns the input of an export, with the question in the box and its attachments; with a turn, what asks that one again or continues its response. */
  async exportable(turnId?: string, continues?: boolean): Promise<Exportable> {
    if (turnId !== undefined) return this.session.exportable([], turnId, continues);
    await this.attachments.ready();
    return this.session.exportable(this.attachments.tray.attachments);
  }
}
