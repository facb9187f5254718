import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedModels } from '../../../../src/protocol/chatCompare';
import type { ChatSnapshot, Turn } from '../../../../src/protocol/chat';
import { createConversation, isRunning, type TurnView } from '../conversation';
import { createStreamSubscription } from '../streamSubscription';
import type { Attempt, ChatHost, PageState } from '../chatHost';
import { hasField } from '../parameters';

/** Asking several models at once, and continuing with one of their answers. */
export interface Comparing {
  /** The models chosen, and whether the next question goes to all of them. */
  readonly chosen: ReadonlySignal<ComparedModels>;
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

export interface ComparingOptions {
  readonly host: ChatHost;
  readonly page: Signal<PageState | undefined>;
  readonly attempt: Attempt;
  readonly showAnswer: (asked: Promise<ChatSnapshot>) => Promise<void>;
  /** Adds the new turn in place of the one with the id `replaced`. */
  readonly start: (turn: Turn, replaced: string) => void;
}

const none: ComparedModels = { models: [], on: false };

export function createComparing(options: ComparingOptions): Comparing {
  const { host, page, attempt, showAnswer } = options;
  const columns = createColumns(host);
  return {
    ...columns,
    chosen: computed(() => page.value?.comparing ?? none),
    open: signal(false),
    async choose(models, on) {
      const before = page.peek();
      if (!before) return;
      page.value = { ...before, comparing: { models, on } };
      if (!(await attempt(host.call('chat/compareWith', { models, on })))) page.value = before;
    },
    stop: async (turnId, tryId) => void (await attempt(host.call('chat/stopTry', { turnId, tryId }))),
    ...createAgain(options, columns),
    pick: (turnId, tryId) => showAnswer(host.call('chat/pick', { turnId, tryId })),
    showAgain: (turnId) => showAnswer(host.call('chat/showComparison', { turnId })),
  };
}

function createAgain(
  { host, page, attempt, start }: ComparingOptions,
  { column }: Pick<Comparing, 'column'>,
): Pick<Comparing, 'again' | 'againWithout'> {
  const modelOf = (tryId: string) => column(tryId)?.facts.peek().model ?? '';
  const again: Comparing['again'] = async (turnId, tryId, model = modelOf(tryId)) => {
    const result = await attempt(host.call('chat/compareAgain', { turnId, tryId, model }));
    if (result) start(result.turn, turnId);
  };
  return {
    again,
    async againWithout(turnId, tryId, name) {
      if (!hasField(page.peek(), name)) return;
      const model = modelOf(tryId);
      if (await attempt(host.call('chat/withoutParameter', { parameter: name, model }))) {
        await again(turnId, tryId, model);
      }
    },
  };
}

/** Stores the columns as turns of a conversation of their own. */
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
