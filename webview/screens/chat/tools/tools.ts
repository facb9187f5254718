import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Turn } from '../../../../src/protocol/chat';
import { HostError } from '../../../../src/protocol/caller';
import type { ToolChoiceForm, ToolDecision, ToolsState } from '../../../../src/protocol/chatTools';
import type { TurnView } from '../conversation';
import type { Attempt, ChatHost, PageState } from '../chatHost';
import { createOwnTool, type OwnTool } from './ownTool';
import { withOffered } from './toolRows';
import { createTypedTools, type TypedResults } from './typedTools';
import { waitingCalls, type WaitingCall } from './waitingCalls';

/** What the page knows and can do about tools. */
export interface Tools {
  readonly open: Signal<boolean>;
  /** `undefined` until the host has answered for the first time. */
  readonly state: ReadonlySignal<ToolsState | undefined>;
  /** The definition being written. */
  readonly own: OwnTool;
  /** Results being typed. */
  readonly results: TypedResults;
  /** The calls of the last answer that wait for the person. */
  readonly waiting: ReadonlySignal<readonly WaitingCall[]>;
  refresh(): Promise<void>;
  offer(ids: readonly string[], offered: boolean): Promise<void>;
  choose(choice: ToolChoiceForm): Promise<void>;
  /** Takes back that a tool runs without being asked about. Gives whether it could be done; why not stands in the page's trouble. */
  forbid(id: string): Promise<boolean>;
  /** Decides about a call. Gives whether it could be done. */
  answer(turnId: string, block: number, decision: ToolDecision): Promise<boolean>;
}

export interface ToolsOptions {
  readonly host: ChatHost;
  readonly page: ReadonlySignal<PageState | undefined>;
  readonly attempt: Attempt;
  readonly turns: ReadonlySignal<readonly TurnView[]>;
  readonly start: (turn: Turn, replaced: string) => void;
}

export function createTools({ host, page, attempt, turns, start }: ToolsOptions): Tools {
  const list = createList({ host, page, attempt });
  const typed = createTypedTools(host);
  return {
    open: signal(false),
    state: list.state,
    own: createOwnTool({ host, attempt, typed, about: list.about, show: list.show }),
    results: typed.results,
    refresh: list.refresh,
    waiting: computed(() => waitingCalls(turns.value)),
    async offer(ids, offered) {
      list.expect((state) => withOffered(state, new Set(ids), offered));
      await list.change(host.call('chat/offerTools', { ...list.about(), ids, offered }));
    },
    choose: async (choice) => void (await list.change(host.call('chat/toolChoice', { ...list.about(), choice }))),
    forbid: (id) => list.change(host.call('chat/forbidTool', { ...list.about(), id })),
    async answer(turnId, block, decision) {
      const result = await attempt(host.call('chat/answerToolCall', { turnId, block, decision }));
      if (!result) return false;
      start(result.turn, turnId);
      if (decision.type === 'allow' && decision.always) void list.refresh();
      return true;
    },
  };
}

/** The tools as the host knows them for this conversation and its model. */
function createList({ host, page, attempt }: Pick<ToolsOptions, 'host' | 'page' | 'attempt'>) {
  const state = signal<ToolsState | undefined>(undefined);
  const about = () => ({ model: page.peek()?.model ?? '' });
  /** Only the answer to what was asked last is shown: they may overtake each other. */
  let asked = 0;
  const refresh = async () => {
    const ticket = ++asked;
    try {
      const answer = await host.call('chat/tools', about());
      if (ticket === asked) state.value = answer;
    } catch (error) {
      // Nobody asked for it: what fails is told when something is done with the tools.
      if (!(error instanceof HostError)) throw error;
    }
  };
  const subject = computed(() => {
    const { account, conversationId, model } = page.value ?? {};
    return account === 'ready' ? JSON.stringify([conversationId, model]) : undefined;
  });
  effect(() => {
    if (subject.value !== undefined) void refresh();
  });
  host.on('chat/toolsChanged', () => void refresh());

  return {
    state,
    about,
    refresh,
    show: (tools: ToolsState) => {
      asked++;
      state.value = tools;
    },
    /** Shows what will hold if the host agrees. */
    expect(change: (state: ToolsState) => ToolsState) {
      if (state.peek()) state.value = change(state.peek()!);
    },
    async change(work: Promise<ToolsState>): Promise<boolean> {
      const ticket = ++asked;
      const answer = await attempt(work);
      if (!answer) await refresh();
      else if (ticket === asked) state.value = answer;
      return answer !== undefined;
    },
  };
}
