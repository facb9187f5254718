import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { outcomeOf } from '../../src/features/batchSubmit/outcomeWords';
import { createSubmitPages, SubmitController } from '../../src/features/batchSubmit/submitController';
import { PageMemory, SubmitSession } from '../../src/features/batchSubmit/submitSession';
import type { SubmitSource } from '../../src/features/batchSubmit/submitSource';
import { createBatchJobs } from '../../src/services/batches/batches';
import type { BatchJob } from '../../src/services/batches/batches';
import type { Disposable } from '../../src/platform/disposables';
import { StoredTabs } from '../../src/platform/webview/screenTabs';
import { replacementModels } from '../../src/demo/catalogue';
import type { SubmitRequest } from '../../src/protocol/batchSubmit';
import { DisposableStore } from '../../src/platform/disposables';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startOpenAiService } from '../support/otherServices/openAiService';
import { createPageEnd } from '../support/pageEnd';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const model = 'deepseek-ai/DeepSeek-V3';
const [replacement] = replacementModels;
const request = (id: string, asked = model) => requestLine(id, `Question ${id}`, { model: asked });
const openNoOther = () => Promise.resolve();
const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');

describe('the submission of a batch', function () {
  this.timeout(150_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  const open: SubmitSession[] = [];

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'submit-'));
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'submitting', demo);
  });
  afterEach(async () => {
    for (const session of open.splice(0)) session.dispose();
    await demo.call('POST', '/_control/reset', {});
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const memoryOf = (id: string, source: SubmitSource) =>
    new PageMemory(new StoredTabs(services.context.workspaceState, 'batchSubmit.pages'), id, source);
  const review = async (source: SubmitSource) => {
    const session = new SubmitSession(services, memoryOf('reviewed', source));
    open.push(session);
    await session.check();
    return session;
  };
  const ofFile = (name: string, text: string) => review({ kind: 'disk', path: write(name, text) });
  const order = (part: Partial<SubmitRequest> = {}): SubmitRequest => ({
    profileId: 'submitting',
    hours: 24,
    metadata: { name: 'Tickets' },
    takeErrors: false,
    ...part,
  });
  const jobOf = (session: SubmitSession): BatchJob | undefined =>
    session.sending.state.kind === 'job' ? session.sending.state.job : undefined;
  const inStage = (session: SubmitSession, stages: readonly BatchJob['stage'][], limitMs = 20_000) =>
    until(
      () => {
        const job = jobOf(session);
        const isThere = job !== undefined && stages.includes(job.stage);
        const outcome = outcomeOf(session.sending.state, false, services.costs);
        if (!isThere && outcome?.kind === 'failed') throw new Error(`${outcome.title}. ${outcome.detail}`);
        return isThere ? job : undefined;
      },
      stages.join(' or '),
      limitMs,
    );
  const created = (session: SubmitSession) => inStage(session, ['running', 'fetching', 'ended']);
  const seen = async (method: string, where: string) => {
    return (await demo.requests()).filter((one) => one.method === method && one.path.endsWith(where));
  };
  const arm = (fault: string, endpoint: string) => demo.call('POST', '/_control/arm', { fault, endpoint });

  it('offers the models of the service for all requests before any view has loaded them', async () => {
    const other = await startOpenAiService();
    const { profiles, models } = services;
    try {
      await profiles.save({ id: 'unlisted', name: 'Other', baseUrl: other.baseUrl });
      await profiles.storeKey('unlisted', other.key);
      await profiles.setActive('unlisted');
      deepEqual((await models.ready()).models, []);
      const end = createPageEnd<'batchSubmit'>();
      const source = { kind: 'disk', path: write('other.jsonl', lines(request('1'))) } as const;
      const shown = new SubmitController(
        services,
        { panel: end.panel, id: 'other' },
        memoryOf('other', source),
        openNoOther,
      );
      const { models: offered } = await end.page.call('submit/models', {});
      ok(
        offered.some(({ id }) => id === 'o4-mini'),
        JSON.stringify(offered),
      );
      shown.dispose();
    } finally {
      await profiles.remove('unlisted');
      await profiles.setActive('submitting');
      await other.close();
    }
  });

  it('uploads the file, and creates the batch with the selected options', async () => {
    const session = await ofFile('tickets.jsonl', lines(request('1'), request('2')));
    await session.send(order({ hours: 48, model: replacement!, metadata: { name: 'Tickets', team: 'support' } }));
    const { id, batch } = await created(session);
    // Under way or answered in whole, nothing lacks.
    equal(outcomeOf(session.sending.state, false, services.costs)?.isPartial, undefined);
    const [asked] = await seen('POST', '/batches');
    deepEqual(asked?.body, {
      input_file_id: batch?.inputFileId,
      endpoint: '/v1/chat/completions',
      completion_window: '48h',
      metadata: { name: 'Tickets', team: 'support', inference_desk_job: id },
      replace: { model: replacement },
    });
    await session.send(order());
    equal((await seen('POST', '/batches')).length, 1);
  });

  it("doesn't exceed the limits of the service, whatever the page sends", async () => {
    const session = await ofFile('beyond.jsonl', lines(request('1')));
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
    const beyond: readonly Partial<SubmitRequest>[] = [
      { hours: 23 },
      { hours: 337 },
      { metadata: pairs(16) },
      { metadata: { ['k'.repeat(65)]: 'v' } },
      { metadata: { name: 'v'.repeat(513) } },
    ];
    for (const part of beyond) await rejects(session.send(order(part)), { kind: 'invalidParameter' });
    equal((await seen('POST', '/files')).length, 0);
    await session.send(order({ hours: 336, metadata: { ...pairs(14), ['k'.repeat(64)]: 'v'.repeat(512) } }));
    await created(session);
  });

  it('is refused with errors unless allowed, or if the service would reject the file, and a new model fixes model errors', async () => {
    const session = await ofFile('twice.jsonl', lines(request('1'), request('1')));
    for (const one of [order(), order({ model }), order({ takeErrors: true })]) {
      await rejects(session.send(one), { title: 'The service would reject this file' });
    }
    const hot = await ofFile('hot.jsonl', lines(requestLine('1', 'Hello', { model, temperature: 9 }), request('2')));
    await rejects(hot.send(order()), { title: 'The file has errors' });
    equal((await seen('POST', '/files')).length, 0);
    await hot.send(order({ takeErrors: true }));
    await created(hot);

    const mixed = await ofFile('mixed.jsonl', lines(request('1'), request('2', 'Qwen/Qwen3-32B')));
    await rejects(mixed.send(order({ takeErrors: true })), { title: 'The service would reject this file' });
    await mixed.send(order({ model: replacement! }));
    await created(mixed);
  });

  it('reuses identical content, and only suggests similar files', async () => {
    const text = lines(request('again-1'), request('again-2'));
    const first = await ofFile('again.jsonl', text);
    await first.send(order());
    const { inputFileId } = await created(first);
    const second = await ofFile('other-name.jsonl', text);
    deepEqual(
      second.uploads.map(({ id, doubt }) => [id, doubt]),
      [[inputFileId, undefined]],
    );
    await second.send(order({ upload: second.uploads[0]!.id }));
    equal((await created(second)).inputFileId, inputFileId);
    equal((await seen('POST', '/files')).length, 1);

    const alike = await ofFile('again.jsonl', text.replaceAll('Question', 'Solution'));
    deepEqual(
      alike.uploads.map(({ id }) => id),
      [inputFileId],
    );
    match(alike.uploads[0]!.doubt ?? '', /Same name, size, and number of lines/);
  });

  it('keeps the uploaded file if the batch is rejected, and retries without another upload', async () => {
    const session = await ofFile('refused.jsonl', lines(request('refused')));
    await arm('balance-402', 'POST /batches');
    await session.send(order());
    const refused = await inStage(session, ['refused']);
    const outcome = outcomeOf(session.sending.state, false, services.costs);
    deepEqual([outcome?.kind, outcome?.title, outcome?.actions[0]?.id], ['failed', 'Out of credit', 'retry']);
    match(outcome?.detail ?? '', /A retry reuses the uploaded file/);
    deepEqual(
      session.uploads.map(({ id, doubt }) => [id, doubt]),
      [[refused.inputFileId, undefined]],
    );
    await session.send(order({ upload: session.uploads[0]!.id, metadata: { name: 'Second try' } }));
    const job = await created(session);
    equal(job.batch?.inputFileId, refused.inputFileId);
    equal((await seen('POST', '/files')).length, 1);
    await until(() => (services.batchJobs.jobs.some(({ id }) => id === refused.id) ? undefined : true), 'one job');
  });

  it('explains an invalid key or a failed connection, and sends no request twice', async () => {
    const session = await ofFile('key.jsonl', lines(request('key')));
    await arm('token-invalid', 'POST /files');
    await session.send(order());
    await inStage(session, ['refused']);
    const outcome = outcomeOf(session.sending.state, false, services.costs);
    match(outcome?.title ?? '', /rejected the API key/);
    ok(outcome?.actions.some(({ id }) => id === 'manageKey'));
  });

  it('can be canceled during the upload without an error', async () => {
    const session = await ofFile('called-back.jsonl', lines(request('called back')));
    await arm('never-answers', 'POST /files');
    await session.send(order());
    await until(() => {
      const { state } = session.sending;
      return (state.kind === 'sending' && state.at.step === 'uploading') || undefined;
    }, 'the upload');
    session.sending.stop();
    await until(() => session.sending.isFree || undefined, 'the end');
    equal(session.sending.state.kind, 'none');
    equal((await seen('POST', '/batches')).length, 0);
  });

  it('reports an unknown outcome, finds the batch, and creates it only once', async () => {
    const session = await ofFile('lost.jsonl', lines(request('lost')));
    await arm('reset-after-headers', 'POST /batches');
    await session.send(order());
    await inStage(session, ['unknown', 'running', 'fetching', 'ended']);
    equal(session.sending.isFree, false);
    await session.send(order());
    await session.sending.lookNow();
    await created(session);
    equal((await seen('POST', '/batches')).length, 1);
  });

  it('is refused if the file has changed, is unsaved, or is missing', async () => {
    const name = 'changing.jsonl';
    const session = await ofFile(name, lines(request('1')));
    appendFileSync(path.join(folder, name), lines(request('2')));
    await rejects(session.send(order()), { title: 'The file has changed since the check' });
    await until(() => (session.watch?.file === 'same' ? true : undefined), 'another check');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, name)));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), lines(request('0'))));
    await rejects(session.send(order()), { title: 'Save the file first' });
    await session.save();
    equal(editor.document.isDirty, false);
    rmSync(path.join(folder, name));
    await rejects(session.send(order()), { title: 'The file no longer exists' });
    equal((await seen('POST', '/files')).length, 0);
  });

  it('uses an uploaded file without a local copy', async () => {
    const first = await ofFile('uploaded.jsonl', lines(request('uploaded')));
    await first.send(order());
    const { inputFileId = '' } = await created(first);
    const session = await review({ kind: 'uploaded', file: { id: inputFileId }, profileId: 'submitting' });
    await session.send(order());
    const job = await created(session);
    deepEqual([job.batch?.inputFileId, job.input], [inputFileId, undefined]);
  });

  it('is restored on its page after a window reload, even if the upload ended in the meantime', async () => {
    const [file, other] = ['reloaded.jsonl', 'never-sent.jsonl'].map(
      (name) => ({ kind: 'disk', path: write(name, lines(request(name))) }) as const,
    );
    const pages: Disposable[] = [];
    const show = (memory: PageMemory, own: Services = services) => {
      const end = createPageEnd<'batchSubmit'>();
      pages.push(new SubmitController(own, { panel: end.panel, id: 'reloaded' }, memory, openNoOther));
      return end.page;
    };
    const filled = (page: ReturnType<typeof show>) =>
      until(async () => {
        const view = await page.call('submit/ready', {});
        return view.outcome || view.check.state === 'done' ? view : undefined;
      }, 'what the page shows');
    try {
      const memory = memoryOf('reloaded', file!);
      const page = show(memory);
      await filled(page);
      await page.call('submit/send', order());
      const jobId = await until(() => memory.jobId, 'the job');
      const batchId = services.batchJobs.jobs.find(({ id }) => id === jobId)?.batch?.id;
      ok(batchId);
      pages.pop()!.dispose();
      const { sentAt } = memory;
      ok(sentAt);
      const noted = [memoryOf('noted', file!), memoryOf('other', other!)] as const;
      for (const one of noted) await one.write({ sentAt });
      for (const [known, isSent] of [
        [memoryOf('reloaded', file!), true],
        [noted[0], true],
        [noted[1], false],
      ] as const) {
        // What a window that opens now has read no record yet.
        const store = new DisposableStore();
        pages.push(store);
        const costs = { ...services.costs, consider: () => undefined };
        const batchJobs = createBatchJobs({ ...services, costs }, store);
        const { outcome } = await filled(show(known, { ...services, batchJobs }));
        equal(outcome?.facts.some(({ title }) => title === batchId) ?? false, isSent);
      }
    } finally {
      for (const page of pages) page.dispose();
    }
  });

  it('creates the batch again only after a second confirmation, also after a window reload', async () => {
    const source = { kind: 'disk', path: write('doubtful.jsonl', lines(request('doubtful'))) } as const;
    const memory = memoryOf('doubtful', source);
    const pages: Disposable[] = [];
    const show = () => {
      const end = createPageEnd<'batchSubmit'>();
      pages.push(new SubmitController(services, { panel: end.panel, id: 'doubtful' }, memory, openNoOther));
      return end.page;
    };
    const offers = (page: ReturnType<typeof show>) =>
      until(async () => (await page.call('submit/ready', {})).outcome?.actions.map(({ id }) => id), 'an outcome');
    try {
      const page = show();
      await until(async () => (await page.call('submit/ready', {})).check.state === 'done' || undefined, 'the check');
      await arm('reset-before-headers', 'POST /batches');
      await demo.call('POST', '/_control/arm', { fault: 'timeout-504-text', endpoint: 'GET /batches', times: 50 });
      await page.call('submit/send', order());
      deepEqual(await offers(page), ['lookNow', 'askCreateAgain']);
      await page.call('submit/act', { id: 'askCreateAgain' });
      deepEqual(await offers(page), ['createAgain', 'keepLooking']);
      pages.pop()!.dispose();
      deepEqual(await offers(show()), ['lookNow', 'askCreateAgain']);
    } finally {
      for (const page of pages) page.dispose();
    }
  });

  it("isn't sent to an account other than the one shown", async () => {
    const session = await ofFile('account.jsonl', lines(request('account')));
    await rejects(session.send(order({ profileId: 'somebody' })), { title: 'The active account has changed' });
  });

  it('completes with 300 requests, each answered once', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `ticket-${index + 1}`);
    const session = await ofFile('large.jsonl', lines(...ids.map((id) => request(id))));
    equal(session.reading?.state.kind === 'done' && session.reading.state.check.requests, 300);
    await session.send(order({ metadata: { name: 'Large' } }));
    const { folder: results = '', input, fetched } = await inStage(session, ['ended'], 120_000);
    deepEqual([fetched?.output?.lines, fetched?.errors?.lines ?? 0], [300, 0]);
    equal(outcomeOf(session.sending.state, false, services.costs)?.isPartial, undefined);
    const outputs = [path.join(results, 'output.jsonl')];
    const quiet = { signal: new AbortController().signal, onProgress: () => {} };
    const table = await ResultsTable.open({ ...(input && { input }), outputs, errors: [] }, quiet);
    try {
      const { requests, answered, failed, missing } = table.summary;
      deepEqual({ requests, answered, failed, missing }, { requests: 300, answered: 300, failed: 0, missing: 0 });
      match(table.answersFor([{ customId: 'ticket-299' }])[0]?.answer ?? '', /./);
    } finally {
      table.close();
    }
  });

  it('has a page for each file, opened by the command', async () => {
    const files = ['page-1.jsonl', 'page-2.jsonl'].map((name) => vscode.Uri.file(write(name, lines(request(name)))));
    const submit = () => vscode.commands.executeCommand('inferenceDesk.batches.submit', files[0], files);
    await Promise.all([submit(), submit()]);
    await vscode.commands.executeCommand('inferenceDesk.batches.submit', files[0]);
    // The list of tabs follows a little later.
    const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).join(', ');
    const shows = (requested: string) => until(() => (labels() === requested ? true : undefined), requested);
    await shows('Submit page-1.jsonl, Submit page-2.jsonl');
    await vscode.commands.executeCommand('inferenceDesk.batches.submit', {
      id: 'file-x',
      filename: 'x.jsonl',
    });
    await shows('Submit page-1.jsonl, Submit x.jsonl, Submit page-2.jsonl');
  });

  it('is repeated in a second page during the run, and in a new page after it', async () => {
    const pages = createSubmitPages(services);
    const session = await ofFile('twice.jsonl', lines(request('twice')));
    const { source } = session;
    const file = vscode.Uri.file(source.kind === 'disk' ? source.path : '');
    const openTabs = async (count: number) => {
      const ofFiles = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      await until(
        () => (ofFiles().filter((label) => label === 'Submit twice.jsonl').length === count ? true : undefined),
        `${count} pages`,
      );
    };
    const submitted = async (id: string) => {
      const end = createPageEnd<'batchSubmit'>();
      const states: string[] = [];
      end.panel.onDidDispose(() => states.push('closed'));
      await memoryOf(id, source).write({ jobId: jobOf(session)!.id });
      pages.restore(end.panel, { submitId: id });
      const { outcome } = await until(async () => {
        const view = await end.page.call('submit/ready', {});
        return view.outcome ? view : undefined;
      }, 'the outcome');
      return { ...end, states, actions: outcome!.actions.map(({ id: action }) => action) };
    };
    try {
      await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 3_600_000 } });
      await session.send(order());
      await created(session);
      const running = await submitted('running');
      ok(running.actions.includes('submitAgain'));
      await pages.open(file, undefined);
      await openTabs(0);
      await running.page.call('submit/act', { id: 'submitAgain' });
      await running.page.call('submit/act', { id: 'submitAgain' });
      await pages.open(file, undefined);
      await openTabs(1);
      deepEqual(running.states, []);
      running.panel.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await openTabs(0);

      const { id, batch } = jobOf(session)!;
      await demo.call('POST', '/_control/tell', {
        id: batch?.id,
        as: { status: 'cancelled', cancelled_at: 1_790_000_000 },
      });
      await (await services.batchJobs()).checkNow(id);
      await inStage(session, ['ended']);
      const ended = await submitted('ended');
      await pages.open(file, undefined);
      await openTabs(1);
      deepEqual(ended.states, ['closed']);
    } finally {
      pages.dispose();
    }
  });
});
