import type { ExtensionContext } from 'vscode';

const name = 'editorChat.opening';
/** The editor starts its extensions anew within seconds; later the person has gone on to other things. */
const longestMs = 60_000;

interface Note {
  readonly modelId: string;
  /** Unix milliseconds. */
  readonly at: number;
}

type Memory = Pick<ExtensionContext, 'workspaceState'>;

/** Before the editor may start all extensions anew: that its Chat is to be opened with this model then. */
export async function noteRestart({ workspaceState }: Memory, modelId: string): Promise<void> {
  await workspaceState.update(name, { modelId, at: Date.now() } satisfies Note);
}

export async function forgetRestart({ workspaceState }: Memory): Promise<void> {
  await workspaceState.update(name, undefined);
}

/** Goes on where a restart broke off. */
export async function openAfterRestart(context: Memory, open: (modelId: string) => Promise<void>): Promise<void> {
  const note = context.workspaceState.get<Note>(name);
  if (!note) return;
  await forgetRestart(context);
  if (Date.now() - note.at < longestMs) await open(note.modelId);
}
