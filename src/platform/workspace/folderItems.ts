import * as vscode from 'vscode';
import { sortText } from '../sortText';
import { completionItem } from '../notify';

/** A name that can be completed, with its description. */
export interface FolderName {
  readonly name: string;
  readonly detail: string;
  readonly documentation?: vscode.MarkdownString;
}

/** Completions for placeholders of a prompt, `{{name}}`, which replace the braces and letters around the cursor. */
export function folderItems(
  document: vscode.TextDocument,
  position: vscode.Position,
  names: readonly FolderName[],
): readonly vscode.CompletionItem[] {
  const { text } = document.lineAt(position.line);
  const [begun = ''] = /\{\{?[^{}]*$|(?<![^\s{}])[^\s{}]*$/.exec(text.slice(0, position.character)) ?? [];
  const [ended = ''] = begun.startsWith('{') ? (/^\}{1,2}/.exec(text.slice(position.character)) ?? []) : [];
  const range = new vscode.Range(position.translate(0, -begun.length), position.translate(0, ended.length));
  return names.map(({ name, detail, documentation }, index) => {
    const item = completionItem(`{{${name}}}`, vscode.CompletionItemKind.Variable);
    item.filterText = begun.startsWith('{') ? `${begun.startsWith('{{') ? '{{' : '{'}${name}` : name;
    item.detail = detail;
    item.range = range;
    item.sortText = sortText(index);
    if (documentation) item.documentation = documentation;
    return item;
  });
}
