import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../../src/core/api/errors';
import type { EmbeddingRequest } from '../../../../../src/core/api/embeddings/embeddings.schema';
import { embeddingCandidates } from '../../../../../src/core/search/find/embeddingCandidates';

describe('candidates by embedding similarity', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'vectors-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const rejected = (message: string, details: object = {}) =>
    new ApiError({ kind: 'badRequest', message, status: 400, ...details });
  /** Files whose texts differ in length, and a service that makes vectors of these lengths. */
  const find = async (reject: (request: EmbeddingRequest) => Error | undefined, model = 'qwen3-embedding') => {
    const requests: EmbeddingRequest[] = [];
    const files = Array.from({ length: 40 }, (_, at) => ({ path: `${at}.txt`, text: `Line ${'x'.repeat(at + 1)}` }));
    const found = await embeddingCandidates(
      `Line ${'x'.repeat(9)}`,
      {
        open: async () => ({
          count: files.length,
          texts: (async function* () {
            yield* files;
          })(),
          leftOut: { overLimit: 0, tooLarge: 0, notText: 0, unreadable: 0 },
        }),
        whereOf: () => ({}),
      },
      {
        origin: 'https://service',
        reranker: undefined,
        embedder: model,
        client: {
          rerank: { create: () => Promise.reject(new Error('asked')) },
          embeddings: {
            async create(request) {
              requests.push(request);
              const error = reject(request);
              if (error) throw error;
              return { vectors: [request.input].flat().map((text) => [text.length, 1]), usage: {} };
            },
          },
        },
      },
      { signal: new AbortController().signal, onProgress: () => undefined, confirm: async () => true, folder },
    );
    return { found, requests };
  };

  it('are embedded in parts as large as the service accepts', async () => {
    const { found, requests } = await find(({ input }) =>
      input.length > 10 ? rejected('batch size 32 > maximum allowed batch size 10', { itemsAtOnce: 10 }) : undefined,
    );
    equal(found?.items.length, 40);
    const accepted = requests.filter(({ input }) => input.length <= 10);
    equal(new Set(accepted.flatMap(({ input }) => input)).size, 41);
    equal(accepted.flatMap(({ input }) => input).length, 41);
  });

  it('are embedded without the parameters that the service rejects', async () => {
    const { found, requests } = await find((request) => {
      if (request.dimensions != null)
        return rejected(
          'Model "m" does not support matryoshka representation, changing output dimensions is not allowed',
        );
      return request.encoding_format == null
        ? undefined
        : rejected('Unknown parameter', { parameter: 'encoding_format' });
    });
    equal(found?.items.length, 40);
    deepEqual(
      requests.slice(0, 3).map((request) => Object.keys(request)),
      [
        ['model', 'input', 'encoding_format', 'dimensions'],
        ['model', 'input', 'encoding_format'],
        ['model', 'input'],
      ],
    );
    equal(requests.length, 5);
  });

  it("aren't requested if they can't be stored, as each search would pay for them again", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    let requests = 0;
    const count = () => void requests++;
    await rejects(find(count), { code: 'ENOTDIR' });
    equal(requests, 1, 'only the question is embedded');
  });

  it("aren't requested again after any other rejection", async () => {
    let asked = 0;
    await rejects(
      find(() => {
        asked += 1;
        return rejected('The dimensions of the universe do not fit.');
      }, 'other/model'),
      { message: /universe/ },
    );
    equal(asked, 1);
  });
});
