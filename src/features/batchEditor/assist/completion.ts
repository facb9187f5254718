import * as vscode from 'vscode';
import { asksForModel, completionsAt } from '../../../core/batch/assist/complete';
import type { Completion } from '../../../core/batch/assist/complete';
import { chatModels, listedModels } from '../../../core/batch/fileRules';
import type { CatalogueModel } from '../../../core/catalogue/model';
import type { BatchDocuments } from '../batchDocuments';
import { helpedText, rangeOf } from './helpedText';
import { sortText } from '../../../platform/sortText';
import { joined, markdown, completionItem } from '../../../platform/notify';

export const completionTriggers = ['"', ':', ',', ' '];

const kinds: { readonly [Kind in Completion['kind']]: vscode.CompletionItemKind } = {
  member: vscode.CompletionItemKind.Property,
  model: vscode.CompletionItemKind.Constant,
  value: vscode.CompletionItemKind.Value,
};

/** `models` returns those the service lists, and waits for the service only if none are known yet. */
export function createCompletion(
  documents: BatchDocuments,
  models: () => Promise<readonly CatalogueModel[]>,
): vscode.CompletionItemProvider {
  return {
    async provideCompletionItems(document, position, token, context) {
      const helped = helpedText(documents, document, position);
      if (!helped || isMisplaced(helped.text, helped.offset, context.triggerCharacter)) return [];
      const { text, offset } = helped;
      const { version } = document;
      const ids = asksForModel(text, offset) ? chatModels(listedModels(await models()) ?? new Map()) : [];
      if (token.isCancellationRequested || document.version !== version) return [];
      const found = completionsAt({ text, offset, models: ids });
      const wanted = helped.isHelped ? found.filter(({ kind }) => kind === 'model') : found;
      return wanted.map((one, index) => toItem(one, rangeOf(document, helped, one), index));
    },
  };
}

/** A trigger character is often plain text: it asks for completion only where it begins a name or a value. */
function isMisplaced(text: string, offset: number, trigger: string | undefined): boolean {
  if (!trigger) return false;
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd();
  const [last] = trigger === '"' ? before.slice(0, -1).trimEnd().slice(-1) : before.slice(-1);
  return last !== undefined && !'{[,:'.includes(last);
}

function toItem(found: Completion, range: vscode.Range, index: number): vscode.CompletionItem {
  const item = completionItem(found.label, kinds[found.kind]);
  item.range = range;
  item.insertText = new vscode.SnippetString(found.snippet);
  item.filterText = found.filter;
  item.sortText = sortText(index);
  const about = [found.about, found.takes].filter(Boolean);
  if (about.length > 0) item.documentation = joined(about.map((text) => markdown`${text}`));
  if (found.asksOn) item.command = { title: '', command: 'editor.action.triggerSuggest' };
  return item;
}
