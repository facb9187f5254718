import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { insertFormsFor, insertText } from '../../../core/assets/insertForms';
import { exists } from '../../../core/storage/privateFiles';
import { copiedFile } from '../../../services/images/copiedImage';
import { fileOfPage } from '../../../services/images/providedImage';
import type { Services } from '../../../services/services';
import { copyTarget, targetIn } from './insertTarget';
import { indented, toInserted } from './insertGenerated';

/** The part that a drop edit and a paste edit share. */
export interface GeneratedEdit {
  readonly text: string;
  readonly title: string;
  /** Edit that copies files into the project. */
  readonly files: vscode.WorkspaceEdit;
}

/** Larger drops are left to VS Code's own providers. */
const mostFiles = 50;

/**
 * Returns the edit for dropped or pasted generated files, passed by URI or as the image last copied on one of our pages. The text uses a
 * form of the document's language, with the prompts as descriptions; files outside the project are copied into it. `undefined` unless all
 * of them were generated here.
 */
export async function generatedEdit(
  data: vscode.DataTransfer,
  { document, line }: { readonly document: vscode.TextDocument; readonly line: number },
  { media, context }: Services,
): Promise<GeneratedEdit | undefined> {
  const files = await filesOf(data, context.globalState);
  const { assets } = await media();
  const made = await Promise.all(files.map(async (file) => ({ file, recipe: (await assets.read(file))?.recipe })));
  if (made.length === 0 || made.length > mostFiles || made.some(({ recipe }) => !recipe)) return undefined;
  const edit = new vscode.WorkspaceEdit();
  const texts: string[] = [];
  for (const { file, recipe } of made) {
    if (!(await exists(file))) return undefined;
    const place = await targetIn(file, copyTarget(file, document, context.workspaceState));
    const inserted = toInserted(place.file, recipe, document);
    texts.push(insertText(insertFormsFor(document.languageId, inserted.kind).fitting[0]!, inserted));
    const uri = vscode.Uri.file(place.file);
    if (place.isCopied) edit.createFile(uri, { contents: await readFile(file), ignoreIfExists: true });
  }
  return {
    text: indented(texts.join('\n'), document.lineAt(line).text),
    title: l10n.t('Insert with Description'),
    files: edit,
  };
}

async function filesOf(data: vscode.DataTransfer, copies: vscode.Memento): Promise<readonly string[]> {
  const list = await data.get('text/uri-list')?.asString();
  if (list) return filesOfList(list);
  const png = data.get('image/png')?.asFile();
  const copied = png && (await copiedFile(() => png.data(), copies));
  return copied === undefined ? [] : [copied];
}

/** Returns paths on this machine, for URIs from VS Code or one of our pages; empty strings for other URIs. */
function filesOfList(uriList: string): readonly string[] {
  const lines = uriList.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const uri = vscode.Uri.parse(line);
    if (uri.scheme === 'file' || uri.scheme === 'vscode-remote') return vscode.Uri.file(uri.path).fsPath;
    return fileOfPage(uri)?.fsPath ?? '';
  });
}
