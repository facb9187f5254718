import type * as vscode from 'vscode';

const key = 'prompts.values';
/** Beyond this, the values of the files that were run longest ago are deleted. */
const mostFiles = 100;

/** The last values entered for the variables of a prompt file. */
export interface RememberedValues {
  of(uri: vscode.Uri): Readonly<Record<string, string>>;
  add(uri: vscode.Uri, values: ReadonlyMap<string, string>): void;
}

/** Saved with the workspace. */
export function createRememberedValues(memento: vscode.Memento): RememberedValues {
  const all = () => memento.get<readonly (readonly [string, Readonly<Record<string, string>>])[]>(key, []);
  const of = (uri: vscode.Uri) => all().find(([file]) => file === uri.toString())?.[1] ?? {};
  return {
    of,
    add(uri, values) {
      if (values.size === 0) return;
      const others = all().filter(([file]) => file !== uri.toString());
      const now = [uri.toString(), { ...of(uri), ...Object.fromEntries(values) }] as const;
      void memento.update(key, [now, ...others].slice(0, mostFiles));
    },
  };
}
