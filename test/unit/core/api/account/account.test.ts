import assert from 'node:assert/strict';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import type { HttpStack } from '../../../../../src/core/api/transport/transport';
import { createTestClient, testKey } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('account', () => {
  let server: FixtureServer;
  before(async () => void (server = await startFixtureServer()));
  after(() => server.close());

  it('requests the account with only the key', async () => {
    server.answer(jsonAnswer('account/info.json'));
    await createTestClient(server.baseUrl).client.account.info();
    const [request] = server.seen;
    assert.deepEqual(
      { method: request?.method, path: request?.path, query: request?.query, body: request?.body },
      { method: 'GET', path: '/v1/user/info', query: {}, body: '' },
    );
    assert.equal(request?.headers.authorization, `Bearer ${testKey}`);
    assert.equal(request?.headers['content-type'], undefined);
  });

  it('keeps amounts as text, and omits values that the service leaves empty', async () => {
    server.answer(jsonAnswer('account/info.json'));
    assert.deepEqual(await createTestClient(server.baseUrl).client.account.info(), {
      id: 'userid',
      status: 'normal',
      balance: '0.88',
      chargeBalance: '88.00',
      totalBalance: '88.88',
      isAdmin: false,
    });
  });

  it('reads deprecated fields while they have a value', async () => {
    const data = { name: 'Ada', image: 'https://x/y.png', email: 'a@b.c', totalBalance: -3.5, role: 'owner' };
    server.answer({ body: JSON.stringify({ code: 20000, message: 'OK', status: true, data }) });
    assert.deepEqual(await createTestClient(server.baseUrl).client.account.info(), {
      ...data,
      totalBalance: '-3.5',
    });
  });

  const ownPlaces = {
    'https://api.deepseek.com': 'https://api.deepseek.com/user/balance',
    'https://api.deepseek.com/v1': 'https://api.deepseek.com/user/balance',
    'https://api.moonshot.cn/v1': 'https://api.moonshot.cn/v1/users/me/balance',
    'https://api.moonshot.ai/v1/': 'https://api.moonshot.ai/v1/users/me/balance',
    'https://api.stepfun.com/v1': 'https://api.stepfun.com/v1/accounts',
    'https://api.novita.ai/openai/v1': 'https://api.novita.ai/openapi/v1/billing/balance/detail',
    'https://api.featherless.ai/v1': 'https://api.featherless.ai/credits/balance',
    'https://api.deepseek.com.example.com/v1': 'https://api.deepseek.com.example.com/v1/user/info',
  };
  for (const [baseUrl, url] of Object.entries(ownPlaces)) {
    it(`requests the balance from services that report it: ${baseUrl}`, async () => {
      server.answer({ body: '{"is_available":true,"balance_infos":[{"currency":"USD","total_balance":"1.50"}]}' });
      const undici = createUndiciStack();
      const asked: string[] = [];
      const stack: HttpStack = {
        ...undici,
        send(request) {
          asked.push(request.url.href);
          return undici.send({ ...request, url: new URL(request.url.pathname, server.baseUrl) });
        },
      };
      const { client } = createTestClient(baseUrl, { service: undefined, stack });
      assert.deepEqual(await client.account.info(), { totalBalance: '1.50', currency: 'USD' });
      assert.deepEqual(asked, [url]);
    });
  }

  it('asks NanoGPT with the header in which it takes the key there', async () => {
    server.answer({ body: '{"usd_balance":"1.50"}' });
    const undici = createUndiciStack();
    const asked: string[] = [];
    const stack: HttpStack = {
      ...undici,
      send(request) {
        asked.push(`${request.method} ${request.url.href}`);
        return undici.send({ ...request, url: new URL(request.url.pathname, server.baseUrl) });
      },
    };
    const { client } = createTestClient('https://nano-gpt.com/api/v1', { service: undefined, stack });
    assert.deepEqual(await client.account.info(), { totalBalance: '1.50', currency: 'USD' });
    assert.deepEqual(asked, ['POST https://nano-gpt.com/api/check-balance']);
    const { headers } = server.seen.at(-1)!;
    assert.deepEqual([headers['x-api-key'], headers.authorization], [testKey, undefined]);
  });
});
