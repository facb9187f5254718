import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readdir } from 'node:fs/promises';
import { runCommand, setContext } from '../../platform/contributions';
import type { Services } from '../../services/services';
import { isSignedIn } from '../../services/account/account';
import type { Profiles } from '../../services/account/account';
import { askPick } from '../../platform/quickInput';
import { copyAtomic } from '../../core/storage/atomicFile';
import { exists, makeFolder } from '../../core/storage/privateFiles';
import { showMessage } from '../../platform/notify';
import { UserError } from '../../platform/errors/userError';
import { reasonText } from '../../platform/errors/fileErrorMessages';

/** In the language of the samples. */
const sampleQuery = 'How do I get my money back?';

/** The first steps of a new user. */
interface FirstRun {
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
      const opening = Promise.resolve(
        vscode.commands.executeCommand('workbench.action.openWalkthrough', category, false),
      );
      const isOpen = await opening.then(isPageOpen, () => false);
      if (isOpen) return setContext('inferenceDesk.walkthroughShown', true);
      await vscode.commands.executeCommand('workbench.view.extension.inferenceDesk');
      void showMessage('warning', l10n.t("Couldn't open the walkthrough. Use the buttons in the views."));
    },
    openSamples: async () => openWhere(vscode.Uri.file(await samples.folder())),
    async takeStep(name) {
      if (typeof name === 'string' && Object.hasOwn(steps, name)) await steps[name]?.();
    },
  };
}

/** Whether the active tab might be a walkthrough. It is unknown which one: each is named "Welcome", and VS Code describes none of them. */
function isPageOpen(): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab !== undefined && activeTab.input === undefined;
}

/** Selects the list as a user would, and opens the page that ranks it, with a question that it answers. */
async function rankList(samples: Samples): Promise<void> {
  const editor = await show(await samples.file('help-articles.txt'));
  const { document } = editor;
  editor.selection = new vscode.Selection(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  await runCommand('inferenceDesk.rerank.selection', sampleQuery);
}

async function show(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}

/** Offers the demo service or sign-in if no account is signed in. Resolves to whether an account is signed in afterward. */
async function askSession(profiles: Profiles): Promise<boolean> {
  if (await isSignedIn(profiles)) return true;
  const answer = await askPick<'inferenceDesk.demo.start' | 'inferenceDesk.signIn'>({
    title: l10n.t("You aren't signed in to a service"),
    placeholder: l10n.t('Select a service to continue'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('Start Demo Service'),
        iconPath: new vscode.ThemeIcon('beaker'),
        detail: l10n.t('Free. Runs on this machine without a key.'),
        value: 'inferenceDesk.demo.start',
      },
      {
        label: l10n.t('Sign In'),
        iconPath: new vscode.ThemeIcon('sign-in'),
        detail: l10n.t('Use an API key from your account.'),
        value: 'inferenceDesk.signIn',
      },
    ],
  });
  if (answer.kind !== 'value') return false;
  await runCommand(answer.value);
  return isSignedIn(profiles);
}

/** Opens a folder: in this window if none is open, otherwise in the window the user picks. */
async function openWhere(folder: vscode.Uri): Promise<void> {
  const open = vscode.workspace.workspaceFolders ?? [];
  if (open.some(({ uri }) => uri.toString() === folder.toString())) {
    await vscode.commands.executeCommand('workbench.view.explorer');
    return;
  }
  const inNewWindow = open.length === 0 ? false : await askNewWindow();
  if (inNewWindow === undefined) return;
  const where = inNewWindow ? { forceNewWindow: true } : { forceReuseWindow: true };
  await vscode.commands.executeCommand('vscode.openFolder', folder, where);
}

async function askNewWindow(): Promise<boolean | undefined> {
  const answer = await askPick<boolean>({
    title: l10n.t('Open Sample Workspace'),
    placeholder: l10n.t('Select where to open the samples'),
    canGoBack: false,
    items: [
      { label: l10n.t('In a New Window'), iconPath: new vscode.ThemeIcon('empty-window'), value: true },
      { label: l10n.t('In This Window'), iconPath: new vscode.ThemeIcon('window'), value: false },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

/** The user's copies of the samples. Missing ones are copied on request; existing ones are left unchanged. */
interface Samples {
  /** Returns the absolute path of the folder with all samples. Throws `UserError` if it is not writable. */
  folder(): Promise<string>;
  /** Returns the absolute path. */
  file(name: string): Promise<string>;
}

/** `from` holds the originals, `to` the user's copies; both are absolute. */
export function createSamples({ from, to }: { readonly from: string; readonly to: string }): Samples {
  const place = async (name: string): Promise<string> => {
    const file = join(to, name);
    if (!(await exists(file)))
      await copyAtomic(join(from, name), file, { replace: false, isPrivate: true }).catch(unlessThere);
    return file;
  };
  const placing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await makeFolder(to);
      return await work();
    } catch (error) {
      throw notWritten(to, error);
    }
  };
  return {
    folder: () =>
      placing(async () => {
        for (const name of await readdir(from)) await place(name);
        return to;
      }),
    file: (name) => placing(() => place(name)),
  };
}

/** Another window may have been faster. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function notWritten(folder: string, error: unknown): UserError {
  return new UserError(l10n.t("Couldn't create the samples"), l10n.t('Folder: {0}. {1}', folder, reasonText(error)));
}
