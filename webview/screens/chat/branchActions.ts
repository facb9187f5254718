import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ChatSnapshot, Turn } from '../../../src/protocol/chat';
import type { Attempt, ChatHost, PageState } from './chatHost';
import type { TurnView } from './conversation';

/** Editing a question, and switching to another version of it or another attempt at its answer. */
export interface BranchActions {
  /** Id of the turn whose question is being edited. */
  readonly editing: Signal<string | undefined>;
  /** Sends the edited question on a branch of its own. Resolves with false if it was not sent; the editor then retains the text. */
  send(turnId: string, text: string): Promise<boolean>;
  walk(turnId: string, among: 'questions' | 'tries', index: number): Promise<void>;
}

interface BranchActionsOptions {
  readonly host: ChatHost;
  readonly attempt: Attempt;
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly showAnswer: (asked: Promise<ChatSnapshot>) => Promise<void>;
  readonly start: (turn: Turn, replaced: string) => void;
  readonly running: ReadonlySignal<TurnView | undefined>;
  readonly pickerOpen: Signal<boolean>;
}

export function createBranchActions(options: BranchActionsOptions): BranchActions {
  const { host, attempt, page, showAnswer, start, running, pickerOpen } = options;
  const editing = signal<string | undefined>(undefined);
  let isSending = false;
  return {
    editing,
    async send(turnId, text) {
      const model = page.peek()?.model;
      if (!text.trim() || running.peek() || isSending) return false;
      if (!model) {
        pickerOpen.value = true;
        return false;
      }
      isSending = true;
      const result = await attempt(host.call('chat/edit', { turnId, text: text.trim(), model }));
      isSending = false;
      if (!result) return false;
      editing.value = undefined;
      start(result.turn, turnId);
      return true;
    },
    walk: (turnId, among, index) => showAnswer(host.call('chat/walk', { turnId, among, index })),
  };
}
