import * as vscode from 'vscode';
import { requestSchema } from '../../../core/batch/assist/requestSchema';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments, SeverityOf } from '../batchDocuments';
import { isOfferedLine, lineNow } from '../offeredLine';
import { helpedDocuments, helpedText, rangeOf, hasJsonService } from './helpedText';
import { createLineFiles } from './lineFiles';
import { createLineRecords, type LineRecords } from './lineRecords';
import { schemaScheme, type LineFiles, lineAuthority, lineScheme } from './lineScheme';
import { readLine } from '../../../core/batch/readLine';
import { UserError } from '../../../platform/errors/userError';
import { numberText } from '../../../platform/displayText';
import { describeAt, type ConversationPreview } from '../../../core/batch/assist/describe';
import type { CatalogueModel } from '../../../core/catalogue/model';
import { modelFacts } from '../../../services/models/modelFacts';
import { joined, markdown, completionItem } from '../../../platform/notify';
import { asksForModel, completionsAt, type Completion } from '../../../core/batch/assist/complete';
import { chatModels, listedModels } from '../../../core/batch/fileRules';
import { sortText } from '../../../platform/sortText';
import type { ProblemCode } from '../../../core/batch/problem';
import { toDiagnostic } from '../diagnostics';
import { createDebounce } from '../../../platform/debounce';

export interface Assist extends Disposable {
  readonly lines: LineFiles;
  /** Opens the line that a lens passes, or else the cursor's line in the active file, beside the file as a document. */
  edit(given: { readonly uri: unknown; readonly line: unknown }, active: () => BatchDocument): Promise<void>;
}

/** Completion, hover and problems for requests, both in batch files and in requests edited as documents. */
export function createAssist({ context, models, log }: Services, documents: BatchDocuments): Assist {
  const store = new DisposableStore();
  const records = createLineRecords(context.workspaceState, (error) => log.warn('A line is not remembered.', error));
  const known = () => models.state.models;
  // Known models are offered at once; the service is queried in parallel, for the next time.
  const fresh = async () => {
    await models.ready();
    const asked = models.ensureFresh();
    return known().length > 0 ? known() : (await asked).models;
  };
  store.add(
    vscode.languages.registerCompletionItemProvider(
      helpedDocuments,
      createCompletion(documents, fresh),
      ...completionTriggers,
    ),
  );
  store.add(vscode.languages.registerHoverProvider(helpedDocuments, createHover(documents, known)));
  store.add(createLineProblems(documents));
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemaScheme, {
      provideTextDocumentContent: () => JSON.stringify(requestSchema()),
    }),
  );
  return {
    lines: createLineFiles(records),
    async edit({ uri, line }, active) {
      const document = uri instanceof vscode.Uri ? documents.get(uri)?.document : undefined;
      const asked = document && isOfferedLine(line) ? lineNow(document, line) : line;
      if (document && typeof asked === 'number' && asked >= 0 && asked < document.lineCount) {
        await editLine(records, document, asked);
      } else {
        await editLine(records, active().document, vscode.window.activeTextEditor?.selection.active.line ?? 0);
      }
    },
    dispose: () => store.dispose(),
  };
}

/** Opens one line of a batch file beside it as a document. If that document is already open, shows it. */
async function editLine(records: LineRecords, document: vscode.TextDocument, line: number): Promise<void> {
  const { text } = document.lineAt(line);
  if (text.trim() === '') {
    throw new UserError(
      vscode.l10n.t('This line is blank'),
      vscode.l10n.t('Put the cursor on a request, then try again.'),
    );
  }
  const source = document.uri.toString();
  const record = records.find(source, line, text) ?? records.add(source, line, text);
  const uri = openLine(record.id) ?? addressOf(document, line, record.id);
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

function openLine(id: string): vscode.Uri | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === lineScheme && uri.query === id)?.uri;
}

/** The path is what the tab and the breadcrumbs show; the query identifies the line. */
function addressOf(document: vscode.TextDocument, line: number, id: string): vscode.Uri {
  const file = document.uri.path.split('/').at(-1) || 'requests';
  const name = readLine(document.lineAt(line).text)
    .customId?.value.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, 40);
  const place = vscode.l10n.t('line {0}', numberText(line + 1, vscode.env.language));
  return vscode.Uri.from({
    scheme: lineScheme,
    authority: lineAuthority,
    path: `/${file}/${place}/${name || 'request'}.json`,
    query: id,
  });
}

function createHover(documents: BatchDocuments, models: () => readonly CatalogueModel[]): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const helped = helpedText(documents, document, position);
      const found = helped && describeAt(helped.text, helped.offset);
      if (!helped || !found) return undefined;
      const { member, model, conversation } = found;
      const contents = [
        ...(member && !helped.isHelped ? [memberText(member)] : []),
        ...(model === undefined ? [] : modelFacts(model, models())),
        ...(conversation && conversation.messages.length > 0 ? [conversationText(conversation)] : []),
      ];
      return contents.length > 0 ? new vscode.Hover(contents, rangeOf(document, helped, found)) : undefined;
    },
  };
}

function memberText({ name, about, takes }: { readonly name: string; readonly about: string; readonly takes: string }) {
  return markdown`**${name}**\n\n${about}\n\n${takes}`;
}

/** Message texts are escaped, so none of them is rendered as Markdown. */
function conversationText({ messages, left }: ConversationPreview): vscode.MarkdownString {
  const shown = messages.map(({ role, text }) => markdown`**${role}**\n\n${text}`);
  if (left > 0) {
    const more =
      left === 1
        ? vscode.l10n.t('1 more message')
        : vscode.l10n.t('{0} more messages', numberText(left, vscode.env.language));
    shown.push(markdown`*${more}*`);
  }
  return joined(shown);
}

const completionTriggers = ['"', ':', ',', ' '];

const kinds: { readonly [Kind in Completion['kind']]: vscode.CompletionItemKind } = {
  member: vscode.CompletionItemKind.Property,
  model: vscode.CompletionItemKind.Constant,
  value: vscode.CompletionItemKind.Value,
};

/** `models` returns those the service lists, and waits for the service only if none are known yet. */
function createCompletion(
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

const pauseMs = 80;

/** Problems that the editor's own JSON service also finds, with or without the schema. */
const foundByJson: ReadonlySet<ProblemCode> = new Set([
  'line.not-json',
  'line.not-object',
  'line.duplicate-key',
  'custom-id.missing',
  'custom-id.not-string',
  'method.not-post',
  'url.unknown',
  'body.missing',
  'body.not-object',
  'messages.missing',
  'messages.not-array',
  'message.not-object',
  'message.no-role',
  'message.unknown-role',
  'member.wrong-type',
  'parameter.out-of-bounds',
]);

/** Shows the problems of requests edited as documents. */
function createLineProblems({ severityOf }: BatchDocuments): Disposable {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchLine'));
  const pauses = store.add(createDebounce(pauseMs));
  const publish = (document: vscode.TextDocument) => {
    if (!document.isClosed) shown.set(document.uri, diagnosticsOf(document, severityOf));
  };
  const look = (document: vscode.TextDocument) => {
    if (document.uri.scheme === lineScheme) pauses.start(document.uri.toString(), () => publish(document));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri)));
  for (const document of vscode.workspace.textDocuments) look(document);
  return store;
}

function diagnosticsOf(document: vscode.TextDocument, severityOf: SeverityOf): vscode.Diagnostic[] {
  const isHelped = hasJsonService() && document.languageId === 'json';
  return readLine(document.getText()).problems.flatMap((problem) => {
    const severity = severityOf(problem.code);
    if (severity === undefined || (isHelped && foundByJson.has(problem.code))) return [];
    const diagnostic = toDiagnostic(document.uri, { ...problem, line: 0 }, severity);
    diagnostic.range = new vscode.Range(document.positionAt(problem.span.start), document.positionAt(problem.span.end));
    return [diagnostic];
  });
}
