import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { requestSchema } from '../../../core/batch/assist/requestSchema';
import type { ProblemCode } from '../../../core/batch/problem';
import { readLine } from '../../../core/batch/readLine';
import { createDebounce } from '../../../platform/debounce';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments, SeverityOf } from '../batchDocuments';
import { isEmptyFile } from '../decisions';
import { toDiagnostic } from '../diagnostics';
import { isOfferedLine, lineNow } from '../logic/offeredLine';
import { createLineRecords, isAbout, type LineRecord, type LineRecords } from '../logic/lineRecords';
import { schemaScheme, schemaUri, type LineFiles, lineScheme, lineAuthority } from './lineScheme';
import { numberText } from '../../../platform/displayText';
import { describeAt, type ConversationPreview } from '../../../core/batch/assist/describe';
import type { BatchRules } from '../../../core/batch/services/batchRules';
import type { CatalogueModel } from '../../../core/catalogue/model';
import { modelFacts } from '../../../services/models/modelFacts';
import { joined, markdown, completionItem, showMessage } from '../../../platform/notify';
import { completionsAt, modelJobAt, type Completion } from '../../../core/batch/assist/complete';
import { requestSnippets } from '../../../core/batch/assist/requestSnippets';
import { sortText } from '../../../platform/sortText';
import { UserError } from '../../../platform/errors/userError';
import { writeInDocument } from '../../../platform/workspace/writeEdits';
import { lineFault, toFormatted, toLine } from '../../../core/batch/assist/lineText';
import { foreign } from '../../../core/text/foreignText';

export interface Assist extends Disposable {
  readonly lines: LineFiles;
  /** Opens the line that a lens passes, or else the cursor's line in the active file, next to the file as a document. */
  edit(at: { readonly uri: unknown; readonly line: unknown }, active: () => BatchDocument): Promise<void>;
}

/** Completion, hover and problems for requests, both in batch files and in requests edited as documents. */
export function createAssist({ context, models, log }: Services, documents: BatchDocuments): Assist {
  const store = new DisposableStore();
  const schemaChanged = store.add(new vscode.EventEmitter<vscode.Uri>());
  const records = createLineRecords(context.workspaceState, (error) => log.warn('A line could not be stored.', error));
  const known = () => models.state.models;
  const loaded = async () => void (await models.listed());
  store.add(
    vscode.languages.registerCompletionItemProvider(
      helpedDocuments,
      createCompletion(documents, loaded),
      ...completionTriggers,
    ),
  );
  store.add(vscode.languages.registerHoverProvider(helpedDocuments, createHover(documents, known)));
  store.add(createLineProblems(documents));
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemaScheme, {
      onDidChange: schemaChanged.event,
      provideTextDocumentContent: () => JSON.stringify(requestSchema(documents.rulesNow())),
    }),
  );
  let schemaOf = documents.rulesNow();
  store.add(
    documents.onDidChangeRules(() => {
      if (schemaOf === documents.rulesNow()) return;
      schemaOf = documents.rulesNow();
      schemaChanged.fire(vscode.Uri.parse(schemaUri));
    }),
  );
  return {
    lines: createLineFiles(records),
    async edit({ uri, line }, active) {
      const document = uri instanceof vscode.Uri ? documents.get(uri)?.document : undefined;
      const target = document && isOfferedLine(line) ? lineNow(document, line) : line;
      if (document && typeof target === 'number' && target >= 0 && target < document.lineCount) {
        await editLine(records, document, target);
      } else {
        await editLine(records, active().document, vscode.window.activeTextEditor?.selection.active.line ?? 0);
      }
    },
    dispose: () => store.dispose(),
  };
}

function createHover(documents: BatchDocuments, models: () => readonly CatalogueModel[]): vscode.HoverProvider {
  return {
    provideHover(document, position) {
      const helped = helpedText(documents, document, position);
      const found = helped && describeAt(helped.text, helped.offset, documents.rulesNow());
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
  return joined([markdown`**${name}**`, ...[about, takes].filter(Boolean).map((text) => markdown`${text}`)]);
}

/** Message texts are escaped, so none of them is rendered as Markdown. */
function conversationText({ messages, left }: ConversationPreview): vscode.MarkdownString {
  const shown = messages.map(({ role, text }) => markdown`**${role}**\n\n${text}`);
  if (left > 0) {
    const more =
      left === 1 ? l10n.t('1 more message') : l10n.t('{0} more messages', numberText(left, vscode.env.language));
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

/** `loaded` resolves once the models of the service are known, and waits for the service only if none are known yet. */
function createCompletion(documents: BatchDocuments, loaded: () => Promise<void>): vscode.CompletionItemProvider {
  return {
    async provideCompletionItems(document, position, token, context) {
      const helped = helpedText(documents, document, position);
      if (!helped || isMisplaced(helped.text, helped.offset, context.triggerCharacter)) return [];
      const { text, offset } = helped;
      const { version } = document;
      const rules = documents.rulesNow();
      if (isOneWord(text)) return snippetItems(document, position, rules);
      const job = modelJobAt(text, offset, rules);
      if (job !== undefined) await loaded();
      if (token.isCancellationRequested || document.version !== version) return [];
      const found = completionsAt({
        text,
        offset,
        models: job === undefined ? [] : documents.modelsFor(job),
        rules,
      });
      const shown = helped.isHelped ? found.filter(({ kind }) => kind === 'model') : found;
      return shown.map((one, index) => toItem(one, rangeOf(document, helped, one), index));
    },
  };
}

/** Ready-made requests for a line that has no more than the beginning of their name. */
function snippetItems(
  document: vscode.TextDocument,
  position: vscode.Position,
  rules: BatchRules,
): vscode.CompletionItem[] {
  const { range } = document.lineAt(position.line);
  return requestSnippets(rules).map(({ prefix, about, snippet }, index) => {
    const item = completionItem(prefix, vscode.CompletionItemKind.Snippet);
    item.range = range;
    item.insertText = new vscode.SnippetString(snippet);
    item.sortText = sortText(index);
    item.documentation = markdown`${rules.name === '' ? about : `${about} (${rules.name})`}`;
    return item;
  });
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
function createLineProblems({ rulesNow, severityOf }: BatchDocuments): Disposable {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.batchLine'));
  const pauses = store.add(createDebounce(pauseMs));
  const publish = (document: vscode.TextDocument) => {
    if (!document.isClosed) shown.set(document.uri, diagnosticsOf(document, rulesNow(), severityOf));
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

/** The schema rejects URLs only if no others than those of the service are accepted. */
function isFoundByJson(code: ProblemCode, { severities }: BatchRules): boolean {
  return code === 'url.unknown' ? (severities[code] ?? 'error') === 'error' : foundByJson.has(code);
}

function diagnosticsOf(document: vscode.TextDocument, rules: BatchRules, severityOf: SeverityOf): vscode.Diagnostic[] {
  const isHelped = hasJsonService() && document.languageId === 'json';
  return readLine(document.getText(), rules).problems.flatMap((problem) => {
    const severity = severityOf(problem.code);
    if (severity === undefined || (isHelped && isFoundByJson(problem.code, rules))) return [];
    const diagnostic = toDiagnostic(document.uri, { ...problem, line: 0 }, severity);
    diagnostic.range = new vscode.Range(document.positionAt(problem.span.start), document.positionAt(problem.span.end));
    return [diagnostic];
  });
}

/** One request in a document; its offsets count from `start`. */
interface HelpedText {
  readonly text: string;
  /** Offset of the cursor. */
  readonly offset: number;
  readonly start: number;
  /** Whether the editor's own JSON service helps too, using the schema. What it shows is not repeated. */
  readonly isHelped: boolean;
}

/** Where assistance is offered: the lines of batch files, and requests edited as documents. */
const helpedDocuments: vscode.DocumentSelector = [{ language: 'jsonl' }, { scheme: lineScheme }];

/** Returns the request under the cursor; `undefined` in unrelated documents. */
function helpedText(
  documents: BatchDocuments,
  document: vscode.TextDocument,
  position: vscode.Position,
): HelpedText | undefined {
  if (document.uri.scheme === lineScheme) {
    const isHelped = hasJsonService() && document.languageId === 'json';
    return { text: document.getText(), offset: document.offsetAt(position), start: 0, isHelped };
  }
  const { text, range } = document.lineAt(position.line);
  const isNew = isEmptyFile(document) || (document.lineCount === 1 && isOneWord(text));
  if (!documents.get(document.uri) && !isNew) return undefined;
  return { text, offset: position.character, start: document.offsetAt(range.start), isHelped: false };
}

/** Whether a line has no more than the beginning of a snippet's name. */
function isOneWord(text: string): boolean {
  return /^[a-z][\w-]{0,40}$|^$/i.test(text);
}

/** Some builds of the editor lack the JSON service. */
function hasJsonService(): boolean {
  return vscode.extensions.getExtension('vscode.json-language-features') !== undefined;
}

function rangeOf(
  document: vscode.TextDocument,
  { start }: HelpedText,
  span: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start + span.start), document.positionAt(start + span.end));
}

/** The editor rejects an edit of a document that changed in between, although the line itself may only have moved: so retry. */
const mostTries = 4;

/** Reads requests from their lines and saves them back. */
function createLineFiles(records: LineRecords): LineFiles {
  const need = (uri: vscode.Uri): LineRecord => {
    const record = records.get(uri.query);
    if (record) return record;
    throw refusal(l10n.t('Reopen the line from its batch file.'));
  };
  return {
    stat(uri) {
      const { savedAt, length } = need(uri);
      return { type: vscode.FileType.File, ctime: savedAt, mtime: savedAt, size: length };
    },
    async read(uri) {
      try {
        const record = need(uri);
        const document = await openSource(record);
        const line = findLine(document, record);
        if (line === undefined) throw lost(document);
        return new TextEncoder().encode(toFormatted(document.lineAt(line).text));
      } catch (error) {
        // The editor's own message only says that something went wrong.
        if (error instanceof vscode.FileSystemError) void showMessage('error', error.message);
        throw error;
      }
    },
    async write(uri, content) {
      const record = need(uri);
      const text = new TextDecoder().decode(content);
      const fault = lineFault(text);
      if (fault) throw refusal(faultText(text, fault));
      const document = openedSource(record);
      if (!document) {
        const name = vscode.workspace.asRelativePath(vscode.Uri.parse(record.source));
        throw refusal(l10n.t('{0} is closed. Open it, then save again.', foreign(name)));
      }
      for (let tries = 0; tries < mostTries; tries++) {
        const line = findLine(document, record);
        if (line === undefined) break;
        const { text: before, range } = document.lineAt(line);
        const after = toLine(text, before);
        const edits = after === before ? [] : [new vscode.TextEdit(range, after)];
        const result = await writeInDocument(document, edits);
        if (result === 'written') {
          records.update(record, line, after);
          return;
        }
        if (result === 'readOnly') throw readOnly(document);
      }
      throw changed(document);
    },
  };
}

/** Opens one line of a batch file next to it as a document. If that document is already open, shows it. */
async function editLine(records: LineRecords, document: vscode.TextDocument, line: number): Promise<void> {
  const { text } = document.lineAt(line);
  if (text.trim() === '') {
    throw new UserError(l10n.t('This line is blank'), l10n.t('Put the cursor on a request.'));
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
  const place = l10n.t('line {0}', numberText(line + 1, vscode.env.language));
  return vscode.Uri.from({
    scheme: lineScheme,
    authority: lineAuthority,
    path: `/${file}/${place}/${name || 'request'}.json`,
    query: id,
  });
}

function openedSource({ source }: LineRecord): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === source);
}

/** Opens the file if it is not open. An untitled document can only be found while it is open. */
async function openSource(record: LineRecord): Promise<vscode.TextDocument> {
  const opened = openedSource(record);
  if (opened) return opened;
  const uri = vscode.Uri.parse(record.source);
  const name = vscode.workspace.asRelativePath(uri);
  if (uri.scheme === 'untitled') {
    throw refusal(l10n.t('{0} is closed. Open it first.', foreign(name)));
  }
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw refusal(l10n.t("Couldn't read {0}.", foreign(name)));
  }
}

/** Returns the line's current position: lines move when others are inserted or removed. If several match, the nearest one. */
function findLine(document: vscode.TextDocument, record: LineRecord): number | undefined {
  const { lineCount } = document;
  const holds = (line: number) => line >= 0 && line < lineCount && isAbout(record, document.lineAt(line).text);
  const furthest = Math.max(record.line, lineCount - record.line);
  for (let away = 0; away <= furthest; away++) {
    if (holds(record.line - away)) return record.line - away;
    if (holds(record.line + away)) return record.line + away;
  }
  return undefined;
}

function lost({ uri }: vscode.TextDocument): vscode.FileSystemError {
  const name = vscode.workspace.asRelativePath(uri);
  return refusal(l10n.t('{0} no longer contains this request. Reopen it from the file.', foreign(name)));
}

function changed({ uri }: vscode.TextDocument): vscode.FileSystemError {
  const name = vscode.workspace.asRelativePath(uri);
  return refusal(l10n.t('Not saved. The line in {0} has changed. Reopen it.', foreign(name)));
}

function readOnly({ uri }: vscode.TextDocument): vscode.FileSystemError {
  const name = vscode.workspace.asRelativePath(uri);
  return refusal(l10n.t('Not saved. {0} is read-only.', foreign(name)));
}

function faultText(text: string, { message, offset }: { readonly message: string; readonly offset: number }): string {
  const line = text.slice(0, offset).split('\n').length;
  return l10n.t('Not saved to the batch file yet. Line {0}: {1}', line, message);
}

function refusal(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(message);
}
