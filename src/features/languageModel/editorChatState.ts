import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { showMessage } from '../../platform/notify';

/** The extension that answers in the editor's own Chat; it is disabled until the Chat is set up. */
export const chatExtension = 'GitHub.copilot-chat';

/** Whether the Chat's extension is enabled; the editor does not report disabled ones. */
export function isChatThere(): boolean {
  return vscode.extensions.getExtension(chatExtension) !== undefined;
}

/** Maximum time to wait for the Chat to start. */
const longestStartMs = 30_000;

/** Resolves once the editor's Chat can answer, has failed to start, or the time is over. */
export async function readyChat(): Promise<void> {
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
  label: vscode.l10n.t('Open Inference Desk’s chat'),
  run: () => runCommand('inferenceDesk.chat.open'),
});

/**
 * Shows what keeps the editor's Chat from working with our models, if anything, and how to fix it. Resolves to whether there is such a
 * blocker.
 */
export async function showBlocker(): Promise<boolean> {
  if (vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true) {
    await tell(
      vscode.l10n.t(
        'AI features are turned off in this editor, and its Chat with them (chat.disableAIFeatures). Turn them on to use your models there.',
      ),
      [
        {
          label: vscode.l10n.t('Open the setting'),
          run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'chat.disableAIFeatures'),
        },
        ownChat(),
      ],
    );
    return true;
  }
  if (vscode.workspace.isTrusted) return false;
  await tell(
    vscode.l10n.t(
      'In Restricted Mode the editor’s Chat offers no models of extensions. Trust this workspace to use yours there.',
    ),
    [
      {
        label: vscode.l10n.t('Manage trust'),
        run: () => vscode.commands.executeCommand('workbench.trust.manage'),
      },
      ownChat(),
    ],
  );
  return true;
}

/** Maximum time to wait for the accounts, which come from another extension that may not answer. */
const longestMs = 3000;

/**
 * Someone who is signed in to GitHub in the editor without Copilot is asked for a plan, whatever the model:
 * https://github.com/microsoft/vscode/issues/324310. The editor does not report whether an account has Copilot, so everyone who is signed
 * in gets this message.
 */
export async function tellOfAccounts(): Promise<void> {
  const late = new Promise<readonly unknown[]>((resolve) => {
    setTimeout(() => resolve([]), longestMs);
  });
  const asked = Promise.resolve(vscode.authentication.getAccounts('github')).catch(() => []);
  const accounts = await Promise.race([asked, late]);
  if (accounts.length === 0) return;
  void tell(
    vscode.l10n.t(
      'If the Chat asks for a Copilot plan: it does so for a GitHub account without Copilot, whatever the model. Sign out of that account in the Accounts menu; your own models work without one.',
    ),
    [ownChat()],
    'information',
  );
}

async function tell(words: string, steps: readonly Step[], kind: 'warning' | 'information' = 'warning'): Promise<void> {
  const chosen = await showMessage(kind, words, ...steps.map(({ label }) => label));
  await steps.find(({ label }) => label === chosen)?.run();
}
