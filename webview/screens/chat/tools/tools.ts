import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { HostError } from '../../../../src/protocol/caller';
import type {
  ToolChoiceForm,
  ToolDecision,
  ToolsState,
  OwnToolForm,
  OwnToolIssue,
  ToolRow,
  TypedTools,
} from '../../../../src/protocol/chatTools';
import type { ChatHost } from '../chatHost';
import type { ChatSession } from '../session';
import { withOffered } from './toolRows';
import { waitingCalls, type WaitingCall } from './waitingCalls';

/** The page's state and actions for tools. */
export interface Tools {
  readonly open: Signal<boolean>;
  /** `undefined` until the host's first response. */
  readonly state: ReadonlySignal<ToolsState | undefined>;
  /** The definition being written. */
  readonly own: OwnTool;
  /** The results being typed. */
  readonly results: TypedResults;
  /** The calls of the last answer that wait for the user. */
  readonly waiting: ReadonlySignal<readonly WaitingCall[]>;
  refresh(): Promise<void>;
  offer(ids: readonly string[], offered: boolean): Promise<void>;
  choose(choice: ToolChoiceForm): Promise<void>;
  /** Revokes that a tool runs without asking. Resolves with whether it succeeded; the error is in the session's `error`. */
  forbid(id: string): Promise<boolean>;
  /** Answers a waiting call. Resolves with whether it succeeded. */
  answer(turnId: string, block: number, decision: ToolDecision): Promise<boolean>;
}

export function createTools(session: ChatSession): Tools {
  const { host, attempt, conversation } = session;
  const list = createList(session);
  const typed = createTypedTools(host);
  return {
    open: signal(false),
    state: list.state,
    own: createOwnTool(session, typed, list),
    results: typed.results,
    refresh: list.refresh,
    waiting: computed(() => waitingCalls(conversation.turns.value)),
    async offer(ids, offered) {
      list.expect((state) => withOffered(state, new Set(ids), offered));
      await list.change(host.call('chat/offerTools', { ...list.about(), ids, offered }));
    },
    choose: async (choice) => void (await list.change(host.call('chat/toolChoice', { ...list.about(), choice }))),
    forbid: (id) => list.change(host.call('chat/forbidTool', { ...list.about(), id })),
    async answer(turnId, block, decision) {
      const result = await attempt(host.call('chat/answerToolCall', { turnId, block, decision }));
      if (!result) return false;
      session.start(result.turn, turnId);
      if (decision.type === 'allow' && decision.always) void list.refresh();
      return true;
    },
  };
}

type ToolList = ReturnType<typeof createList>;

/** The tools as the host knows them, for this conversation and its model. */
function createList({ host, page, attempt }: ChatSession) {
  const shown = () => page.peek()?.conversationId;
  const about = () => ({ model: page.peek()?.model ?? '' });
  const held = signal<{ readonly of: string | undefined; readonly tools: ToolsState } | undefined>(undefined);
  /** Another conversation's tools aren't mistaken for this one's until the host responds. */
  const state = computed(() => (held.value?.of === page.value?.conversationId ? held.value?.tools : undefined));
  /** Number of the latest request. Only its response is shown, because responses may overtake each other. */
  let latest = 0;
  const refresh = async () => {
    const ticket = ++latest;
    const of = shown();
    try {
      const tools = await host.call('chat/tools', about());
      if (ticket === latest) held.value = { of, tools };
    } catch (error) {
      // Ignored, because the user did not request this; errors are shown for the user's own actions.
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
      latest++;
      held.value = { of: shown(), tools };
    },
    /** Shows the expected state before the host confirms it. */
    expect(change: (state: ToolsState) => ToolsState) {
      const tools = state.peek();
      if (tools) held.value = { of: shown(), tools: change(tools) };
    },
    async change(work: Promise<ToolsState>): Promise<boolean> {
      const ticket = ++latest;
      const of = shown();
      const tools = await attempt(work);
      if (!tools) await refresh();
      else if (ticket === latest) held.value = { of, tools };
      return tools !== undefined;
    },
  };
}

/** The definition of a tool being written. Stored until it is saved or discarded. */
interface OwnTool {
  /** `undefined` if none is being written. */
  readonly typed: TypedToolsStore['own'];
  /** The host's errors in the definition. Fields that have not been edited yet have none. */
  readonly issues: ReadonlySignal<readonly OwnToolIssue[]>;
  begin(): void;
  edit(row: ToolRow): void;
  type(change: Partial<OwnToolForm>): void;
  giveUp(): void;
  /** Resolves with whether it was saved; the reasons against are in `issues` or in the session's `error`. */
  save(): Promise<boolean>;
  /** Deletes the saved tool that is being edited. */
  remove(): Promise<boolean>;
}

/** The initial form of a new definition: a valid schema that shows the structure. */
const startingForm: OwnToolForm = {
  name: '',
  description: '',
  schema: `{
  "type": "object",
  "properties": {
    "city": {
      "type": "string",
      "description": "Name of the city"
    }
  },
  "required": ["city"]
}`,
};

const checkDelayMs = 250;

function createOwnTool({ host, attempt }: ChatSession, typed: TypedToolsStore, list: ToolList): OwnTool {
  const issues = signal<readonly OwnToolIssue[]>([]);
  const touched = new Set<keyof OwnToolForm>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const set = (own: ReturnType<typeof typed.own.peek>) => {
    clearTimeout(timer);
    typed.setOwn(own);
  };
  const open = (own: ReturnType<typeof typed.own.peek>) => {
    touched.clear();
    issues.value = [];
    set(own);
  };
  const check = async () => {
    const own = typed.own.peek();
    if (!own) return;
    const found = await judged(host, own);
    if (found && typed.own.peek() === own) issues.value = found.filter(({ field }) => touched.has(field));
  };

  return {
    typed: typed.own,
    issues,
    begin: () => open({ form: startingForm }),
    edit: ({ name, description, schema }) => open({ form: { name, description, schema }, replaces: name }),
    type(change) {
      const own = typed.own.peek();
      if (!own) return;
      for (const field of Object.keys(change) as (keyof OwnToolForm)[]) touched.add(field);
      set({ ...own, form: { ...own.form, ...change } });
      timer = setTimeout(() => void check(), checkDelayMs);
    },
    giveUp: () => open(undefined),
    async save() {
      const own = typed.own.peek();
      if (!own) return false;
      clearTimeout(timer);
      const answer = await attempt(host.call('chat/saveOwnTool', { ...list.about(), ...own }));
      if (!answer) return false;
      for (const field of Object.keys(own.form) as (keyof OwnToolForm)[]) touched.add(field);
      issues.value = answer.issues;
      if (answer.issues.length > 0) return false;
      list.show(answer.tools);
      if (typed.own.peek() === own) open(undefined);
      return true;
    },
    async remove() {
      const name = typed.own.peek()?.replaces;
      const answer =
        name === undefined ? undefined : await attempt(host.call('chat/deleteOwnTool', { ...list.about(), name }));
      if (!answer) return false;
      list.show(answer);
      open(undefined);
      return true;
    },
  };
}

/** Resolves with the issues of a definition; `undefined` if the host failed, because saving checks again. */
async function judged(
  host: ChatHost,
  own: { readonly form: OwnToolForm; readonly replaces?: string },
): Promise<readonly OwnToolIssue[] | undefined> {
  try {
    return (await host.call('chat/checkOwnTool', own)).issues;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

/** The results of calls while they are being typed, by the key of the call. */
interface TypedResults {
  of(key: string): string;
  set(key: string, text: string): void;
  forget(key: string): void;
}

interface TypedToolsStore {
  readonly own: ReadonlySignal<TypedTools['own']>;
  setOwn(own: TypedTools['own']): void;
  readonly results: TypedResults;
}

/** More calls than anyone answers manually at once. The oldest are dropped. */
const maxResults = 20;

/** Stores what is typed about tools, across a reload of the page. */
function createTypedTools(host: ChatHost): TypedToolsStore {
  const saved = host.load()?.tools;
  const own = signal(saved?.own);
  const results = signal<Readonly<Record<string, string>>>(saved?.results ?? {});
  const keep = () => {
    const state = host.load() ?? { draft: '', scrollTop: -1 };
    const form = own.peek();
    host.save({ ...state, tools: { ...(form && { own: form }), results: results.peek() } });
  };
  const setResult = (key: string, text: string) => {
    const { [key]: _, ...others } = results.peek();
    const next = text === '' ? others : { ...others, [key]: text };
    results.value = Object.fromEntries(Object.entries(next).slice(-maxResults));
    keep();
  };
  return {
    own,
    setOwn(form) {
      own.value = form;
      keep();
    },
    results: {
      of: (key) => results.value[key] ?? '',
      set: setResult,
      forget: (key) => setResult(key, ''),
    },
  };
}
