import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { attachedText } from '../../core/conversation/attachment';
import type { ProvidedName } from '../../core/prompts/prompt';
import { listText } from '../../protocol/formats';
import type { LastEditor } from '../../platform/workspace/lastEditor';
import type { Settings } from '../../platform/settings';
import { UserError } from '../../platform/errors/userError';
import { WorkspaceGuard } from '../../platform/workspace/workspaceGuard';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import { isPromptFile } from './isPromptFile';
import { foreign } from '../../core/text/foreignText';

/**
 * Returns what the editor fills in, taken from the last used editor that does not show a prompt. Throws `UserError` if there is none, if
 * nothing is selected in it, or if it shows a file that may hold secrets.
 */
export async function providedTexts(
  names: readonly ProvidedName[],
  { lastEditor, settings }: { readonly lastEditor: LastEditor; readonly settings: Settings },
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const editor = lastEditor.current(({ uri }) => !isPromptFile(uri) && uri.scheme !== 'output');
  if (!editor) {
    throw new UserError(
      l10n.t('No other editor is open'),
      l10n.t('The prompt uses {0}. Open the file it is about, then run it again.', places(names)),
    );
  }
  const { document, selection } = editor;
  refuseUntrusted(document.uri);
  const label = vscode.workspace.asRelativePath(document.uri);
  const guard = await WorkspaceGuard.open(settings, { allowsElsewhere: true });
  const checked = await guard.check(document.uri);
  const refusal = 'refusal' in checked ? checked.refusal : undefined;
  if (refusal === 'outside') {
    throw new UserError(
      l10n.t('{0} is not sent', label),
      l10n.t('It links to a file outside the workspace. Open that file instead.'),
    );
  }
  if (refusal === 'secret') {
    throw new UserError(
      l10n.t('{0} is not sent', foreign(label)),
      l10n.t('The setting inferenceDesk.secretFiles names it among the files that mostly hold keys or passwords.'),
    );
  }
  if (names.includes('selection') && selection.isEmpty) {
    throw new UserError(
      l10n.t('Nothing is selected in {0}', foreign(label)),
      l10n.t('The prompt uses {0}. Select what it is about, then run it again.', places(['selection'])),
    );
  }
  const texts: Readonly<Record<ProvidedName, () => string>> = {
    selection: () => document.getText(selection),
    file: () =>
      attachedText({ kind: 'file', label, language: document.languageId, text: document.getText(), tokens: 0 }),
    path: () => label,
    language: () => document.languageId,
  };
  return new Map(names.map((name) => [name, texts[name]().replaceAll('\r\n', '\n')]));
}

function places(names: readonly ProvidedName[]): string {
  return listText(
    names.map((name) => `{{${name}}}`),
    vscode.env.language,
  );
}
