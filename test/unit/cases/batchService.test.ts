import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toAgentBatch } from '../../../src/core/agentTools/agentBatch';
import type { BatchFault } from '../../../src/core/api/batches/batches.schema';
import { fastTime, openEngine, submissionOf, writeBatchFile } from '../../support/batchEngines';
import type { OpenEngine } from '../../support/batchEngines';
import type { OriginServer } from '../../support/originServer';
import { startSteps, type ServiceSteps } from '../../support/serviceSteps';
import { setUpFolder } from '../../support/temporaryFolder';
import { runTool } from '../../support/toolHost';

interface ServiceCase {
  readonly about: string;
  readonly steps: ServiceSteps;
  readonly expected: {
    readonly stage: string;
    readonly status?: string;
    /** Of the job's error. */
    readonly kind?: string;
    readonly errors?: readonly BatchFault[];
    /** How often the batch is created, and the uploaded file checked. */
    readonly creations?: number;
    readonly checks?: number;
    /** What a tool says, as patterns. */
    readonly tool: string;
    readonly toolNot?: string;
  };
}

const folderOfCases = 'test/cases/batch/service';

describe('a batch at a service with another response format', function () {
  this.timeout(60_000);
  let server: OriginServer | undefined;
  let engine: OpenEngine | undefined;
  // Before the folder is removed.
  afterEach(async () => {
    await engine?.dispose();
    await server?.close();
  });
  const folder = setUpFolder();

  for (const name of readdirSync(folderOfCases)) {
    const one = JSON.parse(readFileSync(path.join(folderOfCases, name), 'utf8')) as ServiceCase;
    it(`is tracked and reported correctly: ${name}`, async () => {
      const { stage, status, kind, errors, creations, checks, tool, toolNot } = one.expected;
      server = await startSteps(one.steps);
      const service = { baseUrl: new URL('v1', server.url).href, apiKey: 'sk-any' };
      engine = openEngine(folder.path(), service, fastTime(5000));
      const submission = submissionOf(await writeBatchFile(folder.path(), 3), service);
      const { id } = await engine.submit(submission);
      const isThere = (job: { readonly stage: string; readonly lastError?: { readonly kind: string } }) =>
        job.stage === stage && (kind === undefined || job.lastError?.kind === kind);
      const job = await engine.until(id, isThere, one.about);
      assert.equal(job.lastError?.kind, kind, JSON.stringify(job.lastError));
      if (status !== undefined) assert.equal(job.batch?.status, status);
      if (errors) assert.deepEqual(job.batch?.errors, errors);
      const count = (call: string) => server?.requests.filter((request) => request === call).length;
      if (creations !== undefined) assert.equal(count('POST /v1/batches'), creations);
      if (checks !== undefined) assert.equal(count('GET /v1/files/file-1'), checks);
      const { text } = await runTool('batchStatus', { id }, { batch: async () => toAgentBatch(job) });
      assert.match(text, new RegExp(tool, 's'));
      if (toolNot !== undefined) assert.doesNotMatch(text, new RegExp(toolNot));
    });
  }
});
