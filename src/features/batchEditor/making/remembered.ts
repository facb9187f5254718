import type * as vscode from 'vscode';

const key = 'batchFile.making';
const mostPrompts = 10;

/** What a person wrote last, so that it has not to be written again; also where they stopped half-way. */
export interface Remembered {
  /** Those that were used, the last one first. */
  readonly prompts: readonly string[];
  /** What was being typed. */
  readonly draft: string;
  readonly system: string;
  /** Patterns by the kind of source. */
  readonly customIds: Readonly<Record<string, string>>;
  readonly seed: string;
}

const nothing: Remembered = { prompts: [], draft: '', system: '', customIds: {}, seed: '1' };

export interface Memory {
  get(): Remembered;
  set(change: Partial<Remembered>): void;
  addPrompt(prompt: string): void;
}

/** Kept with the workspace. */
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
