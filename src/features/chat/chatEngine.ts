import { AnswerScheduler } from './answerScheduler';
import { AnswerRuns } from './answerRuns';
import type { ChatEngineOptions } from './chatEngineOptions';
import { createChatSession } from './chatSession';
import type { ChatSession } from './chatSession';
import { ConversationPool } from './conversationPool';
import { ShownConversation } from './shownConversation';
import type { ShownMemory } from './shownConversation';
import { callViews } from './tools/callViews';
import type { TranscriptCallViews } from './tools/callViews';
import { createToolAccess } from './tools/toolAccess';

/** The conversations and answers of a window, shared by all locations that show a conversation. */
export interface ChatEngine {
  readonly pool: ConversationPool;
  readonly runs: AnswerRuns;
  /** Opens a session for one location; the caller closes it. */
  openSession(memory: ShownMemory): ChatSession;
  /** Leaves running answers without an end and closes all files. */
  dispose(): Promise<void>;
}

export function createChatEngine(options: ChatEngineOptions): ChatEngine {
  const pool = new ConversationPool(options.folder, options.words.openElsewhere);
  const runs = new AnswerRuns({ ...options, pool, label: options.words.answering });
  const access = createToolAccess(options.tools);
  const { callWords: words } = options;
  const views: TranscriptCallViews = (transcript, answer, running) =>
    callViews({ transcript, answer, running, access, words });
  const shared = { ...options, pool, runs, access, callViews: views };
  const scheduler = new AnswerScheduler(shared);
  return {
    pool,
    runs,
    openSession: (memory) =>
      createChatSession({ ...shared, scheduler, shown: new ShownConversation({ ...shared, memory }) }),
    async dispose() {
      await runs.dispose();
      await pool.close();
    },
  };
}
