import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import type { EvalConfig } from '../../core/evals/evalConfig';
import { configCursor, jsonCursor } from '../../core/evals/formats/configCursor';
import { configHover, configOffers } from '../../core/evals/formats/configHelp';
import type { ConfigNames, ConfigOffer } from '../../core/evals/formats/configHelp';
import type { Span } from '../../core/batch/problem';
import { completionItem, markdown } from '../../platform/notify';
import { sortText } from '../../platform/sortText';
import type { Services } from '../../services/services';

const kinds = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Variable,
  type: vscode.CompletionItemKind.EnumMember,
  model: vscode.CompletionItemKind.Value,
} as const;

/** Completion and hover in eval files. `reading` returns what was read of a document last. */
export function registerEvalHelp(
  { models }: Services,
  selector: vscode.DocumentSelector,
  reading: (document: vscode.TextDocument) => Promise<EvalConfig>,
): vscode.Disposable {
  const isJson = ({ uri }: vscode.TextDocument) => /\.json$/i.test(uri.path);
  const namesFor = async (document: vscode.TextDocument): Promise<ConfigNames> => {
    const [{ models: all, pins }, { rows }] = await Promise.all([models.ready(), reading(document)]);
    const idsOf = (job: 'chat' | 'embedding' | 'rerank') => modelsForJob(job, all, pins).map(({ id }) => id);
    const vars = new Map(Array.from(rows[0]?.vars ?? []).filter(([name]) => name !== 'item'));
    return { models: { chat: idsOf('chat'), embedding: idsOf('embedding'), rerank: idsOf('rerank') }, vars };
  };
  const cursorAt = (document: vscode.TextDocument, position: vscode.Position) =>
    (isJson(document) ? jsonCursor : configCursor)(document.getText(), document.offsetAt(position));
  const rangeOf = (document: vscode.TextDocument, { start, end }: Span) =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  const completion = vscode.languages.registerCompletionItemProvider(
    selector,
    {
      async provideCompletionItems(document, position, token) {
        const cursor = cursorAt(document, position);
        if (!cursor) return [];
        const range = rangeOf(document, cursor.span);
        const names = await namesFor(document);
        if (token.isCancellationRequested) return [];
        return configOffers(cursor, names).map((offer, index) => {
          const item = toItem(offer, index, range);
          return isJson(document) && cursor.kind !== 'place' ? quoted(item, offer, document) : item;
        });
      },
    },
    ':',
    ' ',
    '{',
    '-',
    '"',
  );
  const hover = vscode.languages.registerHoverProvider(selector, {
    async provideHover(document, position) {
      const cursor = cursorAt(document, position);
      if (!cursor) return undefined;
      const range = rangeOf(document, cursor.span);
      const found = configHover(cursor, document.getText(range).replaceAll(/^"|"$/g, ''), await namesFor(document));
      return found && new vscode.Hover(markdown`${found.text}`, range);
    },
  });
  return vscode.Disposable.from(completion, hover);
}

/** The item as JSON has it: in quotes, a new key with its colon. */
function quoted(item: vscode.CompletionItem, { name, kind }: ConfigOffer, document: vscode.TextDocument) {
  const text = JSON.stringify(name);
  const range = item.range as vscode.Range;
  const after = document.getText(new vscode.Range(range.end, range.end.translate(0, 10)));
  item.filterText = text;
  item.insertText = kind === 'key' && !/^\s*:/.test(after) ? `${text}: ` : text;
  return item;
}

function toItem({ name, kind, text, isParent = false }: ConfigOffer, index: number, range: vscode.Range) {
  const item = completionItem(name, kinds[kind]);
  item.range = range;
  item.sortText = sortText(index);
  item.insertText = kind === 'key' ? `${name}:${isParent ? '' : ' '}` : name;
  if (text !== '') item.documentation = markdown`${text}`;
  if (kind === 'key' && (name === 'type' || name === 'id'))
    item.command = { title: '', command: 'editor.action.triggerSuggest' };
  return item;
}
