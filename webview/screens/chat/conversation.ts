import { type ReadonlySignal, type Signal, batch, signal } from '@preact/signals';
import type { Answer, AnswerBlock, AnswerChunk, AttachmentChip, Place, Turn } from '../../../src/protocol/chat';
import type { ToolCallView } from '../../../src/protocol/chatTools';
import type { AnswerFacts } from './facts';
import type { ComparedAnswer } from '../../../src/protocol/chatCompare';
import { HostError } from '../../../src/protocol/caller';
import type { ChatHost } from './chatHost';

export interface BlockView {
  readonly kind: AnswerBlock['kind'];
  readonly name: string | undefined;
  readonly text: ReadonlySignal<string>;
  /** Where an image is. */
  readonly source: string | undefined;
  /** State of the tool call, if the block is one. */
  readonly call: ReadonlySignal<ToolCallView | undefined>;
  /** Whether the block arrived with its turn, as after a reload or in a continued answer. */
  readonly wasThere: boolean;
}

export interface TurnView {
  readonly id: string;
  readonly question: string;
  /** The question's attachments. */
  readonly attachments: readonly AttachmentChip[];
  readonly askedAt: number;
  readonly facts: ReadonlySignal<AnswerFacts>;
  readonly blocks: ReadonlySignal<readonly BlockView[]>;
  readonly tryId: string | undefined;
  /** Position of the question among its versions, and of the answer among the attempts; absent if there is only one. */
  readonly questions: Place | undefined;
  readonly tries: Place | undefined;
  /** Absent if the question was not sent to several models at once. */
  readonly comparison: ComparisonView | undefined;
}

interface GrowingBlock extends BlockView {
  readonly text: Signal<string>;
  readonly call: Signal<ToolCallView | undefined>;
}

interface GrowingTurn extends TurnView {
  readonly facts: Signal<AnswerFacts>;
  readonly blocks: Signal<readonly GrowingBlock[]>;
}

/** The turns on the page. Everything that grows has a separate signal, so that a token rerenders only its block. */
export interface Conversation {
  readonly turns: ReadonlySignal<readonly TurnView[]>;
  /** Shows a snapshot. An existing turn keeps its view, and the text of its answer if that is ahead of the snapshot. */
  show(turns: readonly Turn[]): void;
  /** Adds a turn, or replaces the one with its id or with `replaced`, and removes all turns after it. */
  put(turn: Turn, replaced?: string): void;
  grow(turnId: string, chunk: AnswerChunk): void;
  finish(turnId: string, answer: Answer): void;
  clear(): void;
}

export function isRunning({ state }: AnswerFacts): boolean {
  return state === 'waiting' || state === 'streaming';
}

export function createConversation(): Conversation {
  const turns = signal<readonly GrowingTurn[]>([]);
  const find = (id: string) => turns.peek().find((turn) => turn.id === id);

  const toView = (turn: Turn): GrowingTurn => {
    const known = find(turn.id);
    if (!known || !isSame(known, turn)) return newTurn(turn);
    adopt(known, turn.answer);
    return known;
  };

  return {
    turns,
    show: (all) => batch(() => (turns.value = all.map(toView))),
    put: (turn, replaced = turn.id) =>
      batch(() => {
        const fresh = newTurn(turn);
        const place = turns.peek().findIndex(({ id }) => id === replaced);
        turns.value = [...turns.peek().slice(0, place < 0 ? undefined : place), fresh];
      }),
    grow(turnId, chunk) {
      const turn = find(turnId);
      if (!turn) return;
      if (chunk.type === 'state') {
        turn.facts.value = chunk.answer;
        return;
      }
      if (chunk.type === 'replace') {
        turn.blocks.value = turn.blocks.peek().toSpliced(chunk.block, 1, newBlock(chunk.as));
        return;
      }
      const block = turn.blocks.peek()[chunk.block];
      if (chunk.type === 'toolCall') {
        if (block) block.call.value = chunk.call;
      } else if (block) block.text.value += chunk.text;
      else turn.blocks.value = [...turn.blocks.peek(), newBlock(chunk)];
    },
    finish(turnId, answer) {
      const turn = find(turnId);
      if (turn) batch(() => adopt(turn, answer));
    },
    clear: () => (turns.value = []),
  };
}

function newTurn(turn: Turn): GrowingTurn {
  const { id, question, attachments = [], askedAt, answer, tryId, questions, tries } = turn;
  const { blocks, ...facts } = answer;
  const comparison = toComparisonView(turn);
  const fixed = { id, question, attachments, askedAt, tryId, questions, tries, comparison };
  return { ...fixed, facts: signal(facts), blocks: signal(blocks.map((block) => newBlock(block, true))) };
}

/** Whether at most the answer differs. */
function isSame(view: TurnView, turn: Turn): boolean {
  const fixed = ({ question, tryId, questions, tries }: TurnView | Turn) => [question, tryId, questions, tries];
  const all = [...fixed(turn), toComparisonView(turn)];
  return JSON.stringify([...fixed(view), view.comparison]) === JSON.stringify(all);
}

function newBlock(
  block: {
    readonly kind: AnswerBlock['kind'];
    readonly text: string;
    readonly name?: string;
    readonly source?: string;
    readonly call?: ToolCallView;
  },
  wasThere = false,
): GrowingBlock {
  const { kind, name, source } = block;
  return { kind, name, source, text: signal(block.text), call: signal(block.call), wasThere };
}

/**
 * Merges an answer into a turn. A hidden page may have missed deltas, and a snapshot may be outdated: of texts that agree, the
 * longer one wins.
 */
function adopt(turn: GrowingTurn, { blocks, ...facts }: Answer): void {
  const wasRunning = isRunning(turn.facts.peek());
  const isOver = !isRunning(facts);
  const old = turn.blocks.peek();
  const merged = blocks.map((block, index) => {
    const known = old[index];
    if (!known || known.kind !== block.kind || known.name !== newBlock(block).name) return newBlock(block);
    const isOlder = !isOver && known.text.peek().startsWith(block.text);
    if (!isOlder) known.text.value = block.text;
    if (block.kind === 'toolUse' && block.call) known.call.value = block.call;
    return known;
  });
  const later = isOver ? [] : old.slice(blocks.length);
  const isUnchanged =
    merged.length + later.length === old.length && merged.every((block, index) => block === old[index]);
  if (!isUnchanged) turn.blocks.value = [...merged, ...later];
  if (wasRunning || isOver) turn.facts.value = facts;
}

/** The part of a comparison that stays the same while its answers grow. */
export interface ComparisonView {
  /** The compared answers; empty while only one answer is shown. */
  readonly columns: readonly ColumnView[];
  readonly count: number;
}

export type ColumnView = Omit<ComparedAnswer, 'answer'>;

export function toComparisonView({ comparison }: Turn): ComparisonView | undefined {
  return (
    comparison && {
      count: comparison.count,
      columns: comparison.columns.map(({ tryId, leftOut, picked }) => ({
        tryId,
        ...(leftOut && { leftOut }),
        ...(picked && { picked }),
      })),
    }
  );
}

/** Returns the text of an answer as it is copied: without thinking and tool calls. */
export function answerText({ blocks }: TurnView): string {
  return blocks.value
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.value)
    .join('\n\n');
}

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
