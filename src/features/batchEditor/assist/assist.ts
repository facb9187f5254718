import * as vscode from 'vscode';
import { requestSchema } from '../../../core/batch/assist/requestSchema';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { BatchDocument } from '../batchDocument';
import type { BatchDocuments } from '../batchDocuments';
import { isOfferedLine, lineNow } from '../offeredLine';
import { completionTriggers, createCompletion } from './completion';
import { helpedDocuments, helpedText, rangeOf } from './helpedText';
import { createLineFiles } from './lineFiles';
import { createLineProblems } from './lineProblems';
import { createLineRecords, type LineRecords } from './lineRecords';
import { schemaScheme, type LineFiles, lineAuthority, lineScheme } from './lineScheme';
import { readLine } from '../../../core/batch/readLine';
import { UserError } from '../../../platform/errors/userError';
import { numberText } from '../../../platform/displayText';
import { describeAt, type ConversationPreview } from '../../../core/batch/assist/describe';
import type { CatalogueModel } from '../../../core/catalogue/model';
import { modelFacts } from '../../../services/models/modelFacts';
import { joined, markdown } from '../../../platform/notify';

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
