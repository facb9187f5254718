import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { findPiece } from '../controller/findPiece';
import type { RerankSource, SourceText } from '../sources/rerankSource';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Returns the current range of a piece of a document that was read earlier; `undefined` if the piece itself was edited. */
export function liveRange(
  document: vscode.TextDocument,
  piece: string,
  { line, character }: { readonly line: number; readonly character: number },
): vscode.Range | undefined {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const standing = piece.replaceAll(/\r\n|\r|\n/g, lineEnd);
  const start = findPiece(document.getText(), standing, document.offsetAt(new vscode.Position(line, character)));
  if (start === undefined) return undefined;
  return new vscode.Range(document.positionAt(start), document.positionAt(start + standing.length));
}

/** Whether text read from a document is unchanged: a selection anywhere in it, a whole document as its entire content. */
export function stillStands(document: vscode.TextDocument, { kind }: RerankSource, text: SourceText): boolean {
  if (!text.at) return true;
  const place = liveRange(document, text.text, text.at);
  const isWhole = kind === 'file' || kind === 'files' || kind === 'tabs';
  if (!place || !isWhole) return place !== undefined;
  return place.isEqual(document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)));
}

/** Opens the source of documents. Throws `UserError` if it no longer exists; `stays` says what is not lost with it. */
export async function openSource(uri: string, name: string, stays: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  } catch {
    throw new UserError(
      l10n.t("Couldn't open {0}", foreign(name)),
      l10n.t('The file has been moved, deleted, or closed without saving. {0}', stays),
    );
  }
}
