import { deepEqual, equal } from 'node:assert/strict';
import type { Client } from '../../../../src/core/api/client';
import { createEditorStack } from '../../../../src/core/api/transport/editorTransport';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { createTestClient, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';

interface Listed {
  readonly entry: object;
  /** The name under which the service lists them, if it is not `data`. */
  readonly name?: string;
  readonly ids: (client: Client) => Promise<readonly (string | undefined)[]>;
}

const lists: Readonly<Record<string, Listed>> = {
  batches: {
    entry: { id: 'batch_1', status: 'in_queue' },
    ids: async ({ batches }) => (await batches.list()).batches.map(({ id }) => id),
  },
  files: {
    entry: { id: 'file-1', filename: 'a.jsonl' },
    ids: async ({ files }) => (await files.list({})).map(({ id }) => id),
  },
  models: {
    entry: { id: 'a/model', object: 'model' },
    ids: async ({ models }) => (await models.list({})).map(({ id }) => id),
  },
  'models under their name': {
    entry: { name: 'a.gguf' },
    name: 'models',
    ids: async ({ models }) => (await models.list({})).map(({ id }) => id),
  },
  voices: {
    entry: { uri: 'speech:a:b:c' },
    name: 'results',
    ids: async ({ voices }) => (await voices.list()).map(({ uri }) => uri),
  },
};

for (const createStack of [createUndiciStack, createEditorStack]) {
  describe(`a list of a service over ${createStack().name}`, () => {
    let server: FixtureServer;
    let client: Client;
    before(async () => {
      server = await startFixtureServer();
      ({ client } = createTestClient(server.baseUrl, { stack: createStack() }));
    });
    after(async () => {
      await client.close();
      await server.close();
    });

    for (const [what, { entry, name = 'data', ids }] of Object.entries(lists)) {
      const read = (body: unknown) => {
        server.answer({ body: JSON.stringify(body) });
        return ids(client);
      };
      const inEnvelope = (data: unknown) => ({ code: 20000, message: 'Ok', status: true, data });

      it(`is empty if it is null or missing: ${what}`, async () => {
        const none = [
          { [name]: null },
          { [name]: [] },
          {},
          { object: 'list' },
          { object: 'list', has_more: false },
          [],
        ];
        for (const body of [...none, ...none.map(inEnvelope), inEnvelope(null)]) {
          deepEqual(await read(body), [], JSON.stringify(body));
        }
      });

      it(`is read bare, under its name, as data, and in an envelope: ${what}`, async () => {
        const [id] = await read({ [name]: [entry] });
        equal(typeof id, 'string');
        for (const body of [[entry], { [name]: [entry] }, { data: [entry] }, { object: 'list', data: [entry] }]) {
          deepEqual(await read(body), [id], JSON.stringify(body));
          deepEqual(await read(inEnvelope(body)), [id], JSON.stringify(inEnvelope(body)));
        }
      });

      it(`omits only invalid entries: ${what}`, async () => {
        const whole = await read({ [name]: [entry] });
        for (const odd of [null, 7, '', true, {}, [], { id: null, uri: null }, { id: '', uri: '' }]) {
          deepEqual(await read({ [name]: [odd, entry, odd] }), whole, JSON.stringify(odd));
          deepEqual(await read([entry, odd]), whole, JSON.stringify(odd));
        }
      });

      it(`is rejected if the response is neither an object nor a list, or contains an error: ${what}`, async () => {
        const pages = ['<html><title>Proxy</title></html>', '"text"', '7', 'null', ''];
        for (const body of [...pages, '{"detail":"Not Found"}', '{"message":"There is no such page."}']) {
          server.answer({ body });
          equal((await failureOf(ids(client))).kind, 'badResponse', body);
        }
        server.answer({
          body: '{"error":{"message":"Your key is of another project.","type":"invalid_request_error"}}',
        });
        equal((await failureOf(ids(client))).message, 'Your key is of another project.');
      });
    }
  });
}
