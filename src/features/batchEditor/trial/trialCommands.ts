import * as vscode from 'vscode';
import type { Services } from '../../../services/services';
import { isOfferedLine, lineNow } from '../offeredLine';
import { chooseLine } from './chooseLine';
import { gone } from './triedLine';
import { createTrials } from './trials';
import type { Trials } from './trials';

/** The actions on single lines of a batch file. */
export interface TrialCommands extends Omit<Trials, 'run'> {
  /** Tries a line of this file, or of the active one; asks the user for the line if none is passed. */
  tryLine(file: unknown, line: unknown): Promise<void>;
}

/** `activeDocument` throws if the active editor shows no batch file. */
export function createTrialCommands(services: Services, activeDocument: () => vscode.TextDocument): TrialCommands {
  const trials = createTrials(services);
  return {
    ...trials,
    async tryLine(file, line) {
      const document = file instanceof vscode.Uri ? await vscode.workspace.openTextDocument(file) : activeDocument();
      if (typeof line === 'number') return trials.run(document.uri, line);
      if (isOfferedLine(line)) {
        const now = lineNow(document, line);
        if (now === undefined) throw gone();
        return trials.run(document.uri, now);
      }
      const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
      const chosen = await chooseLine(document, editor?.selection.active.line ?? 0);
      if (chosen !== undefined) await trials.run(document.uri, chosen);
    },
  };
}
