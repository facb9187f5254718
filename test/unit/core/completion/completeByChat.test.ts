import assert from 'node:assert/strict';
import type { CompletionEvent } from '../../../../src/core/api/completions/completionEvents';
import { completeByChat } from '../../../../src/core/completion/completeByChat';
import { createTestClient } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';

/** As vLLM 0.11 streams a chat. */
const chunks = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  { choices: [{ index: 0, delta: { content: 'jumps ' } }] },
  { choices: [{ index: 0, delta: { content: 'over' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
  { choices: [], usage: { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 } },
].map((chunk) => ({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'some-model', ...chunk }));
const stream = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;

describe('a completion by a chat model at a service without completions', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  it('streams like a completion, with its finish reason and usage', async () => {
    const { client } = createTestClient(server.baseUrl);
    server.answer(
      { status: 404, body: '{"detail":"Not Found"}' },
      { headers: { 'content-type': 'text/event-stream' }, body: stream },
    );
    const request = {
      model: 'some-model',
      prompt: 'The quick fox ',
      max_tokens: 2,
      temperature: 0.2,
      stop: ['.'],
      n: 1,
    };
    const events: CompletionEvent[] = [];
    for await (const event of completeByChat(client.chat, request, new AbortController().signal)) events.push(event);

    assert.equal(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''), 'jumps over');
    const end = events.at(-1);
    assert.ok(end?.type === 'end');
    assert.deepEqual(end.completion.choices, [{ index: 0, text: 'jumps over', finish_reason: 'length' }]);
    assert.deepEqual(end.completion.usage, { prompt_tokens: 40, completion_tokens: 2 });
    const sent = JSON.parse(server.seen.at(-1)?.body ?? '');
    assert.equal(sent.messages.at(-1).content, 'The quick fox ');
    assert.match(JSON.stringify(sent), /Answer only with what comes next/);
    assert.deepEqual([sent.temperature, sent.stop], [0.2, ['.']]);
  });
});
