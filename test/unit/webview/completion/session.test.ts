import assert from 'node:assert/strict';
import type { CompletionScreen } from '../../../../src/protocol/completion';
import type { Host } from '../../../../webview/host';
import { CompletionSession } from '../../../../webview/screens/completion/session';

describe('the session of the completions page', () => {
  it('keeps a draft from version 0.1.0, which stored numbers next to the lists', () => {
    const form = { max_tokens: '64', seed: '', stop: ['END'], logit_bias: [] };
    const saved = JSON.parse(JSON.stringify({ tab: 'form', draft: { form } })) as CompletionScreen['state'];
    const host = { load: () => saved, save: () => {}, call: () => Promise.reject(new Error('none')), on: () => {} };
    const session = new CompletionSession(host as unknown as Host<CompletionScreen>, () => {});
    assert.deepEqual(session.form.peek(), {
      numbers: { max_tokens: '64', seed: '' },
      stop: ['END'],
      logit_bias: [],
    });
  });
});
