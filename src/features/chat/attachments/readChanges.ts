import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { type FileDiff, splitDiff } from '../../../core/workspace/splitDiff';
import { UserError } from '../../../platform/errors/userError';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { toAttachment } from './readAttachment';

/** The used part of the API of VS Code's Git extension, version 1. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
}
interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly unknown[];
    readonly workingTreeChanges: readonly unknown[];
  };
  diff(cached?: boolean): Promise<string>;
}

/** Returns the Git repositories that are open; none without Git or before its extension has started. */
function repositories(): readonly GitRepository[] {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  // The extension throws if Git is turned off or not installed.
  try {
    return extension?.isActive === true ? extension.exports.getAPI(1).repositories : [];
  } catch {
    return [];
  }
}

const hasChanges = ({ state }: GitRepository): boolean =>
  state.indexChanges.length + state.workingTreeChanges.length > 0;

/** Whether there are changes to attach. */
export const hasGitChanges = (): boolean => repositories().some(hasChanges);

/** A renamed file shows the contents of both names, and of a deleted one only the name is left to judge. */
async function isShown({ paths }: FileDiff, root: vscode.Uri, guard: WorkspaceGuard): Promise<boolean> {
  const uris = paths.map((path) => vscode.Uri.joinPath(root, path));
  if (uris.length === 0 || uris.some((uri) => guard.hasSecretName(uri))) return false;
  const checked = await Promise.all(uris.map((uri) => guard.check(uri)));
  return checked.every((one) => !('refusal' in one) || one.refusal === 'missing');
}

/**
 * Reads the staged changes as a diff, or all changes of tracked files if none are staged, without the files that the guard refuses.
 * Throws a localized error if there are none.
 */
export async function readChanges(guard: WorkspaceGuard): Promise<Attachment> {
  const changed = repositories().filter(hasChanges);
  const staged = changed.filter(({ state }) => state.indexChanges.length > 0);
  const parts = await Promise.all(
    (staged.length > 0 ? staged : changed).map(async (repository) => {
      const files = splitDiff(await repository.diff(staged.length > 0));
      const areShown = await Promise.all(files.map((file) => isShown(file, repository.rootUri, guard)));
      return files.filter((_, index) => areShown[index]).map(({ text }) => text);
    }),
  );
  const text = parts.flat().join('');
  if (text === '') {
    throw new UserError(
      l10n.t('No changes'),
      l10n.t('No tracked files have changed. To include new files, stage them.'),
    );
  }
  return toAttachment('changes', staged.length > 0 ? l10n.t('Staged changes') : l10n.t('Changes'), 'diff', text);
}
