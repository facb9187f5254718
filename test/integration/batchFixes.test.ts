import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { beginAnew, deskServices } from '../support/deskServices';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { until } from '../support/until';

const request = (id: string, model = 'm') =>
  `{"custom_id": "${id}", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}}`;

describe('fixes for a batch file', function () {
  this.timeout(180_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'batch-'));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => rmSync(folder, { recursive: true }));

  const codesIn = (uri: vscode.Uri) =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Inference Desk')
      .map(({ code, range }) => `${range.start.line} ${typeof code === 'string' ? code : ''}`);
  const shows = (uri: vscode.Uri, requested: readonly string[]) =>
    until(
      () => (codesIn(uri).join() === requested.join() ? true : undefined),
      `${requested.join()} in ${uri.path}`,
      20_000,
    );
  const open = async (name: string, text: string | Buffer) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    return { file, editor, document: editor.document };
  };
  const actionsAt = async (document: vscode.TextDocument, line: number, kind = 'quickfix') =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      document.lineAt(line).range,
      kind,
      100,
    );
  const apply = async (document: vscode.TextDocument, line: number, title: string) => {
    const actions = await actionsAt(document, line);
    const action = actions.find((one) => one.title === title);
    ok(action?.edit, `"${title}" among ${actions.map((one) => one.title).join(', ')}`);
    ok(await vscode.workspace.applyEdit(action.edit));
  };

  it('split a file with several URLs into one file for each', async () => {
    const other = request('b').replace('/v1/chat/completions', '/v1/embeddings');
    const services = await deskServices();
    const { profiles } = services;
    await profiles.save({ id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' });
    await profiles.setActive('openai');
    const { file, document } = await open('urls.jsonl', `${request('a')}\n${other}\n`);
    const action = await until(async () => {
      const actions = await actionsAt(document, 1);
      return actions.find(({ title }) => title === 'Split into one file per URL');
    }, 'the fix');
    await vscode.commands.executeCommand(action.command!.command, ...(action.command!.arguments ?? []));
    const part = (name: string) => readFileSync(file.replace('.jsonl', `-${name}.jsonl`), 'utf8');
    await beginAnew(services);
    deepEqual([part('chat-completions'), part('embeddings')], [`${request('a')}\n`, `${other}\n`]);
  });

  it('set one model in all requests before the model list is loaded', async () => {
    const service = await startOpenAiService();
    const services = await deskServices();
    const { profiles, models } = services;
    const { createQuickPick } = vscode.window;
    try {
      await profiles.save({ id: 'unlisted', name: 'Other', baseUrl: service.baseUrl });
      await profiles.storeKey('unlisted', service.key);
      await profiles.setActive('unlisted');
      deepEqual((await models.ready()).models, []);
      const { document } = await open('unlisted.jsonl', `${request('a')}\n${request('b')}\n`);
      // Selects a model of the list in place of the user.
      Object.assign(vscode.window, {
        createQuickPick: () => {
          const pick = createQuickPick();
          pick.onDidChangeActive(([active]) => {
            const listed = pick.items.find(({ label }) => label === 'o4-mini');
            if (!listed) pick.hide();
            else if (active !== listed) pick.activeItems = [listed];
            else void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
          });
          return pick;
        },
      });
      await vscode.commands.executeCommand('inferenceDesk.batchFile.setModel');
      equal(document.getText(), `${request('a', 'o4-mini')}\n${request('b', 'o4-mini')}\n`);
    } finally {
      Object.assign(vscode.window, { createQuickPick });
      await beginAnew(services);
      await service.close();
    }
  });

  it('are offered at a problem with the likeliest first, and undone in one step', async () => {
    const text = `${request('a')}\n${request('a')}\n${request('a').replace('"user"', '"human"')}\n`;
    const { document } = await open('offered.jsonl', text);
    await shows(document.uri, ['1 custom-id.duplicate', '2 custom-id.duplicate', '2 message.unknown-role']);
    // The editor adds some of its own.
    const actions = (await actionsAt(document, 1)).slice(0, 3);
    deepEqual(
      actions.map(({ title, isPreferred }) => [title, isPreferred ?? false]),
      [
        ['Set "custom_id" to "a-2"', true],
        ['Fix all: make IDs unique', false],
        ['Number the IDs of all requests…', false],
      ],
    );
    await apply(document, 1, 'Set "custom_id" to "a-2"');
    equal(document.lineAt(1).text, request('a-2'));
    await vscode.commands.executeCommand('undo');
    equal(document.getText(), text);

    await apply(document, 1, 'Fix all: make IDs unique');
    await apply(document, 2, 'Replace "human" with "user"');
    equal(document.getText(), `${request('a')}\n${request('a-2')}\n${request('a-3')}\n`);
    await shows(document.uri, []);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    equal(document.getText(), text);
  });

  it('remove lines, close the last line, and write an array as lines', async () => {
    const cut = request('b').slice(0, -2);
    const { document } = await open('lines.jsonl', `\n${request('a')}\n \n\n${cut}`);
    await shows(document.uri, [
      '4 line.not-json',
      '0 line.blank',
      '2 line.blank',
      '3 line.blank',
      '4 file.no-final-newline',
    ]);
    await apply(document, 2, 'Fix all: remove blank lines');
    equal(document.getText(), `${request('a')}\n${cut}`);
    await apply(document, 1, 'Close the JSON object');
    await apply(document, 1, 'Add a line break at the end');
    equal(document.getText(), `${request('a')}\n${request('b')}\n`);

    const items = [request('c'), request('d')].map((one) => JSON.stringify(JSON.parse(one), undefined, 2));
    const array = await open('array.jsonl', `[${items.join(',\n')}]`);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.treatAsBatch');
    await until(() => (codesIn(array.document.uri).includes('0 file.array') ? true : undefined), 'the array');
    await apply(array.document, 0, 'Split into one array item per line');
    await shows(array.document.uri, []);
    equal(array.document.lineCount, 3);
    await vscode.commands.executeCommand('undo');
    equal(array.document.getText(), `[${items.join(',\n')}]`);
  });

  it('convert line endings to line feeds, and remove a byte-order mark', async () => {
    const { document, editor } = await open('crlf.jsonl', `${request('a')}\r\n${request('b')}\r\n`);
    await shows(document.uri, ['0 file.crlf']);
    // Not by `apply`: what the editor hands to us of an action has no line ends.
    const end = document.lineAt(0).range.end;
    editor.selection = new vscode.Selection(end, end);
    // The editor may not have the fix yet when it shows the problem.
    await until(async () => {
      await vscode.commands.executeCommand('editor.action.autoFix');
      return document.eol === vscode.EndOfLine.LF || undefined;
    }, 'line feeds');
    await shows(document.uri, []);
    await vscode.commands.executeCommand('undo');
    equal(document.eol, vscode.EndOfLine.CRLF);
    await vscode.commands.executeCommand('redo');
    equal(document.getText(), `${request('a')}\n${request('b')}\n`);

    const marked = await open('mark.jsonl', `\ufeff${request('a')}\n`);
    await shows(marked.document.uri, ['0 file.bom']);
    const [action] = await actionsAt(marked.document, 0);
    equal(action?.title, 'Save without a byte-order mark');
    await vscode.commands.executeCommand(action.command!.command);
    await shows(marked.document.uri, []);
    equal(readFileSync(marked.file, 'utf8'), `${request('a')}\n`);
  });

  it('are offered for the encoding and line endings of a file', async () => {
    const latin = await open('latin.jsonl', Buffer.from(`${request('a')}\n${request('é')}\n`, 'latin1'));
    await shows(latin.document.uri, ['1 line.not-utf8']);
    const [change] = await actionsAt(latin.document, 1);
    equal(change?.title, 'Change file encoding…');
    equal(change.command?.command, 'workbench.action.editor.changeEncoding');

    const wide = await open('wide.jsonl', Buffer.from(`\ufeff${request('a')}\n`, 'utf16le'));
    await shows(wide.document.uri, ['0 file.not-text']);

    const old = await open('old.jsonl', `${request('a')}\r${request('b')}\r`);
    await shows(old.document.uri, ['0 file.lone-cr']);
    equal((await actionsAt(old.document, 0))[0]?.title, 'Save with LF line endings');
    old.editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('editor.action.autoFix');
    await shows(old.document.uri, []);
    equal(readFileSync(old.file, 'utf8'), `${request('a')}\n${request('b')}\n`);
  });

  it("fix on save what doesn't affect requests, if enabled", async () => {
    const editorSettings = vscode.workspace.getConfiguration('editor', { languageId: 'jsonl' });
    const requested = { 'source.fixAll.inferenceDesk': 'explicit' };
    await editorSettings.update('codeActionsOnSave', requested, vscode.ConfigurationTarget.Global, true);
    try {
      const bare = request('b').replace('"method": "POST", ', '');
      const { document, editor, file } = await open('saved.jsonl', `${request('a')}\n\n${request('a')}\n${bare}\n`);
      await shows(document.uri, ['2 custom-id.duplicate', '1 line.blank', '3 method.missing']);
      await editor.edit((change) => change.insert(new vscode.Position(1, 0), ' '));
      await document.save();
      equal(readFileSync(file, 'utf8'), `${request('a')}\n${request('a')}\n${request('b')}\n`);
    } finally {
      await editorSettings.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Global, true);
    }
  });

  it('convert lines of another service in one step', async () => {
    const params = '{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}';
    const text = `{"custom_id": "a", "params": ${params}}\n{"event": "click"}\n${params}\n`;
    const { document } = await open('foreign.jsonl', text);
    const [action] = await actionsAt(document, 0, 'refactor');
    equal(action?.title, 'Convert the lines to batch requests…');
    await vscode.commands.executeCommand(action.command!.command);
    const request1 = JSON.parse(document.lineAt(0).text) as { readonly body: unknown };
    deepEqual(request1.body, { ...(JSON.parse(params) as object) });
    equal((JSON.parse(document.lineAt(2).text) as { readonly custom_id: string }).custom_id, 'request-3');
    equal(document.lineAt(1).text, '{"event": "click"}');
    await until(
      () => (codesIn(document.uri).some((code) => code.startsWith('1 ')) ? true : undefined),
      'the line that is left',
    );
    await vscode.commands.executeCommand('undo');
    equal(document.getText(), text);
  });

  it('are offered for converted lines, even if the file starts with another format', async () => {
    const foreign = '{"model": "m", "prompt": "Hello"}';
    const { document } = await open('later.jsonl', `${'{"event": "click"}\n'.repeat(60)}${foreign}\n`);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.convertLines');
    await until(() => (codesIn(document.uri).includes('0 custom-id.missing') ? true : undefined), 'what is left');
  });

  it('fix more lines in one step than a batch can have', async () => {
    const lines = Array.from({ length: 5100 }, (_, index) =>
      request(`r${index % 1000}`).replace('"method": "POST", ', ''),
    );
    const text = `${lines.join('\n')}\n`;
    const { document } = await open('long.jsonl', text);
    await until(() => (codesIn(document.uri).length > 900 ? true : undefined), 'problems');
    await vscode.commands.executeCommand('inferenceDesk.batchFile.makeIdsUnique');
    const ids = new Set(
      document
        .getText()
        .split('\n', 5100)
        .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id),
    );
    equal(ids.size, 5100);
    await vscode.commands.executeCommand('editor.action.fixAll');
    await shows(document.uri, ['5000 file.too-many-requests']);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    equal(document.getText(), text);
  });
});
