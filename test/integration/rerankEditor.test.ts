import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { orderByRank } from '../../src/core/ranking/reorderParts';
import { splitText } from '../../src/core/ranking/splitText';
import type { SplitBy } from '../../src/core/ranking/textSplit';
import { applyOrder } from '../../src/features/rerank/editor/editorScores';
import { clearScores } from '../../src/features/rerank/rerank';
import { createScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import type { ScoreGutter } from '../../src/features/rerank/editor/scoreGutter';
import { createReplacements } from '../../src/platform/workspace/replacements';
import type { Replacements } from '../../src/platform/workspace/replacements';
import { until } from '../support/deskServices';

describe('a ranking in the editor', function () {
  this.timeout(120_000);
  let gutter: ScoreGutter;
  let replacements: Replacements;
  let folder: string;

  beforeEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    [gutter, replacements] = [createScoreGutter(), createReplacements()];
    folder = await mkdtemp(join(tmpdir(), 'inference-desk-'));
  });
  afterEach(async () => {
    gutter.dispose();
    replacements.dispose();
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (text: string, name = 'notes.md') => {
    const path = join(folder, name);
    await writeFile(path, text);
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  /** Of the lines from `from` to before `to`. */
  const place = (document: vscode.TextDocument, by: SplitBy, from = 0, to = document.lineCount) => {
    const range = document.validateRange(new vscode.Range(from, 0, to, 0));
    const text = document.getText(range);
    return { document, range, text, split: splitText(text, by) };
  };
  const rankedBy = (...indexes: number[]) => ({
    scores: indexes.map((index, at) => ({ index, score: 0.98 - at / 4 })),
    query: 'fruit <b>',
    model: 'reranker',
  });
  const drawn = (document: vscode.TextDocument) =>
    gutter.drawn(document).map(({ line, text, level, isOld }) => `${line}: ${text} ${isOld ? 'old' : level}`);
  const edit = async (document: vscode.TextDocument, range: vscode.Range, text: string) => {
    const made = new vscode.WorkspaceEdit();
    made.replace(document.uri, range, text);
    await vscode.workspace.applyEdit(made);
  };
  const undo = async (document: vscode.TextDocument) => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
  };
  const proposal = () => {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    return inputs.find((input) => input instanceof vscode.TabInputTextDiff)?.modified;
  };
  const hoverAt = async (document: vscode.TextDocument, line: number) => {
    const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(line, 1),
    );
    return hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value))).join();
  };

  it('shows scores next to the documents, with details on hover', async () => {
    const document = await open('head\napple\npear\n\nplum\n');
    await gutter.show({ ...place(document, 'lines', 1), ...rankedBy(2, 0) });
    deepEqual(drawn(document), ['1: 0.73 · #2 3', '4: 0.98 · #1 4']);
    const hover = await hoverAt(document, 4);
    match(hover, /Rank 1 of 2/);
    match(hover, /Score\\: 0\\\.98/);
    match(hover, /Query\\: fruit \\<b\\>/);
    match(hover, /Model\\: reranker/);
    equal(await hoverAt(document, 2), '');
  });

  it('marks the score of an edited part as outdated until the edit is undone', async () => {
    const document = await open('apple\npear\nplum\n');
    await gutter.show({ ...place(document, 'lines'), ...rankedBy(0, 1, 2) });
    await edit(document, new vscode.Range(0, 0, 0, 0), 'new\n');
    await edit(document, new vscode.Range(2, 0, 2, 0), 'a ');
    deepEqual(drawn(document), ['1: 0.98 · #1 4', '2: 0.73 · #2 · outdated old', '3: 0.48 · #3 2']);
    match(await hoverAt(document, 2), /has changed since it was scored/);
    await undo(document);
    deepEqual(drawn(document), ['1: 0.98 · #1 4', '2: 0.73 · #2 3', '3: 0.48 · #3 2']);
    await edit(document, new vscode.Range(2, 0, 3, 0), '');
    deepEqual(drawn(document), ['1: 0.98 · #1 4', '2: 0.48 · #3 2']);
    await undo(document);
    equal(drawn(document).length, 3);
  });

  it('shows scores until they are cleared, the text is removed, or the document is closed', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'apple\npear\n' });
    await vscode.window.showTextDocument(document);
    const show = () => gutter.show({ ...place(document, 'lines'), ...rankedBy(0, 1) });
    const gone = () => until(gutter.onDidChange, () => !gutter.isShown(document.uri));
    await show();
    gutter.clear(document.uri);
    equal(drawn(document).length, 0);
    await show();
    await edit(document, new vscode.Range(0, 0, 9, 0), '');
    await gone();
    await undo(document);
    await show();
    await vscode.languages.setTextDocumentLanguage(document, 'markdown');
    ok(gutter.isShown(document.uri));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await gone();
  });

  it('clears the scores of the active editor, or all scores if it has none', async () => {
    const documents = [await open('apple\npear\n', 'one.md'), await open('plum\nfig\n', 'two.md')];
    for (const document of documents) await gutter.show({ ...place(document, 'lines'), ...rankedBy(0, 1) });
    const shown = () => documents.map(({ uri }) => gutter.isShown(uri));
    clearScores(gutter);
    deepEqual(shown(), [true, false]);
    clearScores(gutter);
    deepEqual(shown(), [false, false]);
    clearScores(undefined);
  });

  it('finds a text that moved, and rejects one that was edited', async () => {
    const document = await open('apple\npear\n');
    const before = { ...place(document, 'lines'), ...rankedBy(1, 0) };
    await edit(document, new vscode.Range(0, 0, 0, 0), 'head\n');
    await gutter.show(before);
    deepEqual(drawn(document), ['1: 0.73 · #2 3', '2: 0.98 · #1 4']);
    await edit(document, new vscode.Range(1, 0, 1, 5), 'grape');
    await rejects(gutter.show(before), /changed since the ranking/);
    const order = { ...before, order: [1, 0], title: 'Order' };
    await rejects(applyOrder(order, replacements), /changed since the ranking/);
    equal(document.getText(), 'head\ngrape\npear\n');
    equal(proposal(), undefined);
  });

  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    it(`reorders parts after a diff as one undo step, and keeps line endings (${name})`, async () => {
      const text = ['# Fruit', '- apple', '  red', '- pear', '- plum', 'end'].join(end);
      const sorted = ['# Fruit', '- plum', '- apple', '  red', '- pear', 'end'].join(end);
      const document = await open(text);
      const where = place(document, 'listItems', 1, 5);
      const ranked = rankedBy(2, 0);
      await gutter.show({ ...where, ...ranked });
      const applied: string[] = [];
      const order = orderByRank(ranked.scores, where.split.parts.length);
      await applyOrder(
        { ...where, order, title: 'notes.md: by score', onApplied: (now) => applied.push(now.text) },
        replacements,
        gutter,
      );
      equal(document.getText(), text);
      const right = proposal();
      ok(right);
      equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'notes.md: by score');
      equal((await vscode.workspace.openTextDocument(right)).getText(), sorted);
      await replacements.apply(right);
      equal(document.getText(), sorted);
      deepEqual(applied, [['- plum', '- apple', '  red', '- pear', ''].join(end)]);
      deepEqual(drawn(document), ['1: 0.98 · #1 4', '2: 0.73 · #2 3']);
      await undo(document);
      equal(document.getText(), text);
      equal(document.isDirty, false);
      deepEqual(drawn(document), ['1: 0.73 · #2 3', '4: 0.98 · #1 4']);
      await vscode.commands.executeCommand('redo');
      deepEqual(drawn(document), ['1: 0.98 · #1 4', '2: 0.73 · #2 3']);
    });
  }

  it('keeps only the best documents, and valid JSON', async () => {
    const document = await open('["a", "b", // why\n "c"]\n', 'list.jsonc');
    const where = place(document, 'jsonArray');
    await applyOrder({ ...where, order: [2, 0], title: 'Best' }, replacements);
    await replacements.apply(undefined);
    equal(document.getText(), '["c", "a"]\n');
    await undo(document);
    equal(document.getText(), where.text);
  });

  it('writes no change if the text changed during the diff or the order is discarded', async () => {
    const document = await open('b\na\n');
    const where = place(document, 'lines');
    await applyOrder({ ...where, order: [1, 0], title: 'Sort by' }, replacements);
    const right = proposal();
    await edit(document, new vscode.Range(0, 0, 0, 0), 'x');
    await rejects(replacements.apply(right), /The file has changed/);
    await replacements.discard(right);
    equal(document.getText(), 'xb\na\n');
  });

  it('reports that no change is needed', async () => {
    const document = await open('a\nb\n');
    const order = { ...place(document, 'lines'), order: [0, 1], title: 'Sort by' };
    await rejects(applyOrder(order, replacements), /already sorted this way/);
    equal(proposal(), undefined);
  });

  it('reports a read-only document before any diff', async () => {
    const scheme = 'read-only-test';
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => 'b\na\n',
    });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(`${scheme}:/x.txt`));
    const order = { ...place(document, 'lines'), order: [1, 0], title: 'Sort by' };
    await rejects(applyOrder(order, replacements), /read-only/);
    equal(proposal(), undefined);
    provider.dispose();
  });
});
