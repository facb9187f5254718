import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { foreign } from '../../core/text/foreignText';
import { readPrompt } from '../../core/prompts/readPrompt';
import { nameOrder } from '../../protocol/formats';
import { showMessage } from '../../platform/notify';
import { askPick } from '../../platform/quickInput';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { isPromptFile } from './logic/isPromptFile';
import { promptName } from './promptFiller';
import { commandTitle } from '../../platform/contributions';

/** The maximum number of files in the list. */
const mostListed = 200;

interface Choosing {
  readonly settings: Settings;
  /** Files the person has already approved; newly approved ones are added. */
  readonly agreed: Set<string>;
  /** Asks whether to use a file that is not a prompt file of the workspace. */
  readonly ask: (uri: vscode.Uri) => Promise<boolean>;
}

/**
 * Returns the file passed as `argument`, otherwise the one in the active editor, otherwise one of the workspace that the person chooses. Asks
 * the person first about a file that is not a prompt file of the workspace; `undefined` if they decline.
 */
export async function choosePrompt(argument: unknown, choosing: Choosing): Promise<vscode.TextDocument | undefined> {
  const guard = await WorkspaceGuard.open(choosing.settings);
  const active = vscode.window.activeTextEditor?.document;
  if (argument instanceof vscode.Uri)
    return (await isAgreed(argument, guard, choosing)) ? openDocument(argument) : undefined;
  if (active && isPromptFile(active.uri)) return active;
  const found = await guard.only(await vscode.workspace.findFiles('**/*.desk.md', '**/node_modules/**', mostListed));
  if (found.length === 0) {
    throw new UserError(
      l10n.t('No prompt files in this workspace'),
      l10n.t('Run "{0}", or save a conversation as one.', commandTitle('inferenceDesk.prompts.new')),
    );
  }
  const items = await Promise.all(found.map(toItem));
  const inOrder = nameOrder(vscode.env.language);
  const answer = await askPick<vscode.Uri>({
    title: l10n.t('Prompt files'),
    placeholder: l10n.t('Select a prompt'),
    canGoBack: false,
    canFilter: true,
    items: items.toSorted((a, b) => inOrder(a.label, b.label)),
  });
  return answer.kind === 'value' ? openDocument(answer.value) : undefined;
}

/** Other extensions and links can run the command too, with any file. */
async function isAgreed(uri: vscode.Uri, guard: WorkspaceGuard, { agreed, ask }: Choosing): Promise<boolean> {
  const checked = await guard.check(uri);
  const refusal = 'refusal' in checked ? checked.refusal : undefined;
  if (refusal === 'secret') {
    throw new UserError(
      l10n.t("{0} isn't sent", vscode.workspace.asRelativePath(uri)),
      l10n.t('It might contain keys or passwords (setting inferenceDesk.secretFiles).'),
    );
  }
  if (uri.scheme === 'untitled' || (isPromptFile(uri) && refusal !== 'outside') || agreed.has(uri.toString()))
    return true;
  if (!(await ask(uri))) return false;
  agreed.add(uri.toString());
  return true;
}

/** Shows a modal dialog. */
export async function askToUse(uri: vscode.Uri): Promise<boolean> {
  const use = l10n.t('Use This File');
  const detail = l10n.t('The file is outside the workspace. Its text will be sent.');
  const file = uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
  const options = { modal: true, detail: `${file}\n\n${detail}` };
  const title = l10n.t('Use {0} as a prompt?', foreign(promptName(uri)));
  return (await showMessage('warning', title, options, use)) === use;
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
      l10n.t("Couldn't read the prompt file"),
      `${vscode.workspace.asRelativePath(uri)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
