import { deepEqual, equal } from 'node:assert/strict';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import type { JobStage } from '../../../../src/core/jobs/job';
import type { MediaJob } from '../../../../src/core/jobs/media/mediaJob';
import {
  expectedCharge,
  expectedCost,
  expectedRequest,
  knownCosts,
  notedCharge,
  paidBatch,
} from '../../../../src/core/prices/paidWork';
import { enteredPrices, longestPrices, writePrices } from '../../../../src/core/prices/prices';

const base = { id: 'a', profileId: 'p', baseUrl: 'https://one.example/v1', createdAt: 1 };
const input = { path: '/a.jsonl', sha256: '', bytes: 1, requests: 100, model: 'm', inputTokens: 1000 };
const batch = (stage: JobStage, more: Partial<BatchJob> = {}): BatchJob => ({
  ...base,
  stage,
  options: { completion_window: '24h' },
  input,
  ...more,
});
const media = (stage: JobStage, more: Partial<MediaJob> = {}): MediaJob => ({
  ...base,
  stage,
  folder: '/',
  task: { kind: 'image', request: { model: 'flux', prompt: 'a lake', batch_size: 4 } },
  ...more,
});
const counted = (requests: number) => [{ model: 'm', requests, inputTokens: 1, outputTokens: 1 }];
const failed = { kind: 'fetch', message: '', at: 1, isFinal: true } as const;
const requestsOf = (job: BatchJob) => {
  const charge = expectedCharge(job);
  return charge && 'requests' in charge ? charge.requests : undefined;
};

describe('The remaining charge of a job', () => {
  it('is the complete batch from its submission until its results are counted', () => {
    for (const stage of ['preparing', 'submitting', 'unknown', 'queued', 'running', 'fetching'] as const)
      deepEqual(expectedCharge(batch(stage)), {
        isBatch: true,
        model: 'm',
        requests: 100,
        inputTokens: 1000,
        outputLimit: undefined,
      });
    for (const stage of ['ended', 'refused'] as const) equal(expectedCharge(batch(stage)), undefined);
  });

  it("excludes counted results, and parts that aren't submitted any further", () => {
    equal(requestsOf(batch('running', { counted: counted(30) })), 70);
    equal(requestsOf(batch('fetching', { counted: counted(100) })), undefined);
    const parts = [40, 40, 20].map((requests) => ({ start: 0, end: 1, requests }));
    equal(requestsOf(batch('running', { parts, part: 1, counted: counted(40) })), 60);
    equal(requestsOf(batch('running', { parts, part: 1, counted: counted(40), isStopped: true })), 40);
  });

  it('is charged on the day on which the batch ended, unless the clock of the service is wrong', () => {
    const ended = (completedAt: number) => ({ id: 'b', status: 'completed', errors: [], metadata: {}, completedAt });
    const at = (completedAt: number) =>
      paidBatch(batch('ended', { createdAt: 5_000, changedAt: 90_000, batch: ended(completedAt) as never })).at;
    // Seconds at the service, milliseconds here.
    deepEqual([at(30), at(500), at(0), at(90_000)], [30_000, 90_000, 5_000, 90_000]);
  });

  it('ends with a batch whose results or outcome remain unknown, and is unknown for one created elsewhere', () => {
    equal(expectedCharge(batch('fetching', { lastError: failed })), undefined);
    equal(expectedCharge(batch('unknown', { lastError: failed })), undefined);
    const { input: _, ...elsewhere } = batch('running');
    equal(expectedCharge(elsewhere), undefined);
  });

  it('uses the model that replaces those of the lines', () => {
    const options = { completion_window: '24h', replace: { model: 'other' } };
    equal(expectedCharge(batch('running', { options }))?.model, 'other');
  });

  it('is all images of a request, or a video, until there are results', () => {
    for (const stage of ['preparing', 'submitting', 'running'] as const)
      deepEqual(expectedCharge(media(stage)), { model: 'flux', piece: 'image', count: 4 });
    for (const stage of ['unknown', 'refused', 'fetching', 'ended'] as const)
      equal(expectedCharge(media(stage)), undefined);
    const video = { kind: 'video', request: { model: 'wan', prompt: 'a lake', image_size: '1280x720' } } as const;
    deepEqual(expectedCharge(media('running', { task: video })), { model: 'wan', piece: 'video', count: 1 });
    equal(expectedCharge(media('running', { results: [{ url: 'https://one.example/a.png' }] })), undefined);
  });
});

describe('Known prices', () => {
  const prices = {
    ofTokens: (model: string) => (model === 'm' ? { input: 0.001, output: 0.01 } : undefined),
    ofPiece: (model: string) => (model === 'flux' ? 0.5 : undefined),
    batchDiscount: 0.5,
  };

  it('determine the expected cost of a job, with responses at their limit, and none for an unknown model', () => {
    equal(expectedCost({ model: 'flux', piece: 'image', count: 3 }, prices), 1.5);
    const batchOf = { model: 'm', requests: 10, inputTokens: 1000, isBatch: true };
    equal(expectedCost({ ...batchOf, outputLimit: 100 }, prices), 1);
    equal(expectedCost({ ...batchOf, outputLimit: undefined }, prices), 0.5);
    equal(expectedCost({ model: 'other', piece: 'video', count: 3 }, prices), 0);
  });

  it('determine the expected cost of an immediate request, without a batch discount', () => {
    const question = { model: 'm', messages: [{ role: 'user', content: 'word '.repeat(100) }], max_tokens: 100 };
    const { inputTokens, ...charge } = expectedRequest(question);
    deepEqual(charge, { model: 'm', requests: 1, outputLimit: 100 });
    const price = prices.ofTokens('m')!;
    equal(expectedCost(expectedRequest(question), prices), inputTokens * price.input! + 100 * price.output!);
    equal(expectedRequest({ model: 'm', query: 'q', documents: ['d'] } as { model: string }).outputLimit, 0);
  });

  it('determine the charge, unless the service reports it', () => {
    const usage = { requests: 1, inputTokens: 100, outputTokens: 10 };
    const work = { kind: 'batch', model: 'm', at: 1 } as const;
    deepEqual(knownCosts({ ...work, usage: [{ model: 'm-2026', ...usage }] }, prices), [{ model: 'm', amount: 0.1 }]);
    deepEqual(knownCosts({ ...work, usage: [{ model: 'm', ...usage, cost: 7 }] }, prices), [{ model: 'm', amount: 7 }]);
    deepEqual(knownCosts({ kind: 'video', model: 'flux', count: 2, at: 1 }, prices), [{ model: 'flux', amount: 1 }]);
    deepEqual(knownCosts({ kind: 'video', model: 'other', count: 2, at: 1 }, prices), []);
  });

  it('determine the charge as recorded at the time, unless the charge of a model is unknown', () => {
    const usage = ['m', 'n'].map((model) => ({ model, requests: 1, inputTokens: 1, outputTokens: 1 }));
    const work = { kind: 'batch', usage, model: undefined, at: 1 } as const;
    const noted = (...charges: readonly (readonly [string, number])[]) => notedCharge(work, new Map(charges));
    equal(noted(['m', 1], ['n', 2]), 3);
    equal(noted(['m', 1]), undefined);
    equal(notedCharge(work, undefined), undefined);
    equal(notedCharge({ ...work, model: 'asked' }, new Map([['asked', 4]])), 4);
    const images = { kind: 'image', model: 'flux', count: 2, at: 1 } as const;
    equal(notedCharge(images, new Map([['flux', 5]])), 5);
    equal(notedCharge(images, new Map()), undefined);
  });

  it('entered by the user reach another process as text of a limited length, in order', () => {
    equal(writePrices({}), undefined);
    const entered = { 'Qwen/*': { input: '0.1' }, '*': { image: 0.05 } };
    equal(writePrices(entered), JSON.stringify(entered));
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`model-${index}`, { image: index }]));
    const text = writePrices(many) ?? '';
    equal(text.length > longestPrices * 0.9 && text.length <= longestPrices, true);
    deepEqual(enteredPrices(JSON.parse(text), 'model-1'), { image: 1 });
  });
});
