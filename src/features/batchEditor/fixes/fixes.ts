import type * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { activeBatch, activeDocument } from '../activeFile';
import { convertDocument } from './convertCommand';
import { registerFixes } from './fixActions';
import type { FixOptions } from './fixActions';
import { createFixCommands } from './fixCommands';
import type { FixCommands } from './fixCommands';

export type FixName = keyof FixCommands | 'convertLines';

/** Fixes for batch files: as quick fixes, on save, and as commands. */
export interface Fixes extends Disposable {
  /** Applies a fix to the whole file in the active editor. */
  run(name: FixName): Promise<void>;
}

export interface FixesOptions extends FixOptions {
  /** Marks the file as a batch file from now on. */
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
