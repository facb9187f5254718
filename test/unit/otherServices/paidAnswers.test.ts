import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { Client } from '../../../src/core/api/client';
import { readAll } from '../../support/originServer';
import { fastTime, openClient, openEngine, submissionOf, writeBatchFile } from '../../support/batchEngines';
import { filesOf, imageTask, newMedia, openMediaEngine } from '../../support/mediaEngines';
import { startLlamaCppService } from '../../support/otherServices/llamaCppService';
import type { OtherService } from '../../support/otherServices/loopbackService';
import { startOpenAiService } from '../../support/otherServices/openAiService';
import { startOpenRouterService } from '../../support/otherServices/openRouterService';
import { setUpFolder } from '../../support/temporaryFolder';
import { shownRows, openTables } from '../core/batch/results/openTable';

describe('responses of another service', function () {
  this.timeout(60_000);
  const openTable = openTables();
  const closing: (() => Promise<void>)[] = [];
  // Before the folder is removed.
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const folder = setUpFolder();
  const startAt = async (starting: Promise<OtherService>) => {
    const service = await starting;
    closing.unshift(() => service.close());
    return { ...service, apiKey: service.key };
  };
  const clientOf = (service: { readonly baseUrl: string; readonly apiKey: string }): Client => {
    const client = openClient(service);
    closing.unshift(() => client.close());
    return client;
  };

  it('contain embeddings of a batch for another endpoint than chat, which its lines name: OpenAI', async () => {
    const service = await startAt(startOpenAiService());
    const engine = openEngine(folder.path(), service);
    closing.unshift(() => engine.dispose());
    const path = join(folder.path(), 'vectors.jsonl');
    const body = { model: 'text-embedding-3-small', input: 'Hi' };
    await writeFile(path, `${JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/embeddings', body })}\n`);
    const { id } = await engine.submit({ ...submissionOf(path, service), completion_window: '24h' });
    const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
    deepEqual([ended.input?.url, ended.batch?.endpoint], ['/v1/embeddings', '/v1/embeddings']);
    deepEqual([ended.batch?.status, ended.batch?.requestCounts?.completed], ['completed', 1]);
  });

  it('contain images inline, requested by size and n: OpenAI', async () => {
    const service = await startAt(startOpenAiService());
    const engine = openMediaEngine(folder.path(), service);
    closing.unshift(() => engine.dispose());
    const request = { model: 'gpt-image-1', prompt: 'A pier', image_size: '1024x1536', batch_size: 2 };
    const { id } = await engine.submit(newMedia(folder.path(), service, { kind: 'image', request }));
    const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
    equal(ended.lastError, undefined);
    const pictures = (await filesOf(ended)).map((bytes) => PNG.sync.read(bytes));
    deepEqual(
      pictures.map(({ width, height }) => [width, height]),
      [
        [1024, 1536],
        [1024, 1536],
      ],
    );
    deepEqual(service.bodies('POST /v1/images/generations'), [
      { model: 'gpt-image-1', prompt: 'A pier', size: '1024x1536', n: 2 },
    ]);
    // What it does not take is refused before it costs anything, and the words say which.
    const refused = await engine.submit(
      newMedia(folder.path(), service, imageTask('A pier', { model: 'gpt-image-1' })),
    );
    equal(refused.stage, 'refused');
  });

  it('contain the lines of a batch, from its file to its rows: OpenAI', async () => {
    const service = await startAt(startOpenAiService());
    const engine = openEngine(folder.path(), service, fastTime(60));
    closing.unshift(() => engine.dispose());
    const file = await writeBatchFile(folder.path(), 2);
    const lines = ['gpt-4o-mini', 'no-such-model'].map((model, index) => ({
      custom_id: `line-${index + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content: 'Hello' }] },
    }));
    await mkdir(folder.path(), { recursive: true });
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { id } = await engine.submit(submissionOf(file, service));
    const ended = await engine.until(id, ({ stage }) => stage === 'ended', 'the end');
    equal(ended.lastError, undefined);
    const { folder: results = '' } = ended;
    const table = await openTable({
      input: { path: file },
      outputs: [join(results, 'output.jsonl')],
      errors: [join(results, 'errors.jsonl')],
    });
    const rows = await shownRows(table);
    deepEqual(
      rows.map(({ customId, state }) => [customId, state]),
      [
        ['line-1', 'answered'],
        ['line-2', 'failed'],
      ],
    );
    equal((await clientOf(service).files.list({})).length, 1);
  });

  it('contain embeddings and speech: OpenAI', async () => {
    const client = clientOf(await startAt(startOpenAiService()));
    const request = { model: 'text-embedding-3-small', input: ['one', 'two'] };
    const numbers = await client.embeddings.create({ ...request, encoding_format: 'float' });
    const encoded = await client.embeddings.create({ ...request, encoding_format: 'base64' });
    equal(numbers.vectors.length, 2);
    deepEqual(
      encoded.vectors.map((vector) => vector.length),
      numbers.vectors.map((vector) => vector.length),
    );
    const { contentType, body } = await client.speech.create({
      model: 'gpt-4o-mini-tts',
      input: 'Hello',
      voice: 'ash',
    });
    equal(contentType, 'audio/mpeg');
    ok((await readAll(body)).length > 1000);
  });

  it('contain rankings and embeddings: llama.cpp and OpenRouter', async () => {
    const documents = ['banana', 'apple pie'];
    const local = clientOf(await startAt(startLlamaCppService()));
    const router = clientOf(await startAt(startOpenRouterService()));
    for (const [client, model] of [
      [local, 'bge-reranker-v2-m3'],
      [router, 'cohere/rerank-v3.5'],
    ] as const) {
      const { results } = await client.rerank.create({ model, query: 'apple pie', documents });
      deepEqual(
        results.map(({ index, text }) => [index, text]),
        [
          [1, 'apple pie'],
          [0, 'banana'],
        ],
        model,
      );
    }
    const { vectors } = await local.embeddings.create({ model: 'nomic-embed-text-v1.5', input: documents });
    equal(vectors.length, 2);
  });
});
