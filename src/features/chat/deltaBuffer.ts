import type { MessageEvent } from '../../core/api/messages/messageEvents';
import type { Conversation } from '../../core/conversation/conversationFolder';
import { createAnswerRecorder } from './answerRecords';
import type { AnswerBeginning } from './answerRecords';

export interface DeltaBufferOptions {
  readonly conversation: Conversation;
  readonly answerId: string;
  readonly beginning: AnswerBeginning;
  /** How long deltas are collected before they are written and shown. The first one does not wait. */
  readonly gatherMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export interface DeltaBuffer {
  add(event: MessageEvent): void;
  /** Resolves once everything added before is written and shown. Never rejects. */
  flush(): Promise<void>;
}

/** Collects the deltas of an answer, records them, and only then calls `onWritten`, which may show them. */
export function createDeltaBuffer(options: DeltaBufferOptions, onWritten: () => void): DeltaBuffer {
  const { conversation, answerId, beginning, gatherMs, now } = options;
  const recorder = createAnswerRecorder(answerId, beginning);
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async () => {
    const records = recorder.take();
    if (records.length === 0) return;
    await conversation.record(records);
    onWritten();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    lastFlush = now();
    writing = writing.then(writeNow);
    return writing;
  };
  return {
    flush,
    add(event) {
      recorder.add(event);
      timer ??= setTimeout(() => void flush(), Math.max(0, gatherMs - (now() - lastFlush)));
    },
  };
}
