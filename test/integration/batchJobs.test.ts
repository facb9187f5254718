import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SourceRowsWriter } from '../../src/core/batch/results/sourceRows';
import { ResultsController } from '../../src/features/batchResults/page/resultsController';
import { createOpenRuns } from '../../src/features/batchResults/run/openRuns';
import type { BatchJob } from '../../src/services/batches/batches';
import { sourceStoreOf } from '../../src/services/batches/resultsRoot';
import { jobErrorText } from '../../src/services/batches/batchMessages';
import type { Services } from '../../src/services/services';
import { idsIn, writeBatchFile } from '../support/batchEngines';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until as eventually } from '../support/until';
import { createPageEnd } from '../support/pageEnd';
import { startSteps, type ServiceSteps } from '../support/serviceSteps';
import { setUpFolder } from '../support/temporaryFolder';

describe('batches in the editor', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  afterEach(async () => {
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await services.settings.set('batch.resultsFolder', '');
    await beginAnew(services);
    await demo.close();
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'mine', demo);
    await services.settings.set('batch.resultsFolder', folder.in('results'));
  });

  const comesTo = async (id: string, is: (job: BatchJob) => boolean): Promise<BatchJob> => {
    const { batchJobs } = services;
    const found = () => batchJobs.jobs.find((job) => job.id === id && is(job));
    await until(batchJobs.onDidChange, () => found() !== undefined);
    return found()!;
  };

  /** What the top of a batch's results page says. */
  const headOf = async (jobId: string) => {
    const runs = createOpenRuns(services);
    const end = createPageEnd<'batchResults'>();
    const source = { panel: end.panel, id: 'head' };
    const open = runs.open({ kind: 'job', jobId });
    const shown = new ResultsController(services, source, open, () => Promise.resolve());
    try {
      return (await end.page.call('results/ready', {})).head;
    } finally {
      for (const one of [shown, runs]) one.dispose();
    }
  };

  it('are submitted, tracked with their account, and saved in the selected folder', async () => {
    const { batchJobs, profiles } = services;
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await (
      await batchJobs()
    ).submit({ path, completion_window: '24h', metadata: { name: 'In the editor' } });
    await profiles.save({ id: 'other', name: 'Other', baseUrl: 'https://other.example/v1' });
    await profiles.setActive('other');
    const ended = await comesTo(id, ({ stage }) => stage === 'ended');
    assert.ok(ended.folder?.startsWith(folder.in('results')));
    assert.equal((await idsIn(join(ended.folder ?? '', 'output.jsonl'))).length, 3);
  });

  it('show their times on hover once their results are saved, and remove their source columns with them', async () => {
    const { batchJobs, context } = services;
    const store = sourceStoreOf(context);
    const path = await writeBatchFile(folder.path(), 3);
    const rows = await SourceRowsWriter.begin(store, 'of-this-test', ['id', 'text']);
    for (const id of await idsIn(path)) await rows.add(id, [id, 'A text']);
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    assert.ok(await rows.end({ source: 'texts.csv', path, sha256, used: [] }));
    const submit = async () => {
      const { id } = await (await batchJobs()).submit({ path, completion_window: '24h' });
      return comesTo(id, ({ stage }) => stage === 'ended');
    };
    const [first, second] = [await submit(), await submit()];
    const { phases, factsHint } = await headOf(first.id);
    assert.deepEqual(phases, []);
    assert.match(factsHint, /^Completed: /m);
    const stored = async () => (await readdir(store)).filter((name) => name.startsWith('of-this-test')).length;
    await (await batchJobs()).forget(first.id);
    assert.equal(await stored(), 1);
    await (await batchJobs()).forget(second.id);
    assert.equal(await stored(), 0);
    assert.ok((await readdir(second.folder ?? '')).includes('source.rows'));
  });

  it("stop and explain why if the account's URL has changed", async () => {
    const { batchJobs, profiles } = services;
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 3_600_000 } });
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await (await batchJobs()).submit({ path, completion_window: '24h' });
    await profiles.save({ id: 'mine', name: 'Mine', baseUrl: 'https://other.example/v1' });
    const saved = await comesTo(id, ({ lastError }) => lastError?.kind === 'addressChanged');
    assert.equal(saved.stage, 'running');
    assert.match(saved.lastError ? jobErrorText(saved.lastError) : '', /base URL has changed/);
    const { notices } = await headOf(id);
    assert.deepEqual(
      notices.map(({ title }) => title.match(/base URL has changed/g)?.length),
      [1],
    );
    await profiles.save({ id: 'mine', name: 'Mine', baseUrl: demo.baseUrl });
    await comesTo(id, ({ lastError }) => lastError === undefined);
  });

  it('link service errors to their lines, and explain a missing file', async () => {
    const path = folder.in('faulty.jsonl');
    await writeFile(path, '{"custom_id":"a"}\n');
    const { id } = await (await services.batchJobs()).submit({ path, completion_window: '24h' });
    await comesTo(id, ({ stage }) => stage === 'ended');
    const runs = createOpenRuns(services);
    const open = runs.open({ kind: 'job', jobId: id });
    const end = createPageEnd<'batchResults'>();
    const shown = new ResultsController(services, { panel: end.panel, id: 'faulty' }, open, () => Promise.resolve());
    try {
      const { page } = end;
      await page.call('results/ready', {});
      await page.call('results/goToFault', { fault: 0 });
      const editor = vscode.window.activeTextEditor;
      assert.deepEqual([editor?.document.uri.fsPath, editor?.selection.active.line], [path, 0]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(path);
      await assert.rejects(page.call('results/goToFault', { fault: 0 }), /no longer exists|missing/);
    } finally {
      for (const one of [shown, runs]) one.dispose();
    }
  });

  const submitAt = async (steps: ServiceSteps) => {
    const server = await startSteps(steps);
    const baseUrl = new URL('v1', server.url).href;
    await services.profiles.save({ id: 'elsewhere', name: 'Elsewhere', baseUrl });
    await services.profiles.storeKey('elsewhere', 'sk-any');
    await services.profiles.setActive('elsewhere');
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await (await services.batchJobs()).submit({ path, completion_window: '24h' });
    return { id, server };
  };

  it('apply the limits that the service states to the account and the model', async () => {
    const message = 'Enqueued token limit reached for m. Limit: 5,000 enqueued tokens.';
    const errors = { data: [{ code: 'token_limit_exceeded', message }] };
    const { id, server } = await submitAt({
      'POST /v1/batches': [200, { id: 'b', status: 'validating' }],
      'GET /v1/batches/{id}': [200, { id: 'b', status: 'failed', errors }],
    });
    try {
      const learned = await services.connections.learned(services.profiles.get('elsewhere')!);
      const { input } = await comesTo(id, ({ stage }) => stage === 'queued');
      const limit = () => learned.of(input?.model ?? '').stated?.enqueuedTokens;
      assert.equal(await eventually(limit, 'the limit'), 5000);
    } finally {
      await server.close();
    }
  });
});
