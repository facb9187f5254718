import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { GeneratedEdit } from './dropGenerated';

const uriList = 'text/uri-list';
/** VS Code's own edits for files and URIs yield to plain text, and so to this kind. */
const kind = vscode.DocumentDropOrPasteEditKind.Text.append('inferenceDesk', 'made');
const everyDocument = ['file', 'untitled', 'vscode-notebook-cell', 'vscode-remote', 'vscode-vfs'].map((scheme) => ({
  scheme,
}));

/** Registers the drop and paste providers that insert a reference to a generated file. */
export function generatedDrops(services: Services): Disposable & {
  readonly provider: vscode.DocumentDropEditProvider & vscode.DocumentPasteEditProvider;
} {
  const edit = async (document: vscode.TextDocument, line: number, data: vscode.DataTransfer) => {
    const { generatedEdit } = await import('./dropGenerated');
    return generatedEdit(data, { document, line }, services);
  };
  const provider: vscode.DocumentDropEditProvider & vscode.DocumentPasteEditProvider = {
    async provideDocumentDropEdits(document, { line }, data) {
      const made = await edit(document, line, data);
      if (!made) return undefined;
      return withFiles(new vscode.DocumentDropEdit(made.text, made.title, kind), made);
    },
    async provideDocumentPasteEdits(document, [range], data) {
      const made = range && (await edit(document, range.start.line, data));
      return made && [withFiles(new vscode.DocumentPasteEdit(made.text, made.title, kind), made)];
    },
  };
  const store = new DisposableStore();
  store.add(
    vscode.languages.registerDocumentDropEditProvider(everyDocument, provider, {
      dropMimeTypes: [uriList],
      providedDropEditKinds: [kind],
    }),
  );
  store.add(
    vscode.languages.registerDocumentPasteEditProvider(everyDocument, provider, {
      pasteMimeTypes: [uriList, 'image/png'],
      providedPasteEditKinds: [kind],
    }),
  );
  return { provider, dispose: () => store.dispose() };
}

function withFiles<Edit extends vscode.DocumentDropEdit | vscode.DocumentPasteEdit>(
  edit: Edit,
  made: GeneratedEdit,
): Edit {
  edit.additionalEdit = made.files;
  return edit;
}
