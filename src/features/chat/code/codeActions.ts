import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { insertAt } from '../../../platform/workspace/insertAtCursor';
import type { Replacements } from '../../../platform/workspace/replacements';
import type { UsedCode } from '../../../protocol/chat';
import { placeCode, toLanguageId, fitEnd } from '../logic/codeTexts';
import type { LastEditor } from '../../../platform/workspace/lastEditor';
import { runInTerminal, type ConfirmRun, type ShellPrompts } from './terminal';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** The actions of a code block's buttons. */
export interface CodeActions {
  use(code: UsedCode): Promise<void>;
}

export function createCodeActions(
  lastEditor: LastEditor,
  replacements: Replacements,
  prompts: ShellPrompts,
  confirm?: ConfirmRun,
): CodeActions {
  return {
    async use({ action, code, language }) {
      switch (action) {
        case 'insert':
          return insertAt(await lastEditor.reveal(), ({ end }, document) => ownLines(code, end, document));
        case 'replace':
          return replaceSelection(await lastEditor.reveal(), code, replacements);
        case 'newFile':
          return openNewFile(code, language);
        case 'run':
          if ((await runInTerminal(code, language, prompts, confirm)) === 'newFile') await openNewFile(code, language);
          return;
      }
    },
  };
}

/** Places the code on separate lines at the end of a selection. The selected text is kept. */
function ownLines(code: string, { line, character }: vscode.Position, document: vscode.TextDocument) {
  const lineAt = (index: number) =>
    index >= 0 && index < document.lineCount ? document.lineAt(index).text : undefined;
  const { from, to, text } = placeCode(code, { line, column: character, lineAt });
  return { range: new vscode.Range(line, from, line, to), text };
}

async function openNewFile(content: string, language: string): Promise<void> {
  const id = toLanguageId(language, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content, ...(id === undefined ? {} : { language: id }) });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Shows a diff of the editor's document with `code` in place of the selection. */
async function replaceSelection(
  editor: vscode.TextEditor | undefined,
  code: string,
  replacements: Replacements,
): Promise<void> {
  if (!editor || editor.selection.isEmpty) throw nothingSelected();
  const { document, selection, viewColumn } = editor;
  await replacements.propose({
    document,
    range: new vscode.Range(selection.start, selection.end),
    text: fitEnd(code, document.getText(selection)),
    title: (name) => l10n.t('{0}: proposed replacement', foreign(name)),
    viewColumn,
  });
}

function nothingSelected(): UserError {
  return new UserError(l10n.t('No selection'), l10n.t('Select the text to replace.'));
}
