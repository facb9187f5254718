import * as vscode from 'vscode';
import { readPrompt } from '../../core/prompts/readPrompt';
import type { PromptReading } from '../../core/prompts/readPrompt';

/** Matches by name only: the language stays Markdown, with all its features. */
export const promptSelector: vscode.DocumentFilter = { pattern: '**/*.desk.md' };

/** Whether to offer help: not in read-only views of a file, such as the older side of a diff. */
export function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** Parses a document once per version. */
export class PromptReadings {
  private readonly known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly reading: PromptReading }
  >();

  of(document: vscode.TextDocument): PromptReading {
    const before = this.known.get(document);
    if (before?.version === document.version) return before.reading;
    const reading = readPrompt(document.getText());
    this.known.set(document, { version: document.version, reading });
    return reading;
  }
}

export function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
