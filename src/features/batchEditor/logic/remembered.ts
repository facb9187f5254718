import type * as vscode from 'vscode';

const key = 'batchFile.making';
const mostPrompts = 10;

/** The user's last inputs, including those of flows that were not finished, so that they need not be typed again. */
export interface Remembered {
  /** The prompts used before, most recent first. */
  readonly prompts: readonly string[];
  /** The unfinished prompt. */
  readonly draft: string;
  readonly system: string;
  /** Patterns of custom_ids by kind of source. */
  readonly customIds: Readonly<Record<string, string>>;
  readonly seed: string;
}

const nothing: Remembered = { prompts: [], draft: '', system: '', customIds: {}, seed: '1' };

export interface Memory {
  get(): Remembered;
  set(change: Partial<Remembered>): void;
  addPrompt(prompt: string): void;
}

/** Stored in the workspace state. */
export function createMemory(memento: vscode.Memento): Memory {
  const get = () => ({ ...nothing, ...memento.get<Partial<Remembered>>(key) });
  const set = (change: Partial<Remembered>) => void memento.update(key, { ...get(), ...change });
  return {
    get,
    set,
    addPrompt(prompt) {
      const others = get().prompts.filter((one) => one !== prompt);
      set({ prompts: [prompt, ...others].slice(0, mostPrompts), draft: '' });
    },
  };
}
