/** What is typed before the host has told for the first time what a form holds. It stays, over the rest of that form. */
export interface PendingEdits<Form extends object> {
  /** Keeps it where it is early; false once it is not any more. */
  note(part: Partial<Form>): boolean;
  /** The form with what was typed; the same object where nothing was. */
  over(form: Form): Form;
  /** From now on nothing is early. Whether something was typed. */
  end(): boolean;
}

export function createPendingEdits<Form extends object>(): PendingEdits<Form> {
  let typed: Partial<Form> = {};
  let isEarly = true;
  const isAny = () => Object.keys(typed).length > 0;
  return {
    note(part) {
      if (isEarly) typed = { ...typed, ...part };
      return isEarly;
    },
    over: (form) => (isEarly && isAny() ? { ...form, ...typed } : form),
    end() {
      const was = isEarly && isAny();
      isEarly = false;
      return was;
    },
  };
}
