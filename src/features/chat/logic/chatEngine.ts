import { Answers } from './answers';
import type { ChatServices } from './chatServices';
import { ConversationPool } from './conversationPool';
import { MessageQueue } from './messageQueue';
import { ToolAccess } from './toolAccess';

/** The conversations and answers of a window, shared by all locations that show a conversation. */
export class ChatEngine {
  readonly pool: ConversationPool;
  readonly tools: ToolAccess;
  readonly answers: Answers;
  readonly queue: MessageQueue;

  constructor(readonly services: ChatServices) {
    const { storage, tools } = services;
    this.pool = new ConversationPool(storage.folder);
    this.tools = new ToolAccess(tools);
    this.answers = new Answers(services, this.pool, this.tools);
    this.queue = new MessageQueue(services, this.pool, this.answers);
  }

  /** Leaves running answers without an end and closes all files. */
  async dispose(): Promise<void> {
    this.queue.dispose();
    this.services.storage.leases.dispose();
    await this.answers.dispose();
    await this.pool.close();
  }
}
