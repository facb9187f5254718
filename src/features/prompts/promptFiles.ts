import * as vscode from 'vscode';
import type { OwnBounds } from '../../core/api/bounds';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { Account } from '../../services/account/account';
import { readPrompt } from '../../core/prompts/readPrompt';
import type { PromptReading } from '../../core/prompts/readPrompt';

/** Matches by name only: the language stays Markdown, with all its features. */
export const promptSelector: vscode.DocumentFilter = { pattern: '**/*.desk.md' };

/** Whether to offer help: not in read-only views of a file, such as the older side of a diff. */
export function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** Parses a document once per version, for the service of the active account. */
export class PromptReadings {
  constructor(private readonly account: Account) {}

  private readonly known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly own: OwnBounds; readonly reading: PromptReading }
  >();

  /** The bounds of the active account's service. */
  get own(): OwnBounds {
    return rulesOf(this.account.current.baseUrl).bounds;
  }

  of(document: vscode.TextDocument): PromptReading {
    const before = this.known.get(document);
    const { own } = this;
    if (before?.version === document.version && before.own === own) return before.reading;
    const reading = readPrompt(document.getText(), own);
    this.known.set(document, { version: document.version, own, reading });
    return reading;
  }
}

export function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
