import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { nameOf, readFile, toAttachment } from './readAttachment';

/** Language servers may search for long, and the list waits for it. */
const mostWaitMs = 400;

/** Returns symbols of the workspace whose name contains the query, in files that may be attached, best first. */
export async function searchSymbols(
  query: string,
  guard: WorkspaceGuard,
  most: number,
): Promise<readonly vscode.SymbolInformation[]> {
  const search = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), mostWaitMs)));
  // A failing language server offers none.
  const answered = await Promise.race([Promise.resolve(search).catch(() => undefined), late]);
  clearTimeout(timer);
  const folded = query.toLowerCase();
  const found = (answered ?? []).filter(({ name }) => name.toLowerCase().includes(folded)).slice(0, most);
  const open = new Set((await guard.only(found.map(({ location }) => location.uri))).map(String));
  return found.filter(({ location }) => open.has(location.uri.toString()));
}

/** Reads the complete declaration of a symbol, or its file if the declaration can't be found. */
export async function readSymbol(
  { name, uri, position }: { readonly name: string; readonly uri: vscode.Uri; readonly position: vscode.Position },
  guard: WorkspaceGuard,
): Promise<Attachment> {
  const file = await readFile(uri, guard);
  const all = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const range = rangeOf(all ?? [], name, position);
  if (!range) return file;
  const document = await vscode.workspace.openTextDocument(uri);
  const lines = new vscode.Range(range.start.line, 0, range.end.line, document.lineAt(range.end.line).text.length);
  const label = `${nameOf(uri)}:${range.start.line + 1}-${range.end.line + 1}`;
  return toAttachment('selection', label, document.languageId, document.getText(lines));
}

function rangeOf(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  name: string,
  position: vscode.Position,
): vscode.Range | undefined {
  for (const symbol of symbols) {
    const range = 'range' in symbol ? symbol.range : symbol.location.range;
    const inner = 'children' in symbol ? rangeOf(symbol.children, name, position) : undefined;
    if (inner) return inner;
    if (symbol.name === name && range.contains(position)) return range;
  }
  return undefined;
}
