import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { insertAtCursor } from '../../../platform/insertAtCursor';
import type { UsedCode } from '../../../protocol/chat';
import { fitEnd, toLanguageId } from './codeTexts';
import type { LastEditor } from './lastEditor';
import { createReplacements } from './replacements';
import type { Replacements } from './replacements';
import { runInTerminal } from './terminal';
import type { ConfirmRun } from './terminal';

/** What the buttons of a code block do. */
export interface CodeActions extends Disposable, Pick<Replacements, 'apply' | 'discard'> {
  use(code: UsedCode): Promise<void>;
}

export function createCodeActions(lastEditor: LastEditor, confirm?: ConfirmRun): CodeActions {
  const store = new DisposableStore();
  const replacements = store.add(createReplacements());
  return {
    async use({ action, code, language }) {
      switch (action) {
        case 'insert':
          return insertAtCursor(fitEnd(code, ''), await lastEditor.reveal());
        case 'replace':
          return replacements.propose(await lastEditor.reveal(), code);
        case 'newFile':
          return openNewFile(code, language);
        case 'run':
          return runInTerminal(code, language, confirm);
      }
    },
    apply: (proposal) => replacements.apply(proposal),
    discard: (proposal) => replacements.discard(proposal),
    dispose: () => store.dispose(),
  };
}

async function openNewFile(content: string, language: string): Promise<void> {
  const id = toLanguageId(language, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content, ...(id === undefined ? {} : { language: id }) });
  await vscode.window.showTextDocument(document, { preview: false });
}
