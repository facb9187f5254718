import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createTestClient } from '../../../support/apiClient';
import { openDemo } from '../../demo/demoService';
import type { TestDemo } from '../../demo/demoService';
import { setUpChat } from './chatRig';
import { createPage } from './followingPage';

const model = 'zai-org/GLM-4.6';

describe('a chat session and the limits of a service', () => {
  const rig = setUpChat();
  let demo: TestDemo;
  let sleeps: readonly number[];
  beforeEach(async () => {
    demo = await openDemo();
    const made = createTestClient(demo.baseUrl, { apiKey: () => Promise.resolve(demo.apiKey) });
    sleeps = made.sleeps;
    rig.now = made.now;
    rig.service.stream = (request, signal) => handOver(made.client.chat.stream(request, signal));
  });
  afterEach(async () => {
    await demo.close();
    await rm(demo.folder, { recursive: true, force: true });
  });

  const ask = async (fault: string) => {
    assert.equal((await demo.control('arm', { fault, endpoint: 'POST /messages', times: 2 })).status, 200);
    const session = rig.openWindow();
    const { id } = await session.ask('What is the capital of France?', model);
    const page = createPage(session, id);
    return { answer: await page.answer, chunks: page.chunks };
  };

  for (const [limit, title] of [
    ['tpm', 'Tokens-per-minute limit reached'],
    ['rpm', 'Requests-per-minute limit reached'],
  ] as const) {
    it(`counts down a per-minute limit (${limit}), and continues automatically after it`, async () => {
      const { answer, chunks } = await ask(`rate-limit-${limit}-retry-after`);
      assert.equal(answer.state, 'done', JSON.stringify(answer.error));
      assert.notEqual(answer.blocks[0]?.text ?? '', '');
      const waits = chunks.flatMap((chunk) => (chunk.type === 'state' ? [chunk.answer.wait?.title] : []));
      assert.ok(
        waits.some((wait) => wait?.startsWith(title)),
        JSON.stringify(waits),
      );
      assert.equal(sleeps.length, 2);
    });
  }

  for (const limit of ['rpd', 'tpd', 'rph']) {
    it(`doesn't wait for a longer one (${limit}), and reports that immediately`, async () => {
      const { answer } = await ask(`rate-limit-${limit}`);
      assert.deepEqual([answer.state, answer.error?.kind, sleeps], ['failed', 'rateLimit', []]);
    });
  }
});

async function* handOver<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event> {
  yield* events;
}
