/** What the user types before the host first sends the content of a form. It is preserved on top of that content. */
export interface PendingEdits<Form extends object> {
  /** Records an early edit and returns true; returns false after `end`. */
  note(part: Partial<Form>): boolean;
  /** Returns the form with the early edits applied; the same object if there are none. */
  over(form: Form): Form;
  /** Ends the early phase. Returns whether anything was typed in it. */
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
