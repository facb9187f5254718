import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { chosenModels, isPlain } from './logic/chosenModels';
import { forgetRestart, noteRestart } from './logic/restartNote';
import { vendor } from './logic/vendor';
import { showQuickPick, showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { runCommand } from '../../platform/contributions';

/** How long the editor has to start its Chat. */
const chatStartMs = 20_000;

/**
 * Opens VS Code Chat with a model of the account: that of a row of the Models view, or otherwise the selected one, or one that the user
 * selects now. First meets VS Code's requirements, and reports what blocks it.
 */
export async function useInEditorChat(services: Services, row: unknown): Promise<void> {
  if (await showBlocker()) return;
  if (!(await signedInHere(services))) return;
  const modelId = rowModel(row) ?? (await chooseModel(services));
  if (modelId === undefined) return;
  if (!isPlain(modelId)) {
    throw new UserError(
      l10n.t("VS Code Chat can't use this model"),
      l10n.t('VS Code would show the model ID as links or images: {0}. Use Inference Desk Chat.', foreign(modelId)),
    );
  }
  await choose(services, modelId);
  await showInEditorChat(services, modelId);
}

/** Like `useInEditorChat`, for models that the user has just chosen for the Chat: opens it with this one of them. */
export async function useChosenInEditorChat(services: Services, modelId: string): Promise<void> {
  if (!(await showBlocker())) await showInEditorChat(services, modelId);
}

/** Opens the editor's Chat with a chosen model, and enables the Chat first: until then the editor answers a message with a sign-in. */
async function showInEditorChat(services: Services, modelId: string): Promise<void> {
  if (isChatThere()) return openChat(modelId);
  await startChat(services, modelId);
  if (!isChatThere()) {
    throw new UserError(
      l10n.t("VS Code Chat isn't available"),
      l10n.t("The extension {0} isn't active. Use {1} in Inference Desk Chat.", chatExtension, foreign(modelId)),
    );
  }
  await goOn(modelId);
}

/** Continues once VS Code has started its Chat, which it does behind a list of all models. */
export async function goOn(modelId: string): Promise<void> {
  // Older editors have no such list, or show it in a tab.
  await Promise.resolve(vscode.commands.executeCommand('workbench.action.closeModalEditor')).catch(() => undefined);
  await openChat(modelId);
}

function rowModel(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || !('modelId' in row)) return undefined;
  return typeof row.modelId === 'string' ? row.modelId : undefined;
}

/** Returns the first chosen model; if there is none, the user chooses. */
async function chooseModel({ models }: Services): Promise<string | undefined> {
  const state = await models.ensureFresh();
  const [first] = chosenModels(state);
  if (first) return first.id;
  const offered = modelsForJob('chat', state.models, state.pins).filter(({ id }) => isPlain(id));
  if (offered.length === 0) {
    if (state.error !== undefined) throw state.error;
    throw new UserError(l10n.t('No chat models'), l10n.t('Refresh the models, or switch accounts.'));
  }
  const chosen = await showQuickPick(
    offered.map(({ id }) => ({ id, label: id })),
    {
      title: l10n.t('Use in VS Code Chat'),
      placeHolder: l10n.t('The model is pinned and appears in the model picker'),
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

/** The extension that answers in VS Code Chat. It is disabled until the Chat is set up. */
const chatExtension = 'GitHub.copilot-chat';

/** Whether the Chat's extension is enabled. VS Code doesn't report disabled ones. */
export function isChatThere(): boolean {
  return vscode.extensions.getExtension(chatExtension) !== undefined;
}

/** Maximum time to wait for the Chat to start. */
const longestStartMs = 30_000;

/** Resolves once the editor's Chat can answer, has failed to start, or the time is over. */
async function readyChat(): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, longestStartMs);
  });
  const started = Promise.resolve(vscode.extensions.getExtension(chatExtension)?.activate()).catch(() => undefined);
  await Promise.race([started, late]);
}

interface Step {
  readonly label: string;
  run(): Thenable<unknown>;
}

const ownChat = (): Step => ({
  label: l10n.t('Open Inference Desk Chat'),
  run: () => runCommand('inferenceDesk.chat.open'),
});

/**
 * Shows what keeps the editor's Chat from working with our models, if anything, and how to fix it. Resolves to whether there is such a
 * blocker.
 */
async function showBlocker(): Promise<boolean> {
  if (vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true) {
    await tell(l10n.t('VS Code Chat is turned off (chat.disableAIFeatures).'), [
      {
        label: l10n.t('Open Setting'),
        run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'chat.disableAIFeatures'),
      },
      ownChat(),
    ]);
    return true;
  }
  if (vscode.workspace.isTrusted) return false;
  await tell(l10n.t('Trust this workspace to use your models in VS Code Chat.'), [
    {
      label: l10n.t('Manage Trust'),
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
    ownChat(),
  ]);
  return true;
}

/** Maximum time to wait for the accounts, which come from another extension that may not answer. */
const longestMs = 3000;

/**
 * A user who is signed in to GitHub in VS Code without Copilot is asked for a plan, whatever the model:
 * https://github.com/microsoft/vscode/issues/324310. VS Code doesn't report whether an account has Copilot, so everyone who is signed in
 * gets this message.
 */
async function tellOfAccounts(): Promise<void> {
  const late = new Promise<readonly unknown[]>((resolve) => {
    setTimeout(() => resolve([]), longestMs);
  });
  const gitHubAccounts = Promise.resolve(vscode.authentication.getAccounts('github')).catch(() => []);
  const accounts = await Promise.race([gitHubAccounts, late]);
  if (accounts.length === 0) return;
  void tell(
    l10n.t("Your models don't need a Copilot plan. If Chat asks for one, sign out of GitHub in the Accounts menu."),
    [ownChat()],
    'information',
  );
}

async function tell(words: string, steps: readonly Step[], kind: 'warning' | 'information' = 'warning'): Promise<void> {
  const chosen = await showMessage(kind, words, ...steps.map(({ label }) => label));
  await steps.find(({ label }) => label === chosen)?.run();
}

/** Returns whether the active profile has a key; asks the user to sign in if it has none. */
export async function signedInHere({ models }: Services): Promise<boolean> {
  if ((await models.ready()).session === 'signedIn') return true;
  return (await vscode.commands.executeCommand<boolean>('inferenceDesk.signIn')) === true;
}
