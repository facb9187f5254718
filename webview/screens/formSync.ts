import type { ReadonlySignal } from '@preact/signals';

/** A pause in typing after which the host is told. */
const pauseMs = 250;

export interface FormSyncOptions<Form, Answer> {
  readonly form: ReadonlySignal<Form>;
  readonly ask: (form: Form) => Promise<Answer>;
  /** What the host says of what is typed still. */
  readonly onAnswer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** Tells the host what is typed. What it says of what was typed over by then is left aside. */
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
  /** Resolves when the host has what is typed, and what it says of it is shown. */
  const tell = () => {
    cancel();
    return (telling = tellNow());
  };
  const tellSoon = () => {
    cancel();
    timer = setTimeout(() => void tell(), pauseMs);
  };
  return {
    /** It is still to be told. */
    get isWaiting() {
      return timer !== undefined;
    },
    cancel,
    tell,
    tellSoon,
    /** Resolves when what the host says of what is typed now is shown. */
    settled: async () => (timer === undefined ? telling : tell()),
  };
}
