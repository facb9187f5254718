import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readLine } from '../../../core/batch/readLine';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { writeInDocument } from '../../../platform/workspace/writeEdits';
import { lineFault, toFormatted, toLine } from '../../../core/batch/assist/lineText';
import { lineAuthority, lineScheme, type LineFiles } from './lineScheme';
import { isAbout } from '../logic/lineRecords';
import type { LineRecord, LineRecords } from '../logic/lineRecords';
import { showMessage } from '../../../platform/notify';
import { foreign } from '../../../core/text/foreignText';

/** The editor rejects an edit of a document that changed in between, although the line itself may only have moved: so retry. */
const mostTries = 4;

/** Reads requests from their lines and saves them back. */
export function createLineFiles(records: LineRecords): LineFiles {
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

/** Opens one line of a batch file beside it as a document. If that document is already open, shows it. */
export async function editLine(records: LineRecords, document: vscode.TextDocument, line: number): Promise<void> {
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
