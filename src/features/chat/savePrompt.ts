import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { autoTitle } from '../../core/conversation/autoTitle';
import type { ChatParameters } from '../../core/conversation/chatParameters';
import { writePrompt } from '../../core/prompts/writePrompt';
import { UserError } from '../../platform/errors/userError';
import type { ChatSnapshot } from '../../protocol/chat';

/** Asks for a file and writes the first question (or else the draft) to it, with the model and the parameters. */
export async function savePrompt({ turns, draft, model }: ChatSnapshot, parameters: ChatParameters): Promise<void> {
  const text = turns[0]?.question ?? draft;
  if (text.trim() === '') {
    throw new UserError(l10n.t('No prompt to save'), l10n.t('Send or enter a question first. It becomes the prompt.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = fileName(text);
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Save as prompt file'),
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
    filters: { [l10n.t('Prompt files')]: ['desk.md'] },
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(writePrompt({ model, parameters, text })));
  await vscode.window.showTextDocument(uri);
}

/** Builds a valid file name from the first words of the question. */
function fileName(text: string): string {
  const words =
    autoTitle(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.slice(0, 5).join('-') || 'prompt'}.desk.md`;
}
