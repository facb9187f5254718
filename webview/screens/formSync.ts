import type { ReadonlySignal } from '@preact/signals';

/** Debounce of edits sent to the host. */
const pauseMs = 250;

export interface FormSyncOptions<Form, Answer> {
  readonly form: ReadonlySignal<Form>;
  readonly ask: (form: Form) => Promise<Answer>;
  /** Called with the host's response, if the form has not changed since the request. */
  readonly onAnswer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** Sends the typed form to the host. Ignores responses to a form that has changed since. */
export function createFormSync<Form, Answer>({ form, ask, onAnswer, fail }: FormSyncOptions<Form, Answer>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling: Promise<void> | undefined;

  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const tellNow = async () => {
    const told = form.peek();
    try {
      const answer = await ask(told);
      if (form.peek() === told) onAnswer(answer);
    } catch (error) {
      fail(error);
    }
  };
  /** Sends the form now. Resolves once the host has it and its response is shown. */
  const tell = () => {
    cancel();
    return (telling = tellNow());
  };
  const tellSoon = () => {
    cancel();
    timer = setTimeout(() => void tell(), pauseMs);
  };
  return {
    /** Whether an edit is waiting to be sent. */
    get isWaiting() {
      return timer !== undefined;
    },
    cancel,
    tell,
    tellSoon,
    /** Resolves once the host's response to the current form is shown. */
    settled: async () => (timer === undefined ? telling : tell()),
  };
}
