import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { openCompletionSettings } from '../../src/features/completion/settings/openCompletionSettings';
import { createAnswerHistory } from '../../src/features/completion/logic/answerHistory';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices } from '../support/deskServices';
import { startSteppedCompletions } from '../support/steppedCompletions';
import type { SteppedCompletions } from '../support/steppedCompletions';
import { until } from '../support/until';

const model = 'stepped/model';
const scheme = 'inference-desk-completion';
const pieces = [' jumps', ' over', '\nthe lazy', ' dog', '.'];

describe('a text completion', function () {
  this.timeout(120_000);
  let services: Services;
  let service: SteppedCompletions;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'complete-'));
    services = await deskServices();
    service = await startSteppedCompletions(model);
    await beginAnew(services);
    await services.profiles.save({ id: 'completing', name: 'Completing', baseUrl: service.baseUrl });
    await services.profiles.setActive('completing');
    await services.profiles.storeKey('completing', 'a-key-that-is-long-enough');
  });
  beforeEach(() => setUp({}));
  afterEach(async () => {
    await complete('stop');
    await showTokens('off');
    await vscode.commands.executeCommand('notifications.clearAll');
    // A file that is not saved is asked about when it is closed.
    for (const { isDirty, uri } of vscode.workspace.textDocuments) {
      if (!isDirty) continue;
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await beginAnew(services);
    await service.close();
    rmSync(folder, { recursive: true });
  });

  let files = 0;
  const open = async (text: string) => {
    const file = path.join(folder, `${++files}.txt`);
    writeFileSync(file, text);
    return vscode.window.showTextDocument(vscode.Uri.file(file));
  };
  const shelf = () =>
    createAnswerHistory(services.context.globalStorageUri.fsPath, (error) => {
      throw error;
    });
  const setUp = async (parameters: object) => {
    await openCompletionSettings(services).set({ model, parameters });
  };
  const showTokens = (which: 'off' | 'answer' | 'all') =>
    services.context.globalState.update('completion.tokens', which);
  const select = (editor: vscode.TextEditor, ...spans: readonly (readonly [number, number])[]) => {
    const { document } = editor;
    editor.selections = spans.map(
      ([start, end]) => new vscode.Selection(document.positionAt(start), document.positionAt(end)),
    );
  };
  const complete = (way: string) => vscode.commands.executeCommand(`inferenceDesk.complete.${way}`);
  /** Waits until a command came to its end. What it says stays until it is closed: it is closed. */
  const ended = async (command: Thenable<unknown>) => {
    let isEnded = false;
    const end = Promise.resolve(command).finally(() => (isEnded = true));
    while (!isEnded) await vscode.commands.executeCommand('notifications.clearAll');
    await end;
  };
  const beside = () =>
    until(
      () => vscode.workspace.textDocuments.find(({ uri, isClosed }) => uri.scheme === scheme && !isClosed),
      'the text beside',
    );
  const alternativeBelow = () =>
    until(
      () => vscode.window.tabGroups.all[1]?.tabs.find(({ label }) => label.startsWith('Alternative')),
      'an alternative',
    );
  const undo = () => vscode.commands.executeCommand('undo');
  const titles = async (uri: vscode.Uri) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    return lenses.map(({ range, command }) => `${range.start.line}: ${command?.title}`);
  };

  it('is one undo step, separate from concurrent typing', async () => {
    const editor = await open('The fox\n\nend\n');
    const { document } = editor;
    select(editor, [0, 7]);
    const running = complete('insert');
    const request = await service.next();
    equal(request.body['prompt'], 'The fox');
    select(editor, [document.getText().length, document.getText().length]);
    for (const [index, piece] of pieces.entries()) {
      await request.text(piece);
      await vscode.commands.executeCommand('type', { text: String(index) });
    }
    await request.end();
    await running;
    const typed = 'The fox\n\nend\n01234';
    const whole = `The fox${pieces.join('')}\n\nend\n01234`;
    equal(document.getText(), whole);
    deepEqual(editor.selection.active, document.positionAt(whole.length));
    equal((await titles(document.uri)).length, 2);
    await undo();
    equal(document.getText(), typed);
    deepEqual(await titles(document.uri), []);
    await vscode.commands.executeCommand('redo');
    equal(document.getText(), whole);
    await undo();
    await undo();
    equal(document.getText(), 'The fox\n\nend\n');
  });

  it('that is stopped leaves the text unchanged, or its part as one undo step', async () => {
    for (let count = 0; count <= pieces.length; count++) {
      const editor = await open('The fox\nend');
      const { document } = editor;
      select(editor, [0, 7]);
      const running = complete('insert');
      const request = await service.next();
      for (const piece of pieces.slice(0, count)) await request.text(piece);
      const came = pieces.slice(0, count).join('');
      // Some turns later than the time before: what is on its way may or may not count.
      for (let turn = 0; turn < count * 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
      await vscode.commands.executeCommand('inferenceDesk.complete.stop');
      await ended(running);
      await request.gone;
      const text = document.getText();
      ok(text.startsWith('The fox') && text.endsWith('\nend'), text);
      ok(came.startsWith(text.slice(7, -4)), text);
      await undo();
      equal(document.getText(), 'The fox\nend');
      deepEqual(editor.selection, new vscode.Selection(0, 0, 0, 7));
    }
  });

  it('that fails midway leaves its part as one undo step', async () => {
    const editor = await open('The fox');
    select(editor, [7, 7]);
    const running = complete('insert');
    const request = await service.next();
    await request.text(' jumps');
    request.cut();
    await ended(running);
    equal(editor.document.getText(), 'The fox jumps');
    match((await titles(editor.document.uri)).join('\n'), /^0: Continue\n0: ≈ .*interrupted.*\n0: Hide$/);
    await undo();
    equal(editor.document.getText(), 'The fox');
  });

  it('replaces the selection, which one undo restores', async () => {
    const editor = await open('one two three');
    select(editor, [4, 7]);
    const running = complete('replace');
    const request = await service.next();
    equal(request.body['prompt'], 'two');
    await request.text('2');
    equal(editor.document.getText(), 'one two three');
    await request.end();
    await running;
    equal(editor.document.getText(), 'one 2 three');
    await undo();
    equal(editor.document.getText(), 'one two three');
  });

  it('opens to the side if its position is edited, closed, or read-only', async () => {
    const editor = await open('one two three');
    select(editor, [4, 7]);
    const running = complete('replace');
    const request = await service.next();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 5), 'X'));
    await request.text('2');
    await request.end();
    await running;
    equal(editor.document.getText(), 'one tXwo three');
    equal((await beside()).getText(), '2');
    equal(vscode.window.activeTextEditor, editor);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');

    const closing = await open('close me');
    const { document } = closing;
    select(closing, [0, 8]);
    const other = complete('insert');
    const second = await service.next();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await second.text(' please');
    await second.end();
    await other;
    const shown = await until(
      () => vscode.workspace.textDocuments.find((one) => one.uri.scheme === scheme && one.getText() === ' please'),
      'the text of the closed document',
    );
    equal(readFileSync(document.uri.fsPath, 'utf8'), 'close me');
    ok(shown);
  });

  const besideText = (text: string) =>
    until(
      () => vscode.workspace.textDocuments.find((one) => one.uri.scheme === scheme && one.getText() === text),
      `${text} to the side`,
    );
  /** Completes what is selected, and returns the text to the side. */
  const besideOf = async (word: string) => {
    const running = complete('insert');
    const request = await service.next();
    await request.text(word);
    await request.end();
    await ended(running);
    return besideText(word);
  };

  it('opens to the side if its editor is read-only for the session, by a setting, or as output', async () => {
    const editor = await open('read only');
    select(editor, [0, 9]);
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    ok(await besideOf(' in this session'));
    const running = complete('insert');
    const request = await service.next();
    await open('covers it');
    await request.text(' in a covered tab');
    await request.end();
    await ended(running);
    equal((await besideText(' in a covered tab')).isClosed, false);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
    equal(editor.document.getText(), 'read only');

    const files = vscode.workspace.getConfiguration('files');
    await files.update('readonlyInclude', { '**/*.txt': true }, vscode.ConfigurationTarget.Global);
    try {
      select(await open('included'), [0, 8]);
      ok(await besideOf(' by a setting'));
    } finally {
      await files.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }

    const output = vscode.window.createOutputChannel('Of a completion');
    output.append('an output');
    output.show();
    const shown = await until(
      () => vscode.window.visibleTextEditors.find(({ document }) => document.getText().includes('an output')),
      'the output',
    );
    await vscode.commands.executeCommand('workbench.panel.output.focus');
    await until(() => (vscode.window.activeTextEditor === shown ? true : undefined), 'its editor');
    select(shown, [0, 9]);
    ok(await besideOf(' of an output'));
    output.dispose();
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('is inserted into a notebook cell, and into a file that was deleted afterwards', async () => {
    const data = new vscode.NotebookData([
      new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'total = ', 'python'),
    ]);
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    const cell = await until(() => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document === document ? activeTextEditor : undefined;
    }, 'the editor of the cell');
    select(cell, [8, 8]);
    const finish = async (running: Thenable<unknown>, word: string) => {
      const request = await service.next();
      await request.text(word);
      await request.end();
      await running;
    };
    try {
      await finish(complete('insert'), '1 + 1');
      equal(document.getText(), 'total = 1 + 1');
      await finish(complete('beside'), ' + 2');
      ok(await besideText(' + 2'));
    } finally {
      await vscode.window.showNotebookDocument(notebook);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }

    const editor = await open('deleted');
    select(editor, [7, 7]);
    const running = complete('insert');
    // A change keeps the tab open without its file.
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'X'));
    rmSync(editor.document.uri.fsPath);
    await finish(running, ' file');
    const written = editor.document.getText();
    // Without its file it cannot be reverted like the others.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    equal(written, 'Xdeleted file');
  });

  it("is inserted at several selections as one undo step, with the document's line endings", async () => {
    const editor = await open('a\r\nb\r\nc\r\n');
    select(editor, [0, 1], [6, 7]);
    await setUp({ n: 3 });
    const running = complete('insert');
    for (const name of ['A', 'C']) {
      const request = await service.next();
      equal(request.body['n'], 1);
      await request.text(`\n${name}`);
      await request.end();
    }
    await running;
    equal(editor.document.getText(), 'a\r\nA\r\nb\r\nc\r\nC\r\n');
    equal(editor.document.eol, vscode.EndOfLine.CRLF);
    deepEqual(editor.selections, [new vscode.Selection(0, 0, 0, 1), new vscode.Selection(3, 0, 3, 1)]);
    await undo();
    equal(editor.document.getText(), 'a\r\nb\r\nc\r\n');
  });

  it('shows its cost above the text until edited, and continues if truncated', async () => {
    await setUp({ seed: 5, max_tokens: 2 });
    const editor = await open('Count:');
    const { document } = editor;
    select(editor, [0, 6]);
    const running = complete('insert');
    const request = await service.next();
    request.answerAs('stepped/model-2025');
    await request.text(' one,');
    await request.end('length');
    await running;
    const { requestedModel, completionId, traceId } = (await shelf().read())?.facts ?? {};
    deepEqual([requestedModel, completionId, traceId], [model, 'cmpl-1', 'ti_1']);
    const [going, facts, hiding] = await titles(document.uri);
    match(
      facts ?? '',
      /^0: 11 tokens in, 7 out · length limit reached · stepped\/model-2025 · seed 5 · fp_7 · [\d.]+ s$/,
    );
    deepEqual([going, hiding], ['0: Continue', '0: Hide']);
    const further = vscode.commands.executeCommand('inferenceDesk.complete.goOn');
    const second = await service.next();
    equal(second.body['prompt'], 'Count: one,');
    await second.text(' two');
    await second.end();
    await further;
    equal(document.getText(), 'Count: one, two');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# '));
    equal((await titles(document.uri)).length, 5);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 10), 'x'));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 16), 'x'));
    deepEqual(await titles(document.uri), []);
  });

  it('shows token probabilities of prompt and completion until they are edited', async () => {
    await showTokens('answer');
    const editor = await open('The fox');
    const { document } = editor;
    select(editor, [0, 7]);
    const running = complete('insert');
    const request = await service.next();
    equal(request.body['logprobs'], 5);
    await request.text(' jumps', {
      logprobs: { tokens: [' jumps'], token_logprobs: [-0.1], top_logprobs: [{ ' jumps': -0.1, ' runs': -2.5 }] },
    });
    await request.text(' up', { logprobs: { tokens: ['Ġup'], token_logprobs: [-2] } });
    await request.end();
    await running;
    const hover = async (character: number) => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        new vscode.Position(0, character),
      );
      return found.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value))).join();
    };
    match(await hover(9), /␣jumps[^]*90\\\.5[^]*runs[^]*8\\\.2\\%/);
    match(await hover(14), /␣up[^]*13\\\.5[^]*very unlikely/);
    await vscode.commands.executeCommand('inferenceDesk.complete.nextUnsure');
    deepEqual(editor.selection, new vscode.Selection(0, 16, 0, 13));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 15), 'x'));
    equal(await hover(14), '');
    match(await hover(9), /jumps/);
  });

  it("shows token probabilities of the prompt for a response that isn't streamed", async () => {
    await showTokens('all');
    const editor = await open('say: The fox');
    select(editor, [5, 12]);
    const running = complete('insert');
    const request = await service.next();
    equal(request.body['stream'], undefined);
    request.json(200, {
      model,
      choices: [{ index: 0, text: ' jumps', finish_reason: 'stop' }],
      prompt: [{ text: 'The fox', logprobs: { tokens: ['The', ' fox'], token_logprobs: [null, -3] } }],
      usage: { prompt_tokens: 2, completion_tokens: 1 },
    });
    await running;
    equal(editor.document.getText(), 'say: The fox jumps');
    await vscode.commands.executeCommand('inferenceDesk.complete.nextUnsure');
    deepEqual(editor.selection, new vscode.Selection(0, 12, 0, 8));
  });

  it('is selected among several, and undone in one step', async () => {
    await setUp({ n: 3 });
    const editor = await open('The fox\n');
    const { document } = editor;
    select(editor, [0, 7]);
    const running = complete('insert');
    const request = await service.next();
    for (const [index, text] of [' runs', ' jumps', ' runs'].entries()) await request.text(text, { index });
    await request.end();
    await alternativeBelow();
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await running;
    equal(document.getText(), 'The fox runs\n');
    deepEqual((await titles(document.uri)).length, 3);
    await vscode.window.showTextDocument(document);
    await undo();
    equal(document.getText(), 'The fox\n');
    deepEqual(await titles(document.uri), []);

    const again = complete('alternatives');
    await alternativeBelow();
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await again;
    equal(document.getText(), 'The fox runs\n');
    await vscode.window.showTextDocument(document);
    await undo();
    deepEqual(await titles(document.uri), []);
  });

  it('is counted, restored after a reload, and limited by the daily budget', async () => {
    const usage = await services.usage();
    const used = async () => (await usage.today('completing')).outputTokens;
    const before = await used();
    const editor = await open('Hi');
    select(editor, [2, 2]);
    const running = complete('insert');
    const request = await service.next();
    await request.text(' there');
    await request.end();
    await running;
    await until(async () => ((await used()) === before + 7 ? true : undefined), 'the count');
    // As the next window reads it.
    deepEqual((await shelf().read())?.choices, [{ index: 0, text: ' there', finish_reason: 'stop' }]);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    await ended(complete('insert'));
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    equal(service.waiting, 0);
    equal(editor.document.getText(), 'Hi there');
  });

  it('counts estimated tokens if a request without a response may be charged, but not if it was rejected', async () => {
    const usage = await services.usage();
    const used = async () => (await usage.today('completing')).inputTokens;
    const more = (than: number) =>
      until(async () => {
        const now = await used();
        return now > than ? now : undefined;
      }, 'the count');
    const editor = await open('Hi');
    select(editor, [2, 2]);
    const before = await used();
    const stopped = complete('insert');
    const silent = await service.next();
    await complete('stop');
    await ended(stopped);
    await silent.gone;
    const left = await more(before);
    const failing = complete('insert');
    (await service.next()).json(500, { message: 'Something broke.' });
    await ended(failing);
    const broken = await more(left);
    const refused = complete('insert');
    (await service.next()).json(400, { code: 20_015, message: 'The parameter is invalid.' });
    await ended(refused);
    equal(await used(), broken);
  });

  it('requests the token count if the model supports that, and stops after a rejection', async () => {
    const editor = await open('Hi');
    select(editor, [0, 2]);
    const running = complete('insert');
    const first = await service.next();
    deepEqual(first.body['stream_options'], { include_usage: true });
    const message = 'stream_options: Extra inputs are not permitted';
    first.json(400, { error: { message, type: 'invalid_request_error', param: 'stream_options', code: null } });
    const second = await service.next();
    equal(second.body['stream_options'], undefined);
    await second.text('!');
    await second.end();
    await running;
    equal(editor.document.getText(), 'Hi!');
    await services.context.globalState.update('completion.tellsNoUsage', undefined);
  });

  it("isn't requested without text, and sends only the end of a long text", async () => {
    await open('');
    await ended(complete('insert'));
    const binary = await vscode.workspace.openTextDocument({ content: `PNG${'\u0001\ufffd'.repeat(9)}` });
    const shown = await vscode.window.showTextDocument(binary);
    select(shown, [0, 21]);
    await ended(complete('insert'));
    const none = await open('no selection');
    await ended(complete('replace'));
    equal(none.document.getText(), 'no selection');
    equal(service.waiting, 0);
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n');
    const editor = await open(lines);
    select(editor, [lines.length, lines.length]);
    const running = complete('insert');
    const request = await service.next();
    const prompt = String(request.body['prompt']);
    ok(prompt.startsWith('line ') && prompt.endsWith('line 49999') && prompt.length < 200_000);
    request.json(400, {
      code: 20015,
      message: 'length of prompt_tokens (180224) must be less than max_seq_len (131072).',
    });
    await ended(running);
    equal(editor.document.getText(), lines);
    equal(editor.document.isDirty, false);
  });
});
