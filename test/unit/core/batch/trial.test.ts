import assert from 'node:assert/strict';
import { readTrial } from '../../../../src/core/batch/trial/readTrial';
import { createTrialRecorder } from '../../../../src/features/batchEditor/logic/trialRecorder';
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

/** What came of chunks, each a tenth of a second after the one before. */
function recorded(chunks: readonly object[]) {
  let clock = 0;
  const recorder = createTrialRecorder(() => clock);
  for (const chunk of chunks) {
    clock += 100;
    recorder.add(chunk);
  }
  recorder.end();
  return recorder.read();
}

const said = (delta: object, index = 0) => ({ choices: [{ index, delta }] });

const written = (chunks: readonly object[], end?: TrialEnd) =>
  trialText({ customId: 'a', model: 'm', place: { file: 'f.jsonl', line: 3 }, answer: recorded(chunks), end }, String);

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
    const chunks = [
      { model: 'm', choices: [] },
      said({ reasoning_content: 'One\n\ntwo' }),
      said({ content: 'Hi' }),
      said({ content: ' there' }),
    ];
    assert.equal(written([]), '# a\n\nm · f.jsonl, line 3\n\n---\n\nGenerating…\n');
    assert.equal(
      written(chunks),
      '# a\n\nm · f.jsonl, line 3\n\n## Reasoning\n\n> One\n>\n> two\n\n## Response\n\nHi there\n\n---\n\nGenerating…\n',
    );
    const completion_tokens_details = { reasoning_tokens: 5 };
    const all = [
      ...chunks,
      { choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
      { choices: [], usage: { prompt_tokens: 12, completion_tokens: 34, completion_tokens_details } },
    ];
    assert.equal(
      written(all, { kind: 'done', totalMs: 1550 }).split('---\n\n')[1],
      'finish reason: length · 12 tokens in · 34 tokens out · 5 of them for reasoning · first token after 0.2 s · 1.6 s\n',
    );
    assert.match(written(all, { kind: 'done', totalMs: 1550, charged: '$0.02' }), / · 1\.6 s · \$0\.02 charged\n$/);
    assert.match(
      written(chunks, { kind: 'stopped', totalMs: 400 }),
      /---\n\nStopped · first token after 0\.2 s · 0\.4 s\n$/,
    );
  });

  it('shows each of several choices, and the tool calls', () => {
    const text = written(
      [
        said({ content: 'second' }, 1),
        said({ content: 'first' }),
        said({ tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '{"a":' } }] }),
        said({ tool_calls: [{ index: 0, function: { arguments: '"```"}' } }] }),
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
    const text = written([said({ content: 'Hi' })], { kind: 'failed', totalMs: 0, error });
    assert.match(text, /## Response\n\nHi\n\n## The connection broke\n\nTry again\.\n\n---\n\nIncomplete response · /);
  });
});
