import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fillPrompt } from '../../src/core/prompts/fillPrompt';
import { readPrompt } from '../../src/core/prompts/readPrompt';
import { until } from '../support/until';
import { setUpOpenChat } from '../support/openChat';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const other = 'deepseek-ai/DeepSeek-V3';

describe('the chat opened by another feature', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('asking', { firstTokenMs: 5, tokenMs: 0 });

  const ready = () => chat.end.page.call('chat/ready', {});
  const answered = async () =>
    until(async () => {
      const { turns } = await ready();
      const isDone = turns.every(({ answer, comparison }) =>
        comparison ? comparison.columns.every(({ answer: { state } }) => state === 'done') : answer.state === 'done',
      );
      return isDone ? turns : undefined;
    }, 'the answers');
  const sent = async () =>
    (await chat.demo.requests()).filter(({ path: at }) => at.endsWith('/messages')).map(({ body }) => body);

  it('asks in a new conversation, and keeps the draft and attachments', async () => {
    await chat.runtime.ask({ text: 'First', models: [model], parameters: {} });
    await answered();
    const before = await ready();
    await chat.end.page.call('chat/draft', { text: 'half a question' });
    const document = await vscode.workspace.openTextDocument({ content: 'notes', language: 'plaintext' });
    await chat.runtime.locations.current.attachments.add({ from: 'uris', uris: [document.uri] });
    const parameters = { system: 'Be brief.', temperature: 0.5, max_tokens: 30 };
    await chat.runtime.ask({ text: 'Second', models: [other], parameters });
    await answered();
    const { conversationId, turns, draft, model: asked, parameters: shown } = await ready();
    equal(conversationId === before.conversationId, false);
    deepEqual(
      turns.map(({ question, answer }) => [question, answer.model]),
      [['Second', other]],
    );
    deepEqual([draft, asked, shown.form.system], ['half a question', other, 'Be brief.']);
    const { chips } = await chat.end.page.call('chat/attachments', {});
    equal(chips.length, 1);
    const [request] = (await sent()).slice(-1);
    match(JSON.stringify(request), /"system":"Be brief\."/);
    match(JSON.stringify(request), /"temperature":0\.5/);
    const { conversations } = await chat.end.page.call('chat/conversations', { query: '' });
    ok(conversations.some(({ id }) => id === before.conversationId));
    await chat.end.page.call('chat/draft', { text: '' });
    for (const { id } of chips) await chat.end.page.call('chat/detach', { id });
  });

  it('compares several named models', async () => {
    await chat.runtime.ask({ text: 'Both', models: [model, other], parameters: {} });
    const [turn] = await answered();
    deepEqual(
      turn?.comparison?.columns.map(({ answer }) => answer.model),
      [model, other],
    );
  });

  it('changes nothing if no question can be sent', async () => {
    const before = await ready();
    await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    await rejects(chat.runtime.ask({ text: 'No', models: [model], parameters: { system: 'x' } }), /Daily token limit/);
    await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    await rejects(chat.runtime.ask({ text: 'No', models: [], parameters: {} }), /model/i);
    const { conversationId, turns } = await ready();
    deepEqual([conversationId, turns], [before.conversationId, []]);
  });

  it('saves its first question as an equivalent prompt file', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'saved-'));
    const file = path.join(folder, 'saved.desk.md');
    const parameters = { system: 'Be {{kind}}: "brief".', temperature: 0.5, stop_sequences: ['\n\n'] };
    await rejects(chat.runtime.locations.current.savePrompt(), /No prompt to save/);
    await chat.runtime.ask({ text: 'What does {{x}} mean?', models: [other], parameters });
    await answered();
    const { showSaveDialog } = vscode.window;
    Object.assign(vscode.window, { showSaveDialog: async () => vscode.Uri.file(file) });
    await chat.runtime.locations.current.savePrompt().finally(() => Object.assign(vscode.window, { showSaveDialog }));
    const { prompt, problems } = readPrompt(readFileSync(file, 'utf8'));
    deepEqual(problems, []);
    equal(prompt.model?.id, other);
    deepEqual(fillPrompt(prompt, new Map()), { text: 'What does {{x}} mean?', parameters });
    equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });
});
