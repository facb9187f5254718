import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ParameterForm, ParametersState } from '../../../src/protocol/chatParameters';
import type { PageState } from './chatHost';
import type { ChatSession } from './session';

/** The state and actions of the parameters panel. */
export interface Parameters {
  readonly open: Signal<boolean>;
  /** `undefined` until the host's first response. */
  readonly state: ReadonlySignal<ParametersState | undefined>;
  /** As typed; `state` has the host's view of it. */
  readonly form: ReadonlySignal<ParameterForm | undefined>;
  edit(change: Partial<ParameterForm>): void;
  editNumber(name: string, typed: string): void;
  /** Resolves once the host has received everything that was typed. */
  settle(): Promise<void>;
  /** Call it after the model changes, because limits and refusals depend on it. */
  refresh(): Promise<void>;
  /** Resolves with whether it succeeded; the error is in the session's `error`. */
  savePreset(name: string): Promise<boolean>;
  applyPreset(id: string): Promise<boolean>;
  renamePreset(id: string, name: string): Promise<boolean>;
  deletePreset(id: string): Promise<boolean>;
  sendAgain(parameter: string): Promise<boolean>;
  sendWithout(parameter: string): Promise<boolean>;
}

/** Whether there is a field of that name, because the action of an error may contain any name. */
export function hasField(page: PageState | undefined, name: string): boolean {
  const { numbers = {}, ...fields } = page?.parameters.form ?? {};
  return Object.hasOwn(numbers, name) || Object.hasOwn(fields, name);
}

const hostDelayMs = 250;

export function createParameters(session: ChatSession): Parameters {
  const { host, page, attempt } = session;
  const form = createTypedForm(session);
  const change = async (work: () => Promise<ParametersState>, isNewForm = false): Promise<boolean> => {
    await form.settle();
    const answer = await attempt(work());
    return batch(() => {
      if (answer && isNewForm) form.forget();
      return show(page, answer);
    });
  };
  const about = () => aboutModel(page);

  return {
    open: signal(false),
    state: computed(() => page.value?.parameters),
    form: form.shown,
    settle: form.settle,
    edit: form.edit,
    editNumber: (name, typed) => form.edit({ numbers: { ...form.shown.peek()?.numbers, [name]: typed } }),
    async refresh() {
      await change(() => host.call('chat/parameters', about()));
    },
    savePreset: (name) => change(() => host.call('chat/savePreset', { ...about(), name })),
    applyPreset: (id) => change(() => host.call('chat/applyPreset', { ...about(), id }), true),
    renamePreset: (id, name) => change(() => host.call('chat/renamePreset', { ...about(), id, name })),
    deletePreset: (id) => change(() => host.call('chat/deletePreset', { ...about(), id })),
    sendAgain: (parameter) => change(() => host.call('chat/withParameter', { ...about(), parameter })),
    sendWithout: (parameter) => change(() => host.call('chat/withoutParameter', { ...about(), parameter })),
  };
}

function aboutModel(page: ChatSession['page']) {
  return { model: page.peek()?.model ?? '' };
}

function show(page: ChatSession['page'], parameters: ParametersState | undefined): boolean {
  const before = page.peek();
  if (parameters && before) page.value = { ...before, parameters };
  return parameters !== undefined;
}

/** The typed form, sent to the host with a debounce. */
function createTypedForm({ host, page, attempt }: ChatSession) {
  /** The form as typed, for the conversation it was typed in. */
  const typed = signal<{ readonly conversationId: string | undefined; readonly form: ParameterForm } | undefined>(
    undefined,
  );
  const shown = computed(() =>
    typed.value && typed.value.conversationId === page.value?.conversationId
      ? typed.value.form
      : page.value?.parameters.form,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling: Promise<unknown> = Promise.resolve();

  const tell = () => {
    timer = undefined;
    const sent = typed.peek();
    if (!sent || sent.conversationId !== page.peek()?.conversationId) return;
    telling = attempt(host.call('chat/setParameters', { ...aboutModel(page), form: sent.form })).then((answer) => {
      if (typed.peek() === sent) show(page, answer);
    });
  };

  return {
    shown,
    forget: () => (typed.value = undefined),
    edit: (changed: Partial<ParameterForm>) => {
      const before = shown.peek();
      if (!before) return;
      typed.value = { conversationId: page.peek()?.conversationId, form: { ...before, ...changed } };
      clearTimeout(timer);
      timer = setTimeout(tell, hostDelayMs);
    },
    settle: async () => {
      if (timer !== undefined) {
        clearTimeout(timer);
        tell();
      }
      await telling;
    },
  };
}
