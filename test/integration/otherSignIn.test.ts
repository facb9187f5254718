import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import * as vscode from 'vscode';
import { isApiError } from '../../src/core/api/errors';
import { diagnose } from '../../src/core/profiles/signInProblem';
import { checkKey, foundWords } from '../../src/features/signIn/checkKey';
import { findLocalServers, type LocalServer } from '../../src/features/signIn/logic/localServers';
import { keepProfile } from '../../src/features/signIn/profileCommands';
import type { Candidate } from '../../src/services/account/account';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices } from '../support/deskServices';
import { type OriginServer, startOrigin } from '../support/originServer';

const apiKey = 'sk-0123456789-of-another-service';
const { signal } = new AbortController();

type Answer = readonly [status: number, body: unknown];
const models: Answer = [200, { object: 'list', data: [{ id: 'one', object: 'model' }] }];
const emptyRequest: Answer = [400, { error: { message: 'messages: Field required', type: 'invalid_request_error' } }];
const unknownKey: Answer = [401, { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }];
const noSuchPath: Answer = [404, { detail: 'Not Found' }];

describe('signing in to other services', () => {
  let services: Services;
  let server: OriginServer;
  let answer: (request: string, headers: IncomingHttpHeaders) => Answer;
  let seen: { readonly request: string; readonly headers: IncomingHttpHeaders }[];

  before(async () => {
    services = await deskServices();
  });
  beforeEach(async () => {
    await beginAnew(services);
    seen = [];
    server = await startOrigin((request, response) => {
      const name = `${request.method} ${request.url}`;
      seen.push({ request: name, headers: request.headers });
      const [status, body] = answer(name, request.headers);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  afterEach(async () => {
    await beginAnew(services);
    await server.close();
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const baseUrl = () => new URL('v1', server.url).href;
  const check = (key: string, more: Partial<Candidate> = {}) =>
    checkKey(services, { baseUrl: baseUrl(), apiKey: key, ...more }, signal);
  const causeOf = (key: string) =>
    check(key).then(
      () => 'none',
      (error: unknown) => {
        if (isApiError(error)) return diagnose(error, { baseUrl: baseUrl(), key }).cause;
        throw error;
      },
    );
  const carried = () => seen.map(({ headers }) => headers.authorization ?? headers['x-api-key']);

  it('requires no key if the service needs none, and sends none', async () => {
    answer = (name) =>
      name === 'GET /v1/models' ? models : name === 'POST /v1/chat/completions' ? emptyRequest : noSuchPath;
    const found = await check('');
    equal(foundWords(found), `1 model, ${found.latencyMs} ms response time.`);
    const draft = { profileId: undefined, name: 'Own', baseUrl: baseUrl(), key: '' };
    await keepProfile(services, { draft, found });
    const { active } = services.profiles;
    deepEqual([active?.name, active?.keyless], ['Own', true]);
    equal(await services.profiles.key(active!.id), '');
    equal((await (await services.connections.client()).models.list({})).length, 1);
    deepEqual(new Set(carried()), new Set([undefined]));
  });

  describe('finding servers on this machine', () => {
    const find = async (): Promise<readonly LocalServer[]> => {
      const found: LocalServer[] = [];
      const closed = 'http://127.0.0.1:1/v1';
      const usual = [
        { name: 'vLLM', baseUrl: baseUrl() },
        { name: 'Ollama', baseUrl: closed },
      ];
      await findLocalServers(services.connections, usual, { signal, onFound: (one) => found.push(one) });
      return found;
    };

    it('lists their models and names their program, without a key', async () => {
      answer = () => [200, { object: 'list', data: [{ id: 'a.gguf', owned_by: 'llamacpp' }] }];
      deepEqual(await find(), [{ name: 'llama.cpp', baseUrl: baseUrl(), models: ['a.gguf'] }]);
      deepEqual(carried(), [undefined]);
    });

    it('says that a server requires a key', async () => {
      answer = () => unknownKey;
      deepEqual(await find(), [{ name: 'vLLM', baseUrl: baseUrl(), models: undefined }]);
    });

    it('omits other programs that listen at the same port', async () => {
      answer = () => noSuchPath;
      deepEqual(await find(), []);
    });
  });

  it('is undone by signing out, and by entering a key', async () => {
    answer = () => models;
    const draft = { profileId: 'own', name: 'Own', baseUrl: baseUrl(), key: '' };
    await keepProfile(services, { draft, found: undefined });
    await services.profiles.signOut('own');
    equal(await services.profiles.key('own'), undefined);
    await rejects(services.connections.client(), (error: unknown) => isApiError(error) && error.kind === 'auth');
    await keepProfile(services, { draft, found: undefined });
    await keepProfile(services, { draft: { ...draft, key: apiKey }, found: undefined });
    equal(await services.profiles.key('own'), apiKey);
    deepEqual(services.settings.get('profiles'), [{ id: 'own', name: 'Own', baseUrl: baseUrl() }]);
    await keepProfile(services, { draft, found: undefined });
    equal(await services.profiles.key('own'), '');
    equal(await services.profiles.isKeyVanished('own'), false);
  });

  it('detects a service that expects x-api-key, and remembers it for the account', async () => {
    answer = (name, headers) => {
      if (headers['x-api-key'] !== apiKey) return unknownKey;
      return name === 'GET /v1/models' ? models : name === 'POST /v1/messages' ? emptyRequest : noSuchPath;
    };
    const found = await check(apiKey);
    equal(found.keyHeader, 'x-api-key');
    const draft = { profileId: 'other', name: 'Other', baseUrl: baseUrl(), key: apiKey, keyHeader: found.keyHeader };
    await keepProfile(services, { draft, found });
    await (await services.connections.client()).models.list({});
    const last = seen.at(-1)?.headers;
    deepEqual(
      [last?.authorization, last?.['x-api-key'], last?.['anthropic-version']],
      [undefined, apiKey, '2023-06-01'],
    );
    deepEqual(services.settings.get('profiles'), [
      { id: 'other', name: 'Other', baseUrl: baseUrl(), keyHeader: 'x-api-key' },
    ]);
    equal(await causeOf('sk-another-0123456789'), 'keyUnknown');
  });

  it('detects a wrong key even if the model list is public, as with OpenRouter and llama.cpp', async () => {
    answer = (name, headers) => {
      if (name === 'GET /v1/models') return models;
      return headers.authorization === `Bearer ${apiKey}` ? emptyRequest : unknownKey;
    };
    equal(await causeOf(apiKey), 'none');
    equal(await causeOf('sk-another-0123456789'), 'keyUnknown');
    equal(await causeOf(''), 'keyNeeded');
  });

  it('accepts an empty model list, and a missing one if chat works', async () => {
    answer = (name) => (name === 'GET /v1/models' ? [200, { object: 'list', data: [] }] : emptyRequest);
    let found = await check(apiKey);
    deepEqual([found.models, foundWords(found)], [0, `no models listed, ${found.latencyMs} ms response time.`]);
    answer = (name) => (name === 'POST /v1/messages' ? emptyRequest : noSuchPath);
    found = await check(apiKey);
    deepEqual([found.models, foundWords(found)], [undefined, `no models listed, ${found.latencyMs} ms response time.`]);
    answer = () => noSuchPath;
    equal(await causeOf(apiKey), 'wrongAddress');
  });

  it('stores the permission for plain http in a private network with the account, and requires it', async () => {
    const { profiles, settings } = services;
    const entry = { id: 'gpu', name: 'GPU', baseUrl: 'http://10.0.0.9:8000/v1' };
    await rejects(profiles.save(entry), /privateHttp/);
    await profiles.save({ ...entry, allowHttp: true });
    deepEqual(settings.get('profiles'), [{ ...entry, allowHttp: true }]);
    equal(profiles.get('gpu')?.allowHttp, true);
    await settings.set('profiles', [entry]);
    equal(profiles.get('gpu'), undefined);
    deepEqual(
      profiles.problems.map(({ problem }) => problem),
      ['privateHttp'],
    );
    await settings.set('profiles', []);
  });
});
