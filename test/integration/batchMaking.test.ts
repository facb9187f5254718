import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { chooseModel } from '../../src/core/catalogue/jobs';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, leaveQuickOpen, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const request = (id: string) => requestLine(id, `Hello ${id}`);

describe('new batch files', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'making-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'making', demo);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  /** Presses Enter in whatever quick input is open until `ended` is true. */
  const acceptUntil = async (ended: () => boolean) => {
    await until(() => {
      if (ended()) return true;
      void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return undefined;
    }, 'the end of the steps');
  };
  const linesOf = (name: string) => readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1);

  it('creates a request for each row, without problems if each default is accepted', async () => {
    const uri = write('rows.csv', 'question,lang\n"What is ""a""?",en\nEt b,fr\n');
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    const before = new Set(tabs());
    const made = vscode.commands.executeCommand('inferenceDesk.batchFile.newFromRows', uri);
    await acceptUntil(() => existsSync(path.join(folder, 'rows.requests.jsonl')));
    await made;
    const file = vscode.Uri.file(path.join(folder, 'rows.requests.jsonl'));
    // Its lenses come with its check.
    await until(
      async () => (await vscode.commands.executeCommand<unknown[]>('vscode.executeCodeLensProvider', file))[0],
      'its check',
    );
    deepEqual(vscode.languages.getDiagnostics(file), []);
    const requests = linesOf('rows.requests.jsonl').map((line) => JSON.parse(line));
    const model = chooseModel('chat', services.models.state);
    ok(model);
    ok(requests.every(({ body }) => body.model === model));
    deepEqual(
      requests.map(({ custom_id, body }) => [custom_id, body.messages]),
      [
        ['row-1', [{ role: 'user', content: 'What is "a"?' }]],
        ['row-2', [{ role: 'user', content: 'Et b' }]],
      ],
    );
    equal(vscode.window.activeTextEditor?.document.uri.fsPath, path.join(folder, 'rows.requests.jsonl'));
    // No document of a step before is left open.
    deepEqual(
      tabs().filter((label) => !before.has(label)),
      ['rows.requests.jsonl'],
    );
  });

  it('shows the problems of the preview until it closes', async () => {
    const uri = write('odd.csv', 'question\nA\n');
    const prompt = { prompt: '{{question}}', system: '', parameters: { top_p: 7 }, constants: {} };
    const made = vscode.commands.executeCommand('inferenceDesk.batchFile.newFromRows', uri, prompt);
    const ofPreview = () =>
      vscode.languages
        .getDiagnostics()
        .filter(([{ scheme }, found]) => scheme === 'inference-desk-batch-preview' && found.length > 0);
    await acceptUntil(() =>
      vscode.workspace.textDocuments.some(({ uri: { scheme } }) => scheme === 'inference-desk-batch-preview'),
    );
    await until(() => ofPreview()[0], 'its problems');
    await leaveQuickOpen(made);
    await until(() => (ofPreview().length === 0 ? true : undefined), 'the end of its problems');
  });

  it('splits a file into the largest parts that the service accepts', async () => {
    const lines = Array.from({ length: 5001 }, (_, index) => request(`r${index}`));
    const uri = write('big.jsonl', `${lines.join('\r\n')}`);
    const split = vscode.commands.executeCommand('inferenceDesk.batchFile.split', uri);
    await acceptUntil(() => existsSync(path.join(folder, 'big-2.jsonl')));
    await split;
    deepEqual([...linesOf('big-1.jsonl'), ...linesOf('big-2.jsonl')], lines);
    equal(linesOf('big-2.jsonl').length, 1);
    ok(readdirSync(folder).every((name) => !name.endsWith('.tmp')));
  });

  it('converts a file for the first service of the list into a new file, and opens it', async () => {
    const params = { model: 'm', max_tokens: 5, system: 'Be brief.', messages: [{ role: 'user', content: 'Hello' }] };
    const source = `${JSON.stringify({ custom_id: 'a', params })}\n{"event":"click"}\n`;
    const uri = write('claude.jsonl', source);
    const converted = vscode.commands.executeCommand('inferenceDesk.batchFile.convertFor', uri);
    await acceptUntil(() => existsSync(path.join(folder, 'claude.siliconflow.jsonl')));
    await converted;
    const lines = linesOf('claude.siliconflow.jsonl').map((line) => JSON.parse(line));
    const messages = [{ role: 'system', content: 'Be brief.' }, params.messages[0]];
    const body = { model: 'm', messages, max_tokens: 5 };
    deepEqual(lines, [{ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body }]);
    equal(readFileSync(uri.fsPath, 'utf8'), source);
    equal(path.basename(vscode.window.activeTextEditor?.document.uri.fsPath ?? ''), 'claude.siliconflow.jsonl');
    const whole = new vscode.Range(0, 0, 0, 1);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      vscode.window.activeTextEditor?.document.uri,
      whole,
      'refactor',
    );
    ok(actions.some(({ command }) => command?.command === 'inferenceDesk.batchFile.convertFor'));
  });

  it('creates a request from each selected line', async () => {
    const editor = await vscode.window.showTextDocument(write('notes.txt', 'one\ntwo\n\nthree\n'));
    editor.selection = new vscode.Selection(1, 0, 3, 5);
    const made = vscode.commands.executeCommand('inferenceDesk.batchFile.newFromSelection');
    await acceptUntil(() => existsSync(path.join(folder, 'notes.requests.jsonl')));
    await made;
    const ids = linesOf('notes.requests.jsonl').map((line) => JSON.parse(line).custom_id);
    deepEqual(ids, ['line-2', 'line-4']);
  });

  it('creates a request for each text file, and skips other files', async () => {
    const files = [write('b.md', 'B'), write('a.md', 'A'), write('c.bin', '\0')];
    const made = vscode.commands.executeCommand('inferenceDesk.batchFile.newFromFiles', files[0], files);
    const isMade = () => readdirSync(folder).includes('files.requests.jsonl');
    await acceptUntil(isMade);
    await made;
    const texts = linesOf('files.requests.jsonl').map((line) => JSON.parse(line).body.messages[0].content);
    deepEqual(texts, ['A', 'B']);
  });

  it('samples, shuffles, merges, and deduplicates, each into a new file', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => request(`r${index}`));
    const uri = write('all.jsonl', `${lines.join('\n')}\n`);
    const run = async (command: string, made: string, ...args: readonly unknown[]) => {
      const running = vscode.commands.executeCommand(`inferenceDesk.batchFile.${command}`, ...args);
      await acceptUntil(() => existsSync(path.join(folder, made)));
      await running;
      return linesOf(made);
    };
    const sample = await run('sample', 'all.sample-1.jsonl', uri);
    equal(sample.length, 100);
    const shuffled = await run('shuffle', 'all.shuffled-1.jsonl', uri);
    deepEqual(shuffled.toSorted(), lines.toSorted());
    const sampled = vscode.Uri.file(path.join(folder, 'all.sample-1.jsonl'));
    const merged = await run('merge', 'all.merged.jsonl', uri, [sampled, uri]);
    deepEqual(merged, [...lines, ...sample]);
    const unique = await run(
      'dropDuplicates',
      'all.merged.unique.jsonl',
      vscode.Uri.file(path.join(folder, 'all.merged.jsonl')),
    );
    deepEqual(unique, lines);
  });

  it('opens an example that is checked as a batch file', async () => {
    const made = vscode.commands.executeCommand('inferenceDesk.batchFile.new');
    await acceptUntil(() => vscode.window.activeTextEditor?.document.languageId === 'jsonl');
    await made;
    const { document } = vscode.window.activeTextEditor!;
    match(document.lineAt(0).text, /^\{"custom_id":"request-1","method":"POST"/);
    let titles: readonly (string | undefined)[] = [];
    await until(() => {
      void vscode.commands
        .executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 9)
        .then((lenses) => (titles = lenses.map(({ command }) => command?.title)));
      return titles.some((title) => title?.startsWith('2 requests')) || undefined;
    }, 'the summary');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
