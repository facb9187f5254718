import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { createPageMemories } from './pageMemory';
import type { PageMemory } from './pageMemory';
import { showSubmit } from './submitPage';
import { chooseSources, keyOf } from './submitSource';
import type { SubmitSource } from './submitSource';

/** The open pages, one per file. */
export interface SubmitPanels extends Disposable {
  /** Opens a page for each file passed, or reveals the one that is already open. */
  open(file: unknown, files: unknown): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createSubmitPanels(services: Services): SubmitPanels {
  const memories = createPageMemories(services.context.workspaceState);
  const open = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: Disposable }>();

  const show = (panel: vscode.WebviewPanel, source: SubmitSource, memory: PageMemory) => {
    const key = keyOf(source);
    const page = showSubmit({ services, panel, source, memory });
    open.set(key, { panel, page });
    panel.onDidDispose(() => {
      page.dispose();
      open.delete(key);
    });
  };
  return {
    async open(file, files) {
      refuseUntrusted();
      const sources = await chooseSources(file, files, services.profiles.active?.id);
      for (const source of sources ?? []) {
        const known = open.get(keyOf(source));
        if (known) {
          known.panel.reveal();
          continue;
        }
        const id = randomUUID();
        const panel = vscode.window.createWebviewPanel('inferenceDesk.batchSubmit', '', vscode.ViewColumn.Active);
        // Nothing is awaited before this, so a second command reveals this page.
        show(panel, source, memories.of(id));
        await memories.add(id, source);
      }
    },
    restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'submitId' in state ? state.submitId : undefined;
      const known = typeof id === 'string' ? memories.find(id) : undefined;
      if (!known || open.has(keyOf(known.source))) panel.dispose();
      else show(panel, known.source, known.memory);
    },
    dispose() {
      for (const { page } of open.values()) page.dispose();
    },
  };
}

/** The contents of an untrusted folder stay on the machine. */
function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    vscode.l10n.t('This workspace is not trusted'),
    vscode.l10n.t('Its files stay on this machine until you trust it. Trust the workspace, then submit the file.'),
  );
}
