import { join } from 'node:path';
import * as vscode from 'vscode';
import { runCommand, setContext } from '../../platform/contributions';
import type { Services } from '../../services/services';
import { askSession } from './askSession';
import { openWhere } from './openWhere';
import { createSamples } from './samples';
import type { Samples } from './samples';

type FirstRunServices = Pick<Services, 'context' | 'profiles'>;

/** In the language of the samples. */
const sampleQuery = 'How do I get my money back?';

/** What the first steps need of the editor beside files. */
export interface FirstRun {
  /** Shows the walkthrough. */
  getStarted(): Promise<void>;
  /** Opens the folder of samples; asks where, if a folder is open. */
  openSamples(): Promise<void>;
  /** Does what the button of a step of the walkthrough says, from any state. Nothing for a name that is no step. */
  takeStep(name: unknown): Promise<void>;
}

export function createFirstRun({ context, profiles }: FirstRunServices): FirstRun {
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
      // In Restricted Mode nothing is ranked, which is said at once.
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

/** Selects the list as a person would, and opens the page that ranks it with a question it has an answer to. */
async function rankList(samples: Samples): Promise<void> {
  const editor = await show(await samples.file('help-articles.txt'));
  const { document } = editor;
  editor.selection = new vscode.Selection(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  await runCommand('inferenceDesk.rerank.selection', sampleQuery);
}

async function show(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}
