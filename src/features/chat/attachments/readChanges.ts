import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { splitDiff } from '../../../core/workspace/splitDiff';
import { UserError } from '../../../platform/errors/userError';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { toAttachment } from './readAttachment';

/** What is used of the API of VS Code's own Git extension, version 1. */
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
      const uris = files.map(({ paths }) => paths.map((path) => vscode.Uri.joinPath(repository.rootUri, path)));
      const allowed = new Set((await guard.only(uris.flat())).map(String));
      // A deleted file is not on disk, so that only its name can be judged.
      return files
        .filter((_, index) => (uris[index] ?? []).some((uri) => allowed.has(String(uri))))
        .map(({ text }) => text);
    }),
  );
  const text = parts.flat().join('');
  if (text === '') {
    throw new UserError(
      l10n.t('No changes'),
      l10n.t('Git reports no changes to tracked files. Stage new files, then try again.'),
    );
  }
  return toAttachment('changes', staged.length > 0 ? l10n.t('Staged changes') : l10n.t('Changes'), 'diff', text);
}
