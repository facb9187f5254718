import * as vscode from 'vscode';
import { readLine } from '../../../core/batch/readLine';
import { UserError } from '../../../platform/errors/userError';
import type { LineRecords } from './lineRecords';
import { lineAuthority, lineScheme } from './lineScheme';
import { numberText } from '../../../platform/displayText';

/** Opens one line of a batch file beside it as a document. If that document is already open, shows it. */
export async function editLine(records: LineRecords, document: vscode.TextDocument, line: number): Promise<void> {
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
