import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/core/api/errors';
import { type OfferRecord, createOfferStore, offerMemoryMs } from '../../../../src/core/api/offers';
import { createTestClient, failureOf } from '../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../support/fixtureServer';

const pathMissing = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };

describe("an endpoint that the service doesn't offer", () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const answer of [
    pathMissing,
    { ...pathMissing, body: '"404 page not found"\n' },
    { status: 405, body: 'x' },
    { status: 410, body: '{"message":"gone"}' },
  ]) {
    it(`is detected by ${answer.status} ${answer.body.trim()}, and not requested again for a day`, async () => {
      const records: OfferRecord[] = [];
      const offers = createOfferStore({}, (record) => records.push(record));
      const { client, advance, exchanges, now } = createTestClient(server.baseUrl, { offers });
      server.answer(answer, jsonAnswer('account/info.json'));

      const first = await failureOf(client.account.info());
      assert.equal(first.kind, 'notOffered');
      assert.deepEqual(records, [{ 'GET /user/info': now() }]);
      const second = await failureOf(client.account.info());
      assert.deepEqual([second.kind, second.details.endpoint], ['notOffered', 'GET /user/info']);
      assert.equal(server.seen.length, 1);
      assert.equal(exchanges.length, 1);

      advance(offerMemoryMs);
      assert.equal((await client.account.info()).id, 'userid');
      assert.deepEqual(records.at(-1), {});
    });
  }

  it('is requested again after the memory is cleared, as sign-in does', async () => {
    const offers = createOfferStore({ 'GET /user/info': 1_800_000_000_000 });
    const { client } = createTestClient(server.baseUrl, { offers });
    server.answer(jsonAnswer('account/info.json'));
    assert.equal((await failureOf(client.account.info())).kind, 'notOffered');
    assert.equal(server.seen.length, 0);
    offers.clear();
    await client.account.info();
    assert.equal(server.seen.length, 1);
  });

  it("doesn't affect other endpoints", async () => {
    const { client } = createTestClient(server.baseUrl);
    server.answer(pathMissing, jsonAnswer('models/list.json'));
    await failureOf(client.account.info());
    assert.equal((await client.models.list({})).length, 3);
  });

  it('is remembered without IDs, and not because of a single ID', async () => {
    const offers = createOfferStore();
    const { client } = createTestClient(server.baseUrl, { offers });
    server.answer(
      { status: 404, body: '{"code":20015,"message":"No such batch","data":null}' },
      { status: 410, body: 'Gone' },
      pathMissing,
    );
    assert.equal((await failureOf(client.batches.retrieve({ id: 'a' }))).kind, 'notFound');
    assert.equal((await failureOf(client.batches.retrieve({ id: 'b' }))).kind, 'notFound');
    assert.equal((await failureOf(client.batches.retrieve({ id: 'c' }))).kind, 'notOffered');
    assert.equal((await failureOf(client.batches.retrieve({ id: 'd' }))).kind, 'notOffered');
    assert.equal(server.seen.length, 3);
    assert.notEqual(offers.missingSince('GET /batches/{id}'), undefined);
  });
});

describe('an endpoint that a service is known not to have', () => {
  const endpoint = 'GET /user/info';
  let server: FixtureServer;
  beforeEach(async () => {
    server = await startFixtureServer();
    server.answer(jsonAnswer('account/info.json'));
  });
  afterEach(() => server.close());

  it("isn't requested, also after a day", async () => {
    const { client, advance } = createTestClient(server.baseUrl, {
      offers: createOfferStore({}, undefined, [endpoint]),
    });
    assert.equal((await failureOf(client.account.info())).kind, 'notOffered');
    advance(2 * offerMemoryMs);
    assert.equal((await failureOf(client.account.info())).kind, 'notOffered');
    assert.equal(server.seen.length, 0);
  });

  it("isn't requested after a sign-in either, which clears learned facts", async () => {
    const offers = createOfferStore({ 'GET /batches': 1_800_000_000_000 }, undefined, [endpoint]);
    const { client, now } = createTestClient(server.baseUrl, { offers });
    offers.clear();
    assert.equal(offers.isMissing('GET /batches', now()), false);
    assert.equal((await failureOf(client.account.info())).kind, 'notOffered');
    assert.equal(server.seen.length, 0);
  });

  it('is requested again when the user asks for a check, and used if it exists', async () => {
    const records: OfferRecord[] = [];
    const offers = createOfferStore({}, (record) => records.push(record), [endpoint]);
    const { client, now } = createTestClient(server.baseUrl, { offers });
    offers.clear({ andKnown: true });
    assert.deepEqual(records, [{}]);
    assert.equal((await client.account.info()).id, 'userid');
    await client.account.info();
    assert.equal(records.length, 2);
    const inAnotherWindow = createOfferStore(records[1], undefined, [endpoint]);
    assert.equal(inAnotherWindow.isMissing(endpoint, now()), false);
    assert.equal(inAnotherWindow.missingSince(endpoint), undefined);
  });
});

describe('a base URL without its version', () => {
  let server: FixtureServer;
  beforeEach(async () => {
    server = await startFixtureServer();
    server.answer(pathMissing);
  });
  afterEach(() => server.close());
  const facts = ({ kind, details }: ApiError) => [kind, details.hint];

  it('is reported on every path, and not remembered', async () => {
    const offers = createOfferStore();
    const { client } = createTestClient(server.baseUrl.replace('/v1', ''), { offers });
    assert.deepEqual(facts(await failureOf(client.models.list({}))), ['notFound', 'missingVersion']);
    assert.deepEqual(facts(await failureOf(client.account.info())), ['notFound', 'missingVersion']);
    assert.equal(offers.missingSince('GET /user/info'), undefined);
  });

  it('is distinguished from one with a version but another path', async () => {
    const { client } = createTestClient(server.baseUrl);
    assert.deepEqual(facts(await failureOf(client.models.list({}))), ['notFound', 'wrongBaseUrl']);
    await failureOf(client.models.list({}));
    assert.equal(server.seen.length, 2, 'the list of models is asked each time');
  });

  it('is reported for any wording, including those that only repeat the status', async () => {
    // FastAPI (vLLM), Express, llama.cpp, Anthropic.
    for (const body of [
      '{"detail":"Not Found"}',
      '<pre>Cannot GET /v1/models</pre>',
      '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}',
      '{"type":"error","error":{"type":"not_found_error","message":"Not found"}}',
    ]) {
      server.answer({ status: 404, body });
      const versioned = createTestClient(server.baseUrl).client;
      assert.deepEqual(facts(await failureOf(versioned.models.list({}))), ['notFound', 'wrongBaseUrl'], body);
      const bare = createTestClient(server.baseUrl.replace('/v1', '')).client;
      assert.deepEqual(facts(await failureOf(bare.models.list({}))), ['notFound', 'missingVersion'], body);
    }
  });
});
