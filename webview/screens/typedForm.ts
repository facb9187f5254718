import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Debounce of edits sent to the host. */
const pauseMs = 250;

export interface FormSyncCalls<Form, Answer> {
  readonly ask: (form: Form) => Promise<Answer>;
  /** Called with the host's response, if the form has not changed since the request. */
  readonly onAnswer: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** Sends what is typed to the host. Ignores responses to a form that has changed since. */
export class FormSync<Form, Answer> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly form: ReadonlySignal<Form>,
    private readonly calls: FormSyncCalls<Form, Answer>,
  ) {}

  /** Whether an edit is waiting to be sent. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** Drops the waiting edit, for example because other work sends the form. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Sends the form now. Resolves once the host has it and its response is shown. */
  send(): Promise<void> {
    this.cancel();
    return (this.sending = this.sendNow());
  }

  sendSoon(): void {
    this.cancel();
    this.timer = setTimeout(() => void this.send(), pauseMs);
  }

  /** Resolves once the host's response to the current form is shown. */
  async settled(): Promise<void> {
    await (this.isWaiting ? this.send() : this.sending);
  }

  private async sendNow(): Promise<void> {
    const form = this.form.peek();
    try {
      const answer = await this.calls.ask(form);
      if (this.form.peek() === form) this.calls.onAnswer(answer);
    } catch (error) {
      this.calls.fail(error);
    }
  }
}

export interface TypedFormCalls<Form, Answer> {
  ask(form: Form): Promise<Answer>;
  /** Saves the form across a reload of the page. */
  save(): void;
  fail(error: unknown): void;
}

/**
 * A form as typed, which is sent to the host after each pause, and the host's response to it. What is typed before the host first sends
 * the form stays on top of it.
 */
export class TypedForm<Form extends object, Answer> {
  readonly form: Signal<Form>;
  /** The host's response to the form, such as the issues it found. */
  readonly answer: Signal<Answer>;
  readonly sync: FormSync<Form, Answer>;
  /** The form that the host is known to have. */
  private known: Form;
  /** Text typed before the host's first form. `undefined` after `begin`. */
  private early: Partial<Form> | undefined = {};

  /** `first` is shown until the host sends the form. */
  constructor(
    first: Form,
    noAnswer: Answer,
    private readonly calls: TypedFormCalls<Form, Answer>,
  ) {
    this.form = signal(first);
    this.known = first;
    this.answer = signal(noAnswer);
    this.sync = new FormSync(this.form, {
      ask: async (form) => {
        const answer = await calls.ask(form);
        this.known = form;
        return answer;
      },
      onAnswer: (answer) => (this.answer.value = answer),
      fail: (error) => calls.fail(error),
    });
  }

  /** Changes some fields, as the user does. */
  edit(part: Partial<Form>): void {
    this.form.value = { ...this.form.peek(), ...part };
    if (this.early) this.early = { ...this.early, ...part };
    else this.saveAndSend();
  }

  /** Shows another form of the host, or the typed values instead, which are then sent. */
  take(host: Form, typed = host): void {
    this.sync.cancel();
    this.known = host;
    this.form.value = this.early && Object.keys(this.early).length > 0 ? { ...typed, ...this.early } : typed;
    this.calls.save();
    if (typed !== host) void this.sync.send();
  }

  /** Applies what the host changed, for example because it found a model to start with, except to fields that the user has changed too. */
  takeOver(host: Form): void {
    const merged = mergeForms(this.known, host, this.form.peek());
    if (merged === this.form.peek()) return;
    this.known = host;
    this.form.value = merged;
    this.calls.save();
  }

  /** Call it once the host has sent its form: from now on, edits are sent. */
  begin(): void {
    const isTyped = this.early !== undefined && Object.keys(this.early).length > 0;
    this.early = undefined;
    if (isTyped) this.saveAndSend();
  }

  private saveAndSend(): void {
    this.calls.save();
    this.sync.sendSoon();
  }
}

/** Merges what the host changed since `base` into the typed form, except fields the user changed too. Returns `typed` if that changes nothing. */
export function mergeForms<Form extends object>(base: Form, host: Form, typed: Form): Form {
  const names = Object.keys(typed) as (keyof Form)[];
  const taken = names.filter((name) => host[name] !== base[name] && typed[name] === base[name]);
  return taken.length === 0 ? typed : { ...typed, ...Object.fromEntries(taken.map((name) => [name, host[name]])) };
}
