import { isQuestion } from '../../../core/conversation/attachment';
import { lastCalls } from '../../../core/conversation/toolRounds';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import type { QueuedMessage } from '../../../core/conversation/draftAttachments';
import { shownAnswer, type TranscriptTurn } from '../../../core/conversation/transcript';
import type { Disposable } from '../../../platform/disposables';
import type { QueuedMessageView } from '../../../protocol/chat';
import type { WireError } from '../../../protocol/wire';
import { type Answers, parentOf } from './answers';
import type { ChatServices } from './chatServices';
import type { ConversationPool } from './conversationPool';
import { toChip } from './attachmentTray';
import { conversationGone, noQuestion, turnGone } from './chatMessages';
import * as l10n from '@vscode/l10n';
import { foreign } from '../../../core/text/foreignText';

/**
 * The messages that wait for running answers. Each is sent once the answer before it is complete, whether or not a page shows the
 * conversation. If that answer fails or is stopped, and after a restart, they stay until the user sends or removes them.
 */
export class MessageQueue {
  private readonly listeners = new Set<(conversationId: string) => void>();
  /** IDs of the messages that are sent without the user. */
  private readonly automatic = new Set<string>();
  /** The account that a message was written to, by the message's ID. Unknown after a restart, until the user lets the message follow. */
  private readonly accounts = new Map<string, string | undefined>();
  /** Why a message couldn't be sent, by its ID. */
  private readonly errors = new Map<string, WireError>();

  constructor(
    private readonly services: ChatServices,
    private readonly pool: ConversationPool,
    private readonly answers: Answers,
  ) {
    answers.onDidChange((id) => void this.advance(id).catch(services.window.onError));
  }

  /** Calls the listener with the id of the conversation whose messages changed without a call. */
  onDidChange(listener: (conversationId: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Returns the messages of a conversation for the page. */
  view(conversation: Conversation): readonly QueuedMessageView[] {
    return pending(conversation).map(({ id, text, attachments }) => {
      const error = this.errors.get(id);
      return {
        id,
        text,
        attachments: attachments.map((attachment, index) => toChip(`${index}`, attachment)),
        isAutomatic: this.automatic.has(id),
        ...(error && { error }),
      };
    });
  }

  /** Adds a message. Sends it immediately if the answer has ended in the meantime. */
  async add(conversationId: string, message: Omit<QueuedMessage, 'id'>): Promise<void> {
    const { clock } = this.services;
    if (!isQuestion(message.text, message.attachments)) throw noQuestion();
    const id = clock.newId();
    await this.use(conversationId, async (conversation) => {
      this.automatic.add(id);
      this.accounts.set(id, this.account);
      await conversation.queued.set([...pending(conversation), { id, ...message }]);
    });
    await this.advance(conversationId);
  }

  /** Removes a message, unless `handOver` throws. */
  async remove(
    conversationId: string,
    id: string,
    handOver: (message: QueuedMessage) => void = () => {},
  ): Promise<void> {
    await this.use(conversationId, async (conversation) => {
      const message = this.find(conversation, id);
      handOver(message);
      await conversation.queued.set(pending(conversation).filter((other) => other !== message));
      this.forget(id);
    });
  }

  /** Stops a running answer and sends this message to the model. Later messages follow it. */
  async send(conversationId: string, id: string, model: string): Promise<void> {
    await this.use(conversationId, async (conversation) => {
      const message = this.find(conversation, id);
      await this.services.account.checkBudget();
      await this.answers.requireModels([model], false);
      await this.answers.stopIn(conversationId);
      await this.begin(conversation, message, model);
      this.resume(conversation);
    });
  }

  /**
   * Lets the messages follow the answer that runs now, as after a question that was sent in place of a stopped answer. Those written to
   * another account stay until the user sends them.
   */
  resume(conversation: Conversation): void {
    for (const { id } of pending(conversation)) {
      if (this.accounts.has(id) && this.accounts.get(id) !== this.account) continue;
      this.accounts.set(id, this.account);
      this.automatic.add(id);
      this.errors.delete(id);
    }
  }

  private get account(): string | undefined {
    return this.services.models.catalogue.state.profileId;
  }

  /** Sends the first message if the answer before it is complete and the account is the same; else leaves all of them to the user. */
  private async advance(conversationId: string): Promise<void> {
    if (this.automatic.size === 0 || this.answers.isBusy(conversationId)) return;
    await this.pool.use(conversationId, async (conversation) => {
      const all = pending(conversation);
      const [first] = all;
      if (!first || !this.automatic.has(first.id)) return;
      const last = conversation.transcript.turns().at(-1);
      if (isWaiting(last)) return;
      if (!isComplete(last)) this.hold(all);
      else if (this.accounts.get(first.id) !== this.account) this.holdForAccount(all);
      else {
        try {
          await this.services.account.checkBudget();
          // Another answer began, or the user or the end of the window took the message back.
          if (this.answers.isBusy(conversationId) || !this.automatic.has(first.id)) return;
          await this.begin(conversation, first, conversation.transcript.models[0] ?? first.model);
        } catch (error) {
          this.hold(all);
          this.errors.set(first.id, this.services.window.describe(error));
        }
      }
      for (const listener of this.listeners) listener(conversationId);
    });
  }

  /** Sends nothing from now on, so that no conversation is opened while all are closed. */
  dispose(): void {
    this.automatic.clear();
  }

  private async begin(conversation: Conversation, message: QueuedMessage, model: string): Promise<void> {
    const { id, text, attachments } = message;
    const at = this.services.clock.now();
    await this.answers.begin(conversation.id, model, ({ transcript }) => {
      const along = attachments.length > 0 ? { attachments } : {};
      const parent = parentOf(transcript.turns().at(-1));
      return { turnId: id, records: [{ kind: 'question', id, ...parent, at, text, ...along }] };
    });
    this.forget(id);
    // It is in the history now, so it isn't sent again even if this fails.
    await conversation.queued.set(pending(conversation)).catch(this.services.window.onError);
  }

  private hold(messages: readonly QueuedMessage[]): void {
    for (const { id } of messages) this.automatic.delete(id);
  }

  /** Holds them, and says so of those that were written to another account. */
  private holdForAccount(messages: readonly QueuedMessage[]): void {
    const { account } = this.services;
    for (const { id } of messages) {
      const queuedFor = this.accounts.get(id);
      if (!this.automatic.has(id) || queuedFor === this.account) continue;
      const name = queuedFor === undefined ? undefined : account.nameOf(queuedFor);
      this.errors.set(id, accountChanged(name, account.name()));
    }
    this.hold(messages);
  }

  private forget(id: string): void {
    this.automatic.delete(id);
    this.accounts.delete(id);
    this.errors.delete(id);
  }

  private find(conversation: Conversation, id: string): QueuedMessage {
    const message = pending(conversation).find((one) => one.id === id);
    if (!message) throw turnGone();
    return message;
  }

  private async use<Result>(
    conversationId: string,
    work: (conversation: Conversation) => Promise<Result>,
  ): Promise<Result> {
    const done = await this.pool.use(conversationId, async (conversation) => ({ result: await work(conversation) }));
    if (!done) throw conversationGone();
    return done.result;
  }
}

/** Returns the messages that were not sent. One that was sent shortly before VS Code closed may still be in the file. */
function pending({ queued, transcript }: Conversation): readonly QueuedMessage[] {
  return queued.list.filter(({ id }) => transcript.turn(id) === undefined);
}

/** Whether the turn waits for the user: for a decision about a tool call, or for one of several answers. */
function isWaiting(last: TranscriptTurn | undefined): boolean {
  if (last?.comparison?.isOpen) return true;
  const answer = last && shownAnswer(last);
  return answer?.end?.state === 'done' && lastCalls(answer).length > 0;
}

function isComplete(last: TranscriptTurn | undefined): boolean {
  return last === undefined || shownAnswer(last)?.end?.state === 'done';
}

/** A message isn't sent because another account became active. `before` is `undefined` if the first one no longer exists. */
function accountChanged(before: string | undefined, now: string): WireError {
  const detail =
    before === undefined
      ? l10n.t('Not sent to {0}. The message was queued for an account that no longer exists.', foreign(now))
      : l10n.t('Queued for {0}, so not sent to {1}.', foreign(before), foreign(now));
  return { kind: 'accountChanged', title: l10n.t('The account has changed'), detail, actions: [] };
}
