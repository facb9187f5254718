import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const request = (id: string, content?: string) => requestLine(id, content, { temperature: 0.7 });

describe('IntelliSense in batch files', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assist-'));
  });
  afterEach(async () => {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (document.isDirty) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => rmSync(folder, { recursive: true }));

  const lens = (uri: vscode.Uri) =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  /** Resolves once it is known to be a batch file. */
  const isKnown = (uri: vscode.Uri) => until(async () => (await lens(uri)).length > 0 || undefined, 'a batch file');
  const open = async (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await isKnown(editor.document.uri);
    return editor;
  };
  const offered = async (uri: vscode.Uri, position: vscode.Position, trigger?: string) => {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      position,
      trigger,
    );
    return items.filter(({ kind }) => kind === vscode.CompletionItemKind.Property);
  };
  const hovered = async (uri: vscode.Uri, position: vscode.Position) => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
    return hovers
      .flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)))
      .join('\n');
  };
  /** The document of the line with the cursor. */
  const editLine = async (editor: vscode.TextEditor, line: number) => {
    await vscode.window.showTextDocument(editor.document, { viewColumn: vscode.ViewColumn.One });
    const { activeTextEditor } = vscode.window;
    activeTextEditor!.selection = new vscode.Selection(line, 0, line, 0);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.editLine');
    const opened = vscode.window.activeTextEditor!;
    equal(opened.document.uri.scheme, 'inference-desk-line');
    return opened;
  };
  const replace = async (editor: vscode.TextEditor, before: string, after: string) => {
    const start = editor.document.getText().indexOf(before);
    const { document } = editor;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
    ok(await editor.edit((edit) => edit.replace(range, after)));
  };
  const save = ({ document }: vscode.TextEditor) => document.save();

  it('suggests missing properties with their values', async () => {
    const { document } = await open('keys.jsonl', `${request('a')}\n{"custom_id":"b",""}\n`);
    const items = await offered(document.uri, new vscode.Position(1, 18), '"');
    deepEqual(
      items.map(({ label }) => label),
      ['method', 'url', 'body'],
    );
    const [method] = items;
    match((method!.documentation as vscode.MarkdownString).value, /HTTP method of the request/);
    const range = method!.range as vscode.Range;
    deepEqual([range.start.character, range.end.character], [17, 19]);
  });

  it('ignores other JSON Lines files', async () => {
    const file = path.join(folder, 'other.jsonl');
    writeFileSync(file, '{"event":"click",""}\n');
    const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await open('marker.jsonl', `${request('a')}\n`);
    deepEqual(await offered(document.uri, new vscode.Position(0, 18), '"'), []);
    equal(await hovered(document.uri, new vscode.Position(0, 4)), '');
  });

  it('explains properties on hover, and shows messages as readable text', async () => {
    const { document } = await open('hover.jsonl', `${request('a', 'Is **this** [bold](https://example.com)?')}\n`);
    const at = (text: string) => new vscode.Position(0, document.getText().indexOf(text) + 2);
    match(await hovered(document.uri, at('temperature')), /a number from 0 to 2/);
    const shown = await hovered(document.uri, at('messages'));
    match(shown, /\*\*user\*\*/);
    ok(shown.includes(String.raw`Is \*\*this\*\* \[bold\]\(`), shown);
    ok(!(await hovered(document.uri, new vscode.Position(0, 15))).includes('custom_id'));
  });

  it('completes properties and shows hovers in a line of a megabyte', async () => {
    const long = request('long', 'many words '.repeat(100_000));
    const { document } = await open(
      'long.jsonl',
      `${long}\n${long.replace(/"max_tokens".*|\}\}$/, ',"top_p":1,""}}')}\n`,
    );
    const { text } = document.lineAt(1);
    const items = await offered(document.uri, new vscode.Position(1, text.length - 3), '"');
    ok(items.some(({ label }) => label === 'max_tokens'));
    ok(!items.some(({ label }) => label === 'top_p'));
    const shown = await hovered(document.uri, new vscode.Position(0, text.indexOf('messages') + 2));
    match(shown, /\*\*user\*\*/);
    ok(shown.length < 10_000, `${shown.length} characters`);
  });

  it('edits a line as a document, and saves it back as one step', async () => {
    const before = `${request('a')}\n${request('b')}\n`;
    const source = await open('edit.jsonl', before);
    const line = await editLine(source, 1);
    match(line.document.fileName, /edit\.jsonl.line 2.b\.json$/);
    ok(line.document.getText().startsWith('{\n  "custom_id": "b",\n'));
    await replace(line, '0.7', '1.50');
    equal(await save(line), true);
    equal(line.document.isDirty, false);
    equal(source.document.getText(), before.replace(`${request('b')}`, request('b').replace('0.7', '1.50')));
    await replace(line, '1.50', '0.2');
    equal(await save(line), true);
    await vscode.window.showTextDocument(source.document, { viewColumn: vscode.ViewColumn.One });
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    equal(source.document.getText(), before);
  });

  it('finds a moved line, and shows the document that is already open for it', async () => {
    const source = await open('move.jsonl', `${request('a')}\n${request('b')}\n`);
    const line = await editLine(source, 1);
    await replace(line, '0.7', '0.1');
    const again = await editLine(source, 1);
    equal(again.document, line.document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(source.document.uri, new vscode.Position(0, 0), `${request('x')}\n${request('y')}\n`);
    await vscode.workspace.applyEdit(edit);
    equal(await save(again), true);
    match(source.document.lineAt(3).text, /"b".*0\.1/);
    equal(source.document.lineCount, 5);
  });

  it("doesn't overwrite a changed line or write invalid JSON, and keeps the edit", async () => {
    const source = await open('conflict.jsonl', `${request('a')}\n${request('b')}\n`);
    const line = await editLine(source, 1);
    await replace(line, '0.7', '');
    equal(await save(line), false);
    equal(source.document.isDirty, false);
    await replace(line, '"temperature": ', '"temperature": 0.3');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(source.document.uri, source.document.lineAt(1).range, request('c'));
    await vscode.workspace.applyEdit(edit);
    equal(await save(line), false);
    equal(source.document.lineAt(1).text, request('c'));
    match(line.document.getText(), /0\.3/);
    ok(line.document.isDirty);
  });

  it("keeps the edited text if the line's file is read-only, and leaves the file unchanged", async () => {
    const source = await open('readOnly.jsonl', `${request('a')}\n${request('b')}\n`);
    const before = source.document.getText();
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      const line = await editLine(source, 1);
      await replace(line, '0.7', '0.3');
      equal(await save(line), false);
      ok(line.document.isDirty);
      equal(source.document.getText(), before);
    } finally {
      await vscode.window.showTextDocument(source.document, { viewColumn: vscode.ViewColumn.One });
      await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
    }
  });

  it('edits lines of unsaved files', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content: `${request('a')}\n` });
    const source = await vscode.window.showTextDocument(document);
    await isKnown(document.uri);
    const line = await editLine(source, 0);
    await replace(line, 'Hello', 'Good day');
    equal(await save(line), true);
    equal(document.lineAt(0).text, request('a', 'Good day'));
  });

  it('shows problems and suggests properties in the document of a line', async () => {
    const source = await open('help.jsonl', `${request('a')}\n`);
    const line = await editLine(source, 0);
    const { uri } = line.document;
    await replace(line, '0.7', '7');
    const found = await until(() => {
      const all = vscode.languages.getDiagnostics(uri).map(({ message }) => message);
      return all.length > 0 ? all : undefined;
    }, 'a diagnostic');
    equal(found.length, 1, found.join('\n'));
    match(found[0]!, /2/);
    // What no schema can say.
    await replace(line, '"Hello"', '""');
    await until(() => {
      const ours = vscode.languages.getDiagnostics(uri).filter(({ source: by }) => by === 'Inference Desk');
      return ours.some(({ range }) => line.document.getText(range).includes('""')) || undefined;
    }, 'the empty message');
    await replace(line, '"content": ""', '"content": "Hello"');
    await replace(line, '"temperature": 7', '"temperature": 0.7,\n    ""');
    const position = line.document.positionAt(line.document.getText().indexOf('""') + 1);
    const labels = (await offered(uri, position, '"')).map(({ label }) =>
      typeof label === 'string' ? label : label.label,
    );
    ok(labels.includes('max_tokens'), labels.join(' '));
    ok(!labels.includes('temperature'));
    equal(labels.filter((label) => label === 'max_tokens').length, 1);
  });
});
