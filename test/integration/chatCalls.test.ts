import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attachment } from '../../src/core/conversation/attachment';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { setUpOpenChat } from '../support/openChat';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const attachment: Attachment = { kind: 'file', label: 'a.ts', language: 'typescript', text: 'let a', tokens: 2 };

describe('calls of the chat page', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('calling', { firstTokenMs: 5, tokenMs: 1 });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const ready = (): Promise<ChatSnapshot> => chat.end.page.call('chat/ready', {});
  const asked = async (text: string): Promise<string> => {
    const { turn } = await chat.end.page.call('chat/ask', { text, model });
    await chat.end.page.call('chat/follow', { turnId: turn.id, have: [] });
    return turn.id;
  };
  const chips = async () => (await chat.end.page.call('chat/attachments', {})).chips.map(({ label }) => label);

  it('sends and stores no question after the budget is used', async () => {
    const turnId = await asked('Why?');
    await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    try {
      await rejects(chat.end.page.call('chat/ask', { text: 'And?', model }));
      await rejects(chat.end.page.call('chat/retry', { turnId, model }));
      await rejects(chat.end.page.call('chat/edit', { turnId, text: 'Why not?', model }));
      await rejects(chat.end.page.call('chat/continue', { turnId }));
      await rejects(chat.end.page.call('chat/compare', { text: 'And?', models: [model, model] }));
    } finally {
      await chat.services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    }
    const { turns } = await ready();
    deepEqual(
      turns.map(({ question, tries }) => [question, tries]),
      [['Why?', undefined]],
    );
  });

  it('edits a question on a new branch, and returns', async () => {
    const turnId = await asked('Why?');
    const { turn } = await chat.end.page.call('chat/edit', { turnId, text: 'Why not?', model });
    await chat.end.page.call('chat/follow', { turnId: turn.id, have: [] });
    deepEqual([turn.question, turn.questions], ['Why not?', { index: 1, count: 2 }]);
    const { turns } = await chat.end.page.call('chat/walk', { turnId: turn.id, among: 'questions', index: 0 });
    deepEqual(
      turns.map(({ question }) => question),
      ['Why?'],
    );
  });

  it("runs only the actions of an error that don't concern the question", async () => {
    await asked('Why?');
    const changed: number[] = [];
    chat.end.page.on('chat/changed', ({ turns }) => void changed.push(turns.length));
    await chat.end.page.call('chat/act', { action: 'newConversation' });
    equal((await ready()).turns.length, 0);
    deepEqual(changed, [0]);
    await chat.end.page.call('chat/act', { action: 'refreshModels' });
    const before = vscode.window.terminals.length;
    await rejects(chat.end.page.call('chat/act', { action: 'workbench.action.terminal.new' }));
    equal(vscode.window.terminals.length, before);
  });

  it('opens web and mail addresses only', async () => {
    for (const url of [
      'vscode://pub.ext/run',
      'command:x',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:,x',
      '//x',
    ])
      await rejects(chat.end.page.call('chat/openLink', { url }), url);
  });

  it('applies only code from a visible turn', async () => {
    const turnId = await asked('Why?');
    const code = { action: 'newFile', code: 'let taken', language: 'ts' } as const;
    await rejects(chat.end.page.call('chat/useCode', { turnId: 'another', ...code }));
    equal(vscode.window.visibleTextEditors.length, 0);
    await chat.end.page.call('chat/useCode', { turnId, ...code });
    equal(vscode.window.activeTextEditor?.document.getText(), 'let taken');
  });

  it("keeps attachments if the question isn't accepted, and shows the ones that were sent", async () => {
    const { tray } = chat.runtime.locations.current.attachments;
    await ready();
    tray.add(attachment);
    const [id = ''] = tray.chips.map((chip) => chip.id);
    await chat.end.page.call('chat/detach', { id: 'unknown' });
    await rejects(chat.end.page.call('chat/ask', { text: 'Why?', model, attachments: [id, 'gone'] }));
    deepEqual(await chips(), ['a.ts']);
    const { turn } = await chat.end.page.call('chat/ask', { text: 'Why?', model, attachments: [id] });
    deepEqual(await chips(), []);
    await chat.end.page.call('chat/showSentAttachment', { turnId: turn.id, index: 0 });
    match(vscode.window.activeTextEditor?.document.getText() ?? '', /let a/);
    await rejects(chat.end.page.call('chat/showSentAttachment', { turnId: turn.id, index: 1 }));
    await rejects(chat.end.page.call('chat/showSentAttachment', { turnId: 'another', index: 0 }));
    await chat.end.page.call('chat/follow', { turnId: turn.id, have: [] });
  });

  it('attaches offered items by ID, and dropped text', async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'let offered' }));
    const { offers } = await chat.end.page.call('chat/offers', { query: '' });
    const { id = '' } = offers.find(({ kind }) => kind === 'openFile') ?? {};
    await chat.end.page.call('chat/attachOffer', { id });
    await chat.end.page.call('chat/drop', { uris: [], files: [{ name: 'b.txt', text: 'dropped' }] });
    equal((await chips()).length, 2);
    await rejects(chat.end.page.call('chat/attachOffer', { id: 'unknown' }));
    for (const chip of chat.runtime.locations.current.attachments.tray.chips)
      await chat.end.page.call('chat/detach', { id: chip.id });
    deepEqual(await chips(), []);
  });
});
