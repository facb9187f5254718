import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { chooseModel } from '../../src/core/catalogue/jobs';
import { createOpenAccount } from '../../src/features/publicApi/calls/account';
import { createGenerateImage } from '../../src/features/publicApi/calls/generateImage';
import type {
  CompleteRequest,
  CompletionPart,
  ImageRequest,
  InferenceDesk,
  RerankRequest,
} from '../../src/features/publicApi/logic/inferenceDesk';
import type { Services } from '../../src/services/services';
import { callerExtension, deskError, setAccess } from '../support/callerExtension';
import type { Caller } from '../support/callerExtension';
import { beginAnew, deskServices, ensureSettings, signInAnew, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { startHoldingService } from '../support/holdingService';
import type { HoldingService } from '../support/holdingService';
import { startSteppedCompletions } from '../support/steppedCompletions';
import { until } from '../support/until';

const documents = ['Trees grow slowly.', 'The lighthouse keeper counts waves.', 'Soup is made of onions.'];
const chatModel = 'deepseek-ai/DeepSeek-V3.2';
const imageModel = 'black-forest-labs/FLUX.2-pro';
/** Takes what is not to be seen. */
const plainModel = 'Qwen/Qwen-Image';
/** Takes what "fits" means. */
const instructed = 'Qwen/Qwen3-Reranker-8B';

const byNumber = (one: number, other: number) => one - other;

describe('the API for other extensions', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let service: HoldingService;
  let caller: Caller;
  let desk: InferenceDesk;
  let folder: string;

  before(async () => {
    services = await deskServices();
    caller = await callerExtension();
    demo = await startFilledDemo({ pace: 'instant' });
    service = await startHoldingService(demo);
    folder = await mkdtemp(join(tmpdir(), 'public-'));
    await services.settings.set('media.folder', folder);
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    service.hold(undefined);
    await staySignedIn(services, 'public', { baseUrl: service.baseUrl, apiKey: demo.apiKey });
    await services.models.refresh();
    await ensureSettings(services.settings, { 'images.perMinute': 0, extensionAccess: { [caller.id]: true } });
    desk = await caller.connect();
  });
  afterEach(async () => {
    await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of all work');
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    await ensureSettings(services.settings, { 'chat.dailyTokenBudget': { soft: 0, hard: 0 } });
  });
  after(async () => {
    await setAccess(services, {});
    await services.settings.set('images.perMinute', 2);
    await services.settings.set('media.folder', '');
    await vscode.commands.executeCommand('notifications.clearAll');
    await beginAnew(services);
    await service.close();
    await demo.close();
    await rm(folder, { recursive: true });
  });

  const seen = async (path: string) => {
    const { requests } = (await demo.call('GET', '/_control/requests')) as {
      readonly requests: readonly { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
    };
    return requests.filter((request) => request.path.endsWith(path));
  };
  const arm = (fault: string, endpoint: string, times = 1) =>
    demo.call('POST', '/_control/arm', { fault, endpoint, times });
  const ledger = async () => (await services.usage()).today('public');
  const rerank = (more: object = {}, signal?: AbortSignal) =>
    desk.rerank({ query: 'Who is the keeper of the lighthouse?', documents, ...more } as RerankRequest, signal);
  const image = (more: object = {}, signal?: AbortSignal) =>
    desk.generateImage({ prompt: 'A fjord', model: imageModel, ...more } as ImageRequest, signal);
  const all = async (request: object, signal?: AbortSignal): Promise<readonly CompletionPart[]> => {
    const parts: CompletionPart[] = [];
    for await (const part of desk.complete(request as CompleteRequest, signal)) parts.push(part);
    return parts;
  };
  /** Everything that asks the service for something that is paid for. */
  const paid = (): readonly (readonly [string, (signal?: AbortSignal) => Promise<unknown>])[] => [
    ['/rerank', (signal) => rerank({}, signal)],
    ['/completions', (signal) => all({ prompt: 'Once' }, signal)],
    ['/images/generations', (signal) => image({}, signal)],
  ];

  describe('models', () => {
    it('are reported with purposes, capabilities, and defaults', async () => {
      const models = await desk.models();
      const ranking = models.filter(({ jobs }) => jobs.includes('rerank'));
      ok(models.length > 5 && ranking.length > 0);
      equal(models.filter(({ defaultFor }) => defaultFor.includes('rerank')).length, 1);
      const lengths = models.flatMap(({ contextLength }) => contextLength ?? []);
      ok(lengths.every((length) => length > 0));
      const members = ['contextLength', 'defaultFor', 'id', 'jobs', 'maxOutputTokens'];
      ok(models.every((model) => Object.keys(model).every((name) => members.includes(name))));
    });

    it('report a changed default, and only changes', async () => {
      let changes = 0;
      const listening = desk.onDidChangeModels(() => changes++);
      await services.models.refresh();
      equal(changes, 0);
      const other = (await desk.models()).find(({ jobs, defaultFor }) => jobs.includes('chat') && !defaultFor.length)!;
      await services.models.setDefault('chat', other.id);
      await until(() => (changes > 0 ? true : undefined), 'the change');
      ok((await desk.models()).find(({ id }) => id === other.id)!.defaultFor.includes('chat'));
      await services.models.setDefault('chat', undefined);
      listening.dispose();
    });

    it('are rejected with a message while signed out', async () => {
      await services.profiles.signOut('public');
      await rejects(desk.models(), deskError('signedOut'));
    });
  });

  describe('rerank', () => {
    it('returns indexes and scores, best first, and counts the usage', async () => {
      const before = await ledger();
      const { model, results, unscored, usage } = await rerank({
        topN: 2,
        instruction: 'Find people.',
        model: instructed,
      });
      equal(results.length, 2);
      deepEqual([...results.map(({ index }) => index), ...unscored].toSorted(byNumber), [0, 1, 2]);
      ok(results[0]!.score >= results[1]!.score);
      equal(model, instructed);
      equal((await rerank()).model, (await desk.models()).find(({ defaultFor }) => defaultFor.includes('rerank'))!.id);
      const { body } = (await seen('/rerank'))[0]!;
      deepEqual([body['top_n'], body['instruction'], body['documents']], [2, 'Find people.', documents]);
      await until(async () => ((await ledger()).inputTokens > before.inputTokens ? true : undefined), 'the count');
      ok((await ledger()).inputTokens - before.inputTokens >= usage.inputTokens);
    });

    it('copies its input, so later changes have no effect', async () => {
      const mine = [...documents];
      const ranking = rerank({ documents: mine });
      mine.length = 1;
      await ranking;
      equal(((await seen('/rerank'))[0]!.body['documents'] as readonly string[]).length, 3);
    });

    it('returns charged results with an error', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => `Document ${index}`);
      service.hold(undefined);
      await arm('balance-403', 'POST /rerank');
      const failure = await rerank({ documents: many }).catch((error: unknown) => error);
      ok(deskError('balance')(failure));
      const { partial } = failure as { readonly partial?: Awaited<ReturnType<typeof rerank>> };
      equal(partial!.results.length, 500);
      equal(partial!.unscored.length, 500);
    });

    it('rejects invalid input by name, without a request', async () => {
      const wrong: readonly (readonly [object, string | undefined])[] = [
        [{ query: '' }, 'query'],
        [{ query: 7 }, 'query'],
        [{ query: undefined }, 'query'],
        [{ documents: [] }, 'documents'],
        [{ documents: 'text' }, 'documents'],
        [{ documents: ['a', 7] }, 'documents[1]'],
        [{ documents: ['a', ''] }, 'documents[1]'],
        [{ documents: Array.from({ length: 10_001 }, () => 'a') }, 'documents'],
        [{ documents: ['x'.repeat(20_000_001)] }, 'documents'],
        [{ topN: 0 }, 'topN'],
        [{ topN: 1.5 }, 'topN'],
        [{ model: '' }, 'model'],
        [{ top_n: 1 }, 'top_n'],
      ];
      for (const [more, parameter] of wrong) {
        await rejects(
          rerank(more),
          deskError('invalidInput', { ...(parameter && { parameter }) }),
          JSON.stringify(more),
        );
      }
      for (const none of [undefined, null, 'text', []]) {
        await rejects(desk.rerank(none as never), deskError('invalidInput'));
      }
      await rejects(rerank({}, {} as AbortSignal), deskError('invalidInput', { parameter: 'signal' }));
      deepEqual(await seen('/rerank'), []);
    });
  });

  describe('complete', () => {
    it('streams text, and returns the complete response with its usage', async () => {
      const stepped = await startSteppedCompletions('stepped/model');
      await signInAnew(services, 'public', { ...stepped, apiKey: 'a-key-that-is-long-enough' });
      const parts = all({ prompt: 'The fox', model: 'stepped/model', maxTokens: 9, stop: ['\n'], suffix: 'end' });
      const request = await stepped.next();
      const { prompt, max_tokens, stop, suffix, temperature } = request.body;
      deepEqual([prompt, max_tokens, stop, suffix, temperature], ['The fox', 9, ['\n'], 'end', undefined]);
      await request.text(' jumps');
      await request.text(' over');
      await request.end('length');
      deepEqual(await parts, [
        { kind: 'text', text: ' jumps' },
        { kind: 'text', text: ' over' },
        {
          kind: 'end',
          text: ' jumps over',
          model: 'stepped/model',
          finishReason: 'length',
          usage: { inputTokens: 11, outputTokens: 7 },
        },
      ]);
      await stepped.close();
    });

    it('cancels its request when the loop ends, and counts the received tokens', async () => {
      const stepped = await startSteppedCompletions('stepped/model');
      await signInAnew(services, 'public', { ...stepped, apiKey: 'a-key-that-is-long-enough' });
      const before = await ledger();
      const leaving = (async () => {
        for await (const part of desk.complete({ prompt: 'The fox', model: 'stepped/model' })) return part;
        return undefined;
      })();
      const request = await stepped.next();
      await request.text(' jumps over the lazy dog');
      deepEqual(await leaving, { kind: 'text', text: ' jumps over the lazy dog' });
      await request.gone;
      await until(async () => ((await ledger()).outputTokens > before.outputTokens ? true : undefined), 'the count');
      await stepped.close();
    });

    it('sends no request before its first step, and retries without a token count after a rejection', async () => {
      const stepped = await startSteppedCompletions('stepped/other');
      await signInAnew(services, 'public', { ...stepped, apiKey: 'a-key-that-is-long-enough' });
      const answer = desk.complete({ prompt: 'The fox', model: 'stepped/other' })[Symbol.asyncIterator]();
      equal(stepped.waiting, 0);
      const first = answer.next();
      (await stepped.next()).json(400, { error: { message: 'stream_options is not supported', type: 'invalid' } });
      const again = await stepped.next();
      equal(again.body['stream_options'], undefined);
      await again.text('!');
      deepEqual((await first).value, { kind: 'text', text: '!' });
      await answer.return!();
      await stepped.close();
    });

    it('reports a broken connection as such, after the received text', async () => {
      const stepped = await startSteppedCompletions('stepped/model');
      await signInAnew(services, 'public', { ...stepped, apiKey: 'a-key-that-is-long-enough' });
      const answer = desk.complete({ prompt: 'The fox', model: 'stepped/model' })[Symbol.asyncIterator]();
      const first = answer.next();
      const request = await stepped.next();
      await request.text(' jumps');
      await first;
      request.cut();
      const failure = await answer.next().catch((error: unknown) => error);
      ok(
        ['badAnswer', 'network'].some((code) => (failure as { readonly code?: string }).code === code),
        String(failure),
      );
      await stepped.close();
    });

    it('rejects invalid input immediately', () => {
      for (const [wrong, parameter] of [
        [{ prompt: '' }, 'prompt'],
        [{}, 'prompt'],
        [{ prompt: 'x', temperature: 2.1 }, 'temperature'],
        [{ prompt: 'x', topP: -1 }, 'topP'],
        [{ prompt: 'x', maxTokens: 0 }, 'maxTokens'],
        [{ prompt: 'x', stop: 'end' }, 'stop'],
        [{ prompt: 'x', messages: [] }, 'messages'],
      ] as const) {
        throws(() => desk.complete(wrong as unknown as CompleteRequest), deskError('invalidInput', { parameter }));
      }
    });
  });

  describe('generateImage', () => {
    it('saves images with their details, and returns their location', async () => {
      const made = await image({ size: '1328x1328', seed: 42, model: plainModel, negativePrompt: 'people' });
      const { images, missing, model, prompt, seed } = made;
      deepEqual([images.length, missing, model, prompt, seed], [1, 0, plainModel, 'A fjord', 42]);
      const [{ uri, contentType, bytes, width, height }] = images as [(typeof images)[number]];
      deepEqual([uri.scheme, contentType, width, height], ['file', 'image/png', 1328, 1328]);
      ok(uri instanceof vscode.Uri && uri.fsPath.startsWith(folder));
      equal((await readFile(uri.fsPath)).length, bytes);
      ok((await (await services.media()).assets.list()).some(({ path }) => path === uri.fsPath));
      const { body } = (await seen('/images/generations'))[0]!;
      deepEqual([body['image_size'], body['seed'], body['negative_prompt']], ['1328x1328', 42, 'people']);
      const reported = JSON.stringify(made);
      ok(!/https?:/.test(reported) && !reported.includes(demo.apiKey));
    });

    it("sends requests one after another, at the user's rate", async () => {
      await services.settings.set('images.perMinute', 1);
      await image();
      const stopping = new AbortController();
      const second = image({ prompt: 'Another' }, stopping.signal);
      second.catch(() => undefined);
      // Longer than an order takes to be sent.
      for (let check = 0; check < 3; check++) await desk.checkBatchText('{}');
      equal((await seen('/images/generations')).length, 1);
      stopping.abort(new Error('Not that long.'));
      await rejects(second, /Not that long/);
      await services.settings.set('images.perMinute', 0);
      await image({ prompt: 'A third' });
      deepEqual(
        (await seen('/images/generations')).map(({ body }) => body['prompt']),
        ['A fjord', 'A third'],
      );
    });

    it('reports an unknown outcome if the response is lost', async () => {
      service.hold('/images/generations');
      const stopping = new AbortController();
      const making = image({}, stopping.signal);
      making.catch(() => undefined);
      await until(() => (service.held === 1 ? true : undefined), 'the order');
      stopping.abort();
      await rejects(making, { name: 'AbortError' });
      await until(() => (service.held === 0 ? true : undefined), 'the end of the request');
      await until(() => services.media.jobs.find(({ stage }) => stage === 'unknown'), 'the record');
    });

    it("distinguishes an image that can't be downloaded from a rejected one", async () => {
      await arm('balance-403', 'POST /images/generations');
      await rejects(image(), deskError('balance'));
      await arm('huge-declared', 'GET asset');
      await rejects(image(), deskError('failed', { maybeBilled: true }));
    });

    it('says each sentence once if a file is too large to download', async () => {
      await arm('huge-declared', 'GET asset');
      const { message } = (await image().catch((error: unknown) => error)) as Error;
      match(message, /^Too large for automatic downloads\. .+ You can download the file anyway\.$/);
      const sentences = message.split(/(?<=\.) /);
      deepEqual(sentences, [...new Set(sentences)]);
    });

    it('rejects invalid input', async () => {
      for (const [wrong, parameter] of [
        [{ prompt: '' }, 'prompt'],
        [{ size: 'large' }, 'size'],
        [{ count: 5 }, 'count'],
        [{ format: 'gif' }, 'format'],
        [{ seed: -1 }, 'seed'],
        [{ model: 'Qwen/Qwen-Image-Edit-2509' }, 'model'],
        [{ image: 'http://localhost/x.png' }, 'image'],
      ] as const) {
        await rejects(image(wrong), deskError('invalidInput', { parameter }), JSON.stringify(wrong));
      }
      deepEqual(await seen('/images/generations'), []);
    });
  });

  describe('checkBatchText', () => {
    const line = (id: string, more: object = {}) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: chatModel, messages: [{ role: 'user', content: 'Hi' }] },
        ...more,
      });

    it('reports problems in the order of the text, without a request', async () => {
      const text = `${line('one')}\n{"custom_id":\r\n${line('one')}\n`;
      const { problems, counts, requests, models } = await desk.checkBatchText(text);
      const reported = problems.map((problem) => `${problem.line} ${problem.severity} ${problem.code}`);
      ok(
        reported.includes('1 error line.not-json') && reported.includes('2 error custom-id.duplicate'),
        reported.join('\n'),
      );
      const twice = problems.find(({ code }) => code === 'custom-id.duplicate')!;
      deepEqual([twice.firstLine, line('one').slice(twice.start, twice.end)], [0, '"one"']);
      match(twice.message, /one/);
      deepEqual([requests, counts.error >= 2, models], [3, true, [{ id: chatModel, requests: 2 }]]);
      deepEqual(
        problems.map((problem) => problem.line),
        problems.map((problem) => problem.line).toSorted(byNumber),
      );
    });

    it('accepts clean text, empty text, and text with thousands of problems', async () => {
      const clean = await desk.checkBatchText(`${line('one')}\n`);
      deepEqual(
        clean.problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      const { problems, requests } = await desk.checkBatchText('');
      deepEqual([problems.map(({ code }) => code), requests], [['file.empty'], 0]);
      const bad = await desk.checkBatchText('nothing\n'.repeat(3000));
      deepEqual([bad.problems.length, bad.counts.error], [1000, 3000]);
    });

    it("rejects text that isn't a string or is too long", async () => {
      await rejects(desk.checkBatchText(7 as never), deskError('invalidInput', { parameter: 'text' }));
      await rejects(desk.checkBatchText(' '.repeat(20_000_001)), deskError('invalidInput', { parameter: 'text' }));
    });

    it('stops, and leaves no text on disk', async () => {
      const stopping = new AbortController();
      const checking = desk.checkBatchText(`${line('one')}\n`.repeat(50_000), stopping.signal);
      stopping.abort();
      await rejects(checking, { name: 'AbortError' });
      const left = async () =>
        (await readdir(tmpdir())).filter((name) => name.startsWith(`inference-desk-check-${process.pid}-`));
      await until(async () => ((await left()).length === 0 ? true : undefined), 'an empty folder');
    });
  });

  describe('all paid calls', () => {
    it('cancel their HTTP request when aborted, and send none if aborted before', async () => {
      for (const [path, run] of paid()) {
        service.hold(path);
        const stopping = new AbortController();
        const running = run(stopping.signal);
        running.catch(() => undefined);
        await until(() => (service.held === 1 ? true : undefined), `a request to ${path}`);
        stopping.abort();
        await rejects(running, { name: 'AbortError' }, path);
        await until(() => (service.held === 0 ? true : undefined), 'the end of the request');
        service.hold(undefined);
        await rejects(run(stopping.signal), { name: 'AbortError' }, path);
        deepEqual(await seen(path), []);
      }
    });

    it('cancel their HTTP request when the user revokes access', async () => {
      for (const [path, run] of paid()) {
        await setAccess(services, { [caller.id]: true });
        desk = await caller.connect();
        service.hold(path);
        const running = run();
        running.catch(() => undefined);
        await until(() => (service.held === 1 ? true : undefined), `a request to ${path}`);
        await setAccess(services, { [caller.id]: false });
        await rejects(running, deskError('ended'), path);
        await until(() => (service.held === 0 ? true : undefined), 'the end of the request');
        await rejects(run(), deskError('ended'), path);
        service.hold(undefined);
      }
    });

    it("are rejected with a message while signed out, or with the service's reason", async () => {
      for (const [path, run] of paid()) {
        for (const [fault, code] of [
          ['rate-limit-rpd', 'rateLimited'],
          ['quota-30011', 'refused'],
          ['unknown-model', 'unknownModel'],
          ['path-missing', 'notOffered'],
        ] as const) {
          await arm(fault, `POST ${path}`);
          const failure = await run().catch((error: unknown) => error);
          await services.connections.forgetOffers('public');
          ok(deskError(code)(failure), `${path} ${fault}`);
        }
      }
      await services.profiles.signOut('public');
      for (const [path, run] of paid()) await rejects(run(), deskError('signedOut'), path);
    });

    it('wait a limited time for the files of an image, and report that the download continues', async () => {
      await arm('reset-before-headers', 'GET asset', 100);
      const generate = createGenerateImage(services, 500);
      const account = { profileId: 'public', model: plainModel };
      const never = new AbortController().signal;
      await rejects(generate({ prompt: 'A fjord' }, account, never), deskError('notSavedYet', { maybeBilled: true }));
      const [job] = services.media.jobs;
      equal(job?.stage, 'fetching');
      equal((await seen('/images/generations')).length, 1);
    });

    it("don't request the default model of another account that was selected in the meantime", async () => {
      const own = services.models.state;
      const other = { ...own, profileId: 'other', defaults: { ...own.defaults, rerank: 'other/reranker' } };
      const answers = [other, own];
      let asked = 0;
      const ensureFresh = async () => answers[asked++] ?? other;
      const open = createOpenAccount({ ...services, models: { ensureFresh } as never });
      const { profileId, model } = await open({ job: 'rerank', model: undefined });
      deepEqual([profileId, model, asked], ['public', chooseModel('rerank', own), 2]);
      await rejects(open({ job: 'rerank', model: undefined }), /account has changed/);
      equal(asked, 5);
    });

    it('are rejected after the daily tokens are used, if they use tokens', async () => {
      await rerank();
      await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
      await until(async () => ((await ledger()).inputTokens > 0 ? true : undefined), 'the count');
      const count = (await seen('/rerank')).length;
      await rejects(rerank(), deskError('budget'));
      await rejects(all({ prompt: 'Once' }), deskError('budget'));
      equal((await seen('/rerank')).length, count);
      deepEqual(await seen('/completions'), []);
    });
  });
});
