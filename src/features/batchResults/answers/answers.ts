import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { runItem } from '../flows/pickRun';
import type { OpenRuns } from '../run/openRuns';
import { registerAnswerProviders } from './answerProviders';
import { openFileAnswers } from './fileAnswers';
import type { FileAnswers } from './fileAnswers';
import { createLinkedRuns, noAnswers } from './linkedRuns';
import type { LinkedRuns } from './linkedRuns';
import { createRunProblems } from './runProblems';

/** Shows answers on the lines of open batch files. */
export interface Answers extends Disposable {
  /** Asks the user for the run whose answers a file shows. */
  choose(file: unknown): Promise<void>;
}

export function createAnswers(services: Services, runs: OpenRuns): Answers {
  const { settings, log, shownRuns } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const linked = store.add(createLinkedRuns(services));
  const open = new Map<string, FileAnswers>();

  const answersOf = (document: vscode.TextDocument) =>
    document.uri.scheme === 'file' ? open.get(document.uri.fsPath) : undefined;
  const problems = store.add(createRunProblems({ services, linked, answersOf }));

  const close = (file: string) => {
    open.get(file)?.dispose();
    open.delete(file);
  };
  /** Opens the runs to show now, and closes all others. */
  const follow = () => {
    const wanted = settings.get('batch.answers') === 'off' ? new Map<string, string>() : foldersOfOpenFiles(linked);
    for (const [file, { folder }] of open) if (wanted.get(file) !== folder) close(file);
    for (const [file, folder] of wanted) {
      if (open.has(file)) continue;
      const run = runs.open({ kind: 'folder', folder });
      const onTrouble = (error: unknown) => log.warn(`Answers of ${file}: ${String(error)}`);
      open.set(file, openFileAnswers({ folder, open: run, onChange: () => changed.fire(), onTrouble }));
    }
    const isAbove = ['both', 'lens'].includes(settings.get('batch.answers'));
    shownRuns.show(isAbove ? wanted : new Map());
    changed.fire();
  };
  const refresh = () => void linked.refresh().then(follow, (error: unknown) => log.warn(`Answers: ${String(error)}`));

  store.add(changed.event(() => problems.refresh()));
  store.add(services.batchJobs.onDidChange(() => problems.refresh()));
  store.add(linked.onDidChange(follow));
  store.add(settings.onDidChange((name) => name === 'batch.answers' && follow()));
  store.add(vscode.workspace.onDidOpenTextDocument(({ languageId }) => languageId === 'jsonl' && refresh()));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => close(uri.fsPath)));
  store.add(
    registerAnswerProviders({
      of: answersOf,
      where: () => settings.get('batch.answers'),
      onDidChange: changed.event,
    }),
  );
  store.add({
    dispose: () => {
      for (const answers of open.values()) answers.dispose();
    },
  });
  refresh();
  return {
    async choose(file) {
      const uri = file instanceof vscode.Uri ? file : vscode.window.activeTextEditor?.document.uri;
      if (uri?.scheme !== 'file') throw noFile();
      await linked.refresh();
      await chooseRun(linked, uri.fsPath);
    },
    dispose: () => store.dispose(),
  };
}

/** Returns, for each open batch file, the folder of the run whose answers it shows. */
function foldersOfOpenFiles(linked: LinkedRuns): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { uri, languageId } of vscode.workspace.textDocuments) {
    const folder = languageId === 'jsonl' && uri.scheme === 'file' ? linked.folderOf(uri.fsPath) : undefined;
    if (folder !== undefined) folders.set(uri.fsPath, folder);
  }
  return folders;
}

async function chooseRun(linked: LinkedRuns, file: string): Promise<void> {
  const runs = linked.of(file);
  if (runs.length === 0) {
    throw new UserError(
      l10n.t('No run of this file is known here'),
      l10n.t('Submit it as a batch or run it on this machine; its answers are shown on its lines then.'),
    );
  }
  const chosen = linked.chosen(file);
  const mark = (isChosen: boolean) => (isChosen ? { iconPath: new vscode.ThemeIcon('check') } : {});
  const items: PickItem<string>[] = [
    { label: l10n.t('The newest run'), value: 'newest', ...mark(chosen === undefined) },
    { label: l10n.t('No answers'), value: noAnswers, ...mark(chosen === noAnswers) },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...runs.map((run) => ({ ...runItem(run), value: run.path, ...mark(chosen === run.path) })),
  ];
  const answer = await askPick({
    title: l10n.t('Answers on the lines'),
    placeholder: l10n.t('Whose answers are shown?'),
    canGoBack: false,
    items,
  });
  if (answer.kind === 'value') await linked.choose(file, answer.value === 'newest' ? undefined : answer.value);
}

function noFile(): UserError {
  return new UserError(
    l10n.t('No batch file is open'),
    l10n.t('Open the batch file whose answers you want to see, then try again.'),
  );
}
