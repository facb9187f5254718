import { join } from 'node:path';
import * as vscode from 'vscode';
import { runCommand, setContext } from '../../platform/contributions';
import type { Services } from '../../services/services';
import { askSession } from './askSession';
import { openWhere } from './openWhere';
import { createSamples } from './samples';
import type { Samples } from './samples';

/** In the language of the samples. */
const sampleQuery = 'How do I get my money back?';

/** The first steps of a new user. */
export interface FirstRun {
  /** Shows the walkthrough. */
  getStarted(): Promise<void>;
  /** Opens the folder of samples; asks in which window if a folder is already open. */
  openSamples(): Promise<void>;
  /** Runs the button of a walkthrough step, from any state. Ignores unknown names. */
  takeStep(name: unknown): Promise<void>;
}

export function createFirstRun({ context, profiles }: Services): FirstRun {
  const samples = createSamples({
    from: join(context.extensionPath, 'media', 'samples'),
    to: join(context.globalStorageUri.fsPath, 'samples', 'inference-desk-samples'),
  });
  const steps: Readonly<Record<string, () => Promise<void>>> = {
    ask: async () => {
      await askSession(profiles);
      await runCommand('inferenceDesk.chat.open');
    },
    check: async () => {
      await show(await samples.file('requests-with-faults.jsonl'));
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    },
    rerank: async () => {
      // In Restricted Mode ranking is refused immediately, with an explanation.
      if (!vscode.workspace.isTrusted || (await askSession(profiles))) await rankList(samples);
    },
    picture: async () => {
      if (await askSession(profiles)) await runCommand('inferenceDesk.images.open');
    },
  };
  return {
    async getStarted() {
      const category = `${context.extension.id}#firstSteps`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', category, false);
      await setContext('inferenceDesk.walkthroughShown', true);
    },
    openSamples: async () => openWhere(vscode.Uri.file(await samples.folder())),
    async takeStep(name) {
      if (typeof name === 'string' && Object.hasOwn(steps, name)) await steps[name]?.();
    },
  };
}

/** Selects the list as a person would, and opens the page that ranks it, with a question that it answers. */
async function rankList(samples: Samples): Promise<void> {
  const editor = await show(await samples.file('help-articles.txt'));
  const { document } = editor;
  editor.selection = new vscode.Selection(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  await runCommand('inferenceDesk.rerank.selection', sampleQuery);
}

async function show(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}
