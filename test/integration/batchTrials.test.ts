import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createTrials } from '../../src/features/batchEditor/trial/trials';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const request = (id: string, content: string, body: object = {}) => requestLine(id, content, { model, ...body });

describe('the test of a batch file line', function () {
  this.timeout(120_000);
  const usualPace = { firstTokenMs: 5, tokenMs: 0 };
  let services: Services;
  let demo: FilledDemo;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'trial-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: usualPace });
    await signInAnew(services, 'trying', demo);
  });
  afterEach(async () => {
    await pace(usualPace);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const pace = (figures: object) => demo.call('POST', '/_control/pace', { pace: figures });
  const open = async (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    const shown = await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, name)));
    await lensesOf(shown.document.uri, (titles) => titles.length > 0);
    return shown;
  };
  const findLenses = async (uri: vscode.Uri) =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
  const titleOf = ({ range, command }: vscode.CodeLens) => `${range.start.line}: ${command?.title}`;
  const lensOf = async (uri: vscode.Uri, title: string) => {
    await lensesOf(uri, (titles) => titles.includes(title));
    return (await findLenses(uri)).find((lens) => titleOf(lens) === title)!;
  };
  const lensesOf = async (uri: vscode.Uri, isIt: (titles: readonly string[]) => boolean) => {
    for (const end = Date.now() + 10_000; ;) {
      const found = await findLenses(uri);
      const titles = found.map(titleOf);
      if (isIt(titles)) return titles;
      if (Date.now() > end) throw new Error(`The lenses are ${titles.join(', ')}`);
    }
  };
  const trial = () => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'inference-desk-try');
  const says = (pattern: RegExp) =>
    until(() => (pattern.test(trial()?.getText() ?? '') ? trial()?.getText() : undefined), String(pattern));
  const tryLine = (uri: vscode.Uri, line: number) =>
    vscode.commands.executeCommand('inferenceDesk.batchFile.tryLine', uri, line);
  /** Waits until a command came to its end. What it says stays until it is closed: it is closed. */
  const ended = async (command: Thenable<unknown>) => {
    let isEnded = false;
    const end = Promise.resolve(command).finally(() => (isEnded = true));
    while (!isEnded) await vscode.commands.executeCommand('notifications.clearAll');
    await end;
  };
  const requests = async () => {
    return (await demo.requests()).filter((one) => JSON.stringify(one).includes('/chat/completions'));
  };

  it('sends the current text, even if unsaved, and shows the response to the side', async () => {
    const editor = await open('a.jsonl', `${request('first', 'Hello')}\n${request('second', 'Hello')}\n`);
    const { document } = editor;
    await editor.edit((change) =>
      change.replace(document.lineAt(1).range, request('second', 'How many a’s are in the word extraordinary?')),
    );
    const before = await requests();
    await tryLine(document.uri, 1);
    const text = await says(/tokens out/);
    match(
      text,
      /^# second\n\nQwen\/Qwen3-30B-A3B-Instruct-2507 · a\.jsonl, line 2\n\n## Response\n\n[^]*extraordinary/,
    );
    match(text, /finish reason: stop · \d+ tokens in · \d+ tokens out · first token after [\d.]+ s · [\d.]+ s\n$/);
    ok(document.isDirty);
    equal(vscode.window.activeTextEditor?.document, document);
    const groups = vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label));
    deepEqual(groups, [['a.jsonl'], ['Test Result.md']]);
    equal((await requests()).length, before.length + 1);
    match(JSON.stringify((await requests()).at(-1)), /extraordinary/);
    deepEqual(await lensesOf(trial()!.uri, (titles) => titles.length === 3), [
      '0: Test Again (price unknown)',
      '0: Go to Request',
      '0: Show Request and Response',
    ]);
  });

  it('finds the line again after it moved, and shows the response in the same document', async () => {
    const editor = await open('again.jsonl', `${request('one', 'Say one.')}\n${request('two', 'Say two.')}\n`);
    const { document } = editor;
    await tryLine(document.uri, 1);
    await says(/# two[^]*tokens out/);
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), `${request('zero', 'Say zero.')}\n`));
    await vscode.commands.executeCommand('inferenceDesk.batchFile.tryAgain');
    await says(/# two\n\n.*again\.jsonl, line 3[^]*tokens out/);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.goToTriedLine');
    equal(vscode.window.activeTextEditor?.selection.active.line, 2);
    equal(vscode.window.tabGroups.all.length, 2);
    const left = [1, 2].map((line) => document.lineAt(line).text).join('\n');
    await editor.edit((change) => change.replace(new vscode.Range(0, 0, document.lineCount, 0), left));
    await vscode.commands.executeCommand('inferenceDesk.batchFile.goToTriedLine');
    equal(vscode.window.activeTextEditor?.selection.active.line, 1);
  });

  it('stops on request, and keeps the partial response', async () => {
    await pace({ tokenMs: 200 });
    const { document } = await open('stop.jsonl', `${request('long', 'Write a long story in ten paragraphs.')}\n`);
    const running = tryLine(document.uri, 0);
    await says(/## Response\n\n\w+[^]*Generating…\n$/);
    deepEqual(await lensesOf(trial()!.uri, (titles) => titles.length === 1), ['0: $(debug-stop) Stop']);
    equal(services.activity.running.filter(({ paid }) => paid).length, 1);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.stopTrying');
    await running;
    match(await says(/Stopped/), /## Response\n\n\w+[^]*---\n\nStopped · .*first token after/);
    equal(services.activity.running.length, 0);
  });

  it('stops when its document is closed', async () => {
    await pace({ tokenMs: 200 });
    const { document } = await open('close.jsonl', `${request('long', 'Write a long story in ten paragraphs.')}\n`);
    const running = tryLine(document.uri, 0);
    await says(/## Response\n\n\w+[^]*Generating…\n$/);
    const tab = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label === 'Test Result.md');
    await vscode.window.tabGroups.close(tab!);
    await running;
    ok(JSON.stringify(services.exchanges.recent[0]).includes('aborted'));
  });

  it('stops when its window is closed', async () => {
    await pace({ tokenMs: 1000 });
    const { document } = await open('window.jsonl', `${request('long', 'Write a long story in ten paragraphs.')}\n`);
    const trials = createTrials(services, () => vscode.window.activeTextEditor!.document);
    const running = trials.tryLine(document.uri, 0);
    await until(() => services.activity.running.find(({ paid }) => paid), 'the trial');
    trials.dispose();
    await running;
    equal(services.activity.running.length, 0);
  });

  it('explains an invalid key and offers a solution', async () => {
    await services.profiles.storeKey('trying', `${demo.apiKey}wrong`);
    try {
      const { document } = await open('key.jsonl', `${request('a', 'Hello')}\n`);
      await tryLine(document.uri, 0);
      const text = await says(/No response ·/);
      ok(!text.includes(demo.apiKey));
      const titles = await lensesOf(trial()!.uri, (all) => all.length > 3);
      const heading = text.split('\n').findIndex((line) => line.startsWith('## '));
      ok(titles.includes(`${heading}: Manage Key`), titles.join());
      ok(titles.includes(`${heading}: Show Request and Response`), titles.join());
    } finally {
      await services.profiles.storeKey('trying', demo.apiKey);
    }
  });

  it('names the limit that was reached', async () => {
    const limited = request('a', 'Hello', { model: 'fault/rate-limit-long-wait' });
    const { document } = await open('limit.jsonl', `${limited}\n`);
    await tryLine(document.uri, 0);
    match(await says(/No response ·/), /## .+\n\n.+\n\n---/);
    equal(services.exchanges.recent[0]?.response?.status, 429);
  });

  it('counts estimated tokens if a request without a response may be charged', async () => {
    const usage = await services.usage();
    const used = async () => (await usage.today('trying')).inputTokens;
    const before = await used();
    const { document } = await open('broken.jsonl', `${request('a', 'Hello', { model: 'fault/server-60000' })}\n`);
    await tryLine(document.uri, 0);
    await until(async () => ((await used()) > before ? true : undefined), 'the count');
  });

  it('keeps the partial response when the connection fails', async () => {
    const { document } = await open('cut.jsonl', `${request('a', 'Hello', { model: 'fault/cut-stream' })}\n`);
    await tryLine(document.uri, 0);
    match(await says(/Incomplete response/), /## Response\n\n\w[^]*\n\n## .+\n\n/);
  });

  it("isn't sent if the daily tokens are used or the line has errors", async () => {
    const { document } = await open('never.jsonl', `${request('a', 'Hello')}\n{"custom_id":"b"}\n`);
    const before = (await requests()).length;
    await ended(tryLine(document.uri, 1));
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    try {
      await ended(tryLine(document.uri, 0));
    } finally {
      await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    }
    equal((await requests()).length, before);
    await ended(tryLine(document.uri, 0));
    equal((await requests()).length, before + 1);
  });

  it('tests the line of its lens, also after edits to it or above it', async () => {
    const editor = await open('moved.jsonl', `${request('one', 'Say one.')}\n${request('two', 'Say two.')}\n`);
    const { document } = editor;
    editor.selection = new vscode.Selection(1, 5, 1, 5);
    const lens = await lensOf(document.uri, '1: Test Request (price unknown)');
    const click = () => vscode.commands.executeCommand(lens.command!.command, ...lens.command!.arguments!);
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), `${request('zero', 'Say zero.')}\n`));
    await ended(click());
    await says(/# two\n\n.*moved\.jsonl, line 3[^]*tokens out/);
    await editor.edit((change) => change.replace(document.lineAt(2).range, request('two', 'Say two again.')));
    await ended(click());
    match(JSON.stringify((await requests()).at(-1)), /Say two again/);
    const before = (await requests()).length;
    await editor.edit((change) => change.delete(new vscode.Range(2, 0, 3, 0)));
    await ended(click());
    equal((await requests()).length, before);
  });

  it('has its lens only on the line of the cursor, and updates the summary during edits', async () => {
    const lines = ['a', 'b', 'c'].map((id) => request(id, 'Hello'));
    const editor = await open('lens.jsonl', `${lines.join('\n')}\n`);
    const { document } = editor;
    const summary = (count: string) => (titles: readonly string[]) =>
      titles.some((title) => title.startsWith(`0: ${count}`));
    const first = await lensesOf(document.uri, summary('3 requests'));
    const names = (titles: readonly string[]) => titles.map((title) => title.replace(/ · .*/, ''));
    const facts = ['0: No problems', '0: 3 requests'];
    deepEqual(names(first), ['0: Submit Batch…', '0: Test Request (price unknown)', ...facts]);
    vscode.window.activeTextEditor!.selection = new vscode.Selection(2, 5, 2, 5);
    const moved = await lensesOf(document.uri, (titles) => titles.some((title) => title.startsWith('2:')));
    deepEqual(names(moved), ['0: Submit Batch…', ...facts, '2: Test Request (price unknown)', '2: Edit as JSON']);
    await editor.edit((change) => change.delete(new vscode.Range(0, 0, 1, 0)));
    await lensesOf(document.uri, summary('2 requests'));
    await services.settings.set('batch.lenses', false);
    deepEqual(await lensesOf(document.uri, (titles) => titles.length === 0), []);
    await vscode.workspace
      .getConfiguration('inferenceDesk')
      .update('batch.lenses', undefined, vscode.ConfigurationTarget.Global);
  });
});
