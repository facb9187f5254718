import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LeftOut } from '../../../core/search/find/finding';
import type { TextLimits } from '../../../core/search/find/readChunks';
import { decodeAs, guessEncodings } from '../../../core/workspace/textEncoding';
import { askEncoding } from '../../../platform/workspace/askEncoding';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { openTexts } from '../../../platform/workspace/workspaceTexts';
import type { ReadLimits } from '../../../platform/workspace/workspaceTexts';
import { UserError } from '../../../platform/errors/userError';
import { mostCharacters } from '../logic/documents';
import type { RerankSource, SourceText } from '../logic/documents';
import { sentences } from '../../../protocol/sentences';
import { numberText } from '../../../platform/displayText';

const fileLimits: TextLimits = { files: 2000, fileBytes: 4 * 1024 * 1024, totalBytes: mostCharacters };

/** Reads the chosen files, each as a separate text. Throws `UserError` if none has any text. */
export async function readFiles(
  uris: readonly vscode.Uri[],
  { guard, signal }: { readonly guard?: WorkspaceGuard; readonly signal?: AbortSignal | undefined } = {},
): Promise<RerankSource> {
  const { texts, remarks } = await readTexts(uris, { ...fileLimits, ...(guard && { guard }) }, signal);
  const [first] = texts;
  const title =
    texts.length === 1 && first ? first.name : l10n.t('{0} files', numberText(texts.length, vscode.env.language));
  return { kind: 'files', title, texts, remarks };
}

/** Reads the files in open tabs, skipping tabs without text, such as diffs and pages. */
export async function readTabs(guard: WorkspaceGuard, signal?: AbortSignal): Promise<RerankSource> {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  if (uris.length === 0) {
    throw new UserError(l10n.t('No file is open'), l10n.t('Open the files to rank.'));
  }
  const { texts, remarks } = await readTexts(uris, { ...fileLimits, guard }, signal);
  return {
    kind: 'tabs',
    title: l10n.t('Open tabs: {0}', numberText(texts.length, vscode.env.language)),
    texts,
    remarks,
  };
}

/** Asks which files to rank. `undefined` on cancel. */
export async function askFiles(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: l10n.t('Rank Files'),
    title: l10n.t('Select Files to Rank'),
  });
}

/** Returns the URIs that menus and links pass: all selected files, else the clicked one. Empty if there are none. */
export function urisOf(file: unknown, files: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(files) && files.length > 0 ? files : [file];
  return all.filter((one): one is vscode.Uri => one instanceof vscode.Uri);
}

async function readTexts(uris: readonly vscode.Uri[], limits: ReadLimits, signal?: AbortSignal) {
  const { texts: reading, leftOut } = openTexts(uris, { ...limits, decodeOther: encodingAsker() }, signal);
  const texts: SourceText[] = [];
  let blank = 0;
  for await (const { uri, path, text } of reading) {
    const languageId = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())?.languageId;
    const at = { uri: uri.toString(), line: 0, character: 0 };
    if (text.trim() === '') blank += 1;
    else texts.push({ text, name: path, languageId: languageId ?? languageOf(path), at });
  }
  const remarks = [
    ...remarksOn(leftOut),
    ...(blank > 0 ? [l10n.t('Empty files skipped: {0}.', numberText(blank, vscode.env.language))] : []),
  ];
  if (texts.length === 0) {
    throw new UserError(
      l10n.t('No text to rank'),
      remarks.length > 0 ? sentences(...remarks) : l10n.t('Choose files that contain text.'),
    );
  }
  return { texts, remarks };
}

/**
 * Returns a function that decodes files in the encoding that the user selects for the first of them, and asks again for one that doesn't
 * match it. If the user cancels, the other files are omitted without a question.
 */
function encodingAsker(): (name: string, bytes: Uint8Array) => Promise<string | undefined> {
  let chosen: Awaited<ReturnType<typeof askEncoding>> = 'noText';
  return async (name, bytes) => {
    if (chosen === 'cancelled') return undefined;
    const fits = guessEncodings(bytes, vscode.env.language).some(({ encoding }) => encoding === chosen);
    const encoding = fits ? chosen : await askEncoding(name, bytes);
    if (encoding === 'noText') return undefined;
    chosen = encoding;
    return encoding === 'cancelled' ? undefined : decodeAs(bytes, encoding);
  };
}

export function remarksOn({ notText, tooLarge, overLimit, unreadable }: LeftOut): readonly string[] {
  return [
    ...(notText > 0 ? [l10n.t('Skipped, not UTF-8: {0}.', notText)] : []),
    ...(tooLarge > 0 ? [l10n.t('Skipped, too large: {0}.', tooLarge)] : []),
    ...(overLimit > 0 ? [l10n.t('Skipped, too many files or too much text: {0}.', overLimit)] : []),
    ...(unreadable > 0 ? [l10n.t('Skipped (unreadable): {0}.', unreadable)] : []),
  ];
}

/** Inferred from the extension, which is enough to propose a split. */
function languageOf(path: string): string | undefined {
  if (/\.(md|markdown)$/i.test(path)) return 'markdown';
  return /\.te?xt$/i.test(path) ? 'plaintext' : undefined;
}
