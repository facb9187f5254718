import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { readPrompt } from '../../core/prompts/readPrompt';
import { nameOrder } from '../../protocol/formats';
import { askPick } from '../../platform/quickInput';
import { UserError } from '../../platform/userError';
import { isPromptFile } from './isPromptFile';
import { promptName } from './preparePrompt';

/** More are not listed. */
const mostListed = 200;

/** The file that is handed over, else the one in the active editor, else one of the workspace that a person chooses. */
export async function choosePrompt(given: unknown): Promise<vscode.TextDocument | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  if (given instanceof vscode.Uri) return openDocument(given);
  if (active && isPromptFile(active.uri)) return active;
  const found = await vscode.workspace.findFiles('**/*.desk.md', '**/node_modules/**', mostListed);
  if (found.length === 0) {
    throw new UserError(
      l10n.t('There is no prompt file in this workspace'),
      l10n.t('Make one with "New Prompt File…", or save a conversation as one.'),
    );
  }
  const items = await Promise.all(found.map(toItem));
  const inOrder = nameOrder(vscode.env.language);
  const answer = await askPick<vscode.Uri>({
    title: l10n.t('Prompt files'),
    placeholder: l10n.t('Which prompt?'),
    canGoBack: false,
    canFilter: true,
    items: items.toSorted((a, b) => inOrder(a.label, b.label)),
  });
  return answer.kind === 'value' ? openDocument(answer.value) : undefined;
}

async function toItem(uri: vscode.Uri) {
  const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => new Uint8Array());
  const detail = readPrompt(new TextDecoder().decode(bytes)).prompt.description;
  return {
    label: promptName(uri),
    description: vscode.workspace.asRelativePath(uri),
    ...(detail !== undefined && { detail }),
    value: uri,
  };
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(
      l10n.t('The prompt file cannot be read'),
      `${vscode.workspace.asRelativePath(uri)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
