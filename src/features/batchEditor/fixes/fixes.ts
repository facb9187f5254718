import type * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { activeBatch, activeDocument } from '../activeFile';
import { convertDocument } from './convertCommand';
import { registerFixes } from './fixActions';
import type { FixOptions } from './fixActions';
import { createFixCommands } from './fixCommands';
import type { FixCommands } from './fixCommands';

export type FixName = keyof FixCommands | 'convertLines';

/** Fixes of batch files: in the light bulb's menu, on saving, and as commands. */
export interface Fixes extends Disposable {
  /** Changes the whole file in the active editor. */
  run(name: FixName): Promise<void>;
}

export interface FixesOptions extends FixOptions {
  /** From now on the file is a batch file. */
  readonly treatAsBatch: (uri: vscode.Uri) => Promise<void>;
}

export function createFixes(options: FixesOptions): Fixes {
  const { documents, listed, treatAsBatch } = options;
  const registered = registerFixes(options);
  const commands = createFixCommands(listed);
  return {
    async run(name) {
      if (name !== 'convertLines') return commands[name](await activeBatch(documents));
      const document = activeDocument();
      if (await convertDocument(document, listed())) await treatAsBatch(document.uri);
    },
    dispose: () => registered.dispose(),
  };
}
