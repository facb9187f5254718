import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiErrorMessage } from '../../../../../src/core/agentTools/errorMessages';
import { createLearnedStore } from '../../../../../src/core/api/learned';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import type { HttpStack } from '../../../../../src/core/api/transport/transport';
import { checkModel } from '../../../../../src/core/modelCheck/modelCheck';
import {
  rankInSlices,
  usualLimits,
  type RankedList,
  type Unranked,
} from '../../../../../src/core/ranking/rankInSlices';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../../support/fixtureServer';
import { runTool } from '../../../../support/toolHost';

/** What a real service or server answered in substance to the ranking of four documents, and what has to be made of it. */
interface RankingCase {
  readonly about: string;
  /** The path of the base URL where it is another than `v1`. */
  readonly base?: string;
  /** In turn; the last one again if there are more requests. */
  readonly answers: readonly { readonly status: number; readonly body: unknown }[];
  /** The indexes of the documents, best first. */
  readonly order?: readonly number[];
  readonly tokens?: number;
  readonly unranked?: Unranked;
  readonly error?: string;
  /** Patterns of what is and isn't told to a model. */
  readonly tool?: string;
  readonly toolNot?: string;
  readonly sent?: number;
  /** The property that has the documents once the server has rejected them. */
  readonly list?: string;
}

const folder = 'test/cases/batch/rerank';
const cases = readdirSync(folder).map(
  (name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as RankingCase] as const,
);
const documents = [
  'Tea is grown on hills.',
  'A harbor pilot guides ships.',
  'Bread rises overnight.',
  'The pilot sleeps by day.',
];
const model = 'some/reranker';
const signal = new AbortController().signal;

describe('rankings of real services', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  const open = ({ base, answers }: RankingCase) => {
    const [first, ...more] = answers.map(({ status, body }) => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }));
    server.answer(first!, ...more);
    const baseUrl = base === undefined ? server.baseUrl : new URL(`/${base}`, server.baseUrl).href;
    const learned = createLearnedStore();
    return { ...createTestClient(baseUrl, { service: undefined, learned }), learned };
  };
  const bodies = () => server.seen.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);

  for (const [name, one] of cases) {
    it(`${name}: ${one.about}`, async () => {
      const { client } = open(one);
      let list: RankedList | undefined;
      const { text, isError = false } = await runTool(
        'rerank',
        { query: 'Who guides ships?', documents, model },
        {
          models: async () => ({ models: [], pins: [], defaults: {} }),
          rerank: async (request) =>
            (list = await rankInSlices(
              (slice) => client.rerank.create(slice),
              request,
              { limits: usualLimits },
              signal,
            )),
        },
      );
      equal(isError, one.error !== undefined || one.unranked !== undefined, text);
      equal(list?.unranked, one.unranked);
      if (one.order)
        deepEqual(
          list?.scores.map(({ index }) => index),
          one.order,
        );
      if (one.tokens !== undefined) equal(list?.tokens.input, one.tokens);
      if (one.tool !== undefined) match(text, new RegExp(one.tool, 's'));
      if (one.toolNot !== undefined) doesNotMatch(text, new RegExp(one.toolNot, 's'));
      if (one.error !== undefined) equal(list, undefined);
      if (one.sent !== undefined) equal(server.seen.length, one.sent);
      if (one.list === undefined) return;
      const { [one.list]: sent, documents: before, ...rest } = bodies()[1]!;
      deepEqual([sent, before, rest], [documents, undefined, { model, query: 'Who guides ships?', truncate: true }]);
      await client.rerank.create({ model, query: 'q', documents: ['a'], return_documents: true });
      deepEqual(bodies()[2], { model, query: 'q', texts: ['a'], truncate: true, return_text: true });
      equal(server.seen.length, 3);
    });
  }

  const inOtherForms: readonly (readonly [service: string, rejection: object, body: object])[] = [
    [
      'DashScope',
      { code: 'InvalidParameter', message: 'Required parameter input is missing' },
      { model, input: { query: 'q', documents: ['a'] }, parameters: { top_n: 1, instruct: 'i' } },
    ],
    [
      'NVIDIA',
      { detail: [{ type: 'missing', loc: ['body', 'passages'], msg: 'Field required' }] },
      { model, query: { text: 'q' }, passages: [{ text: 'a' }] },
    ],
    [
      'Pinecone',
      { error: { message: 'documents must be a list of objects with the field text' } },
      { model, query: 'q', documents: [{ text: 'a' }], top_n: 1, instruction: 'i' },
    ],
    [
      'Voyage',
      { detail: "Argument 'top_n' is not supported by our API" },
      { model, query: 'q', documents: ['a'], instruction: 'i', top_k: 1 },
    ],
  ];
  for (const [service, rejection, body] of inOtherForms) {
    it(`uses the form of ${service} after a rejection, and directly from then on`, async () => {
      const { client } = open({
        about: '',
        answers: [
          { status: 400, body: rejection },
          { status: 200, body: { results: [{ index: 0, relevance_score: 0.5 }] } },
        ],
      });
      const request = { model, query: 'q', documents: ['a'], top_n: 1, instruction: 'i' };
      await client.rerank.create(request);
      await client.rerank.create(request);
      deepEqual(bodies(), [request, body, body]);
    });
  }

  it('omits the number of results if no name for it is accepted, and truncates the list', async () => {
    const { client } = open({
      about: '',
      answers: [
        {
          status: 422,
          body: {
            detail: [{ type: 'extra_forbidden', loc: ['body', 'top_n'], msg: 'Extra inputs are not permitted' }],
          },
        },
        {
          status: 422,
          body: {
            detail: [{ type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }],
          },
        },
        { status: 200, body: { results: documents.map((_text, index) => ({ index, relevance_score: index / 10 })) } },
      ],
    });
    const request = { model, query: 'q', documents, top_n: 2 };
    for (let round = 0; round < 2; round += 1) {
      const list = await rankInSlices((slice) => client.rerank.create(slice), request, { limits: usualLimits }, signal);
      deepEqual(
        [list.scores.map(({ index }) => index), list.unscored],
        [
          [3, 2],
          [0, 1],
        ],
      );
    }
    const { top_n: _, ...without } = request;
    deepEqual(bodies(), [request, { ...without, top_k: 2 }, without, without]);
  });

  const ownPaths: readonly (readonly [about: string, base: string, model: string, url: string, body: object])[] = [
    ...['compatible-mode/v1', 'api/v1'].map((path) => {
      const base = `https://dashscope-intl.aliyuncs.com/${path}`;
      const own = 'https://dashscope-intl.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank';
      return [
        `DashScope (${path})`,
        base,
        model,
        own,
        { model, input: { query: 'q', documents: ['a'] }, parameters: {} },
      ] as const;
    }),
    [
      'Mixedbread',
      'https://api.mixedbread.com/v1',
      model,
      'https://api.mixedbread.com/v1/reranking',
      { model, query: 'q', input: ['a'] },
    ],
    ...[
      ['nvidia/llama-3.2-nv-rerankqa-1b-v2', 'nvidia/llama-3_2-nv-rerankqa-1b-v2'],
      ['nv-rerank-qa-mistral-4b:1', 'nvidia'],
      ['a b/..', 'a%20b/__'],
    ].map(([id, path]) => {
      const url = `https://ai.api.nvidia.com/v1/retrieval/${path}/reranking`;
      const body = { model: id, query: { text: 'q' }, passages: [{ text: 'a' }] };
      return [`NVIDIA (${id})`, 'https://ai.api.nvidia.com/v1', id!, url, body] as const;
    }),
  ];
  for (const [about, baseUrl, id, url, body] of ownPaths) {
    it(`ranks at the path and in the form of ${about}`, async () => {
      server.answer({ body: '{"data":[{"index":0,"score":0.5,"input":"a","object":"rank_result"}],"object":"list"}' });
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
      const { results } = await client.rerank.create({ model: id, query: 'q', documents: ['a'] });
      deepEqual(results, [{ index: 0, relevance_score: 0.5, text: 'a' }]);
      deepEqual(asked, [url]);
      deepEqual(bodies()[0], body);
    });
  }

  it("reports NVIDIA's rerank URL, and sends the key to no other host", async () => {
    server.answer({ status: 404, body: '404 page not found' });
    const undici = createUndiciStack();
    const asked = new Set<string>();
    const stack: HttpStack = {
      ...undici,
      send(request) {
        asked.add(request.url.hostname);
        return undici.send({ ...request, url: new URL(request.url.pathname, server.baseUrl) });
      },
    };
    const { client } = createTestClient('https://integrate.api.nvidia.com/v1', { service: undefined, stack });
    const rank = () => client.rerank.create({ model: 'nvidia/nv-rerankqa', query: 'q', documents: ['a'] });
    // The second time, it is known to be missing.
    for (const error of [await failureOf(rank()), await failureOf(rank())]) {
      deepEqual([error.kind, error.details.hint], ['notOffered', 'ranksElsewhere']);
      match(apiErrorMessage(error), /ai\.api\.nvidia\.com/);
    }
    deepEqual([...asked], ['integrate.api.nvidia.com']);
  });

  it("uses NVIDIA's path if a local server has no other", async () => {
    const body = '{"rankings":[{"index":1,"logit":4.5},{"index":0,"logit":-3}]}';
    server.answer({ status: 404, body: '{"detail":"Not Found"}' }, { status: 404, body: '' }, { body }, { body });
    const learned = createLearnedStore();
    const { client } = createTestClient(server.baseUrl, { service: undefined, learned, hasPrices: false });
    const request = { model, query: 'q', documents: ['a', 'b'] };
    equal((await client.rerank.create(request)).results[0]?.index, 1);
    equal((await client.rerank.create(request)).results[0]?.index, 1);
    deepEqual(
      server.seen.map(({ path }) => path),
      ['/v1/rerank', '/rerank', '/v1/ranking', '/v1/ranking'],
    );
    deepEqual(bodies().at(-1), { model, query: { text: 'q' }, passages: [{ text: 'a' }, { text: 'b' }] });
  });

  it('returns to documents if the server no longer ranks texts', async () => {
    const { client, learned } = open({
      about: '',
      answers: [
        { status: 422, body: { detail: [{ loc: ['body', 'documents'], msg: 'Field required' }] } },
        { status: 200, body: { results: [{ index: 0, relevance_score: 0.5 }] } },
      ],
    });
    learned.learn(model, { ranksTexts: true });
    await client.rerank.create({ model, query: 'q', documents: ['a'] });
    deepEqual(bodies(), [
      { model, query: 'q', texts: ['a'], truncate: true },
      { model, query: 'q', documents: ['a'] },
    ]);
    equal(learned.of(model).ranksTexts, false);
  });

  it('uses the path without a version on a local server that has no other', async () => {
    const list = '[{"index":1,"score":0.9},{"index":0,"score":0.1}]';
    server.answer(
      { status: 404, body: '' },
      { status: 422, body: 'Failed to deserialize: missing field `texts` at line 1 column 60' },
      { body: list },
      { body: list },
    );
    const learned = createLearnedStore();
    const { client } = createTestClient(server.baseUrl, { service: undefined, learned, hasPrices: false });
    const request = { model, query: 'q', documents: ['a', 'b'] };
    equal((await client.rerank.create(request)).results[0]?.index, 1);
    equal((await client.rerank.create(request)).results[0]?.index, 1);
    deepEqual(
      server.seen.map(({ path }) => path),
      ['/v1/rerank', '/rerank', '/rerank', '/rerank'],
    );
    deepEqual(learned.of(model), { ranksTexts: true, ranksUnversioned: true });
  });

  it('reports the usual path if a server has no path, and asks no service on the internet for the others', async () => {
    server.answer({ status: 404, body: '404 page not found' });
    const request = { model, query: 'q', documents: ['a'] };
    for (const hasPrices of [false, true]) {
      const { client } = createTestClient(server.baseUrl, { service: undefined, hasPrices });
      const error = await failureOf(client.rerank.create(request));
      deepEqual([error.kind, error.details.endpoint], ['notOffered', 'POST /rerank']);
    }
    deepEqual(
      server.seen.map(({ path }) => path),
      ['/v1/rerank', '/rerank', '/v1/ranking', '/v1/rerank'],
    );
  });

  const probes: Readonly<
    Record<string, { readonly entries: string; readonly results: object; readonly said: string }>
  > = {
    'a model that ranks': {
      entries: '{"index":0,"relevance_score":0.0000012},{"index":1,"relevance_score":0.99999}',
      results: { ranks: 'works', scores: 'works' },
      said: '0.99999, 1.2E-6',
    },
    'a model that gives the same score': {
      entries: '{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":0.5}',
      results: { ranks: 'fails', scores: 'works' },
      said: '0.5, 0.5',
    },
    'a model that ranks in reverse': {
      entries: '{"index":0,"relevance_score":0.9},{"index":1,"relevance_score":0.1}',
      results: { ranks: 'fails', scores: 'works' },
      said: '0.9, 0.1',
    },
    'a server without scores': {
      entries: '{"index":0,"relevance_score":NaN},{"index":1,"relevance_score":null}',
      results: { ranks: 'fails', scores: 'fails' },
      said: 'The response contains no scores',
    },
  };
  for (const [name, { entries, results, said }] of Object.entries(probes)) {
    it(`detects with Check Model whether it ranks: ${name}`, async () => {
      const { client, exchanges, learned } = open({
        about: '',
        answers: [{ status: 200, body: `{"results":[${entries}]}` }],
      });
      const { findings } = await checkModel(
        {
          client,
          exchanges: () => exchanges,
          learned,
          model,
          kind: 'rerank',
          service: undefined,
          known: {},
          language: 'en',
          now: () => 5,
        },
        () => undefined,
        signal,
      );
      deepEqual({ ranks: findings.ranks?.result, scores: findings.scores?.result }, results);
      equal(findings.scores?.evidence, said);
    });
  }
});
