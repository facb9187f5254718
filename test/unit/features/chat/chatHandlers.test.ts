import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/core/conversation/attachment';
import type { TranscriptTurn } from '../../../../src/core/conversation/transcript';
import { createAttachmentTray } from '../../../../src/features/chat/attachments/attachmentTray';
import type { Comparisons } from '../../../../src/features/chat/compare/comparisons';
import type { ConversationTools } from '../../../../src/features/chat/tools/conversationTools';
import { chatHandlers } from '../../../../src/features/chat/chatHandlers';
import { readMessage } from '../../../../src/platform/webview/webviewEnvelope';
import { createHeldDraft } from '../../../support/heldDraft';
import { createMemoryToolSettings } from '../../../support/noTools';
import { createParameters, emptyParameters } from '../../../support/parametersHost';
import { chatCalls, type ChatScreen, type ChatSnapshot, type Turn } from '../../../../src/protocol/chat';
import type { ModelCatalogue } from '../../../../src/services/models/modelCatalogue';

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
  compaction: { limit: 10, messages: 3, folded: 0 },
  parameters: emptyParameters(),
  comparing: { models: [], on: false },
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

function createChat(check?: () => Promise<void>) {
  const did: string[] = [];
  const note = (what: string) => {
    did.push(what);
    return Promise.resolve();
  };
  const draft = createHeldDraft();
  const tray = createAttachmentTray({
    draft: () => draft,
    onTrouble: (error) => assert.fail(String(error)),
    newId: () => 'a1',
    changed: () => void note('chips'),
    tooMany: () => new Error(),
  });
  return {
    did,
    tray,
    handlers: chatHandlers({
      parameterService: createParameters().desk,
      toolSettings: createMemoryToolSettings(),
      toolsChanged: () => {},
      session: {
        snapshot: async () => snapshot,
        ask: async (text, model, attachments) =>
          note(['ask', text, model, ...(attachments ?? []).map(({ label }) => label)].join(' ')).then(() => turn),
        continue: async (id) => note(`continue ${id}`).then(() => turn),
        parameters: { get: async () => ({}), set: async (parameters) => note(`set ${JSON.stringify(parameters)}`) },
        tools: {
          allowed: async () => new Set(),
          forbid: (tool) => note(`forbid ${tool}`),
          decide: ({ block, decision }) => note(`${decision.type} ${block}`).then(() => turn),
        } as Partial<ConversationTools> as ConversationTools,
        retry: async (id, model) => note(`retry ${id} ${model}`).then(() => turn),
        stop: (id) => void note(`stop ${id}`),
        follow: async () => turn.answer,
        startNew: () => note('new'),
        setDraft: (text) => note(`draft ${text}`),
        chooseModel: (model) => note(`model ${model}`),
        compaction: {
          text: async () => 'as it is sent',
          startFrom: (id) => note(`start ${id}`).then(() => snapshot.compaction),
        },
        turn: async (id) => (id === 't1' ? sentTurn : undefined),
        edit: async (id, text, model) => note(`edit ${id} ${text} ${model}`).then(() => turn),
        walk: (id, among, index) => note(`walk ${id} ${among} ${index}`),
        save: () => note('save'),
        unsavedText: async () => 'unsaved text',
        takeOver: (id) => note(`take over ${id}`),
        comparisons: {
          choose: ({ models, on }) => note(`compare ${models.join()} ${on}`),
          checkPicked: async () => {},
          ask: async (text, models) => note(`askAll ${text} ${models.join()}`).then(() => turn),
          again: async (id, tryId, model) => note(`again ${id} ${tryId} ${model}`).then(() => turn),
          stop: (id, tryId) => void note(`stopTry ${id} ${tryId}`),
          pick: (id, tryId) => note(`pick ${id} ${tryId}`),
          showAgain: (id) => note(`compared ${id}`),
        } as Partial<Comparisons> as Comparisons,
      },
      history: {
        list: async (query) => note(`list ${query}`).then(() => ({ conversations: [] })),
        open: (id) => note(`show ${id}`),
        rename: (id, title) => note(`rename ${id} ${title}`),
        pin: (id, pinned) => note(`pin ${id} ${pinned}`),
        delete: async (id) => note(`delete ${id}`).then(() => id === 'current'),
        restore: (id) => note(`restore ${id}`),
      },
      spending: { check: check ?? (() => note('check')), read: () => assert.fail() },
      models: {
        ensureFresh: () => note('fresh') as never,
        refresh: () => note('refresh') as never,
      } as unknown as ModelCatalogue,
      exportConversation: () => note('export'),
      copy: (text) => note(`copy ${text}`),
      openLink: (url) => note(`open ${url}`),
      runAction: async (id) => id === 'signIn' && note('signIn').then(() => true),
      useCode: ({ action, code, language }) => note(`use ${action} ${language} ${code}`),
      attachments: {
        tray,
        ready: async () => undefined,
        choose: () => note('choose'),
        show: ({ label }) => note(`show ${label}`),
        add: (wanted) => note(`add ${wanted.from}`),
        drop: ({ uris, files }) => note(`drop ${uris.join()} ${files.map(({ name }) => name).join()}`),
        offers: {
          search: async (query) => [{ id: 'o1', kind: 'terminal', name: query, detail: '' }],
          wanted: () => ({ from: 'terminal' }),
        },
      },
      location: {
        used: () => void note('used'),
        scrolled: (scrollTop) => void note(`scrolled ${scrollTop}`),
        openInEditor: (id) => note(`tab ${id}`),
      },
      changed: () => void note('changed'),
    }),
  };
}

const context = { signal: new AbortController().signal, emit: () => {} };

describe('the chat page’s calls', () => {
  it('ask, stop and retry by id and text alone', async () => {
    const { did, handlers } = createChat();
    assert.deepEqual(await handlers['chat/ask']({ text: 'Why?', model: 'm' }, context), { turn });
    await handlers['chat/stop']({ turnId: 't1' }, context);
    await handlers['chat/retry']({ turnId: 't1', model: 'm2' }, context);
    await handlers['chat/draft']({ text: 'half' }, context);
    assert.deepEqual(did, ['check', 'ask Why? m', 'stop t1', 'check', 'retry t1 m2', 'draft half']);
  });

  it('send nothing, and write nothing down, once the budget is used up', async () => {
    const spent = () => Promise.reject(new Error('used up'));
    const { did, handlers } = createChat(spent);
    const sending = [
      handlers['chat/ask']({ text: 'Why?', model: 'm' }, context),
      handlers['chat/retry']({ turnId: 't1', model: 'm' }, context),
      handlers['chat/edit']({ turnId: 't1', text: 'Why?', model: 'm' }, context),
      handlers['chat/continue']({ turnId: 't1' }, context),
    ];
    for (const call of sending) await assert.rejects(call, /used up/);
    assert.deepEqual(did, []);
  });

  it('show what is folded, start fresh from a turn, and take that back', async () => {
    const { did, handlers } = createChat();
    assert.deepEqual(await handlers['chat/compactedText']({}, context), { text: 'as it is sent' });
    assert.deepEqual(await handlers['chat/startFrom']({ turnId: 't1' }, context), { compaction: snapshot.compaction });
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
      const call = { type: 'call', page: 'p1', id: 1, method: 'chat/deleteConversation', params: { id } };
      assert.equal(readMessage<ChatScreen>(call, chatCalls)?.type, 'misfit', id);
    }
  });

  it('take the steps of an error that are not about the question itself', async () => {
    const { did, handlers } = createChat();
    const act = (action: string) => handlers['chat/act']({ action, turnId: 't1' }, context);
    await act('newConversation');
    await act('refreshModels');
    await act('signIn');
    await act('openHere:c2');
    assert.deepEqual(did, ['new', 'changed', 'refresh', 'signIn', 'take over c2', 'changed']);
    await assert.rejects(act('workbench.action.terminal.new'), /Nobody knows/);
  });

  it('open web and mail addresses only', async () => {
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
      readMessage<ChatScreen>({ type: 'call', page: 'p1', id: 1, method: 'chat/useCode', params }, chatCalls)?.type;
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

  it('attach what was offered by its id, and what was dropped by addresses and texts within bounds', async () => {
    const { did, handlers } = createChat();
    const { offers } = await handlers['chat/offers']({ query: 'term' }, context);
    assert.deepEqual(offers, [{ id: 'o1', kind: 'terminal', name: 'term', detail: '' }]);
    await handlers['chat/attachOffer']({ id: 'o1' }, context);
    await handlers['chat/drop']({ uris: ['file:///a'], files: [{ name: 'b', text: 'b' }] }, context);
    assert.deepEqual(did, ['add terminal', 'drop file:///a b']);
    const fits = (params: unknown) =>
      readMessage<ChatScreen>({ type: 'call', page: 'p1', id: 1, method: 'chat/drop', params }, chatCalls)?.type;
    assert.equal(fits({ uris: ['file:///a'], files: [{ name: 'b', trouble: 'notText' }] }), 'call');
    assert.equal(fits({ uris: [], files: [{ name: 'b', text: 'x'.repeat(400_001) }] }), 'misfit');
    assert.equal(fits({ uris: Array.from({ length: 101 }, () => 'file:///a'), files: [] }), 'misfit');
    assert.equal(fits({ uris: ['x'.repeat(4001)], files: [] }), 'misfit');
    assert.equal(fits({ uris: [], files: [{ name: 'b', path: '/etc/passwd' }] }), 'misfit');
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
    assert.deepEqual(Object.keys(chatCalls).toSorted(), methods.toSorted());
    for (const method of methods) {
      const call = { type: 'call', page: 'p1', id: 1, method, params: { path: '/etc/passwd' } };
      assert.equal(readMessage<ChatScreen>(call, chatCalls)?.type, 'misfit', method);
    }
  });
});
