import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { composeTask } from '../../src/features/chat/chatCommands';
import { setUpOpenChat } from '../support/openChat';
import { until } from '../support/until';

describe('slash commands in the chat', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('commands', { firstTokenMs: 5, tokenMs: 0 });
  const root = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'commanded');

  before(() => mkdir(root, { recursive: true }));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(root, { recursive: true, force: true });
  });

  const list = async (query: string) => (await chat.end.page.call('chat/commands', { query })).offers;
  const take = async (name: string) => {
    const offer = (await list(name)).find((one) => one.name === name);
    ok(offer, name);
    return chat.end.page.call('chat/takeCommand', { id: offer.id });
  };
  const chips = async () => (await chat.end.page.call('chat/attachments', {})).chips;
  const settings = () => vscode.workspace.getConfiguration('git');
  const detachAll = async () => {
    for (const { id } of await chips()) await chat.end.page.call('chat/detach', { id });
  };
  const open = async (name: string, text: string) => {
    await writeFile(join(root, name), text);
    return vscode.window.showTextDocument(vscode.Uri.file(join(root, name)), { preview: false });
  };

  const isTitled = (title: string) => (thrown: unknown) =>
    (thrown as { readonly error?: { readonly title: string } }).error?.title === title;

  it('list prompts, prompt files, and commands, with matches at the start first', async () => {
    await writeFile(
      join(root, 'explore.desk.md'),
      '---\ndescription: Explore\n---\n\nExplore {{language}} in {{depth}}.\n',
    );
    await writeFile(join(root, 'examine.prompt.md'), '---\nmode: ask\n---\nExamine the code.\n');
    await until(async () => ((await list('ex')).length === 4 ? true : undefined), 'the prompt files');
    deepEqual((await list('ex')).map(({ kind, name }) => `${kind} ${name}`).toSorted(), [
      'command export',
      'promptFile examine',
      'promptFile explore',
      'task explain',
    ]);
    ok((await list('')).length >= 12);
  });

  it("attach the selection or the file and its problems, and return the task's prompt", async () => {
    const editor = await open('parse.ts', 'one\ntwo\nthree\n');
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const problems = vscode.languages.createDiagnosticCollection('commands');
    problems.set(editor.document.uri, [new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'two is wrong')]);
    match((await take('fix')).text ?? '', /^Fix the problems/);
    deepEqual(
      (await chips()).map(({ kind }) => kind),
      ['selection', 'problems'],
    );
    match((await take('explain')).text ?? '', /^Explain/);
    deepEqual(
      (await chips()).map(({ kind }) => kind),
      ['selection', 'problems'],
    );
    problems.dispose();
    await detachAll();
  });

  it('add their prompt below the draft, with the selection attached', async () => {
    const editor = await open('parse.ts', 'one\ntwo\nthree\n');
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    await chat.end.page.call('chat/draft', { text: 'Mine ' });
    await composeTask(chat.runtime.locations.current, { name: 'edit' });
    const { draft } = await chat.end.page.call('chat/ready', {});
    match(draft, /^Mine\n\nChange this code as follows[^]*:\n$/);
    deepEqual(
      (await chips()).map(({ kind }) => kind),
      ['selection'],
    );
    await detachAll();
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await chat.end.page.call('chat/draft', { text: '' });
    await composeTask(chat.runtime.locations.current, { name: 'fix', problem: { line: 2, message: 'two is wrong' } });
    match((await chat.end.page.call('chat/ready', {})).draft, /^Fix this problem in line 2: two is wrong\nFix the/);
    deepEqual(
      (await chips()).map(({ kind }) => kind),
      ['file'],
    );
    await detachAll();
    await chat.end.page.call('chat/draft', { text: '' });
  });

  it('are offered as a quick fix for a problem in a file, not in a batch file', async () => {
    const problems = vscode.languages.createDiagnosticCollection('fixes');
    const fixesIn = async (name: string) => {
      const { document } = await open(name, '{"a":1}\n');
      const range = new vscode.Range(0, 0, 0, 3);
      problems.set(document.uri, [new vscode.Diagnostic(range, 'wrong')]);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      return actions.filter(({ title }) => title === 'Fix with Inference Desk');
    };
    // Each request sets the problem again, which VS Code may not know yet when it answers.
    const fix = await until(async () => {
      const [only, ...others] = await fixesIn('parse.ts');
      return others.length === 0 ? only : undefined;
    }, 'the quick fix');
    deepEqual(fix.command?.arguments, [{ line: 1, message: 'wrong' }]);
    equal((await fixesIn('parse.jsonl')).length, 0);
    problems.dispose();
  });

  it('fill a prompt file with editor values, and keep its other placeholders', async () => {
    await open('parse.ts', 'one\n');
    equal((await take('explore')).text, 'Explore typescript in {{depth}}.');
    equal((await take('examine')).text, 'Examine the code.');
  });

  it('attach Git changes except secret files, and report if there are none', async () => {
    await rejects(take('commit'), isTitled('No changes'));
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
    git('init', '-q');
    await writeFile(join(root, 'kept.txt'), 'before\n');
    await writeFile(join(root, 'removed.txt'), 'of no more use\n');
    await writeFile(join(root, '.env'), 'KEY=before\n');
    await writeFile(join(root, 'id_rsa'), `${'-'.repeat(60)}\nKEY=moved\n`);
    git('add', '-f', 'kept.txt', 'removed.txt', '.env', 'id_rsa');
    git('commit', '-q', '-m', 'First');
    await writeFile(join(root, 'kept.txt'), 'after\n');
    await writeFile(join(root, '.env'), 'KEY=sk-secret\n');
    await rm(join(root, 'removed.txt'));
    await settings().update('enabled', true, vscode.ConfigurationTarget.Global);
    const extension = await vscode.extensions.getExtension('vscode.git')?.activate();
    await until(() => extension.enabled || undefined, 'Git');
    const api = extension.getAPI(1);
    await api.openRepository(vscode.Uri.file(root));
    const repository = api.repositories.at(-1);
    await repository.status();
    match((await take('commit')).text ?? '', /commit message/);
    const [changes] = await chips();
    equal(changes?.kind, 'changes');
    await chat.end.page.call('chat/showAttachment', { id: changes.id });
    const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
    match(shown, /-before\n\+after/);
    match(shown, /-of no more use/);
    doesNotMatch(shown, /secret|\.env/);
    await detachAll();
    git('mv', 'id_rsa', 'plain.txt');
    await writeFile(join(root, 'plain.txt'), `${'-'.repeat(60)}\nKEY=moved on\n`);
    git('add', 'plain.txt', 'kept.txt');
    await repository.status();
    await take('review');
    const [staged] = await chips();
    await chat.end.page.call('chat/showAttachment', { id: staged?.id ?? '' });
    const renamed = vscode.window.activeTextEditor?.document.getText() ?? '';
    match(renamed, /-before\n\+after/);
    doesNotMatch(renamed, /plain\.txt|moved/);
    await detachAll();
    await settings().update('enabled', false, vscode.ConfigurationTarget.Global);
  });

  it('start a new conversation, and open the comparison in the page', async () => {
    const { conversationId } = await chat.end.page.call('chat/ready', {});
    deepEqual(await take('compare'), { opens: 'compare' });
    await take('new');
    equal((await chat.end.page.call('chat/ready', {})).turns.length, 0);
    ok(conversationId);
    await rejects(
      chat.end.page.call('chat/takeCommand', { id: '00000000-0000-4000-8000-000000000000' }),
      isTitled('The command is no longer available'),
    );
  });
});
