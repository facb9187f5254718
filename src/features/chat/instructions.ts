import * as vscode from 'vscode';
import { decodeText } from '../../core/workspace/decodeText';
import type { Settings } from '../../platform/settings';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import type { Handlers } from '../../protocol/call';
import type { ChatScreen } from '../../protocol/chat';
import type { ChatLocation } from './locations/chatLocation';

/** The instructions of the user and the project for every answer. */
export interface StandingInstructions {
  /** Sent as system text; empty if there are none. */
  readonly text: string;
  /** The paths of the files that it is from, and the name of the setting. */
  readonly sources: readonly string[];
}

/** Files with instructions for agents, which other editors and agents read too. */
const instructionFiles = ['.github/copilot-instructions.md', 'AGENTS.md'];
/** The limit of one file. Longer text is omitted, with a note. */
const mostCharacters = 20_000;
const mostBytes = mostCharacters * 4;
const mostFolders = 8;

/**
 * Reads the setting and the files of the workspace's folders. Files are read only in trusted workspaces, and never if they might contain keys
 * or a link leads out of the workspace.
 */
export async function readInstructions(settings: Settings): Promise<StandingInstructions> {
  const own = settings.get('chat.instructions').trim().slice(0, mostCharacters);
  const parts = own === '' ? [] : [{ source: 'inferenceDesk.chat.instructions', text: own }];
  if (vscode.workspace.isTrusted && settings.get('chat.instructionFiles')) {
    const guard = await WorkspaceGuard.open(settings);
    for (const { uri } of (vscode.workspace.workspaceFolders ?? []).slice(0, mostFolders)) {
      for (const name of instructionFiles) {
        const file = vscode.Uri.joinPath(uri, name);
        const text = await readText(file, guard);
        const source = vscode.workspace.asRelativePath(file);
        if (text) parts.push({ source, text: `Instructions from ${source}:\n\n${text}` });
      }
    }
  }
  return { text: parts.map(({ text }) => text).join('\n\n'), sources: parts.map(({ source }) => source) };
}

async function readText(file: vscode.Uri, guard: WorkspaceGuard): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open) return (await guard.isOpen(file)) ? shortened(open.getText()) : undefined;
  const bytes = await guard.read(file, mostBytes).catch(() => undefined);
  if (bytes === undefined || bytes === 'tooLarge' || 'refusal' in bytes) return undefined;
  const text = decodeText(bytes);
  return text === undefined ? undefined : shortened(text);
}

function shortened(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= mostCharacters ? trimmed : `${trimmed.slice(0, mostCharacters)}\n[truncated]`;
}

/** Handlers for the chip of the instructions. */
export function instructionHandlers({ session, page, runtime }: ChatLocation) {
  return {
    'chat/instructions': async () => {
      const { sources } = await runtime.engine.services.instructions();
      return { sources, isOn: await session.usesInstructions() };
    },
    'chat/useInstructions': async ({ isOn }) => {
      await session.useInstructions(isOn);
      await page.tellCompaction();
      return {};
    },
  } satisfies Partial<Handlers<ChatScreen>>;
}
