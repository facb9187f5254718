import assert from 'node:assert/strict';
import { readMessage } from '../../../src/platform/webview/webviewEnvelope';
import { chatCalls, type ChatScreen } from '../../../src/protocol/chat';

describe("the parameters of the chat page's calls", () => {
  const type = (method: string, params: unknown) =>
    readMessage<ChatScreen>({ type: 'call', page: 'p1', id: 1, method, params }, chatCalls)?.type;

  it('are all checked', () => {
    for (const method of Object.keys(chatCalls)) assert.equal(type(method, { path: '/etc/passwd' }), 'misfit', method);
  });

  it('refer to conversations by ID only', () => {
    assert.equal(type('chat/deleteConversation', { id: 'c2' }), 'call');
    for (const id of ['../c', 'a/b', 'c.jsonl', '', 'x'.repeat(65)])
      assert.equal(type('chat/deleteConversation', { id }), 'misfit', id);
  });

  it('contain only the action for code', () => {
    const code = { turnId: 't1', action: 'insert', code: 'x', language: 'ts' };
    assert.equal(type('chat/useCode', code), 'call');
    assert.equal(type('chat/useCode', { ...code, action: 'delete' }), 'misfit');
    assert.equal(type('chat/useCode', { ...code, path: '/etc/passwd' }), 'misfit');
    assert.equal(type('chat/useCode', { ...code, code: 'x'.repeat(1_000_001) }), 'misfit');
  });

  it('have limits for dropped items', () => {
    const drop = (params: unknown) => type('chat/drop', params);
    assert.equal(drop({ uris: ['file:///a'], files: [{ name: 'b', problem: 'notText' }] }), 'call');
    assert.equal(drop({ uris: [], files: [{ name: 'b', text: 'x'.repeat(400_001) }] }), 'misfit');
    assert.equal(drop({ uris: Array.from({ length: 101 }, () => 'file:///a'), files: [] }), 'misfit');
    assert.equal(drop({ uris: ['x'.repeat(4001)], files: [] }), 'misfit');
    assert.equal(drop({ uris: [], files: [{ name: 'b', path: '/etc/passwd' }] }), 'misfit');
  });
});
