import * as vscode from 'vscode';
import { registerCommand } from '../../../platform/contributions';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { ScoreGutter } from './scoreGutter';

/** `gutter` returns the score gutter; `undefined` until it is loaded. */
export function registerScoreCommands(services: Services, gutter: () => ScoreGutter | undefined): Disposable {
  return registerCommand(services, 'inferenceDesk.rerank.clearScores', async () => clearScores(gutter()));
}

/** Clears the scores of the active editor; if it has none, of all editors. */
export function clearScores(gutter: ScoreGutter | undefined): void {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri && gutter?.isShown(uri)) gutter.clear(uri);
  else gutter?.clear();
}
