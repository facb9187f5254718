import * as vscode from 'vscode';
import { createDebounce } from '../../platform/debounce';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { editorKey, editorsOf } from '../../platform/workspace/lastEditor';
import type { BatchDocuments } from './batchDocuments';
import { linesNear, readableText } from './logic/readableText';

/** Files whose lines are shown readably, also after a reload. */
const storeKey = 'batchEditor.readableFiles';
/** Older entries are dropped. */
const mostFiles = 50;
/** Nobody reads lines while scrolling or typing. */
const restMs = 40;

export interface ReadableLines extends Disposable {
  /** Collapses the lines of a batch file to what they ask, or shows them as they are again. */
  toggle(uri: vscode.Uri): Promise<void>;
}

/**
 * Shows lines of batch files as their `custom_id` and last user message. The document stays as it is, and lines with a cursor are shown in
 * full, to be edited. Only visible lines are drawn, so the size of a file does not matter.
 */
export function createReadableLines(memento: vscode.Memento, documents: BatchDocuments): ReadableLines {
  const store = new DisposableStore();
  const rests = store.add(createDebounce(restMs));
  const hidden = store.add(vscode.window.createTextEditorDecorationType({ textDecoration: 'none; display: none' }));
  const shown = store.add(
    vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed }),
  );
  const files = () => memento.get<readonly string[]>(storeKey, []);
  const isReadable = ({ uri }: vscode.TextDocument) =>
    files().includes(uri.toString()) && documents.get(uri) !== undefined;
  const drawn = new WeakSet<vscode.TextEditor>();
  const draw = (editor: vscode.TextEditor) => {
    const isOn = isReadable(editor.document);
    if (!isOn && !drawn.has(editor)) return;
    if (isOn) drawn.add(editor);
    else drawn.delete(editor);
    const lines = isOn ? collapsedLines(editor) : [];
    editor.setDecorations(
      hidden,
      lines.map(({ range }) => range),
    );
    editor.setDecorations(
      shown,
      lines.map(({ range, text }) => ({
        range: new vscode.Range(range.start, range.start),
        renderOptions: { before: { contentText: text } },
      })),
    );
  };
  const drawSoon = (editor: vscode.TextEditor) => {
    if (drawn.has(editor) || isReadable(editor.document)) rests.start(editorKey(editor), () => draw(editor));
  };
  const drawAll = () => vscode.window.visibleTextEditors.forEach(draw);
  store.add(vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => drawSoon(textEditor)));
  store.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => drawSoon(textEditor)));
  store.add(vscode.window.onDidChangeVisibleTextEditors(drawAll));
  const drawDocument = ({ document }: { readonly document: vscode.TextDocument }) =>
    editorsOf(document).forEach(drawSoon);
  store.add(documents.onDidChange(drawDocument));
  store.add(vscode.workspace.onDidChangeTextDocument(drawDocument));
  drawAll();
  return {
    async toggle(uri) {
      const file = uri.toString();
      const others = files().filter((one) => one !== file);
      await memento.update(storeKey, others.length < files().length ? others : [...others.slice(1 - mostFiles), file]);
      drawAll();
    },
    dispose: () => store.dispose(),
  };
}

function collapsedLines({ document, visibleRanges, selections }: vscode.TextEditor) {
  const found: { readonly range: vscode.Range; readonly text: string }[] = [];
  const isEdited = (line: number) => selections.some(({ start, end }) => line >= start.line && line <= end.line);
  for (const line of linesNear(visibleRanges, document.lineCount)) {
    const { range, text } = document.lineAt(line);
    const readable = isEdited(line) ? undefined : readableText(text);
    if (readable !== undefined) found.push({ range, text: readable });
  }
  return found;
}
