import assert from 'node:assert/strict';
import type { AgentBatch, AgentMedia } from '../../../../src/core/agentTools/toolHost';
import type { ChoosableModels } from '../../../../src/core/catalogue/jobs';
import { longestAnswer } from '../../../../src/core/agentTools/answerText';
import type { RankedList } from '../../../../src/core/ranking/rankInSlices';
import type { CheckedFile } from '../../../../src/core/batch/job/checkJob';
import { runTool } from '../../../support/toolHost';

const models: ChoosableModels = {
  models: [
    { id: 'a/chat', types: ['text'], subTypes: ['chat'], contextLength: 32_000 },
    { id: 'a/reranker', types: ['text'], subTypes: ['reranker'] },
    { id: 'Qwen/Qwen-Image', types: ['image'], subTypes: ['text-to-image'] },
    { id: 'Wan-AI/Wan2.2-T2V-A14B', types: ['video'], subTypes: ['text-to-video'] },
    { id: 'Wan-AI/Wan2.2-I2V-A14B', types: ['video'], subTypes: [] },
  ],
  pins: [],
  defaults: {},
};
const withModels = { models: async () => models };

const ranked = (scores: readonly { readonly index: number; readonly score: number }[]): RankedList => ({
  scores,
  unscored: [],
  problems: [],
  calls: 1,
  tokens: { input: 10, output: 0 },
  ids: [],
  slices: [],
});

const media: AgentMedia = {
  id: 'order-1',
  state: 'done',
  model: 'Qwen/Qwen-Image',
  prompt: 'a cat',
  seed: 7,
  files: [{ path: '/made/cat.png', contentType: 'image/png', bytes: 1234, width: 64, height: 32 }],
};

const batch: AgentBatch = {
  id: 'batch-1',
  status: 'in_progress',
  isOver: false,
  requests: { total: 10, completed: 4 },
};

const checked: CheckedFile = {
  file: '/w/a.jsonl',
  requests: 3,
  bytes: 300,
  models: [{ id: 'a/chat', requests: 3 }],
  modelCount: 1,
  sha256: 'abc',
  changed: false,
  counts: { error: 0, warning: 0, information: 0, hint: 0 },
  problems: [],
  kinds: [],
};

describe('the responses of tools', () => {
  it("of rerank refer to texts by number, best first, with the account's default model", async () => {
    const answer = await runTool(
      'rerank',
      { query: 'fruit', documents: ['a stone', 'an\napple', 'a pear'], top: 2 },
      {
        ...withModels,
        rerank: async ({ model, documents }) => {
          assert.deepEqual([model, documents.length], ['a/reranker', 3]);
          return ranked([
            { index: 1, score: 0.987_654 },
            { index: 2, score: 0.5 },
            { index: 0, score: 0 },
          ]);
        },
      },
    );
    assert.equal(
      answer.text,
      '3 of 3 ranked by a/reranker, the best 2 shown. Best first, with zero-based indexes:\n\n[1] 0.9877 an apple\n[2] 0.5 a pear',
    );
    assert.deepEqual(answer.data?.['results'], [
      { index: 1, score: 0.987_654 },
      { index: 2, score: 0.5 },
    ]);
  });

  it('of rerank refer to files by path, and send the paths along', async () => {
    const answer = await runTool(
      'rerank',
      { query: 'fruit', files: ['a.md', 'b.md'] },
      {
        ...withModels,
        readTexts: async (paths) => paths.map((path) => ({ path: `docs/${path}`, text: 'x'.repeat(100_000) })),
        rerank: async ({ documents }) => {
          assert.ok(documents[0]?.startsWith('docs/a.md\nxxx'));
          assert.equal(documents[0]?.length, 24_000);
          return ranked([{ index: 1, score: 0.25 }]);
        },
      },
    );
    assert.match(answer.text, /\n0\.25 docs\/b\.md$/);
  });

  it('of rerank truncate long texts, and reject too many before any request', async () => {
    const long = 'word '.repeat(20_000);
    await runTool(
      'rerank',
      { query: 'q', documents: [long, 'b'] },
      {
        ...withModels,
        rerank: async ({ documents }) => {
          assert.deepEqual(
            documents.map(({ length }) => length),
            [24_000, 1],
          );
          return ranked([{ index: 1, score: 0.25 }]);
        },
      },
    );
    const tooMuch = [
      { query: 'q', documents: Array.from({ length: 100 }, () => long) },
      { query: 'many words '.repeat(200), documents: Array.from({ length: 1000 }, () => 'a') },
      { query: 'q', files: Array.from({ length: 100 }, () => 'a.md') },
    ];
    for (const input of tooMuch) {
      const readTexts = async (paths: readonly string[]) => paths.map((path) => ({ path, text: long }));
      const { text, isError } = await runTool('rerank', input, { ...withModels, readTexts });
      assert.match(text, /^Not sent, because the texts exceed about 200,000 tokens/);
      assert.equal(isError, true);
    }
  });

  it('of rerank and of models name prices and costs if the service lists them', async () => {
    const priced = {
      ...models,
      models: models.models.map((model) =>
        model.id === 'a/reranker' ? { ...model, prices: { input: 5e-7, request: 0.002 } } : model,
      ),
    };
    const host = {
      models: async () => priced,
      currency: 'USD' as const,
      rerank: async () => ranked([{ index: 0, score: 1 }]),
    };
    const list = await runTool('listModels', { job: 'rerank' }, host);
    assert.match(list.text, /a\/reranker.*, price \$0\.50 input per million tokens, \$0\.002 per request/);
    const answer = await runTool('rerank', { query: 'q', documents: ['a'] }, host);
    assert.match(answer.text, /Cost: \$0\.002 by the listed price\./);
    assert.equal(answer.data?.['cost'], 0.002005);
  });

  it('of rerank explain texts and files that are both given or both missing, and an account without rerankers', async () => {
    assert.match((await runTool('rerank', { query: 'q' })).text, /not both/);
    assert.match((await runTool('rerank', { query: 'q', documents: ['a'], files: ['b'] })).text, /not both/);
    const none = await runTool(
      'rerank',
      { query: 'q', documents: ['a'] },
      {
        models: async () => ({ ...models, models: models.models.filter(({ id }) => id !== 'a/reranker') }),
      },
    );
    assert.deepEqual(
      [none.isError, none.text],
      [true, 'The account does not have a model that ranks documents. Do not retry.'],
    );
  });

  it("of search contain each location with its lines, within the model's limits", async () => {
    const place = { path: 'src/a.ts', startLine: 3, endLine: 9, score: 0.5, text: 'x'.repeat(5000) };
    const found = { places: Array.from({ length: 50 }, () => place), scoredBy: 'rerank' as const, files: 7, notes: [] };
    const answer = await runTool('findFiles', { question: 'q', limit: 50 }, { findPlaces: async () => found });
    assert.match(
      answer.text,
      /^50 passages in 7 files, best first, scored by a reranker\.\n\nsrc\/a\.ts:3-9 \(0\.5\)\nxxx/,
    );
    assert.match(answer.text, /more characters\)/);
    assert.match(answer.text, /\d+ more omitted/);
    assert.ok(answer.text.length < longestAnswer + 100);
    const nothing = { ...found, places: [], notes: ['2 files hold no text.'] };
    const empty = await runTool('findFiles', { question: 'q' }, { findPlaces: async () => nothing });
    assert.equal(
      empty.text,
      'No matches in 7 files. 2 files hold no text. Rephrase the question, or include other files.',
    );
  });

  it('of image generation contain path and seed, and use the default size of the model', async () => {
    const answer = await runTool(
      'generateImage',
      { prompt: 'a cat', negativePrompt: 'a dog' },
      {
        ...withModels,
        generateImage: async ({ request }) => {
          assert.deepEqual(request, {
            model: 'Qwen/Qwen-Image',
            prompt: 'a cat',
            image_size: '1328x1328',
            negative_prompt: 'a dog',
          });
          return media;
        },
      },
    );
    assert.match(answer.text, /seed 7\.\n\/made\/cat\.png \(image\/png, 64x32, 1234 bytes\)$/);
    // Sizes of other models aren't those of an unknown one.
    const own = { model: 'my/own', prompt: 'a cat' };
    await runTool('generateImage', own, {
      ...withModels,
      generateImage: async ({ request }) => {
        assert.deepEqual(request, own);
        return media;
      },
    });
  });

  it('of image generation reject unsupported input before any request', async () => {
    const ask = async (input: object) => (await runTool('generateImage', { prompt: 'p', ...input })).text;
    assert.match(await ask({ model: 'Qwen/Qwen-Image-Edit' }), /only edits images\. Set "image"/);
    assert.match(await ask({ model: 'Qwen/Qwen-Image', image: 'a.png' }), /does not support image input/);
    const order = await runTool(
      'generateImage',
      { prompt: 'p', model: 'black-forest-labs/FLUX.1-Kontext-pro', image: 'a.png', size: '16:9' },
      {
        generateImage: async ({ request, picture }) => {
          assert.deepEqual(picture, { path: 'a.png', parameter: 'input_image' });
          assert.equal(request.aspect_ratio, '16:9');
          return { ...media, state: 'failed', files: [], problem: 'The service rejected the request.' };
        },
      },
    );
    assert.deepEqual(
      [order.isError, order.text],
      [true, 'The image could not be generated. The service rejected the request.'],
    );
  });

  it('of video generation name a suitable model, and explain the next step', async () => {
    const asked: unknown[] = [];
    const desk = {
      ...withModels,
      submitVideo: async ({
        request,
        picture,
      }: {
        readonly request: { readonly model: string };
        readonly picture?: unknown;
      }) => {
        asked.push([request.model, picture]);
        return { ...media, state: 'working' as const, files: [], status: 'InQueue', position: 2 };
      },
    };
    const answer = await runTool('submitVideo', { prompt: 'a cat' }, desk);
    await runTool('submitVideo', { prompt: 'a cat', image: 'cat.png' }, desk);
    assert.deepEqual(asked, [
      ['Wan-AI/Wan2.2-T2V-A14B', undefined],
      ['Wan-AI/Wan2.2-I2V-A14B', 'cat.png'],
    ]);
    assert.match(answer.text, /Job ID: order-1\. Do not request it again\. Call inferenceDesk_videoStatus/);
    assert.match((await runTool('submitVideo', { prompt: 'p', model: 'Wan-AI/Wan2.2-I2V-A14B' })).text, /Set "image"/);
  });

  it('of a batch file contain counts and problems, and submit only an error-free file, as checked', async () => {
    const span = { start: 4, end: 9 };
    const problem = { line: 1, span, code: 'line.not-json', severity: 'error', message: 'No JSON.' } as const;
    const faulty: CheckedFile = {
      ...checked,
      counts: { ...checked.counts, error: 1 },
      problems: [problem],
      kinds: [{ count: 1, first: problem }],
    };
    const check = await runTool('checkBatchFile', { file: 'a.jsonl' }, { checkBatch: async () => faulty });
    assert.match(check.text, /^3 requests, 300 bytes: 1 errors/);
    assert.match(check.text, /2:5 error line\.not-json No JSON\./);
    assert.equal(check.data?.['canBeSubmitted'], false);
    const refused = await runTool('submitBatch', { file: 'a.jsonl' }, { checkBatch: async () => faulty });
    assert.match(refused.text, /Not submitted\. The file has 1 error\./);
    const sent = await runTool(
      'submitBatch',
      { file: 'a.jsonl', model: 'a/chat' },
      {
        checkBatch: async () => checked,
        submitBatch: async (request) => {
          assert.deepEqual(request, { file: 'a.jsonl', completionWindow: '24h', model: 'a/chat', sha256: 'abc' });
          return batch;
        },
      },
    );
    assert.match(sent.text, /^batch-1 in_progress, 4 of 10 completed\nA batch takes minutes to a day/);
  });

  it('of batches list them, and page through their results', async () => {
    const list = await runTool('batchStatus', {}, { batches: async () => Array.from({ length: 40 }, () => batch) });
    assert.match(list.text, /^40 batches, 30 shown, newest first:/);
    const rows = Array.from({ length: 2 }, (_, index) => ({
      customId: `line-${index}`,
      text: 'y'.repeat(300),
      state: index === 1 ? ('failed' as const) : ('answered' as const),
    }));
    const done = { ...batch, status: 'completed', isOver: true, folder: '/results/a' };
    const results = await runTool(
      'batchResults',
      { id: 'batch-1', limit: 2, maxChars: 100 },
      { batchResults: async () => ({ batch: done, rows, total: 9, counts: { answered: 8, failed: 1 } }) },
    );
    assert.match(
      results.text,
      /1 to 2 of 9\. For the next page, set "offset" to 2\. All results are in \/results\/a\./,
    );
    assert.match(results.text, /line-1 \(failed\):\ny{100}… \(200 more characters\)/);
  });

  it('of models list the purpose of each, and the default for each purpose', async () => {
    const all = await runTool('listModels', {}, withModels);
    assert.match(all.text, /^5 models\.\n\na\/chat \(chat, completion\), context 32000\na\/reranker \(rerank\)/);
    assert.match((await runTool('listModels', { job: 'image' }, withModels)).text, /Default: Qwen\/Qwen-Image/);
    assert.match((await runTool('listModels', { search: 'gpt' }, withModels)).text, /No match among 5 models/);
  });
});
