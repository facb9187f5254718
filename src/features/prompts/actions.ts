import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { promptQuickFixesOf } from '../../core/prompts/quickFixes';
import type { PromptQuickFix } from '../../core/prompts/quickFixes';
import type { ProblemsOf } from './diagnostics';
import { rangeOf } from './promptFiles';

/** Provides the quick fixes of prompt files. */
export function createPromptActions(problemsOf: ProblemsOf): vscode.CodeActionProvider {
  return {
    provideCodeActions(document, range, { diagnostics }) {
      const problems = problemsOf(document).filter(({ span }) => range.intersection(rangeOf(document, span)));
      return problems.flatMap((problem) => {
        const shown = diagnostics.filter(({ code, range: at }) => code === problem.code && at.intersection(range));
        return promptQuickFixesOf(document.getText(), problem).map((mend, index) => {
          const action = toAction(document, mend);
          action.diagnostics = shown;
          action.isPreferred = index === 0;
          return action;
        });
      });
    },
  };
}

function toAction(document: vscode.TextDocument, mend: PromptQuickFix): vscode.CodeAction {
  const action = new vscode.CodeAction(titleOf(mend), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const { text, ...span } of mend.edits) action.edit.replace(document.uri, rangeOf(document, span), text);
  return action;
}

function titleOf({ kind, text }: PromptQuickFix): string {
  switch (kind) {
    case 'replace':
      return l10n.t('Change to {0}', text);
    case 'declare':
      return l10n.t('Declare {0}', text);
    case 'escape':
      return l10n.t('Leave it as it stands: {0}', text);
    case 'remove':
      return l10n.t('Remove {0}', text);
    case 'move':
      return text === '' ? l10n.t('Move it to the top') : l10n.t('Move it under {0}', text);
  }
}
