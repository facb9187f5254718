import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { chooseModel } from '../../core/catalogue/jobs';
import { yamlText } from '../../core/prompts/quickFixes';
import { exampleSnippet } from '../../core/prompts/snippets';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';

/** Opens an unsaved prompt file with an example whose parts are Tab stops. */
export async function newPrompt(catalogue: ModelCatalogue): Promise<void> {
  const model = chooseModel('chat', await catalogue.ready());
  const document = await vscode.workspace.openTextDocument(await freeName());
  const editor = await vscode.window.showTextDocument(document);
  const words = {
    description: l10n.t('What this prompt is for'),
    model: model === undefined ? undefined : yamlText(model),
    audience: l10n.t('a new colleague'),
    text: l10n.t('Explain this to {{audience}}:'),
  };
  await editor.insertSnippet(new vscode.SnippetString(exampleSnippet(words)));
}

/** Returns an unused URI in the first folder of the workspace. */
async function freeName(): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'prompt.desk.md' : `prompt-${number}.desk.md`;
    const file = folder && vscode.Uri.joinPath(folder, name);
    const uri = file?.with({ scheme: 'untitled' }) ?? vscode.Uri.from({ scheme: 'untitled', path: name });
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const isThere =
      file &&
      (await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      ));
    if (!isOpen && !isThere) return uri;
  }
}
