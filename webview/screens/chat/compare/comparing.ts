import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedModels } from '../../../../src/protocol/chatCompare';
import type { Turn } from '../../../../src/protocol/chat';
import { createConversation, isRunning, type TurnView } from '../conversation';
import { createStreamSubscription } from '../conversation';
import type { ChatHost } from '../chatHost';
import type { ChatSession } from '../session';
import { hasField } from '../parameters';

/** Asking several models at once, and continuing with one of their answers. */
export interface Comparing {
  /** The models chosen, and whether the next question goes to all of them. */
  readonly chosen: ReadonlySignal<ComparedModels>;
  /** Those of them that the account offers. */
  readonly models: ReadonlySignal<readonly string[]>;
  /** Whether the panel that chooses them is open. */
  readonly open: Signal<boolean>;
  choose(models: readonly string[], on: boolean): Promise<void>;
  /** All compared answers in the conversation, each as a turn whose id is that of its attempt. */
  readonly columns: ReadonlySignal<readonly TurnView[]>;
  column(tryId: string): TurnView | undefined;
  /** Whether an answer of the turn's comparison is still arriving. */
  isRunning(turn: TurnView): boolean;
  /** Replaces the columns by those of a snapshot. */
  show(turns: readonly Turn[]): void;
  /** Adds the columns of a new turn. */
  add(turn: Turn): void;
  stop(turnId: string, tryId: string): Promise<void>;
  /** Regenerates the answer of a column, by default with its own model. */
  again(turnId: string, tryId: string, model?: string): Promise<void>;
  /** Regenerates the answer of a column without a parameter its model refused, which is never sent to that model again. */
  againWithout(turnId: string, tryId: string, parameter: string): Promise<void>;
  pick(turnId: string, tryId: string): Promise<void>;
  showAgain(turnId: string): Promise<void>;
}

const none: ComparedModels = { models: [], on: false };

export function createComparing(session: ChatSession): Comparing {
  const { host, page, attempt } = session;
  const columns = createColumns(host);
  const modelOf = (tryId: string) => columns.column(tryId)?.facts.peek().model ?? '';
  const again: Comparing['again'] = async (turnId, tryId, model = modelOf(tryId)) => {
    const result = await attempt(host.call('chat/compareAgain', { turnId, tryId, model }));
    if (result) session.start(result.turn, turnId);
  };
  return {
    ...columns,
    chosen: computed(() => page.value?.comparing ?? none),
    models: computed(() => {
      const { comparing = none, notOffered = [] } = page.value ?? {};
      return comparing.models.filter((model) => !notOffered.includes(model));
    }),
    open: signal(false),
    async choose(models, on) {
      const before = page.peek();
      if (!before) return;
      page.value = { ...before, comparing: { models, on } };
      if (!(await attempt(host.call('chat/compareWith', { models, on })))) page.value = before;
    },
    stop: async (turnId, tryId) => void (await attempt(host.call('chat/stopTry', { turnId, tryId }))),
    again,
    async againWithout(turnId, tryId, name) {
      if (!hasField(page.peek(), name)) return;
      const model = modelOf(tryId);
      if (await attempt(host.call('chat/withoutParameter', { parameter: name, model }))) {
        await again(turnId, tryId, model);
      }
    },
    pick: (turnId, tryId) => session.showAnswer(host.call('chat/pick', { turnId, tryId })),
    showAgain: (turnId) => session.showAnswer(host.call('chat/showComparison', { turnId })),
  };
}

/** Stores the columns as turns of separate conversations. */
function createColumns(host: ChatHost): Pick<Comparing, 'columns' | 'column' | 'isRunning' | 'show' | 'add'> {
  const answers = createConversation();
  const turnIds = new Map<string, string>();
  const follow = createStreamSubscription(host, answers, (tryId) => ({ turnId: turnIds.get(tryId) ?? '', tryId }));
  const toTurns = ({ id, askedAt, comparison }: Turn): readonly Turn[] =>
    (comparison?.columns ?? []).map(({ tryId, answer }) => {
      turnIds.set(tryId, id);
      return { id: tryId, question: '', askedAt, answer };
    });
  const column = (tryId: string) => answers.turns.value.find(({ id }) => id === tryId);
  return {
    columns: answers.turns,
    column,
    isRunning: ({ comparison }) =>
      comparison?.columns.some(({ tryId }) => {
        const one = column(tryId);
        return one !== undefined && isRunning(one.facts.value);
      }) ?? false,
    show: (turns) =>
      batch(() => {
        const all = turns.flatMap(toTurns);
        answers.show(all);
        follow(all);
      }),
    add: (turn) =>
      batch(() => {
        const fresh = toTurns(turn).filter(({ id }) => !column(id));
        for (const one of fresh) answers.put(one);
        follow(fresh);
      }),
  };
}
