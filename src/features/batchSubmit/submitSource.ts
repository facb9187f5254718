import * as l10n from '@vscode/l10n';
import '../../schema/jitless';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { UserError } from '../../platform/errors/userError';

/** The input of a batch: a file on disk, or one already uploaded to a profile's account. */
export type SubmitSource =
  | { readonly kind: 'disk'; readonly path: string }
  | { readonly kind: 'uploaded'; readonly file: RemoteFile; readonly profileId: string };

/** Nobody reviews more pages at the same time. */
const mostFiles = 10;

const remoteFile = z.object({
  id: z.string().check(z.minLength(1)),
  filename: z.optional(z.string()),
  bytes: z.optional(z.number()),
  createdAt: z.optional(z.number()),
  purpose: z.optional(z.string()),
  lineCount: z.optional(z.number()),
});

/** Also validates what was stored earlier. */
export const sourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('disk'), path: z.string().check(z.minLength(1)) }),
  z.object({ kind: z.literal('uploaded'), file: remoteFile, profileId: z.string() }),
]);

/**
 * Returns the selected files (of the Explorer or of the service), else the active tab's file, else the user's choice.
 * `undefined` if there is none. Throws if a file is not on disk, or if there are too many.
 */
export async function chooseSources(
  file: unknown,
  files: unknown,
  profileId: string | undefined,
): Promise<readonly SubmitSource[] | undefined> {
  const handed = Array.isArray(files) && files.length > 0 ? (files as readonly unknown[]) : [file];
  const uploaded = handed.flatMap((one) => uploadedFile(one) ?? []);
  const uris = handed.filter((one) => one instanceof vscode.Uri);
  if (uploaded.length + uris.length > mostFiles) {
    throw new UserError(l10n.t('Too many files'), l10n.t('Each file becomes a batch. Choose up to {0}.', mostFiles));
  }
  if (uploaded.length > 0) {
    return profileId === undefined ? undefined : uploaded.map((one) => ({ kind: 'uploaded', file: one, profileId }));
  }
  const chosen = uris.length > 0 ? uris : (activeFile() ?? (await ask()));
  return chosen?.map((uri) => ({ kind: 'disk', path: onDisk(uri) }));
}

/** Identifies a source, which has at most one page. */
export function keyOf(source: SubmitSource): string {
  return source.kind === 'disk' ? source.path : `${source.profileId} ${source.file.id}`;
}

function uploadedFile(handed: unknown): RemoteFile | undefined {
  const read = remoteFile.safeParse(handed);
  // Neither a file of the editor nor the focused row, which the title of a view passes, has an ID.
  return read.success && !(handed instanceof vscode.Uri) ? (read.data as RemoteFile) : undefined;
}

function onDisk(uri: vscode.Uri): string {
  if (uri.scheme === 'file') return uri.fsPath;
  throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file on this machine first.'));
}

/** Uses the active tab, because VS Code might not open its file. */
function activeFile(): readonly vscode.Uri[] | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri && isJsonLines(uri) ? [uri] : undefined;
}

function isJsonLines(uri: vscode.Uri): boolean {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return open?.languageId === 'jsonl' || uri.path.endsWith('.jsonl');
}

async function ask(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title: l10n.t('Submit Batch'),
    openLabel: l10n.t('Review'),
    filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
  });
}
