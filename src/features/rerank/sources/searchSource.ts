import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { numberText } from '../../../platform/displayText';
import { askText } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import { searchLimits, searchWorkspace } from '../../../platform/workspace/workspaceSearch';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { toTextQuery } from './textQuery';
import { remarksOn } from './filesSource';
import type { RerankSource } from './rerankSource';
import { withProgress } from '../../../platform/notify';

const linesAround = 3;

/** Asks for a search text, and takes each match with the lines around it. `undefined` on cancel. */
export async function readSearch(guard: WorkspaceGuard): Promise<RerankSource | undefined> {
  const asked = await askText({
    title: l10n.t('Rank places of the workspace'),
    prompt: l10n.t('A text, or a regular expression between slashes. What Git ignores is not searched.'),
    placeholder: l10n.t('For example: timeout or /retry(After|In)/'),
    value: '',
    canGoBack: false,
    check: (value) => (value.trim() === '' ? l10n.t('Type what is looked for.') : undefined),
  });
  return asked.kind === 'value' ? searchFor(asked.value, guard) : undefined;
}

/** Throws `UserError` if nothing is found. */
export async function searchFor(typed: string, guard: WorkspaceGuard): Promise<RerankSource> {
  const { matches, files, leftOut, isCut } = await searched(typed, guard);
  if (matches.length === 0) {
    throw new UserError(
      l10n.t('“{0}” was not found', typed),
      l10n.t('Files that were searched: {0}. Look for another text.', numberText(files, vscode.env.language)),
    );
  }
  const texts = matches.map(({ uri, path, firstLine, text }) => ({
    text,
    name: path,
    at: { uri: uri.toString(), line: firstLine, character: 0 },
  }));
  const cut = l10n.t(
    'The search ended at {0} places: look for something rarer to see all of them.',
    numberText(searchLimits.matches, vscode.env.language),
  );
  const remarks = [...(isCut ? [cut] : []), ...remarksOn(leftOut)];
  return { kind: 'search', title: l10n.t('Places with “{0}”', typed), texts, remarks };
}

function searched(typed: string, guard: WorkspaceGuard) {
  const shown = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Searching the workspace'),
    cancellable: true,
  };
  return withProgress(shown, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new vscode.CancellationError()));
    const onProgress = ({ files, of }: { readonly files: number; readonly of: number }) =>
      progress.report({ message: l10n.t('{0} of {1} files', files, of) });
    const query = { ...toTextQuery(typed), linesAround, guard };
    return searchWorkspace(query, searchLimits, { signal: ending.signal, onProgress });
  });
}
