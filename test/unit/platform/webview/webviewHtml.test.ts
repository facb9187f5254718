import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { Call } from '../../../../src/protocol/call';
import { readMessage } from '../../../../src/platform/webview/webviewEnvelope';
import { toHtml } from '../../../../src/platform/webview/webviewHtml';

const page = (translations?: string) =>
  toHtml({
    screen: 'chat',
    title: 'Chat "and" <more>',
    place: 'editor',
    language: 'zh-cn',
    page: 'p1',
    nonce: 'N0nce',
    cspSource: 'https://*.vscode-cdn.net',
    scriptUri: 'https://file.vscode-cdn.net/dist/webview.js?a=1&b=2',
    styleUri: 'https://file.vscode-cdn.net/dist/webview.css',
    translations,
  });

describe('the page of a screen', () => {
  it('allows only our script, style, font, and media', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page())?.[1]?.replaceAll('&quot;', '"');
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-N0nce'; style-src https://*.vscode-cdn.net 'nonce-N0nce'; " +
        'font-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net blob: data:; ' +
        "media-src https://*.vscode-cdn.net blob:; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; " +
        "frame-src 'none'; require-trusted-types-for 'script'; trusted-types dompurify fast-html code-colours",
    );
  });

  it("contains translations, if the display language has some, as data that can't end its element", () => {
    const translations = { Ask: '</script><script>alert(1)</script>', comment: '<!--', plain: 'Grüezi & "you"' };
    const html = page(JSON.stringify(translations));
    const json = /<script type="application\/json" id="translations">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    assert.ok(!json.includes('<'));
    assert.deepEqual(JSON.parse(json), translations);
    assert.ok(!page().includes('translations'));
  });

  it('has a title for announcements', () => {
    assert.match(page(), /<body [^>]*data-page="p1"/);
  });

  it('escapes attributes and text', () => {
    const html = page();
    assert.ok(html.includes('<title>Chat &quot;and&quot; &lt;more&gt;</title>'));
    assert.ok(html.includes('src="https://file.vscode-cdn.net/dist/webview.js?a=1&amp;b=2"'));
    assert.ok(html.includes('<html lang="zh-cn">') && html.includes('data-screen="chat"'));
  });
});

describe('messages from a page', () => {
  interface TryScreen {
    readonly state: null;
    readonly calls: { readonly 'a/b': Call<{ readonly text: string }, object> };
    readonly events: object;
  }
  const read = (raw: unknown) => readMessage<TryScreen>(raw, { 'a/b': z.strictObject({ text: z.string() }) });
  const call = { type: 'call', page: 'p1', id: 1, method: 'a/b', params: { text: 'x' } };

  it('pass if they are valid', () => {
    assert.deepEqual(read(call), call);
    const cancel = { type: 'cancel', page: 'p1', id: 3 };
    assert.deepEqual(read(cancel), cancel);
  });

  it('are dropped if the envelope is invalid', () => {
    const odd = [
      undefined,
      'call',
      {},
      { ...call, id: '1' },
      { ...call, id: 0.5 },
      { ...call, id: -1 },
      { ...call, extra: true },
      { ...call, page: undefined },
      { ...call, method: 'x'.repeat(65) },
      { type: 'event', name: 'a', data: 1 },
    ];
    for (const raw of odd) assert.equal(read(raw), undefined, JSON.stringify(raw));
  });

  it('are distinguished if their parameters are invalid, so the call can be answered', () => {
    for (const params of [undefined, { text: 1 }, { text: 'x', path: '/etc/passwd' }]) {
      assert.deepEqual(read({ ...call, params }), { type: 'misfit', page: 'p1', id: 1, method: 'a/b' });
    }
  });

  it('pass with an unknown method, for the responder to reject', () => {
    assert.equal(read({ ...call, method: 'toString' })?.type, 'call');
    assert.equal(read({ ...call, method: '__proto__' })?.type, 'call');
  });
});
