import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { reportText } from '../../core/diagnosis/report';
import type { ReportWords, HostClass, SettingFact } from '../../core/diagnosis/report';
import { createScrub } from '../../core/diagnosis/scrub';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { gatherFacts, keysOf } from './gatherFacts';
import { showMessage, codeLens } from '../../platform/notify';
import { listText } from '../../protocol/formats';

/** Problem reports: unsaved documents for the person to read, complete and copy. Nothing is sent. */
interface ProblemReports extends Disposable {
  /** Creates a report and opens it at the line for describing what happened. */
  show(): Promise<void>;
  /** Copies the open report with the person's additions. If there is none, creates and shows one instead of copying. */
  copy(): Promise<void>;
}

export function createProblemReports(services: Services): ProblemReports {
  const store = new DisposableStore();
  const words = createReportWords();
  const isReport = (document: vscode.TextDocument) =>
    document.isUntitled && document.languageId === 'markdown' && document.lineAt(0).text === `# ${words.title}`;
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
    const text = reportText(await gatherFacts(services), words);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const asked = document.getText().indexOf(words.whatHappenedAsks);
    const start = document.lineAt(document.positionAt(asked).line + 1).range.start;
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

function createReportWords(): ReportWords {
  return {
    title: l10n.t('Inference Desk: Issue Report'),
    introduction: l10n.t(
      "This is the complete report. It contains no keys, paths, or text that you entered, and it hasn't been sent. Describe what happened, remove anything you don't want to share, and then copy or save the report.",
    ),
    whatHappened: l10n.t('Description'),
    whatHappenedAsks: l10n.t('What did you do, what did you expect, and what happened instead?'),
    versions: l10n.t('Versions'),
    account: l10n.t('Account'),
    network: l10n.t('Network'),
    settings: l10n.t('Settings that differ from their defaults'),
    counts: l10n.t('Work on this machine'),
    errors: l10n.t('Recent errors in this window (UTC)'),
    calls: l10n.t('Recent calls in this window, failed first (UTC)'),
    yes: l10n.t('yes'),
    no: l10n.t('no'),
    noSettings: l10n.t('All settings have their default values.'),
    noErrors: l10n.t('None'),
    onlyFailedCalls: l10n.t('No further errors'),
    noCalls: l10n.t('None'),
    accountStatus,
    profile: ({ host, isActive, key }) => {
      const keyWords = { there: l10n.t('has a key'), missing: l10n.t('no key'), unneeded: l10n.t('no key required') };
      const account = isActive ? l10n.t('Active account') : l10n.t('Account');
      return listText([account, hostWords(host), keyWords[key]], env.language);
    },
    setting: settingWords,
  };
}

function accountStatus(status: string): string {
  switch (status) {
    case 'ready':
      return l10n.t('Signed in. The service reports account information.');
    case 'notOffered':
      return l10n.t("Signed in. The service doesn't report account information.");
    case 'failed':
      return l10n.t("Signed in. The account information couldn't be loaded:");
    case 'signedOut':
      return l10n.t('Signed out.');
    default:
      return l10n.t("The account information hasn't been loaded yet.");
  }
}

function hostWords(host: HostClass): string {
  switch (host) {
    case 'international':
      return l10n.t('international service');
    case 'china':
      return l10n.t('Chinese service');
    case 'thisMachine':
      return l10n.t('this machine');
    case 'privateNetwork':
      return l10n.t('a private network');
    case 'other':
      return l10n.t('another host');
    case 'unreadable':
      return l10n.t('an invalid URL');
  }
}

function settingWords(fact: SettingFact): string {
  switch (fact.kind) {
    case 'shown':
      return fact.text;
    case 'entries':
      return fact.count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', fact.count);
    case 'path':
      return fact.isAbsolute ? l10n.t('an absolute path') : l10n.t('a path in the workspace');
    case 'hidden':
      return l10n.t('set (value hidden)');
  }
}
