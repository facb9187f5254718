import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { documentsOf } from '../../src/features/rerank/logic/documents';
import { goToDocument } from '../../src/features/rerank/editor/liveRange';
import { readFiles, readTabs } from '../../src/features/rerank/sources/filesSource';
import { readProblems, readSource, tabGuard, searchFor } from '../../src/features/rerank/sources/readSource';
import { readDocument, readSelection } from '../../src/features/rerank/sources/editorSource';
import type { Settings } from '../../src/platform/settings';
import { isUserError } from '../../src/platform/errors/userError';
import type { WorkspaceGuard } from '../../src/platform/workspace/workspaceGuard';
import { deskServices } from '../support/deskServices';
import { until } from '../support/until';

const titled = (title: RegExp) => (error: unknown) => isUserError(error) && title.test(error.title);

describe('sources of documents to rank', function () {
  this.timeout(120_000);
  let folder: string;
  let settings: Settings;
  let guard: WorkspaceGuard;
  before(async () => {
    ({ settings } = await deskServices());
    guard = await tabGuard(settings);
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rank-')));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: string | Uint8Array): vscode.Uri => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return vscode.Uri.file(file);
  };
  const show = async (name: string, content: string): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(write(name, content)));
  const select = (editor: vscode.TextEditor, ...ranges: readonly (readonly [number, number, number, number])[]) => {
    editor.selections = ranges.map((range) => new vscode.Selection(...range));
  };

  it('include the selection with its location in the file, also with CRLF', async () => {
    const editor = await show('lines.txt', 'zero\r\none\r\ntwo\r\nthree\r\n');
    select(editor, [1, 0, 3, 0]);
    const source = readSelection(editor);
    match(source.title, /^lines\.txt:2-3$/);
    const { list } = documentsOf(source, 'lines');
    deepEqual(
      list.map(({ text, at }) => [text, at?.line, at?.character]),
      [
        ['one', 1, 0],
        ['two', 2, 0],
      ],
    );
  });

  it('include several selections, from top to bottom', async () => {
    const editor = await show('several.txt', 'alpha beta gamma');
    select(editor, [0, 11, 0, 16], [0, 0, 0, 5]);
    const source = readSelection(editor);
    deepEqual(
      documentsOf(source, 'whole').list.map(({ text, at }) => [text, at?.character]),
      [
        ['alpha', 0],
        ['gamma', 11],
      ],
    );
  });

  it('exclude empty and blank selections', async () => {
    const editor = await show('blank.txt', 'a\n\n   \n');
    select(editor, [0, 0, 0, 0]);
    throws(() => readSelection(editor), titled(/No text selected/));
    throws(() => readSelection(undefined), titled(/No text selected/));
    select(editor, [1, 0, 2, 3]);
    throws(() => readSelection(editor), titled(/blank/));
    throws(() => readDocument(undefined), titled(/No file is open/));
  });

  it('include selected text files and folders', async () => {
    const good = write('good.md', '# A\n\none\n\n# B\n\ntwo\n');
    const uris = [good, write('picture.png', new Uint8Array([137, 80, 0, 1])), write('empty.txt', ' \n')];
    const source = await readFiles([...uris, vscode.Uri.file(folder), good]);
    equal(source.texts.length, 1);
    match(source.title, /good\.md$/);
    equal(source.remarks.length, 3);
    await rejects(readFiles(uris.slice(1)), titled(/No text to rank/));
  });

  it('include selected files in one encoding that the user picks for all', async () => {
    const gbk = (hex: string) => Buffer.from(hex, 'hex');
    const uris = [write('one.txt', gbk('d5c5c8fdcdcbbbf5')), write('two.txt', gbk('d0d5c3fbb1b8d7a2'))];
    let isDone = false;
    const reading = readFiles(uris).finally(() => (isDone = true));
    await until(() => {
      if (!isDone) void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isDone || undefined;
    }, 'the choice of an encoding');
    deepEqual(
      (await reading).texts.map(({ text }) => text),
      ['张三退货', '姓名备注'],
    );
  });

  it('include the text of open tabs, also unsaved', async () => {
    const editor = await show('tab.txt', 'saved');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'not '));
    const source = await readTabs(guard);
    deepEqual(
      source.texts.map(({ text }) => text),
      ['not saved'],
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rejects(readTabs(guard), titled(/No file is open/));
  });

  it('include problems, each with its line of code and a link', async () => {
    const { document } = await show('code.txt', 'let a;\n  wrong(here);\n');
    const problems = vscode.languages.createDiagnosticCollection('rank');
    const diagnostic = new vscode.Diagnostic(new vscode.Range(1, 2, 1, 7), 'This is wrong.');
    diagnostic.source = 'check';
    problems.set(document.uri, [diagnostic]);
    try {
      const source = await readProblems(guard);
      const mine = source.texts.find(({ at }) => at?.uri === document.uri.toString());
      equal(mine?.text, 'error: check: This is wrong.\nwrong(here);');
      const { list } = documentsOf({ ...source, texts: [mine!] }, 'whole');
      await goToDocument(list[0]!, vscode.ViewColumn.One);
      deepEqual(vscode.window.activeTextEditor?.selection.start, new vscode.Position(1, 2));
    } finally {
      problems.dispose();
    }
  });

  it('include matches in the workspace with the lines around them', async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const file = path.join(root, 'ranked-places.txt');
    writeFileSync(file, 'one\ntwo\nthree\nfour\nneedle-5f2 here\nsix\n');
    try {
      const source = await searchFor('/needle-5F\\d/', guard);
      deepEqual(
        source.texts.map(({ text, at }) => [text, at?.line]),
        [['two\nthree\nfour\nneedle-5f2 here\nsix', 1]],
      );
      const [first] = documentsOf(source, 'whole').list;
      await goToDocument(first!, undefined);
      equal(vscode.window.activeTextEditor?.selection.start.line, 1);
      await rejects(searchFor('needle-that-is-nowhere'.repeat(2), guard), titled(/No matches for/));
      await rejects(searchFor('/(/', guard), titled(/Invalid regular expression/));
    } finally {
      rmSync(file);
    }
  });

  it('include the clipboard, without a location', async () => {
    const lastEditor = { current: () => undefined, reveal: async () => undefined, dispose: () => undefined };
    await vscode.env.clipboard.writeText('- one\n- two\n');
    const source = await readSource('clipboard', { lastEditor, settings });
    const [first] = documentsOf(source!, 'listItems').list;
    equal(first?.text, 'one');
    await rejects(goToDocument(first!, undefined), titled(/isn't in a file/));
    await vscode.env.clipboard.writeText('  ');
    await rejects(readSource('clipboard', { lastEditor, settings }), titled(/clipboard doesn't contain text/));
  });

  it('find a document after it moved, and near its location after an edit', async () => {
    const editor = await show('moving.txt', 'one\ntwo\nthree\n');
    const { list } = documentsOf(readDocument(editor.document), 'lines');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new\nnew\n'));
    await goToDocument(list[1]!, vscode.ViewColumn.Two);
    const selected = () => vscode.window.activeTextEditor!.document.getText(vscode.window.activeTextEditor!.selection);
    equal(selected(), 'two');
    await editor.edit((edit) => edit.replace(new vscode.Range(3, 0, 3, 3), 'TWO'));
    await goToDocument(list[1]!, vscode.ViewColumn.Two);
    equal(vscode.window.activeTextEditor?.selection.start.line, 1);
    ok(vscode.window.activeTextEditor?.selection.isEmpty);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
