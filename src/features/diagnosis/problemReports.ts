import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportQuestion, reportText, reportTitle } from '../../core/diagnosis/report';
import { createScrub } from '../../core/diagnosis/scrub';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { gatherFacts, keysOf } from './gatherFacts';
import { showMessage, codeLens } from '../../platform/notify';

/** Problem reports: unsaved documents for the person to read, complete and copy. Nothing is sent. */
interface ProblemReports extends Disposable {
  /** Creates a report and opens it at the line for describing what happened. */
  show(): Promise<void>;
  /** Copies the open report with the person's additions. If there is none, creates and shows one instead of copying. */
  copy(): Promise<void>;
}

export function createProblemReports(services: Services): ProblemReports {
  const store = new DisposableStore();
  const isReport = (document: vscode.TextDocument) =>
    document.isUntitled && document.languageId === 'markdown' && document.lineAt(0).text === `# ${reportTitle()}`;
  const top = new vscode.Range(0, 0, 0, 0);
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: 'untitled', language: 'markdown' },
      {
        provideCodeLenses: (document) =>
          isReport(document) ? reportCommands().map((command) => codeLens(top, command)) : [],
      },
    ),
  );

  const show = async () => {
    const text = reportText(await gatherFacts(services));
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const questionStart = document.getText().indexOf(reportQuestion());
    const start = document.lineAt(document.positionAt(questionStart).line + 1).range.start;
    editor.selection = new vscode.Selection(start, start);
  };

  return {
    show,
    async copy() {
      const active = vscode.window.activeTextEditor?.document;
      const open = active && isReport(active) ? active : vscode.workspace.textDocuments.findLast(isReport);
      if (!open) return show();
      // The person's own text is theirs to judge, except for keys, which are never meant to be copied.
      const scrub = createScrub({ keys: await keysOf(services), folders: [], names: [] });
      await vscode.env.clipboard.writeText(scrub(open.getText()));
      void showMessage('information', l10n.t('Copied the report.'));
    },
    dispose: () => store.dispose(),
  };
}

function reportCommands(): readonly vscode.Command[] {
  return [
    { title: l10n.t('Copy Report'), command: 'inferenceDesk.copyReport' },
    { title: l10n.t('Save…'), command: 'workbench.action.files.saveAs' },
    { title: l10n.t('Preview'), command: 'markdown.showPreview' },
    { title: l10n.t('Show Log'), command: 'inferenceDesk.showLog' },
  ];
}
