import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { toApiError } from '../../../../src/core/api/parseError';
import type { BatchRequest } from '../../../../src/core/api/batches/batches.schema';
import type { BatchService } from '../../../../src/core/jobs/batch/batchService';
import { newJob, readSubmission, type NewBatch } from '../../../../src/core/jobs/batch/newJob';
import { BatchSubmitter } from '../../../../src/core/jobs/batch/submitBatch';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import type { JobBoard } from '../../../../src/core/jobs/jobBoard';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('the submission of a batch file', () => {
  const folder = setUpFolder();

  /** Submits a file of one line for an account at a base URL; returns what the service was asked for. */
  async function submitted(baseUrl: string, url: string, name = 'requests.jsonl', more: Partial<NewBatch> = {}) {
    const path = folder.in(name);
    writeFileSync(path, `${JSON.stringify({ custom_id: 'a', method: 'POST', url, body: { model: 'm' } })}\n`);
    const submission = { path, profileId: 'p', baseUrl, completion_window: '24h', ...more };
    let job: BatchJob = newJob(submission, {
      id: 'j',
      createdAt: 1,
      input: await readSubmission(submission, {}),
      sent: undefined,
    });
    const asked: { filename?: string; text?: string; batch?: BatchRequest } = {};
    const service = {
      batches: {
        form: 'file',
        async create(request: BatchRequest) {
          asked.batch = request;
          return { id: 'batch-1', status: 'validating', errors: [], metadata: {} };
        },
      },
      files: {
        async upload(request: { readonly path: string; readonly filename: string }) {
          asked.filename = request.filename;
          asked.text = readFileSync(request.path, 'utf8');
          return { id: 'file-1' };
        },
      },
    } as unknown as BatchService;
    const board = {
      async update(_id: string, patch: (current: BatchJob) => Partial<BatchJob> | undefined) {
        const change = patch(job);
        if (change) job = { ...job, ...change };
        return change && job;
      },
    } as unknown as JobBoard<BatchJob>;
    const submitter = new BatchSubmitter(board, async () => service, {
      folder: folder.path(),
      now: () => 1,
      setTimer: () => () => undefined,
    });
    equal((await submitter.submit(job, {})).stage, 'running');
    return asked;
  }

  it("keeps waiting if it is stopped while the file of a queued batch isn't visible at the service yet", async () => {
    const path = folder.in('requests.jsonl');
    writeFileSync(path, '{}\n');
    const submission = { path, profileId: 'p', baseUrl: 'https://gateway.example/v1', completion_window: '24h' };
    const made = newJob(submission, {
      id: 'j',
      createdAt: 1,
      input: await readSubmission(submission, {}),
      sent: undefined,
    });
    let job: BatchJob = { ...made, stage: 'queued' };
    let uploads = 0;
    let isSeen = false;
    const service = {
      batches: {
        form: 'file',
        async create() {
          if (isSeen) return { id: 'batch-1', status: 'validating', errors: [], metadata: {} };
          throw toApiError({ status: 404, headers: {}, body: '{"detail":"Input file not found"}', now: 0 });
        },
      },
      files: { upload: async () => ({ id: `file-${++uploads}` }) },
    } as unknown as BatchService;
    const board = {
      async update(_id: string, patch: (current: BatchJob) => Partial<BatchJob> | undefined) {
        const change = patch(job);
        if (change) job = { ...job, ...change };
        return change && job;
      },
    } as unknown as JobBoard<BatchJob>;
    const closing = new AbortController();
    const submitter = new BatchSubmitter(board, async () => service, {
      folder: folder.path(),
      now: () => 1,
      setTimer: () => {
        queueMicrotask(() => closing.abort());
        return () => undefined;
      },
    });
    deepEqual([(await submitter.submit(job, { signal: closing.signal })).stage, job.inputFileId], ['queued', 'file-1']);
    isSeen = true;
    deepEqual([(await submitter.submit(job, {})).stage, uploads], ['running', 1]);
  });

  it("uses the endpoint of the file if the service's batches support it", async () => {
    for (const [baseUrl, url, endpoint] of [
      ['https://gateway.example/v1', '/v1/chat/ds-test', '/v1/chat/ds-test'],
      ['https://gateway.example/v1', '/chat/completions', '/chat/completions'],
      ['https://contoso.openai.azure.com/openai', '/chat/completions', '/chat/completions'],
      ['https://api.openai.com/v1', '/v1/embeddings', '/v1/embeddings'],
      ['https://open.bigmodel.cn/api/paas/v4', '/v4/chat/completions', '/v4/chat/completions'],
      ['https://api.groq.com/openai/v1', '/v1/moderations', '/v1/chat/completions'],
    ] as const) {
      equal((await submitted(baseUrl, url)).batch?.endpoint, endpoint, `${url} at ${baseUrl}`);
    }
  });

  it('uploads the file under a name that ends in .jsonl', async () => {
    const names = ['notes.txt', 'notes.json', 'notes', 'notes.v2.JSONL'];
    const sent: unknown[] = [];
    for (const name of names) {
      sent.push((await submitted('https://api.openai.com/v1', '/v1/chat/completions', name)).filename);
    }
    deepEqual(sent, ['notes.jsonl', 'notes.jsonl', 'notes.jsonl', 'notes.v2.JSONL']);
  });

  it("writes the model for all requests into the lines if the service can't set it", async () => {
    const chat = '/v1/chat/completions';
    const modelIn = (text = '') => (JSON.parse(text) as { readonly body: { readonly model: string } }).body.model;
    const withModel = (baseUrl: string, model: string, more: Partial<NewBatch> = {}) =>
      submitted(baseUrl, chat, 'notes.jsonl', { replace: { model }, ...more });
    const siliconFlow = 'https://api.siliconflow.com/v1';
    const own = await withModel(siliconFlow, 'deepseek-ai/DeepSeek-V3');
    deepEqual([modelIn(own.text), own.batch?.replace], ['m', { model: 'deepseek-ai/DeepSeek-V3' }]);
    for (const baseUrl of [siliconFlow, 'https://api.openai.com/v1', 'https://gateway.example/v1']) {
      const other = await withModel(baseUrl, 'another-model');
      deepEqual([modelIn(other.text), other.batch?.replace], ['another-model', undefined], baseUrl);
      equal(other.filename, 'notes.jsonl');
    }
    // What was uploaded before has the models of its lines.
    const again = await withModel(siliconFlow, 'another-model', { inputFileId: 'file-0' });
    deepEqual([modelIn(again.text), again.batch?.input_file_id], ['another-model', 'file-1']);
    equal((await withModel(siliconFlow, 'deepseek-ai/DeepSeek-V3', { inputFileId: 'file-0' })).text, undefined);
    deepEqual(readdirSync(folder.in('sent')), []);
  });
});
