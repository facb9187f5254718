import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ParameterForm, ParametersState, RefusableParameter } from '../../../src/protocol/chatParameters';
import type { ChatHost, PageState } from './chatHost';

/** What the parameters panel shows and does. */
export interface Parameters {
  readonly open: Signal<boolean>;
  /** `undefined` until the host has answered for the first time. */
  readonly state: ReadonlySignal<ParametersState | undefined>;
  /** As typed; what the host made of it stands in `state`. */
  readonly form: ReadonlySignal<ParameterForm | undefined>;
  edit(change: Partial<ParameterForm>): void;
  /** Resolves when the host knows everything that was typed. */
  settle(): Promise<void>;
  /** After another model was chosen: bounds and refusals are the model's. */
  refresh(): Promise<void>;
  /** Gives whether it could be done; why not stands in the page's trouble. */
  savePreset(name: string): Promise<boolean>;
  applyPreset(id: string): Promise<boolean>;
  renamePreset(id: string, name: string): Promise<boolean>;
  deletePreset(id: string): Promise<boolean>;
  sendAgain(parameter: RefusableParameter): Promise<boolean>;
  sendWithout(parameter: RefusableParameter): Promise<boolean>;
}

export interface ParametersOptions {
  readonly host: ChatHost;
  readonly page: Signal<PageState | undefined>;
  readonly attempt: <Result>(work: Promise<Result>) => Promise<Result | undefined>;
}

const hostDelayMs = 250;

export function createParameters({ host, page, attempt }: ParametersOptions): Parameters {
  const form = createTypedForm({ host, page, attempt });
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

function aboutModel(page: ParametersOptions['page']) {
  return { model: page.peek()?.model ?? '' };
}

function show(page: ParametersOptions['page'], parameters: ParametersState | undefined): boolean {
  const before = page.peek();
  if (parameters && before) page.value = { ...before, parameters };
  return parameters !== undefined;
}

/** What is typed, told to the host soon after. */
function createTypedForm({ host, page, attempt }: ParametersOptions) {
  /** Stays as it was typed, and in the conversation it was typed for. */
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
    const told = typed.peek();
    if (!told || told.conversationId !== page.peek()?.conversationId) return;
    telling = attempt(host.call('chat/setParameters', { ...aboutModel(page), form: told.form })).then((answer) => {
      if (typed.peek() === told) show(page, answer);
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
