import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/core/conversation/attachment';
import type { TranscriptTurn } from '../../../../src/core/conversation/transcript';
import { createAttachmentTray } from '../../../../src/features/chat/attachments/attachmentTray';
import { chatHandlers } from '../../../../src/features/chat/chatHandlers';
import { chatParams } from '../../../../src/features/chat/chatParams';
import { readMessage } from '../../../../src/platform/webviewEnvelope';
import { createParameters, emptyParameters } from '../../../support/parametersHost';
import type { ChatScreen, ChatSnapshot, Turn } from '../../../../src/protocol/chat';

const turn: Turn = {
  id: 't1',
  question: '?',
  askedAt: 1,
  answer: { state: 'failed', model: 'm', blocks: [] },
};
const snapshot: ChatSnapshot = {
  account: 'ready',
  profileName: 'Work',
  locale: 'en',
  models: [],
  modelsState: 'ready',
  model: 'current',
  conversationId: 'c',
  draft: '',
  turns: [turn],
  folding: { limit: 10, messages: 3, folded: 0 },
  parameters: emptyParameters(),
};

const attachment: Attachment = { kind: 'file', label: 'a.ts', language: 'typescript', text: 'let a', tokens: 2 };
const sentTurn: TranscriptTurn = {
  id: 't1',
  parent: null,
  question: '?',
  attachments: [attachment],
  askedAt: 1,
  answers: [],
};

function createChat() {
  const did: string[] = [];
  const note = (what: string) => {
    did.push(what);
    return Promise.resolve();
  };
  const tray = createAttachmentTray({
    newId: () => 'a1',
    changed: () => void note('chips'),
    tooMany: () => new Error(),
  });
  return {
    did,
    tray,
    handlers: chatHandlers({
      desk: createParameters().desk,
      session: {
        snapshot: async () => snapshot,
        ask: async (text, model, attachments) =>
          note(['ask', text, model, ...(attachments ?? []).map(({ label }) => label)].join(' ')).then(() => turn),
        continue: async (id) => note(`continue ${id}`).then(() => turn),
        parameters: { get: async () => ({}), set: async (parameters) => note(`set ${JSON.stringify(parameters)}`) },
        retry: async (id, model) => note(`retry ${id} ${model}`).then(() => turn),
        stop: (id) => void note(`stop ${id}`),
        follow: async () => turn.answer,
        startNew: () => note('new'),
        setDraft: (text) => note(`draft ${text}`),
        chooseModel: (model) => note(`model ${model}`),
        folding: {
          text: async () => 'as it is sent',
          startFrom: (id) => note(`start ${id}`).then(() => snapshot.folding),
        },
        turn: async (id) => (id === 't1' ? sentTurn : undefined),
        edit: async (id, text, model) => note(`edit ${id} ${text} ${model}`).then(() => turn),
        walk: (id, among, index) => note(`walk ${id} ${among} ${index}`),
        openConversation: (id) => note(`show ${id}`),
      },
      shelf: {
        list: async (query) => note(`list ${query}`).then(() => ({ conversations: [] })),
        rename: (id, title) => note(`rename ${id} ${title}`),
        pin: (id, pinned) => note(`pin ${id} ${pinned}`),
        delete: async (id) => note(`delete ${id}`).then(() => id === 'current'),
        restore: (id) => note(`restore ${id}`),
      },
      spending: { check: () => note('check'), read: () => assert.fail() },
      models: {
        ensureFresh: () => note('fresh') as never,
        refresh: () => note('refresh') as never,
      },
      copy: (text) => note(`copy ${text}`),
      openLink: (url) => note(`open ${url}`),
      runAction: async (id) => id === 'signIn' && note('signIn').then(() => true),
      useCode: ({ action, code, language }) => note(`use ${action} ${language} ${code}`),
      attachments: {
        tray,
        choose: () => note('choose'),
        show: ({ label }) => note(`show ${label}`),
      },
      changed: () => void note('changed'),
    }),
  };
}

const context = { signal: new AbortController().signal, emit: () => {} };

describe('the chat page’s calls', () => {
  it('ask, stop, retry and start anew by id and text alone', async () => {
    const { did, handlers } = createChat();
    assert.deepEqual(await handlers['chat/ask']({ text: 'Why?', model: 'm' }, context), { turn });
    await handlers['chat/stop']({ turnId: 't1' }, context);
    await handlers['chat/retry']({ turnId: 't1', model: 'm2' }, context);
    assert.deepEqual(await handlers['chat/new']({}, context), snapshot);
    await handlers['chat/draft']({ text: 'half' }, context);
    assert.deepEqual(did, ['check', 'ask Why? m', 'stop t1', 'check', 'retry t1 m2', 'new', 'draft half']);
  });

  it('show what is folded, start fresh from a turn, and take that back', async () => {
    const { did, handlers } = createChat();
    assert.deepEqual(await handlers['chat/foldedText']({}, context), { text: 'as it is sent' });
    assert.deepEqual(await handlers['chat/startFrom']({ turnId: 't1' }, context), { folding: snapshot.folding });
    await handlers['chat/startFrom']({ turnId: null }, context);
    assert.deepEqual(did, ['start t1', 'start null']);
  });

  it('edit, walk, and keep the other conversations in order by id', async () => {
    const { did, handlers } = createChat();
    assert.deepEqual(await handlers['chat/edit']({ turnId: 't1', text: 'Why not?', model: 'm' }, context), { turn });
    assert.deepEqual(await handlers['chat/walk']({ turnId: 't1', among: 'tries', index: 1 }, context), snapshot);
    assert.deepEqual(await handlers['chat/conversations']({ query: 'why' }, context), { conversations: [] });
    assert.deepEqual(await handlers['chat/openConversation']({ id: 'c2' }, context), snapshot);
    await handlers['chat/renameConversation']({ id: 'c2', title: 'Two' }, context);
    await handlers['chat/pinConversation']({ id: 'c2', pinned: true }, context);
    await handlers['chat/deleteConversation']({ id: 'c2' }, context);
    await handlers['chat/deleteConversation']({ id: 'current' }, context);
    await handlers['chat/restoreConversation']({ id: 'c2' }, context);
    assert.deepEqual(did, [
      'check',
      'edit t1 Why not? m',
      'walk t1 tries 1',
      'list why',
      'show c2',
      'rename c2 Two',
      'pin c2 true',
      'delete c2',
      'delete current',
      'changed',
      'restore c2',
    ]);
    for (const id of ['../c', 'a/b', 'c.jsonl', '', 'x'.repeat(65)]) {
      const call = { type: 'call', id: 1, method: 'chat/deleteConversation', params: { id } };
      assert.equal(readMessage<ChatScreen>(call, chatParams)?.type, 'misfit', id);
    }
  });

  it('take the steps of an error that are not about the question itself', async () => {
    const { did, handlers } = createChat();
    const act = (action: string) => handlers['chat/act']({ action, turnId: 't1' }, context);
    await act('newConversation');
    await act('refreshModels');
    await act('signIn');
    assert.deepEqual(did, ['new', 'changed', 'refresh', 'signIn']);
    await assert.rejects(act('workbench.action.terminal.new'), /Nobody knows/);
  });

  it('open web and mail addresses only, checked twice', async () => {
    const { did, handlers } = createChat();
    const urls = [
      'vscode://pub.ext/run',
      'command:x',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:,x',
      '//x',
      '',
    ];
    for (const url of urls) {
      await assert.rejects(handlers['chat/openLink']({ url }, context), /Only web and mail/, url);
      const call = { type: 'call', id: 1, method: 'chat/openLink', params: { url } };
      assert.equal(readMessage<ChatScreen>(call, chatParams)?.type, 'misfit', url);
    }
    await handlers['chat/openLink']({ url: 'https://example.org/a?b#c' }, context);
    await handlers['chat/openLink']({ url: 'mailto:a@example.org' }, context);
    assert.deepEqual(did, ['open https://example.org/a?b#c', 'open mailto:a@example.org']);
  });

  it('take over code of a turn that is shown, and of no other', async () => {
    const { did, handlers } = createChat();
    const code = { action: 'insert', code: 'x', language: 'ts' } as const;
    await handlers['chat/useCode']({ turnId: 't1', ...code }, context);
    await assert.rejects(handlers['chat/useCode']({ turnId: 't2', ...code }, context), /no answer/);
    assert.deepEqual(did, ['use insert ts x']);
    const type = (params: object) =>
      readMessage<ChatScreen>({ type: 'call', id: 1, method: 'chat/useCode', params }, chatParams)?.type;
    assert.equal(type({ turnId: 't1', ...code }), 'call');
    assert.equal(type({ turnId: 't1', ...code, action: 'delete' }), 'misfit');
    assert.equal(type({ turnId: 't1', ...code, path: '/etc/passwd' }), 'misfit');
    assert.equal(type({ turnId: 't1', ...code, code: 'x'.repeat(1_000_001) }), 'misfit');
  });

  it('send what is attached once, and show what is and was sent', async () => {
    const { did, tray, handlers } = createChat();
    tray.add(attachment);
    const { chips } = await handlers['chat/attachments']({}, context);
    assert.deepEqual(chips, [{ id: 'a1', kind: 'file', label: 'a.ts', characters: 5, tokens: 2 }]);
    await handlers['chat/showAttachment']({ id: 'a1' }, context);
    await handlers['chat/ask']({ text: 'Why?', model: 'm', attachments: ['a1'] }, context);
    await assert.rejects(
      handlers['chat/ask']({ text: 'Why?', model: 'm', attachments: ['a1'] }, context),
      /not attached/,
    );
    await handlers['chat/showSentAttachment']({ turnId: 't1', index: 0 }, context);
    await assert.rejects(handlers['chat/showSentAttachment']({ turnId: 't1', index: 1 }, context), /Nothing was sent/);
    await assert.rejects(handlers['chat/showSentAttachment']({ turnId: 't2', index: 0 }, context), /Nothing was sent/);
    await handlers['chat/attach']({}, context);
    assert.deepEqual(did, ['chips', 'show a.ts', 'check', 'ask Why? m a.ts', 'chips', 'check', 'show a.ts', 'choose']);
  });

  it('keep what is attached when the question was not taken', async () => {
    const { tray, handlers } = createChat();
    tray.add(attachment);
    await handlers['chat/detach']({ id: 'unknown' }, context);
    await assert.rejects(handlers['chat/ask']({ text: 'x', model: 'm', attachments: ['a1', 'gone'] }, context));
    assert.equal(tray.chips.length, 1);
  });

  it('are all checked before they come here', () => {
    const methods = Object.keys(createChat().handlers);
    assert.deepEqual(Object.keys(chatParams).toSorted(), methods.toSorted());
    for (const method of methods) {
      const call = { type: 'call', id: 1, method, params: { path: '/etc/passwd' } };
      assert.equal(readMessage<ChatScreen>(call, chatParams)?.type, 'misfit', method);
    }
  });
});
