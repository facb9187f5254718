import { equal, match, ok } from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { deskServices } from '../support/deskServices';
import { until } from '../support/until';
import { requestLine as request } from '../support/requestLine';

describe('the check of a batch file on disk', function () {
  this.timeout(120_000);
  let folder: string;
  let reports: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'check-'));
    const { context } = await deskServices();
    reports = path.join(context.globalStorageUri.fsPath, 'batchReports');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return vscode.Uri.file(path.join(folder, name));
  };
  /** Ends when the message with what was found is closed. */
  const check = (...files: readonly vscode.Uri[]) =>
    vscode.commands.executeCommand('inferenceDesk.batchFile.check', files[0], files);
  const shown = (uri: vscode.Uri) =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ source }) => source === 'Inference Desk')
      .map(({ code, range, severity }) => `${range.start.line}:${range.start.character} ${severity} ${code as string}`);
  const shows = (uri: vscode.Uri, requested: readonly string[], limitMs = 20_000) =>
    until(
      () => (JSON.stringify(shown(uri)) === JSON.stringify(requested) ? true : undefined),
      `${requested.join(', ')} in ${uri.path}`,
      limitMs,
    );

  it('shows problems of a closed file, and yields to the editor when it is opened', async () => {
    const uri = write('closed.jsonl', `${request('a')}\n${request('a')}\n`);
    void check(uri);
    await shows(uri, ['1:13 0 custom-id.duplicate']);
    ok(!vscode.workspace.textDocuments.some((document) => document.uri.path === uri.path));
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((change) => change.replace(new vscode.Range(1, 14, 1, 15), 'b'));
    await shows(uri, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('clears its problems when the file changes or is deleted', async () => {
    const changed = write('changed.jsonl', `${request('a')}\n${request('a')}\n`);
    const removed = write('removed.jsonl', `{"custom_id":\n`);
    void check(changed, removed);
    await shows(changed, ['1:13 0 custom-id.duplicate']);
    await until(() => (shown(removed).length > 0 ? true : undefined), 'problems');
    appendFileSync(changed.fsPath, `${request('b')}\n`);
    rmSync(removed.fsPath);
    await shows(changed, []);
    await shows(removed, []);
  });

  it('uses the severities from the settings', async () => {
    const configuration = vscode.workspace.getConfiguration('inferenceDesk.batch');
    const set = { 'custom-id.duplicate': 'information', 'file.no-final-newline': 'off' };
    await configuration.update('severities', set, vscode.ConfigurationTarget.Global);
    try {
      const uri = write('weighed.jsonl', `${request('a')}\n${request('a')}`);
      void check(uri);
      await shows(uri, ['1:13 2 custom-id.duplicate']);
    } finally {
      await configuration.update('severities', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('handles twenty megabytes with a problem in every line', async () => {
    const uri = write('large.jsonl', '');
    const block = Array.from({ length: 1000 }, () => `${request('same', 'x'.repeat(1800))}\n`).join('');
    while (statSync(uri.fsPath).size < 20e6) appendFileSync(uri.fsPath, block);
    void check(uri);
    const count = await until(() => shown(uri).length || undefined, 'problems', 90_000);
    equal(count, 999);
    const [first] = vscode.languages.getDiagnostics(uri);
    match(first!.message, /^Showing 998 of 1\d,\d{3} problems\./);
    const [report] = readdirSync(reports).toSorted().toReversed();
    ok(report!.endsWith('large.jsonl.problems.txt'), report);
    ok(statSync(path.join(reports, report!)).size > 1e6);
  });

  // The npm build of the oldest editor starts no terminal, and so no task.
  const itWithTerminal = vscode.version.startsWith('1.106.') ? it.skip : it;
  itWithTerminal('is checked by a task too, whose problems of every weight come into the Problems view', async () => {
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const uri = vscode.Uri.file(path.join(workspace, 'task.jsonl'));
    const type = 'inferenceDesk.checkBatch';
    const written = { label: 'all requests', type, files: ['task.jsonl'], problemMatcher: ['$inference-desk-batch'] };
    mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    writeFileSync(uri.fsPath, `${request('a')}\n{"custom_id":"a","extra":1,"body":{}}\n${request('c')}\r\n`);
    const tasks = path.join(workspace, '.vscode/tasks.json');
    writeFileSync(tasks, JSON.stringify({ version: '2.0.0', tasks: [written] }));
    try {
      let task: vscode.Task | undefined;
      for (const end = Date.now() + 20_000; !task && Date.now() < end;) {
        task = (await vscode.tasks.fetchTasks({ type })).find(({ name }) => name === 'all requests');
      }
      ok(task, 'the task is not offered');
      const ended = new Promise<number | undefined>((resolve) => {
        const listening = vscode.tasks.onDidEndTaskProcess(({ exitCode }) => {
          listening.dispose();
          resolve(exitCode);
        });
      });
      await vscode.tasks.executeTask(task);
      equal(await ended, 1);
      await shows(uri, [
        '1:0 1 method.missing',
        '1:0 1 url.missing',
        '1:13 0 custom-id.duplicate',
        '1:17 2 line.unknown-member',
        '1:34 0 model.missing',
        '1:34 0 messages.missing',
        '2:129 2 file.crlf',
      ]);
    } finally {
      rmSync(tasks);
      rmSync(uri.fsPath);
    }
  });
});
