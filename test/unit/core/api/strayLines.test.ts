import assert from 'node:assert/strict';
import { atChatCompletions, createTestClient, drain } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer, streamAnswer } from '../../../support/fixtureServer';

const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
const text = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
const done = 'data: [DONE]\n\n';

/** Lines that belong to no event, as a proxy or a server's log puts them between the events. */
const kinds: readonly (readonly [string, (index: number) => string])[] = [
  ['log lines', (index) => `INFO: token ${index}\n`],
  ['words', () => 'noise\n'],
  ['broken JSON', (index) => `{"token":${index}]\n`],
];

describe('stray lines in a stream', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  /** Returns the processor time, in milliseconds: the clock also counts what else runs on this machine. */
  const read = async (lines: string) => {
    server.answer(streamAnswer([lines, text, lines, done]));
    const before = process.cpuUsage();
    const { client } = createTestClient(server.baseUrl, atChatCompletions);
    const { events, error } = await drain(client.chat.stream(request));
    assert.equal(error, undefined);
    assert.ok(events.some((event) => event.type === 'text' && event.text === 'Hi'));
    return process.cpuUsage(before).user / 1000;
  };

  for (const [title, line] of kinds) {
    it(`cost far less than an exception each: 400,000 ${title}`, async function () {
      this.timeout(60_000);
      const make = (count: number) => Array.from({ length: count }, (_, index) => line(index)).join('');
      const [few, many] = [make(20_000), make(200_000)];
      await read(few);
      const one = await read(few);
      const ten = await read(many);
      // An exception alone takes ten times that.
      const perLine = (ten * 1000) / 400_000;
      assert.ok(perLine < 4, `${perLine.toFixed(2)} µs of processor time for each line`);
      assert.ok(ten < 30 * Math.max(one, 20), `${ten.toFixed(0)} ms for ten times what took ${one.toFixed(0)} ms`);
    });
  }
});
