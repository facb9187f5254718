import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { runItem } from '../flows/pickRun';
import type { OpenRuns } from '../run/openRuns';
import { registerAnswerProviders } from './answerProviders';
import { OpenAnswers } from './fileAnswers';
import { createLinkedRuns, noAnswers } from './linkedRuns';
import type { LinkedRuns } from './linkedRuns';
import { createRunProblems } from './runProblems';
import { createStateIcons } from './stateIcons';

/** Shows answers on the lines of open batch files. */
export interface Answers extends Disposable {
  /** Asks the user for the run whose answers a file shows. */
  choose(file: unknown): Promise<void>;
}

export function createAnswers(services: Services, runs: OpenRuns): Answers {
  const store = new DisposableStore();
  const linked = store.add(createLinkedRuns(services, runs.list));
  const shown = store.add(new OpenAnswers(services, runs, linked));
  store.add(createRunProblems(services, linked, shown));
  store.add(registerAnswerProviders(shown));
  store.add(createStateIcons(shown));
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

async function chooseRun(linked: LinkedRuns, file: string): Promise<void> {
  const runs = linked.of(file);
  if (runs.length === 0) {
    throw new UserError(l10n.t('No runs of this file yet'), l10n.t('Submit or run the file first.'));
  }
  const chosen = linked.chosen(file);
  const mark = (isChosen: boolean) => (isChosen ? { iconPath: new vscode.ThemeIcon('check') } : {});
  const items: PickItem<string>[] = [
    { label: l10n.t('Latest run'), value: 'newest', ...mark(chosen === undefined) },
    { label: l10n.t('No responses'), value: noAnswers, ...mark(chosen === noAnswers) },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...runs.map((run) => ({ ...runItem(run), value: run.path, ...mark(chosen === run.path) })),
  ];
  const answer = await askPick({
    title: l10n.t('Responses on Lines'),
    placeholder: l10n.t('Select the run whose responses are shown'),
    canGoBack: false,
    items,
  });
  if (answer.kind === 'value') await linked.choose(file, answer.value === 'newest' ? undefined : answer.value);
}

function noFile(): UserError {
  return new UserError(l10n.t('No batch file is open'), l10n.t('Open a batch file first.'));
}
