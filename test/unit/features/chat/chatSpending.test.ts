import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { ChatSpending } from '../../../../src/features/chat/chatSpending';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';

const day = 24 * 3600 * 1000;
const start: MessageEvent = { type: 'start', usage: { input_tokens: 30 } };
const end: MessageEvent = { type: 'end', message: { content: [], usage: { input_tokens: 30, output_tokens: 12 } } };

describe('what the chat spends', () => {
  let folder: string;
  let clock: number;
  let profile: string;
  let budget: { soft: number; hard: number };
  let sent: number;
  let events: readonly MessageEvent[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-'));
    [clock, profile, budget, sent, events] = [10 * day, 'work', { soft: 0, hard: 0 }, 0, [start, end]];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = () =>
    new ChatSpending({
      ledger: createUsageLedger(folder, (error) => assert.fail(String(error))),
      profileId: () => profile,
      budget: () => budget,
      client: async () => ({
        messages: {
          async *stream() {
            sent += 1;
            yield* events;
          },
        },
      }),
      usedUp: ({ inputTokens, outputTokens }, hard) => new Error(`${inputTokens + outputTokens} of ${hard}`),
      now: () => clock,
    });
  const ask = async (spending: ChatSpending, leaveAfter = Infinity) => {
    const { messages } = await spending.client();
    let seen = 0;
    for await (const _event of messages.stream({ model: 'm', messages: [] })) if (++seen >= leaveAfter) break;
  };
  const conversation = { id: 'c', usage: { inputTokens: 1, outputTokens: 2 } };
  const today = async (spending: ChatSpending) => (await spending.of(conversation)).today;

  it('is counted per profile and day, for all windows', async () => {
    const spending = open();
    await ask(spending);
    await ask(open());
    assert.deepEqual(await today(spending), { inputTokens: 60, outputTokens: 24 });
    profile = 'other';
    assert.deepEqual(await today(spending), { inputTokens: 0, outputTokens: 0 });
    [profile, clock] = ['work', clock + day];
    assert.deepEqual(await today(spending), { inputTokens: 0, outputTokens: 0 });
  });

  it('counts an answer that was left, about, and says so for the whole day', async () => {
    const spending = open();
    events = [start, { type: 'text', index: 0, text: 'One two three' }, end];
    await ask(spending, 2);
    assert.deepEqual(await today(spending), { inputTokens: 30, outputTokens: 3, isEstimate: true });
    await ask(spending);
    assert.deepEqual(await today(spending), { inputTokens: 60, outputTokens: 15, isEstimate: true });
  });

  it('warns at the soft stop and sends nothing at the hard one', async () => {
    const spending = open();
    budget = { soft: 42, hard: 84 };
    await ask(spending);
    assert.equal((await spending.of(conversation)).state, 'soft');
    await spending.check();
    await ask(spending);
    assert.equal((await spending.of(conversation)).state, 'hard');
    await assert.rejects(spending.check(), /84 of 84/);
    await assert.rejects(ask(spending), /84 of 84/);
    assert.equal(sent, 2);
    budget = { soft: 0, hard: 0 };
    await ask(spending);
    assert.equal(sent, 3);
  });
});
