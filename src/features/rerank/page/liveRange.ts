import * as vscode from 'vscode';
import { findPiece } from '../controller/findPiece';
import type { RerankSource, SourcePlace, SourceText } from '../sources/rerankSource';

/** Returns the current range of a piece of a document that was read earlier; `undefined` if the piece itself was edited. */
export function liveRange(
  document: vscode.TextDocument,
  piece: string,
  { line, character }: Pick<SourcePlace, 'line' | 'character'>,
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
