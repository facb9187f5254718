import { doesNotMatch, match } from 'node:assert/strict';
import type { Exchange } from '../../../../src/core/api/exchange';
import { exchangeText } from '../../../../src/services/diagnostics/exchangeText';

const exchange: Exchange = {
  id: 'e1',
  at: 0,
  method: 'POST',
  origin: 'https://api.example.com',
  path: '/v1/messages',
  stack: 'undici',
  attempts: [{ ms: 0, stack: 'undici', status: 200 }],
  request: { headers: { authorization: '[key]' }, body: '{"a":1}', bytes: 7 },
  response: { status: 200, headers: {}, body: 'plain', bytes: 5 },
  durationMs: 12.4,
};

describe('a request and response as text', () => {
  it('indents JSON, and keeps other bodies unchanged', () => {
    const text = exchangeText(exchange);
    match(text, /\{\n {2}"a": 1\n\}/);
    match(text, /HTTP 200\n\nplain\n/);
  });

  it('marks truncated and unsaved parts', () => {
    const cut = exchangeText({ ...exchange, response: { status: 200, headers: {}, body: 'pla', bytes: 5 } });
    match(cut, /# Truncated\. The complete body has 5 bytes/);
    const upload = exchangeText({ ...exchange, request: { headers: {}, bytes: 1000 } });
    match(upload, /# 1000 bytes, not kept as text/);
    const least = exchangeText({ ...exchange, request: { headers: {}, bytes: 1 } });
    match(least, /# 1 bytes, not kept as text/);
    for (const body of [undefined, '']) {
      doesNotMatch(exchangeText({ ...exchange, request: { headers: {}, bytes: 0, body } }), /cut|not kept/);
    }
    doesNotMatch(exchangeText(exchange), /cut|not kept/);
  });

  it('shows each of several attempts, and the events of a stream with their time', () => {
    const text = exchangeText({
      ...exchange,
      attempts: [
        { ms: 0, stack: 'undici', status: 503, errorKind: 'overloaded', waitedMs: 500 },
        { ms: 520, stack: 'editor', status: 200 },
      ],
      events: [{ ms: 7, text: '{"type":"ping"}' }],
      eventCount: 3,
    });
    match(text, /# attempt 1 at 0 ms over undici: 503 overloaded, then waited 500 ms/);
    match(text, /# attempt 2 at 520 ms over editor: 200/);
    match(text, /\n {6}7 {2}\{"type":"ping"\}\n# 2 more events omitted/);
  });
});
