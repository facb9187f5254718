import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readingOf } from '../../../src/core/batch/state/batchState';
import { sourcesOf } from '../../../src/core/jobs/batch/batchState';
import { createTestClient } from '../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../support/fixtureServer';

/** What a real service answers about a batch or an uploaded file, and how it is read. */
interface StateCase {
  readonly about: string;
  readonly kind: 'batch' | 'file';
  readonly body: object;
  /** Of a batch, each error as line, code and message, and the counts as total, completed and failed. */
  readonly is: object;
}

const cases = JSON.parse(readFileSync('test/cases/batch/states.json', 'utf8')) as readonly StateCase[];

describe('the state of a batch or a file at a real service', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  const batchAt = async () => {
    const batch = await createTestClient(server.baseUrl).client.batches.retrieve({ id: 'asked' });
    const { total, completed, failed } = batch.requestCounts ?? {};
    return {
      status: batch.status,
      reading: readingOf(batch),
      errors: batch.errors.map(({ line = '', code = '', message }) => `${line}|${code}|${message}`),
      out: sourcesOf(batch).map(({ kind, file }) => `${kind}:${file}`),
      counts: batch.requestCounts && [total, completed, failed],
    };
  };
  const fileAt = async () => {
    const file = await createTestClient(server.baseUrl).client.files.retrieve({ id: 'asked' });
    return { state: file.state, reason: file.stateReason, bytes: file.bytes, name: file.filename };
  };

  for (const { about, kind, body, is } of cases) {
    it(`is parsed (${kind}): ${about}`, async () => {
      server.answer({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      const found: object = kind === 'batch' ? await batchAt() : await fileAt();
      const isSet = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
      const set = Object.entries(found).filter(([, value]) => isSet(value));
      // As in the file of cases, where a count that is unknown is null.
      deepEqual(JSON.parse(JSON.stringify(Object.fromEntries(set))), is);
    });
  }
});
