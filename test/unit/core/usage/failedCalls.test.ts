import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isApiError } from '../../../../src/core/api/errors';
import type { MessageRequest } from '../../../../src/core/api/messages/messages.schema';
import { countedRanking, rankingUsage } from '../../../../src/core/ranking/countedRanking';
import { createEmbedding } from '../../../../src/core/search/find/embedding';
import { countPromptTokens } from '../../../../src/core/tokens/countTokens';
import { estimateTokens } from '../../../../src/core/tokens/estimate';
import { createDayTokens } from '../../../../src/core/usage/dayTokens';
import { createUsageLedger } from '../../../../src/core/usage/usageLedger';
import { noUsage, type Usage } from '../../../../src/core/usage/usage';
import { ChatSpending } from '../../../../src/features/chat/chatSpending';
import { complete } from '../../../../src/features/publicApi/calls/complete';
import { createTestClient } from '../../../support/apiClient';
import { startFailingService, type Failing, type FailingService } from '../../../support/failingService';
import { setUpFolder } from '../../../support/temporaryFolder';

const model = 'a/model';
const query = 'how to renew a passport';
const documents = ['a recipe for soup', 'passports are renewed at the town hall'];

const question: MessageRequest = { model, messages: [{ role: 'user', content: query }] };

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _part of stream);
}

type Call = (signal: AbortSignal) => Promise<unknown>;

describe('A call that failed', () => {
  const folder = setUpFolder();
  let service: FailingService;
  let limit = 0;
  beforeEach(async () => {
    limit = 0;
    service = await startFailingService();
  });
  afterEach(() => service.close());

  const ledger = () => createUsageLedger(folder.in('usage'), () => undefined);
  const counted = () => ledger().total('mine', Date.now());
  const spending = () =>
    createDayTokens({
      ledger: ledger(),
      account: 'mine',
      budget: () => ({ soft: 0, hard: limit }),
      refuse: () => new Error('used up'),
    });
  const ranking = (): Call => {
    const { rerank } = createTestClient(service.baseUrl).client;
    const create = countedRanking((request, signal) => rerank.create(request, signal), spending());
    return (signal) => create({ model, query, documents }, signal);
  };
  const embedding = (): Call => {
    const { client } = createTestClient(service.baseUrl);
    const account = { origin: '', client, spending: spending(), reranker: undefined, embedder: model };
    return (signal) => createEmbedding(account, model, signal).vectorsOf(documents);
  };
  const chatting = (): Call => {
    const { client } = createTestClient(service.baseUrl);
    const chat = new ChatSpending({
      ledger: ledger(),
      profileId: () => 'mine',
      budget: () => ({ soft: 0, hard: limit }),
      client: async () => client,
      usedUp: () => new Error('used up'),
      now: Date.now,
    });
    return async (signal) => drained((await chat.client()).messages.stream(question, signal));
  };
  const completing = (): Call => {
    const { client } = createTestClient(service.baseUrl);
    const usageAsking = { isTaken: () => true, isRefused: async () => false };
    const account = { profileId: 'mine', client, model, spending: spending(), usageAsking };
    return (signal) => drained(complete({ prompt: query }, account, signal));
  };
  const estimate = (inputTokens: number): Usage => ({ inputTokens, outputTokens: 0, isEstimate: true });
  const kinds = {
    'for a ranking': [ranking, estimate(rankingUsage({ model, query, documents }, { tokens: {} }).inputTokens)],
    'for vectors': [embedding, estimate(documents.reduce((sum, text) => sum + estimateTokens(text), 0))],
    'of the chat': [chatting, estimate(countPromptTokens(question))],
    'for a completion': [completing, estimate(estimateTokens(query))],
  } as const;

  for (const [what, [open, expected]] of Object.entries(kinds)) {
    for (const how of ['cut', 'broken'] as const satisfies readonly Failing[]) {
      it(`${what} is counted, about, where it may have been billed: ${how}`, async () => {
        service.fail(how);
        await rejects(open()(new AbortController().signal), isApiError);
        deepEqual(await counted(), expected);
      });
    }

    it(`${what} is counted, about, where it was left after it was sent, before anything else may be sent`, async () => {
      service.fail('silent');
      const leaving = new AbortController();
      limit = expected.inputTokens;
      const call = open();
      const arrived = service.arrived();
      const asking = call(leaving.signal);
      await arrived;
      leaving.abort();
      await rejects(asking, (error) => isApiError(error) && error.kind === 'aborted');
      await rejects(call(new AbortController().signal), /used up/);
      deepEqual(await counted(), expected);
    });

    it(`${what} is not counted where the service refused it, or nothing was sent, and holds nothing`, async () => {
      service.fail('refused');
      await rejects(open()(new AbortController().signal), isApiError);
      await rejects(open()(AbortSignal.abort()));
      deepEqual(await counted(), noUsage);
      equal(ledger().held('mine'), 0);
    });
  }

  it('is not one whose count is 0: then it is about as much as its texts', async () => {
    service.answer({
      id: 'r',
      results: documents.map((_, index) => ({ index, relevance_score: 0.5 })),
      tokens: { input_tokens: 0, output_tokens: 0 },
    });
    await ranking()(new AbortController().signal);
    const [, ofRanking] = kinds['for a ranking'];
    deepEqual(await counted(), ofRanking);
    service.answer({
      data: documents.map((_, index) => ({ index, embedding: [1, 0] })),
      usage: { prompt_tokens: 0, total_tokens: 0 },
    });
    await embedding()(new AbortController().signal);
    const { inputTokens } = await counted();
    ok(inputTokens === ofRanking.inputTokens + kinds['for vectors'][1].inputTokens, String(inputTokens));
  });
});
