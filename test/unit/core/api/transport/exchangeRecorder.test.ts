import { deepEqual, equal, ok } from 'node:assert/strict';
import { createRedact } from '../../../../../src/core/api/redact';
import { redactEvents } from '../../../../../src/core/api/transport/exchangeRecorder';

const key = 'sk-abcdefghijklmnopqrstuvwxyz';
const parts = key.match(/.{1,4}/g) ?? [];
const logged = (texts: readonly string[]) =>
  redactEvents(
    texts.map((text, ms) => ({ ms, text })),
    createRedact([key]),
  );
const textsOf = (texts: readonly string[]) => logged(texts).map(({ text }) => text);

describe('the events of a stream', () => {
  it('are without a key of which each brings a part', () => {
    const answers: Readonly<Record<string, (text: string) => object>> = {
      messages: (text) => ({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }),
      tool: (text) => ({ type: 'content_block_delta', index: 1, delta: { partial_json: text } }),
      chat: (content) => ({ id: 'c', choices: [{ index: 0, delta: { content } }] }),
      odd: (text) => JSON.parse(`{"__proto__":${JSON.stringify(text)}}`),
    };
    for (const [name, write] of Object.entries(answers)) {
      const texts = ['see ', ...parts, ' there'].map((text) => JSON.stringify(write(text)));
      const expected = ['see ', '[key]', ...parts.slice(1).map(() => ''), ' there'];
      deepEqual(
        textsOf(texts),
        expected.map((text) => JSON.stringify(write(text))),
        name,
      );
    }
  });

  it('are without a key that was spelled by one of several answers side by side', () => {
    const write = (index: number, content: string) => JSON.stringify({ choices: [{ index, delta: { content } }] });
    const left = textsOf(parts.flatMap((part) => [write(0, 'word '), write(1, part)]));
    deepEqual(
      left,
      parts.flatMap((_, at) => [write(0, 'word '), write(1, at === 0 ? '[key]' : '')]),
    );
  });

  it('are without a key that runs through events that are no JSON', () => {
    deepEqual(textsOf(['a ', ...parts, 'b']), ['a ', '[key]', ...parts.slice(1).map(() => ''), 'b']);
  });

  it('are as they came where no key is in them, with their times', () => {
    const texts = ['{ "a" : 1.0, "text": "sk-" }', '[DONE]', '{"text":"abc"}', '{"text":', '', 'null'];
    deepEqual(
      logged(texts),
      texts.map((text, ms) => ({ ms, text })),
    );
  });

  it('are taken however deep, long or many they are', () => {
    const deep = `{"text":"${key.slice(0, 20)}","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const left = textsOf([deep, `{"text":"${key.slice(20)}"}`]);
    ok(!left.join('').includes(key.slice(20)));
    const names = `{"${'n'.repeat(1_000_000)}":{${Array.from({ length: 100_000 }, (_, at) => `"${at}":"x"`).join(',')}}}`;
    deepEqual(textsOf([names, names]), [names, names]);
    const many = Array.from({ length: 200_000 }, () => '{"delta":{"text":"ab"}}');
    equal(textsOf(many).length, many.length);
  });
});
