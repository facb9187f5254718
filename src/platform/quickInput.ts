import * as vscode from 'vscode';
import { DisposableStore } from './disposables';
import { createInputBox, createQuickPick } from './notify';

/** The result of one step of several. */
export type StepResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'cancelled' };

export interface StepFrame {
  readonly title: string;
  /** From 1. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** Shows the back button. */
  readonly canGoBack: boolean;
}

export interface InputStep extends StepFrame {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly password?: boolean;
  /** A page that opens in the browser, e.g. to get the requested value. */
  readonly link?: { readonly label: string; readonly url: string } | undefined;
  /** Returns the error message, or `undefined` if the value is valid. Called on Enter, and then on each change until it is valid. */
  readonly check: (value: string) => string | undefined;
  /** Called on each change, to save what is typed even if it is never accepted. */
  readonly onTyped?: (value: string) => void;
}

export interface PickStep<T> extends StepFrame {
  readonly placeholder: string;
  readonly items: readonly PickItem<T>[];
  readonly canFilter?: boolean;
  /** The value whose entry is active at first. */
  readonly current?: T;
  /**
   * Called when the list is shown, to replace its entries with `show`, which leaves the same entry active. Shows that the list is busy until
   * the promise settles.
   */
  readonly refine?: (show: (items: readonly PickItem<T>[]) => void) => Promise<unknown>;
  /** Returns an entry for the typed text, which is listed first, or `undefined`. */
  readonly itemFor?: (typed: string) => PickItem<T> | undefined;
}

/** An entry with its value; without a value, it only separates the list. */
export type PickItem<T> = vscode.QuickPickItem & { readonly value?: T };

/** Asks for a text. The input stays open when the window loses focus, because keys are copied from elsewhere. */
export function askText(step: InputStep): Promise<StepResult<string>> {
  const input = createInputBox();
  const { prompt, placeholder = '', value, password = false, link, check, onTyped } = step;
  Object.assign(input, { prompt, placeholder, value, password });
  return ask<string>(input, step, (done, store) => {
    if (link) {
      const button = { iconPath: new vscode.ThemeIcon('link-external'), tooltip: link.label };
      input.buttons = [...input.buttons, button];
      store.add(
        input.onDidTriggerButton((pressed) => {
          if (pressed === button) void vscode.env.openExternal(vscode.Uri.parse(link.url, true));
        }),
      );
    }
    let complained = false;
    const validate = () => {
      const problem = check(input.value);
      input.validationMessage = problem;
      return problem === undefined;
    };
    store.add(
      input.onDidAccept(() => {
        if (validate()) done({ kind: 'value', value: input.value });
        else complained = true;
      }),
    );
    store.add(
      input.onDidChangeValue(() => {
        onTyped?.(input.value);
        if (complained) validate();
      }),
    );
  });
}

/** Asks for one of several items. */
export function askPick<T>(step: PickStep<T>): Promise<StepResult<T>> {
  const pick = createQuickPick<PickItem<T>>();
  const { placeholder, items, canFilter = false, refine, itemFor } = step;
  Object.assign(pick, { placeholder, items, matchOnDescription: canFilter, matchOnDetail: canFilter });
  const current = items.find(({ value }) => value !== undefined && value === step.current);
  if (current) pick.activeItems = [current];
  let listed = items;
  let isOpen = true;
  let typed: PickItem<T> | undefined;
  const show = () => {
    const active = pick.activeItems[0]?.label;
    pick.items = typed ? [{ ...typed, alwaysShow: true }, ...listed] : listed;
    const same = pick.items.find(({ label, value }) => label === active && value !== undefined);
    if (same && !typed) pick.activeItems = [same];
  };
  return ask<T>(pick, step, (done, store) => {
    store.add({ dispose: () => (isOpen = false) });
    if (itemFor) {
      store.add(
        pick.onDidChangeValue((value) => {
          const before = typed;
          typed = itemFor(value);
          // Entries that are replaced while someone types lose an Enter that follows quickly.
          if (before || typed) show();
        }),
      );
    }
    if (refine) {
      pick.busy = true;
      const settle = () => isOpen && (pick.busy = false);
      const replace = (found: readonly PickItem<T>[]) => {
        listed = found;
        if (isOpen) show();
      };
      refine(replace).then(settle, settle);
    }
    store.add(
      pick.onDidAccept(() => {
        const value = pick.selectedItems[0]?.value;
        if (value !== undefined) done({ kind: 'value', value });
      }),
    );
  });
}

/** Shows a busy indicator where the steps are. Closing it aborts the work; the result is then `canceled`. */
export async function showBusy<T>(
  frame: StepFrame,
  placeholder: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<StepResult<T>> {
  const controller = new AbortController();
  const pick = createQuickPick();
  Object.assign(pick, { placeholder, busy: true, enabled: false });
  const closed = ask<never>(pick, frame, () => undefined);
  const working = work(controller.signal);
  try {
    const first = await Promise.race([closed, working.then((value) => ({ kind: 'value', value }) as const)]);
    if (first.kind !== 'value') {
      controller.abort();
      await working.catch(() => undefined);
    }
    return first;
  } finally {
    pick.dispose();
  }
}

function ask<T>(
  input: vscode.QuickInput & {
    readonly onDidTriggerButton?: vscode.Event<vscode.QuickInputButton>;
    buttons?: readonly vscode.QuickInputButton[];
  },
  { title, step, totalSteps, canGoBack }: StepFrame,
  listen: (done: (result: StepResult<T>) => void, store: DisposableStore) => void,
): Promise<StepResult<T>> {
  const store = new DisposableStore();
  store.add(input);
  Object.assign(input, { title, step, totalSteps, ignoreFocusOut: true });
  if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<StepResult<T>>((resolve) => {
    listen(resolve, store);
    store.add(input.onDidHide(() => resolve({ kind: 'cancelled' })));
    const triggered = input.onDidTriggerButton?.((button) => {
      if (button === vscode.QuickInputButtons.Back) resolve({ kind: 'back' });
    });
    if (triggered) store.add(triggered);
    input.show();
  }).finally(() => store.dispose());
}
