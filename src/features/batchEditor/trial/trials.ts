import * as vscode from 'vscode';
import { trialText } from '../../../core/batch/trial/trialText';
import { setContext } from '../../../platform/contributions';
import { numberText } from '../../../platform/displayText';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { runAction } from '../../../platform/errors/reportError';
import { refuseUntrusted } from '../../../platform/workspace/workspaceTrust';
import type { Services } from '../../../services/services';
import { createTrialDocument } from './trialDocument';
import { trialLenses } from './trialLenses';
import { answerTrial, createTrialRun } from './trialRun';
import type { TrialRun } from './trialRun';
import { findAgain, readTriedLine } from './triedLine';
import { showMessage } from '../../../platform/notify';

const toldKey = 'batchFile.toldWhatTryingCosts';

/** Runs single lines of batch files immediately. One at a time: a new trial replaces the previous one. */
export interface Trials extends Disposable {
  /** Resolves once the response ended, whatever the outcome. Throws if the line cannot be sent. */
  run(uri: vscode.Uri, line: number): Promise<void>;
  /** Runs the last tried line again, with its current text. */
  runAgain(): Promise<void>;
  stop(): void;
  /** Whether a line of this file is being tried. */
  isRunning(uri: vscode.Uri): boolean;
  /** Fires when a trial began or ended. */
  readonly onDidChange: vscode.Event<void>;
  /** Shows the last tried line in its file. */
  goToLine(): Promise<void>;
  /** Runs an action offered with an error. */
  takeStep(id: unknown): Promise<void>;
}

export function createTrials(services: Services): Trials {
  const { context, activity } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let current: TrialRun | undefined;

  const document = store.add(
    createTrialDocument({
      text: () => (current ? textOf(current) : ''),
      lenses: () => (current ? trialLenses(textOf(current), current.end, current.actions) : []),
    }),
  );
  const stop = () => current?.cancelling.abort();
  store.add(document.onDidClose(stop));
  store.add({ dispose: stop });

  const run = async (uri: vscode.Uri, line: number): Promise<void> => {
    refuseUntrusted(uri);
    const tried = await readTriedLine(uri, line);
    await (await services.usage()).check(services.profiles.active?.id ?? '');
    stop();
    const mine = (current = createTrialRun(tried));
    const tellState = () => {
      document.refresh({ atOnce: true });
      changed.fire();
      void setContext('inferenceDesk.batchTrying', mine.end === undefined);
    };
    const work = activity.start(vscode.l10n.t('Trying a line'), { paid: true });
    try {
      tellState();
      await document.show();
      void tellCosts(context);
      await answerTrial(mine, services, () => mine === current && document.refresh());
    } finally {
      work.dispose();
      if (mine === current) tellState();
    }
  };

  return {
    run,
    async runAgain() {
      if (current) await run(current.tried.uri, await findAgain(current.tried));
    },
    stop,
    isRunning: (uri) => current !== undefined && !current.end && current.tried.uri.toString() === uri.toString(),
    onDidChange: changed.event,
    async goToLine() {
      if (current) await showLine(current.tried.uri, await findAgain(current.tried));
    },
    async takeStep(id) {
      if (typeof id === 'string') await runAction(id);
    },
    dispose: () => store.dispose(),
  };
}

function textOf({ tried, recorder, end }: TrialRun): string {
  const { file, line, trial } = tried;
  const { customId, model } = trial;
  const place = { file, line: line + 1 };
  return trialText({ customId, model, place, answer: recorder.read(), end }, (value) =>
    numberText(value, vscode.env.language),
  );
}

/** Reuses the column that already shows the file. */
async function showLine(uri: vscode.Uri, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    selection,
    ...(shown?.viewColumn !== undefined && { viewColumn: shown.viewColumn }),
  });
}

/** Shown only once, ever. */
async function tellCosts({ globalState }: vscode.ExtensionContext): Promise<void> {
  if (globalState.get<boolean>(toldKey)) return;
  await globalState.update(toldKey, true);
  await showMessage(
    'information',
    vscode.l10n.t('A line that is tried costs what any request costs. In a batch it costs less. This is said once.'),
  );
}
