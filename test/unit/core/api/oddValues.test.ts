import { deepEqual, equal } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Client } from '../../../../src/core/api/client';
import { createEditorStack } from '../../../../src/core/api/transport/editorTransport';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { createTestClient, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';
import { setUpFolder } from '../../../support/temporaryFolder';

/** Of every JSON type, some of them what a careless server writes for "nothing". */
const oddValues: readonly unknown[] = [null, '', 'text', '12', 7, -1, true, false, {}, { a: 1 }, [], [null], ['text']];

interface Paid {
  readonly body: object;
  /** Paths of the members that are not what is paid for, such as `results.0.document`, with blanks between them. */
  readonly others: string;
  readonly call: (client: Client) => Promise<unknown>;
  /** What is paid for. */
  readonly content: (answer: never) => unknown;
}

const times = ['created_at', 'in_progress_at', 'expires_at', 'finalizing_at', 'completed_at', 'failed_at'];
const batch = {
  id: 'batch_1',
  status: 'completed',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-in',
  completion_window: '24h',
  output_file_id: 'file-out',
  error_file_id: 'file-err',
  errors: null,
  request_counts: { total: 2, completed: 1, failed: 1 },
  metadata: { name: 'n' },
  ...Object.fromEntries(times.map((name, at) => [name, 1_741_685_413 + at])),
};
const batchOthers =
  'object endpoint completion_window errors request_counts metadata usage file_name created_at in_progress_at expires_at ' +
  'finalizing_at completed_at failed_at request_counts.total request_counts.completed metadata.name';

for (const createStack of [createUndiciStack, createEditorStack]) {
  describe(`a charged response over ${createStack().name}`, () => {
    const folder = setUpFolder();
    let server: FixtureServer;
    let client: Client;
    before(async () => {
      server = await startFixtureServer();
      ({ client } = createTestClient(server.baseUrl, { stack: createStack() }));
    });
    beforeEach(async () => {
      await writeFile(folder.in('a.wav'), 'RIFF');
      await writeFile(folder.in('a.jsonl'), '{}');
    });
    after(async () => {
      await client.close();
      await server.close();
    });

    const ask = async ({ call, content }: Paid, body: unknown) => {
      server.answer({ body: JSON.stringify(body) });
      return content((await call(client)) as never);
    };

    const answers: Readonly<Record<string, Paid>> = {
      'ranking of documents': {
        body: {
          id: 'r-1',
          model: 'm',
          results: [
            { index: 1, relevance_score: 0.2, document: { text: 'banana' }, text: null },
            { index: 0, relevance_score: 0.9, document: { text: 'apple' }, text: null },
          ],
          tokens: { input_tokens: 1, output_tokens: 0 },
          meta: { tokens: { input_tokens: 1, output_tokens: 0 }, billed_units: { search_units: 1 } },
          usage: { prompt_tokens: 1, total_tokens: 1 },
        },
        others:
          'id model object created tokens tokens.input_tokens tokens.output_tokens meta usage meta.tokens meta.tokens.input_tokens ' +
          'meta.billed_units usage.prompt_tokens usage.total_tokens results.0.document results.0.document.text results.0.text data',
        call: ({ rerank }) => rerank.create({ model: 'm', query: 'q', documents: ['apple', 'banana'] }),
        content: ({ results }: Awaited<ReturnType<Client['rerank']['create']>>) =>
          results.map(({ index, relevance_score }) => [index, relevance_score]),
      },
      'list of images': {
        body: { images: [{ url: 'https://x.example/1.png' }], timings: { inference: 1.5 }, seed: 7, data: null },
        others: 'timings timings.inference seed created data usage images.0.revised_prompt',
        call: ({ images }) => images.generate({ model: 'm', prompt: 'p' }),
        content: ({ images }: Awaited<ReturnType<Client['images']['generate']>>) => images,
      },
      "list of images in OpenAI's format": {
        body: { created: 1, data: [{ url: 'https://x.example/1.png', revised_prompt: 'p' }] },
        others: 'created background output_format quality size usage data.0.revised_prompt id',
        call: ({ images }) => images.generate({ model: 'm', prompt: 'p' }),
        content: ({ images }: Awaited<ReturnType<Client['images']['generate']>>) => images,
      },
      'list of images that are in it': {
        body: { created: 1, data: [{ b64_json: 'aGVsbG8=', url: null, revised_prompt: 'p' }] },
        others: 'created usage data.0.url data.0.revised_prompt',
        call: ({ images }) => images.generate({ model: 'm', prompt: 'p' }),
        content: ({ images }: Awaited<ReturnType<Client['images']['generate']>>) =>
          images.map((image) => ('bytes' in image ? String(image.bytes) : image)),
      },
      'id of a video to come': {
        body: { requestId: 'v-1' },
        others: 'status id request_id message created data',
        call: ({ videos }) => videos.submit({ model: 'm', prompt: 'p', image_size: '960x960' }),
        content: ({ requestId }: { readonly requestId: string }) => requestId,
      },
      'address of a video': {
        body: {
          status: 'Succeed',
          reason: '',
          position: null,
          results: { videos: [{ url: 'https://x.example/1.mp4' }], timings: { inference: 1.5 }, seed: 7 },
        },
        others: 'reason position results.timings results.timings.inference results.seed data status',
        call: ({ videos }) => videos.status({ requestId: 'v-1' }),
        content: ({ videos }: Awaited<ReturnType<Client['videos']['status']>>) => videos,
      },
      'list of vectors': {
        body: {
          object: 'list',
          model: 'm',
          data: [
            { object: 'embedding', index: 0, embedding: [1, 2] },
            { object: 'embedding', index: 1, embedding: [3, 4] },
          ],
          usage: { prompt_tokens: 1, total_tokens: 1 },
        },
        others: 'object model usage usage.prompt_tokens data.0.index data.1.index data.0.object id',
        call: ({ embeddings }) => embeddings.create({ model: 'm', input: ['a', 'b'] }),
        content: ({ vectors }: Awaited<ReturnType<Client['embeddings']['create']>>) => vectors,
      },
      'text of a recording': {
        body: { text: 'hello', language: 'en', duration: 1.5, usage: { type: 'duration', seconds: 2 }, segments: [] },
        others: 'language duration usage segments words logprobs task data',
        call: ({ transcriptions }) => transcriptions.create({ model: 'm', path: folder.in('a.wav') }),
        content: ({ text }: { readonly text: string }) => text,
      },
      'address of a voice': {
        body: { uri: 'speech:a:b:c' },
        others: 'id model customName data',
        call: ({ voices }) =>
          voices.upload({ model: 'm', customName: 'n', text: 't', sample: { path: folder.in('a.wav') } }),
        content: ({ uri }: { readonly uri: string }) => uri,
      },
      'batch that is created': {
        body: batch,
        others: `${batchOthers} status output_file_id error_file_id input_file_id data`,
        call: ({ batches }) =>
          batches.create({ input_file_id: 'file-in', endpoint: '/v1/chat/completions', completion_window: '24h' }),
        content: ({ id }: Awaited<ReturnType<Client['batches']['create']>>) => id,
      },
      'batch with results': {
        body: batch,
        others: `${batchOthers} id input_file_id error_file_id`,
        call: ({ batches }) => batches.retrieve({ id: 'batch_1' }),
        content: ({ status, outputFileId }: Awaited<ReturnType<Client['batches']['retrieve']>>) => [
          status,
          outputFileId,
        ],
      },
      'list of batches': {
        body: { object: 'list', data: [batch], first_id: 'batch_1', last_id: 'batch_1', has_more: false },
        others: `object first_id last_id has_more ${batchOthers.replaceAll(/\S+/g, 'data.0.$&')}`,
        call: ({ batches }) => batches.list(),
        content: ({ batches }: Awaited<ReturnType<Client['batches']['list']>>) =>
          batches.map(({ id, status, outputFileId, errorFileId }) => [id, status, outputFileId, errorFileId]),
      },
      'file that is uploaded': {
        body: {
          id: 'file-1',
          object: 'file',
          bytes: 2,
          createdAt: 1_741_685_413,
          filename: 'a.jsonl',
          purpose: 'batch',
        },
        others: 'object bytes createdAt created_at filename purpose line_count status data',
        call: ({ files }) => files.upload({ path: folder.in('a.jsonl') }),
        content: ({ id }: { readonly id: string }) => id,
      },
    };

    for (const [name, paid] of Object.entries(answers)) {
      it(`is read despite the ${name}`, async () => {
        const expected = await ask(paid, paid.body);
        for (const value of oddValues) {
          for (const depth of [1, 2, 3, 4, 5]) {
            // All at once; what lies deeper would be hidden by what it is in.
            const paths = pathsOf(paid).filter(({ length }) => length === depth);
            if (paths.length === 0) continue;
            const body = paths.reduce((changed, path) => withValue(changed, path, value), paid.body as unknown);
            deepEqual(await ask(paid, body), expected, JSON.stringify(body));
          }
        }
      });
    }

    it('is read without its usual other properties', async () => {
      for (const [name, paid] of Object.entries(answers)) {
        const expected = await ask(paid, paid.body);
        const bare = pathsOf(paid)
          .filter(({ length }) => length === 1)
          .reduce((changed, path) => withValue(changed, path, undefined), paid.body as unknown);
        deepEqual(await ask(paid, bare), expected, name);
      }
    });

    it('is read in the common envelope', async () => {
      for (const [name, paid] of Object.entries(answers)) {
        const expected = await ask(paid, paid.body);
        for (const code of [20000, 200, 0]) {
          const envelope = { code, message: 'Ok', status: true, data: paid.body };
          deepEqual(await ask(paid, envelope), expected, `${name}, ${code}`);
        }
      }
    });

    it('is read next to an empty error', async () => {
      for (const [name, paid] of Object.entries(answers)) {
        const expected = await ask(paid, paid.body);
        for (const error of [null, '', {}, [], false, { message: '', type: '', param: null, code: null }]) {
          deepEqual(await ask(paid, { ...paid.body, error }), expected, name);
        }
        // A batch may have an error of its own, such as one of its file.
        if (name.startsWith('batch ')) continue;
        server.answer({ body: JSON.stringify({ ...paid.body, error: { message: 'No.', code: null } }) });
        equal((await failureOf(paid.call(client))).message, 'No.');
      }
    });

    it('is rejected if it is neither an object nor a list', async () => {
      for (const { call } of Object.values(answers)) {
        for (const body of ['<html><body>Sign in to the network</body></html>', '"text"', '7', 'null', 'true', '']) {
          server.answer({ body });
          equal((await failureOf(call(client))).kind, 'badResponse', body);
        }
      }
    });
  });
}

const pathsOf = ({ others }: Paid) => others.split(' ').map((path) => path.split('.'));

/** The body with another value at a path; without the member if the value is `undefined`. */
function withValue(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const own = rest.length === 0 ? value : withValue((body as Record<string, unknown>)[name], rest, value);
  if (Array.isArray(body)) return body.map((one: unknown, index) => (String(index) === name ? own : one));
  return { ...(body as object), [name]: own };
}
