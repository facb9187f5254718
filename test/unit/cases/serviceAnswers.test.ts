import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Client } from '../../../src/core/api/client';
import { createTestClient } from '../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../support/fixtureServer';

/** What a real service answers to a question for what there is, and how it is read. */
interface AnswerCase {
  readonly about: string;
  readonly kind: keyof typeof questions;
  readonly body: unknown;
  readonly is: unknown;
}

const questions = {
  models: async ({ models }: Client) => (await models.list({})).map(({ id }) => id),
  files: async ({ files }: Client) => (await files.list({})).map(({ id }) => id),
  batches: async ({ batches }: Client) => (await batches.list()).batches.map(({ id, status }) => `${id} ${status}`),
  embeddings: async ({ embeddings }: Client) => (await embeddings.create({ model: 'm', input: ['a', 'b'] })).vectors,
  account: async ({ account }: Client) => account.info(),
} as const;

const cases = JSON.parse(readFileSync('test/cases/batch/answers.json', 'utf8')) as readonly AnswerCase[];

describe('lists, embeddings, and account details of a real service', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const { about, kind, body, is } of cases) {
    it(`are parsed (${kind}): ${about}`, async () => {
      server.answer({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      deepEqual(await questions[kind](createTestClient(server.baseUrl).client), is);
    });
  }
});
