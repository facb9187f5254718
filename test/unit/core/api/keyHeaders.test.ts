import assert from 'node:assert/strict';
import { createEditorStack } from '../../../../src/core/api/transport/editorTransport';
import type { HttpStack } from '../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { createTestClient, everythingIn, failureOf, testKey } from '../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../support/fixtureServer';

const carriers = ['authorization', 'x-api-key', 'anthropic-version'] as const;

for (const [name, createStack] of Object.entries({ undici: createUndiciStack, editor: createEditorStack })) {
  describe(`the key of a call over ${name}`, () => {
    let server: FixtureServer;
    let stack: HttpStack;
    before(() => void (stack = createStack()));
    beforeEach(async () => void (server = await startFixtureServer()));
    afterEach(() => server.close());
    after(() => stack.close());

    const sent = () => carriers.map((header) => server.seen[0]?.headers[header]);

    it('is in the Authorization header', async () => {
      server.answer(jsonAnswer('models/list.json'));
      await createTestClient(server.baseUrl, { stack }).client.models.list({});
      assert.deepEqual(sent(), [`Bearer ${testKey}`, undefined, undefined]);
    });

    it('is in x-api-key if the service uses that, and never in the log or in errors', async () => {
      const body = JSON.stringify({
        type: 'error',
        error: { type: 'authentication_error', message: `invalid x-api-key ${testKey}` },
        request_id: 'req_1',
      });
      server.answer({ status: 401, headers: { 'x-api-key': testKey }, body });
      const { client, exchanges } = createTestClient(server.baseUrl, { stack, keyHeader: 'x-api-key' });
      const error = await failureOf(client.models.list({}));
      assert.deepEqual(sent(), [undefined, testKey, '2023-06-01']);
      assert.equal(error.kind, 'auth');
      assert.equal(exchanges[0]?.request.headers['x-api-key'], '[key]');
      assert.ok(!everythingIn(error).includes(testKey));
      assert.ok(!JSON.stringify(exchanges).includes(testKey));
    });

    it("isn't sent if there is none", async () => {
      for (const keyHeader of ['bearer', 'x-api-key'] as const) {
        server.answer(jsonAnswer('models/list.json'));
        const { client } = createTestClient(server.baseUrl, { stack, keyHeader, apiKey: async () => '' });
        assert.equal((await client.models.list({})).length, 3);
        const headers = server.seen.at(-1)?.headers ?? {};
        assert.ok(!('authorization' in headers) && !('x-api-key' in headers), keyHeader);
      }
    });

    it('is reported as missing if the service rejects a call without one', async () => {
      server.answer({
        status: 401,
        body: '{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}',
      });
      const { client } = createTestClient(server.baseUrl, { stack, apiKey: async () => '' });
      const { kind, details } = await failureOf(client.models.list({}));
      assert.deepEqual([kind, details.hint], ['auth', 'noKey']);
    });

    it('is missing after sign-out, and no request is sent', async () => {
      const { client } = createTestClient(server.baseUrl, { stack, apiKey: async () => undefined });
      assert.equal((await failureOf(client.models.list({}))).kind, 'auth');
      assert.equal(server.seen.length, 0);
    });
  });
}
