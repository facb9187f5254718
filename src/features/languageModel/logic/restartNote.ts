import type { ExtensionContext } from 'vscode';

const name = 'editorChat.opening';
/** The editor restarts its extensions within seconds; after that the user has moved on to other things. */
const longestMs = 60_000;

interface Note {
  readonly modelId: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Call this before VS Code might restart all extensions. Saves the model with which to open its Chat afterward. */
export async function noteRestart({ workspaceState }: ExtensionContext, modelId: string): Promise<void> {
  await workspaceState.update(name, { modelId, at: Date.now() } satisfies Note);
}

export async function forgetRestart({ workspaceState }: ExtensionContext): Promise<void> {
  await workspaceState.update(name, undefined);
}

/** Continues where a restart of the extensions interrupted. */
export async function openAfterRestart(
  context: ExtensionContext,
  open: (modelId: string) => Promise<void>,
): Promise<void> {
  const note = context.workspaceState.get<Note>(name);
  if (!note) return;
  await forgetRestart(context);
  if (Date.now() - note.at < longestMs) await open(note.modelId);
}
