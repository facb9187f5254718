import type { Turn } from '../../../src/protocol/chat';
import { HostError } from '../../../src/protocol/caller';
import { type Conversation, isRunning } from './conversation';
import type { ChatHost } from './chatHost';

interface FollowedAnswer {
  readonly turnId: string;
  readonly tryId?: string;
}

/**
 * Subscribes to answers that are still arriving, each from where the page is. A new subscription replaces the old call, which may
 * have lost deltas while the page was hidden. `followed` returns how the host identifies the answer shown for a turn.
 */
export function createStreamSubscription(
  host: ChatHost,
  conversation: Conversation,
  followed = (id: string, tryId: string | undefined): FollowedAnswer => ({ turnId: id, ...(tryId && { tryId }) }),
): (turns: readonly Turn[]) => void {
  const following = new Map<string, AbortController>();

  const followOne = async (turnId: string) => {
    following.get(turnId)?.abort();
    const controller = new AbortController();
    following.set(turnId, controller);
    const turn = conversation.turns.peek().find(({ id }) => id === turnId);
    const have = turn?.blocks.peek().map((block) => block.text.peek().length) ?? [];
    const isCurrent = () => following.get(turnId) === controller;
    try {
      const { answer } = await host.call(
        'chat/follow',
        { ...followed(turnId, turn?.tryId), have },
        { signal: controller.signal, onChunk: (chunk) => isCurrent() && conversation.grow(turnId, chunk) },
      );
      if (isCurrent()) conversation.finish(turnId, answer);
    } catch (error) {
      if (!isCurrent()) return;
      if (!(error instanceof HostError)) throw error;
      conversation.grow(turnId, {
        type: 'state',
        answer: { state: 'failed', model: turn?.facts.peek().model ?? '', error: error.error },
      });
    } finally {
      if (isCurrent()) following.delete(turnId);
    }
  };

  return (turns) => {
    for (const { id, answer } of turns) {
      const view = conversation.turns.peek().find((turn) => turn.id === id);
      if (view && isRunning(view.facts.peek()) && isRunning(answer)) void followOne(id);
    }
    for (const [id, controller] of following) {
      if (conversation.turns.peek().some((turn) => turn.id === id)) continue;
      following.delete(id);
      controller.abort();
    }
  };
}
