import * as vscode from 'vscode';
import { insertAtCursor } from '../../../platform/insertAtCursor';
import type { Replacements } from '../../../platform/replacements';
import type { UsedCode } from '../../../protocol/chat';
import { fitEnd, toLanguageId } from './codeTexts';
import type { LastEditor } from '../../../platform/lastEditor';
import { replaceSelection } from './replaceSelection';
import { runInTerminal } from './terminal';
import type { ConfirmRun, ShellPrompts } from './terminal';

/** What the buttons of a code block do. */
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
          return insertAtCursor(fitEnd(code, ''), await lastEditor.reveal());
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

async function openNewFile(content: string, language: string): Promise<void> {
  const id = toLanguageId(language, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content, ...(id === undefined ? {} : { language: id }) });
  await vscode.window.showTextDocument(document, { preview: false });
}
