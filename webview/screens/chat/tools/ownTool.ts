import { type ReadonlySignal, signal } from '@preact/signals';
import type { OwnToolForm, OwnToolIssue, ToolRow, ToolsState } from '../../../../src/protocol/chatTools';
import { HostError } from '../../../../src/protocol/caller';
import type { Attempt, ChatHost } from '../chatHost';
import type { TypedToolsStore } from './typedTools';

/** The definition of a tool being written. Stored until it is saved or discarded. */
export interface OwnTool {
  /** `undefined` if none is being written. */
  readonly typed: TypedToolsStore['own'];
  /** The host's errors in the definition. Fields that have not been edited yet have none. */
  readonly issues: ReadonlySignal<readonly OwnToolIssue[]>;
  begin(): void;
  edit(row: ToolRow): void;
  type(change: Partial<OwnToolForm>): void;
  giveUp(): void;
  /** Resolves with whether it was saved; the reasons against are in `issues` or in the session's `trouble`. */
  save(): Promise<boolean>;
  /** Deletes the saved tool that is being edited. */
  remove(): Promise<boolean>;
}

interface OwnToolOptions {
  readonly host: ChatHost;
  readonly attempt: Attempt;
  readonly typed: TypedToolsStore;
  readonly about: () => { readonly model: string };
  readonly show: (tools: ToolsState) => void;
}

/** The initial form of a new definition: a valid schema that shows the structure. */
export const startingForm: OwnToolForm = {
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

export function createOwnTool({ host, attempt, typed, about, show }: OwnToolOptions): OwnTool {
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
      const answer = await attempt(host.call('chat/saveOwnTool', { ...about(), ...own }));
      if (!answer) return false;
      for (const field of Object.keys(own.form) as (keyof OwnToolForm)[]) touched.add(field);
      issues.value = answer.issues;
      if (answer.issues.length > 0) return false;
      show(answer.tools);
      if (typed.own.peek() === own) open(undefined);
      return true;
    },
    async remove() {
      const name = typed.own.peek()?.replaces;
      const answer =
        name === undefined ? undefined : await attempt(host.call('chat/deleteOwnTool', { ...about(), name }));
      if (!answer) return false;
      show(answer);
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
