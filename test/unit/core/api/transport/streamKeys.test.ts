import { deepEqual, equal, ok } from 'node:assert/strict';
import { createRedact } from '../../../../../src/core/api/redact';
import { KeyCarry, redactEvents } from '../../../../../src/core/api/transport/streamKeys';
import type { StreamEvent } from '../../../../../src/core/api/transport/transport';

const key = 'sk-abcdefghijklmnopqrstuvwxyz';
const parts = key.match(/.{1,4}/g) ?? [];
const logged = (texts: readonly string[]) =>
  redactEvents(
    texts.map((text, ms) => ({ ms, text })),
    createRedact([key]),
  );
const textsOf = (texts: readonly string[]) => logged(texts).map(({ text }) => text);

describe('the events of a stream', () => {
  it('contain no key of which each has a part', () => {
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

  it('contain no key within one of several parallel choices', () => {
    const write = (index: number, content: string) => JSON.stringify({ choices: [{ index, delta: { content } }] });
    const left = textsOf(parts.flatMap((part) => [write(0, 'word '), write(1, part)]));
    deepEqual(
      left,
      parts.flatMap((_, at) => [write(0, 'word '), write(1, at === 0 ? '[key]' : '')]),
    );
  });

  it("contain no key that spans events that aren't JSON", () => {
    deepEqual(textsOf(['a ', ...parts, 'b']), ['a ', '[key]', ...parts.slice(1).map(() => ''), 'b']);
  });

  it('are unchanged with their times if they contain no key', () => {
    const texts = ['{ "a" : 1.0, "text": "sk-" }', '[DONE]', '{"text":"abc"}', '{"text":', '', 'null'];
    deepEqual(
      logged(texts),
      texts.map((text, ms) => ({ ms, text })),
    );
  });

  it('are processed at any depth, length, and number', () => {
    const deep = `{"text":"${key.slice(0, 20)}","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const left = textsOf([deep, `{"text":"${key.slice(20)}"}`]);
    ok(!left.join('').includes(key.slice(20)));
    const names = `{"${'n'.repeat(1_000_000)}":{${Array.from({ length: 100_000 }, (_, at) => `"${at}":"x"`).join(',')}}}`;
    deepEqual(textsOf([names, names]), [names, names]);
    const many = Array.from({ length: 200_000 }, () => '{"delta":{"text":"ab"}}');
    equal(textsOf(many).length, many.length);
  });
});

describe('the events of a stream on arrival', () => {
  const delta = (index: number, content: string): StreamEvent => ({
    type: 'json',
    data: { choices: [{ index, delta: { content } }] },
  });
  const ping: StreamEvent = { type: 'json', data: { type: 'ping' } };
  const carry = () => new KeyCarry(createRedact([key]));
  /** Passes each on its own, and returns all that comes out. */
  const passed = (events: readonly StreamEvent[], keys = carry()) => [
    ...events.flatMap((event) => keys.pass([event], false)),
    ...keys.pass([], true),
  ];
  const textOf = (events: readonly StreamEvent[], index = 0) =>
    events
      .map((event) => {
        const data =
          event.type === 'json' ? (event.data as { choices?: { index: number; delta: { content: string } }[] }) : {};
        const choice = data.choices?.[0];
        return choice?.index === index ? choice.delta.content : '';
      })
      .join('');

  it('contain no key that is split anywhere, also with other events between its parts', () => {
    for (let cut = 1; cut < key.length; cut += 1) {
      const events: readonly StreamEvent[] = [
        delta(0, `see ${key.slice(0, cut)}`),
        ping,
        delta(1, 'word'),
        delta(0, `${key.slice(cut)} there`),
      ];
      const left = passed(events);
      equal(left.length, events.length);
      equal(textOf(left).replace(/^see s?k?-?/, 'see '), 'see [key] there', `cut at ${cut}`);
      equal(textOf(left, 1), 'word');
    }
    for (const size of [1, 2, 3, 4, 7]) {
      const left = passed((`a ${key} b`.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((text) => delta(0, text)));
      ok(!textOf(left).includes(key.slice(4, 8)), `pieces of ${size}`);
      equal(textOf(left).replace(/^a s?k?-?/, 'a '), 'a [key] b', `pieces of ${size}`);
    }
  });

  it('contain no split key, also if the JSON of each event is parsed already', () => {
    const passedByText = (events: readonly StreamEvent[], by: number, secret = key) => {
      const redact = createRedact([secret]);
      const keys = new KeyCarry(redact);
      const left: StreamEvent[] = [];
      for (let at = 0; at < events.length; at += by) {
        const some = events.slice(at, at + by);
        const texts = some.map((event) => {
          const text = JSON.stringify(event.type === 'json' ? event.data : '').replaceAll('/', String.raw`\/`);
          return redact.mayHold(text) ? undefined : text;
        });
        left.push(...keys.pass(some, false, texts));
      }
      return [...left, ...keys.pass([], true)];
    };
    const busy: readonly StreamEvent[] = Array.from({ length: 15 }, (_, at) => delta(1, `word ${at}`));
    const betweens: readonly (readonly StreamEvent[])[] = [[], [ping], busy];
    for (const secret of [key, 'ab/cd"ef\\ghijklmnop', 'sssssssss-sss']) {
      for (const size of [1, 2, 3, 4, 7]) {
        const text = `classes ${secret} is his`;
        const spelled = (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((part) => delta(0, part));
        for (const between of betweens) {
          for (const by of [1, 2, 50]) {
            const events = spelled.flatMap((event) => [structuredClone(event), ...structuredClone(between)]);
            const left = passedByText(events, by, secret);
            const name = `pieces of ${size}, ${between.length} between, ${by} at a time`;
            equal(left.length, events.length, name);
            ok(!textOf(left).includes(secret.slice(3, 9)), `${name}: ${textOf(left)}`);
            ok(textOf(left).endsWith(' is his'), name);
          }
        }
      }
    }
  });

  it('pass as one list if no text ends with the beginning of the key', () => {
    const events = [delta(0, 'no key'), ping, delta(0, ' here')];
    const texts = events.map((event) => JSON.stringify(event.type === 'json' ? event.data : ''));
    equal(carry().pass(events, false, texts), events);
  });

  it('contain no consecutive keys, and none that is escaped in the event', () => {
    equal(
      textOf(
        passed([
          delta(0, key.slice(0, 9)),
          delta(0, `${key.slice(9)}${key}${key.slice(0, 5)}`),
          delta(0, key.slice(5)),
        ]),
      ),
      '[key]'.repeat(3),
    );
    const escaped = JSON.parse(`"\\u0073${key.slice(1)}"`) as string;
    equal(textOf(passed([delta(0, escaped)])), '[key]');
  });

  it('arrive immediately and unchanged, unless a text ends with the beginning of the key, until it continues', () => {
    const keys = carry();
    for (const text of ['no key', ' s', 'k', '-', 'x', ' sk-', '']) {
      const event = delta(0, text);
      deepEqual(keys.pass([event], false), [event]);
    }
    deepEqual(keys.pass([delta(0, ' sk-ab')], false), []);
    deepEqual(keys.pass([ping], false), []);
    deepEqual(keys.pass([delta(0, 'out')], false), [delta(0, ' sk-ab'), ping, delta(0, 'out')]);
    deepEqual(keys.pass([delta(0, ' sk-ab')], true), [delta(0, ' sk-ab')]);
  });

  it('are held up to 500 at a time, and a key is still removed', () => {
    const keys = carry();
    const begun = Array.from({ length: 499 }, (_, at) => delta(0, `${at} ${key.slice(0, 6)}`));
    deepEqual(keys.pass(begun, false), []);
    equal(keys.pass([delta(0, `so ${key.slice(0, 6)}`)], false).length, 500);
    const rest = keys.pass([delta(0, key.slice(6))], false);
    ok(!textOf(rest).includes(key.slice(6, 12)));
  });

  it('arrive immediately after 20 without more of a text, and a key is still removed', () => {
    const keys = carry();
    deepEqual(keys.pass([delta(0, key.slice(0, 6)), ...Array.from({ length: 19 }, () => ping)], false), []);
    equal(keys.pass([delta(0, '')], false).length, 21);
    deepEqual(keys.pass([ping], false), [ping]);
    const rest = keys.pass([delta(0, key.slice(6))], false);
    ok(!textOf(rest).includes(key.slice(6, 12)));
  });

  it('arrive immediately if a constant field ends with the beginning of the key', () => {
    const keys = carry();
    const write = (content: string): StreamEvent => ({
      type: 'json',
      data: { provider: `my ${key.slice(0, 6)}`, choices: [{ index: 0, delta: { content } }] },
    });
    deepEqual(keys.pass([write('a')], false), []);
    equal(keys.pass([write('b')], false).length, 2);
    for (const text of ['c', 'd', 'e']) deepEqual(keys.pass([write(text)], false), [write(text)]);
    const left = passed([write(key.slice(0, 9)), write(key.slice(9))], keys);
    equal(textOf(left), '[key]');
  });

  it('contain no key with repetitive parts', () => {
    const alike = 'abab-abab-abab-abab-ab';
    for (const size of [1, 2, 5]) {
      const events = (alike.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((text) => delta(0, text));
      const left = textOf(passed(events, new KeyCarry(createRedact([alike]))));
      ok(!left.includes(alike.slice(4, 9)), `pieces of ${size}: ${left}`);
    }
  });

  it("aren't inspected without a key", () => {
    const events = [delta(0, 'sk-ab')];
    equal(new KeyCarry(createRedact([])).pass(events, false), events);
  });
});
