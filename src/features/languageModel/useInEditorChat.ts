import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { chosenModels, isPlain } from './chosenModels';
import { chatExtension, isChatThere, readyChat, showBlocker, tellOfAccounts } from './editorChatState';
import { forgetRestart, noteRestart } from './restartNote';
import { signedInHere } from './signedInHere';
import { vendor } from './vendor';
import { showQuickPick } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** How long the editor has to start its Chat. */
const chatStartMs = 20_000;

/**
 * Opens the editor's own Chat with a model of the account: that of a row of the Models view, otherwise the chosen one or one that the
 * person chooses now. Does first what the editor requires, and reports what blocks it.
 */
export async function useInEditorChat(services: Services, row: unknown): Promise<void> {
  if (await showBlocker()) return;
  if (!(await signedInHere(services))) return;
  const modelId = rowModel(row) ?? (await chooseModel(services));
  if (modelId === undefined) return;
  if (!isPlain({ id: modelId })) {
    throw new UserError(
      vscode.l10n.t('The editor’s Chat cannot have this model'),
      vscode.l10n.t(
        'Its id has signs that the editor would draw as links or pictures: {0}. The chat of Inference Desk takes it.',
        foreign(modelId),
      ),
    );
  }
  await choose(services, modelId);
  if (isChatThere()) return openChat(modelId);
  await startChat(services, modelId);
  if (!isChatThere()) {
    throw new UserError(
      vscode.l10n.t('The editor’s own Chat is not there'),
      vscode.l10n.t(
        'Its extension ({0}) is not installed or turned off. {1} is pinned, and the chat of Inference Desk works without it.',
        chatExtension,
        foreign(modelId),
      ),
    );
  }
  await goOn(modelId);
}

/** Continues once the editor has started its Chat, which it does behind a list of all models. */
export async function goOn(modelId: string): Promise<void> {
  // Older editors have no such list, or show it in a tab.
  await Promise.resolve(vscode.commands.executeCommand('workbench.action.closeModalEditor')).catch(() => undefined);
  await openChat(modelId);
}

function rowModel(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('modelId' in row)) return undefined;
  return typeof row.modelId === 'string' ? row.modelId : undefined;
}

/** Returns the first chosen model; if there is none, the person chooses. */
async function chooseModel({ models }: Services): Promise<string | undefined> {
  const state = await models.ensureFresh();
  const [first] = chosenModels(state);
  if (first) return first.id;
  const offered = modelsForJob('chat', state.models, state.pins).filter(isPlain);
  if (offered.length === 0) {
    if (state.error !== undefined) throw state.error;
    throw new UserError(
      vscode.l10n.t('There is no chat model'),
      vscode.l10n.t('The service lists none for this account. Refresh the Models view, or switch to another profile.'),
    );
  }
  const chosen = await showQuickPick(
    offered.map(({ id }) => ({ id, label: id })),
    {
      title: vscode.l10n.t('Use in VS Code Chat'),
      placeHolder: vscode.l10n.t('The model is pinned, and offered in the Chat’s picker from then on'),
    },
  );
  return chosen?.id;
}

async function choose({ models }: Services, modelId: string): Promise<void> {
  const state = await models.ready();
  if (!chosenModels(state).some(({ id }) => id === modelId)) await models.setPinned(modelId, true);
}

/** This may make the editor restart all extensions, including this one, which then continues from the note. */
async function startChat({ context }: Services, modelId: string): Promise<void> {
  await noteRestart(context, modelId);
  const started = new Promise<void>((resolve) => {
    const listening = vscode.extensions.onDidChange(() => isChatThere() && done());
    const timer = setTimeout(() => done(), chatStartMs);
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    void vscode.commands.executeCommand('workbench.action.chat.manage').then(
      // If nothing had to be enabled, there is nothing to wait for.
      () => done(),
      () => done(),
    );
  });
  await started;
  await forgetRestart(context);
}

async function openChat(modelId: string): Promise<void> {
  // The editor answers a request sent before the Chat is ready with a sign-in.
  await readyChat();
  const known = await vscode.lm.selectChatModels({ vendor, id: modelId });
  const selector = known.length > 0 ? { modelSelector: { vendor, id: modelId } } : {};
  await vscode.commands.executeCommand('workbench.action.chat.open', selector);
  await tellOfAccounts();
}
