import assert from 'node:assert/strict';
import type { ChatCompletionEvent } from '../../../../src/core/api/chatCompletions/chatCompletionEvents';
import { readTrial } from '../../../../src/core/batch/trial/readTrial';
import { createTrialRecorder } from '../../../../src/core/batch/trial/trialAnswer';
import { trialText } from '../../../../src/core/batch/trial/trialText';
import type { TrialEnd } from '../../../../src/core/batch/trial/trialText';

const lineOf = (more: object = {}, body: object = {}) =>
  JSON.stringify({
    custom_id: 'a',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'Hello' }], ...body },
    ...more,
  });

/** What came of events, each a tenth of a second after the one before. */
function recorded(events: readonly ChatCompletionEvent[]) {
  let clock = 0;
  const recorder = createTrialRecorder(() => clock);
  for (const event of events) {
    clock += 100;
    recorder.add(event);
  }
  return recorder.read();
}

const written = (events: readonly ChatCompletionEvent[], end?: TrialEnd) =>
  trialText({ customId: 'a', model: 'm', place: { file: 'f.jsonl', line: 3 }, answer: recorded(events), end }, String);

describe('The test of a batch file line', () => {
  it('sends the body as written, with all its properties', () => {
    const body = { temperature: 9, new_member: [1], stream: false };
    assert.deepEqual(readTrial(lineOf({}, body)), {
      customId: 'a',
      model: 'm',
      body: { model: 'm', messages: [{ role: 'user', content: 'Hello' }], ...body },
    });
  });

  it('is refused for errors, which are named, but not for warnings', () => {
    const codes = (text: string) => {
      const read = readTrial(text);
      return 'errors' in read ? read.errors.map(({ code }) => code) : 'tried';
    };
    assert.deepEqual(codes(lineOf({ method: 'GET', custom_id: 7 })), ['custom-id.not-string', 'method.not-post']);
    assert.deepEqual(codes('{"custom_id":"a" "body":{}}'), ['line.not-json']);
    assert.deepEqual(codes(''), ['line.blank']);
    assert.deepEqual(codes(lineOf({ extra: 1, method: undefined })), 'tried');
    const deep = lineOf({}, { tools: [] }).replace('"tools":[]', `"tools":${'['.repeat(600)}${']'.repeat(600)}`);
    assert.deepEqual(codes(deep), 'tried');
    assert.deepEqual(codes(`${'['.repeat(600)}${']'.repeat(600)}`), ['line.too-deep']);
  });

  it('shows the streaming response, and finally its usage', () => {
    const events: ChatCompletionEvent[] = [
      { type: 'start', model: 'm' },
      { type: 'reasoning', index: 0, text: 'One\n\ntwo' },
      { type: 'text', index: 0, text: 'Hi' },
      { type: 'text', index: 0, text: ' there' },
    ];
    assert.equal(written([]), '# a\n\nm · f.jsonl, line 3\n\n---\n\nGenerating…\n');
    assert.equal(
      written(events),
      '# a\n\nm · f.jsonl, line 3\n\n## Reasoning\n\n> One\n>\n> two\n\n## Response\n\nHi there\n\n---\n\nGenerating…\n',
    );
    const all: ChatCompletionEvent[] = [
      ...events,
      { type: 'finish', index: 0, reason: 'length' },
      { type: 'usage', usage: { prompt_tokens: 12, completion_tokens: 34, reasoning_tokens: 5 } },
    ];
    assert.equal(
      written(all, { kind: 'done', totalMs: 1550 }).split('---\n\n')[1],
      'finish reason: length · 12 tokens in · 34 tokens out · 5 of them for reasoning · first token after 0.2 s · 1.6 s\n',
    );
    assert.match(written(all, { kind: 'done', totalMs: 1550, charged: '$0.02' }), / · 1\.6 s · \$0\.02 charged\n$/);
    assert.match(
      written(events, { kind: 'stopped', totalMs: 400 }),
      /---\n\nStopped · first token after 0\.2 s · 0\.4 s\n$/,
    );
  });

  it('shows each of several choices, and the tool calls', () => {
    const text = written(
      [
        { type: 'text', index: 1, text: 'second' },
        { type: 'text', index: 0, text: 'first' },
        { type: 'toolCall', index: 0, call: 0, id: 'c', name: 'look' },
        { type: 'toolArguments', index: 0, call: 0, text: '{"a":' },
        { type: 'toolArguments', index: 0, call: 0, text: '"```"}' },
      ],
      { kind: 'done', totalMs: 0 },
    );
    const [, body] = text.split('line 3\n\n');
    assert.ok(
      body!.startsWith(
        '## Response 1\n\nfirst\n\n## Tool call: look\n\n````json\n{\n  "a": "```"\n}\n````\n\n## Response 2\n\nsecond\n\n---',
      ),
      body,
    );
  });

  it('shows the error below the received text', () => {
    const error = { title: 'The connection broke', detail: 'Try again.' };
    const text = written([{ type: 'text', index: 0, text: 'Hi' }], { kind: 'failed', totalMs: 0, error });
    assert.match(text, /## Response\n\nHi\n\n## The connection broke\n\nTry again\.\n\n---\n\nIncomplete response · /);
  });
});
