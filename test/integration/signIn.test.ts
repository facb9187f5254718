import { equal, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import { isApiError } from '../../src/core/api/errors';
import { diagnose } from '../../src/core/profiles/signInTrouble';
import { checkKey } from '../../src/features/signIn/checkKey';
import { keepProfile } from '../../src/features/signIn/keepProfile';
import { describe as wordsFor } from '../../src/platform/reportError';
import type { Services } from '../../src/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices } from '../support/deskServices';

const apiKey = 'sk-0123456789-of-the-sign-in-test';
const { signal } = new AbortController();

describe('signing in', () => {
  let services: Services;
  let service: AccountService;

  before(async () => {
    services = await deskServices();
  });
  beforeEach(async () => {
    await beginAnew(services);
    service = await startAccountService(apiKey);
  });
  afterEach(async () => {
    await beginAnew(services);
    await service.close();
  });

  const troubleAt = async (baseUrl: string, key: string) => {
    try {
      await checkKey(services, { baseUrl, apiKey: key }, signal);
    } catch (error) {
      if (isApiError(error)) return { ...diagnose(error, baseUrl), words: wordsFor(error) };
      throw error;
    }
    throw new Error('The check passed.');
  };

  it('tells the models, the time and the balance it found', async () => {
    service.answer(200, { code: 20000, message: 'OK', status: true, data: { totalBalance: '1.50' } });
    const found = await checkKey(services, { baseUrl: service.baseUrl, apiKey }, signal);
    equal(found.models, 2);
    equal(found.balance, '1.50');
    ok(found.latencyMs >= 0);
  });

  it('works where the service does not report a balance', async () => {
    const found = await checkKey(services, { baseUrl: service.baseUrl, apiKey }, signal);
    equal(found.balance, undefined);
  });

  it('knows an unknown key, a path without its version, and a service that is not there', async () => {
    equal((await troubleAt(service.baseUrl, 'sk-another')).cause, 'keyUnknown');
    equal((await troubleAt(service.origin, apiKey)).cause, 'missingVersion');
    const gone = await startAccountService(apiKey);
    await gone.close();
    equal((await troubleAt(gone.baseUrl, apiKey)).cause, 'refused');
  });

  it('shows no key in the words of any trouble', async () => {
    const key = 'sk-a-key-that-must-not-be-seen';
    for (const baseUrl of [service.baseUrl, service.origin]) {
      const { words } = await troubleAt(baseUrl, key);
      ok(!JSON.stringify(words).includes(key));
    }
  });

  it('ends when the person closes it', async () => {
    const controller = new AbortController();
    const checking = checkKey(services, { baseUrl: service.baseUrl, apiKey }, controller.signal);
    controller.abort();
    await rejects(checking, (error: unknown) => isApiError(error) && error.kind === 'aborted');
  });

  it('makes the profile active, with the key where it belongs', async () => {
    const draft = { profileId: undefined, name: 'New one', baseUrl: service.baseUrl, key: apiKey };
    await keepProfile(services, { draft, found: undefined });
    equal(services.profiles.active?.id, 'new-one');
    equal(await services.profiles.key('new-one'), apiKey);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});

describe('the demo service', () => {
  let services: Services;

  before(async () => {
    services = await deskServices();
    await beginAnew(services);
  });
  after(async () => {
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');
    await beginAnew(services);
  });

  it('starts without a question, as the active profile, and answers', async () => {
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    equal(services.profiles.active?.id, 'demo');
    const models = await (await services.connections.client()).models.list({});
    ok(models.length > 5);
  });

  it('reports an account', async () => {
    await services.account.refresh();
    equal(services.account.state.status, 'ready');
  });

  it('stays stopped once stopped, and says so', async () => {
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');
    await rejects(services.connections.client(), (error: unknown) => wordsFor(error).title.includes('stopped'));
  });

  it('is the same origin when it is started again', async () => {
    const before = services.profiles.get('demo')?.baseUrl;
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    equal(services.profiles.get('demo')?.baseUrl, before);
    await (await services.connections.client()).models.list({});
  });
});
