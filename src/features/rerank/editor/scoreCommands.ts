import * as vscode from 'vscode';
import { registerCommand } from '../../../platform/contributions';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { ScoreGutter } from './scoreGutter';

/** `gutter` gives the one that shows scores, or `undefined` as long as none was ever shown. */
export function registerScoreCommands(services: Services, gutter: () => ScoreGutter | undefined): Disposable {
  return registerCommand(services, 'inferenceDesk.rerank.clearScores', async () => clearScores(gutter()));
}

/** Of the active editor; where it shows none, of all. */
export function clearScores(gutter: Pick<ScoreGutter, 'isShown' | 'clear'> | undefined): void {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri && gutter?.isShown(uri)) gutter.clear(uri);
  else gutter?.clear();
}
