import * as vscode from 'vscode';
import type { TrialEnd } from '../../../core/batch/trial/trialText';
import { toStep } from '../../../platform/errors/errorActions';
import type { WireAction } from '../../../protocol/wire';
import type { TrialLens } from './trialDocument';

/** Actions for a tried line, above its heading; actions for an error, above the error. */
export function trialLenses(
  text: string,
  end: TrialEnd | undefined,
  actions: readonly WireAction[],
): readonly TrialLens[] {
  if (!end)
    return [
      { line: 0, icon: 'debug-stop', title: vscode.l10n.t('Stop'), command: 'inferenceDesk.batchFile.stopTrying' },
    ];
  const trouble = end.trouble ? text.split('\n').lastIndexOf(`## ${end.trouble.title}`) : 0;
  return [
    { line: 0, title: vscode.l10n.t('Try Again'), command: 'inferenceDesk.batchFile.tryAgain' },
    { line: 0, title: vscode.l10n.t('Go to Line'), command: 'inferenceDesk.batchFile.goToTriedLine' },
    ...actions
      .filter(({ id }) => toStep(id))
      .map(({ id, label }) => ({
        line: Math.max(0, trouble),
        title: label,
        command: 'inferenceDesk.batchFile.takeTrialStep',
        argument: id,
      })),
  ];
}
