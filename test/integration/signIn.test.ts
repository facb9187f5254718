import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError, isApiError } from '../../src/core/api/errors';
import { diagnose } from '../../src/core/profiles/signInProblem';
import { checkKey, foundWords } from '../../src/features/signIn/checkKey';
import { keepProfile } from '../../src/features/signIn/profileCommands';
import { commandOf, describe as wordsFor } from '../../src/platform/errors/reportError';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, until } from '../support/deskServices';

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

  const problemAt = async (baseUrl: string, key: string) => {
    try {
      await checkKey(services, { baseUrl, apiKey: key }, signal);
    } catch (error) {
      if (isApiError(error)) return { ...diagnose(error, { baseUrl, key }), words: wordsFor(error) };
      throw error;
    }
    throw new Error('The check passed.');
  };

  it('shows the models, the time, and the balance', async () => {
    service.answer(200, { code: 20000, message: 'OK', status: true, data: { totalBalance: '1.50' } });
    const found = await checkKey(services, { baseUrl: service.baseUrl, apiKey }, signal);
    equal(found.models, 2);
    equal(found.balance, '1.50');
    ok(found.latencyMs >= 0);
    equal(foundWords(found), `2 models, ${found.latencyMs} ms, balance 1.50.`);
  });

  it('offers the page of the right console for a rejected key, a missing permission, and an empty balance', () => {
    const opened = (kind: 'auth' | 'permission' | 'balance', service: string | undefined) =>
      wordsFor(new ApiError({ kind, message: 'x', status: 403, service })).actions.flatMap(({ id }) => {
        const run = commandOf(id);
        return run?.command === 'vscode.open' ? [String(run.arguments[0])] : [];
      });
    deepEqual(opened('auth', 'siliconFlowChina'), ['https://cloud.siliconflow.cn/account/ak']);
    deepEqual(opened('auth', 'siliconFlow'), ['https://cloud.siliconflow.com/account/ak']);
    deepEqual(opened('permission', 'siliconFlowChina'), [
      'https://cloud.siliconflow.cn/account/ak',
      'https://cloud.siliconflow.cn/account/authentication',
    ]);
    deepEqual(opened('balance', 'siliconFlow'), ['https://cloud.siliconflow.com/expensebill']);
    deepEqual(opened('balance', undefined), []);
    equal(commandOf('addCredit:https://example.com'), undefined);
  });

  it("works if the service doesn't report a balance", async () => {
    const found = await checkKey(services, { baseUrl: service.baseUrl, apiKey }, signal);
    equal(found.balance, undefined);
  });

  it('explains an unknown key, a path without its version, and a missing service', async () => {
    equal((await problemAt(service.baseUrl, 'sk-another')).cause, 'keyUnknown');
    equal((await problemAt(service.origin, apiKey)).cause, 'missingVersion');
    const gone = await startAccountService(apiKey);
    await gone.close();
    equal((await problemAt(gone.baseUrl, apiKey)).cause, 'refused');
  });

  it('never shows the key in an error', async () => {
    const key = 'sk-a-key-that-must-not-be-seen';
    for (const baseUrl of [service.baseUrl, service.origin]) {
      const { words } = await problemAt(baseUrl, key);
      ok(!JSON.stringify(words).includes(key));
    }
  });

  it('ends when the user closes it', async () => {
    const controller = new AbortController();
    const checking = checkKey(services, { baseUrl: service.baseUrl, apiKey }, controller.signal);
    controller.abort();
    await rejects(checking, (error: unknown) => isApiError(error) && error.kind === 'aborted');
  });

  it('makes the account active, with the key in secret storage', async () => {
    const draft = { profileId: undefined, name: 'New one', baseUrl: service.baseUrl, key: apiKey };
    await keepProfile(services, { draft, found: undefined });
    const { active } = services.profiles;
    equal(active?.name, 'New one');
    equal(await services.profiles.key(active.id), apiKey);
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

  it('starts without a question as the active profile, and answers', async () => {
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    equal(services.profiles.active?.name, 'Demo');
    const models = await (await services.connections.client()).models.list({});
    ok(models.length > 5);
  });

  it('reports an account', async () => {
    await services.account.refresh();
    equal(services.account.state.status, 'ready');
  });

  it('stays stopped, reports it, and lets features retry', async () => {
    let reported = 0;
    const listening = services.connections.onDidChange(() => (reported += 1));
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');
    listening.dispose();
    notEqual(reported, 0);
    await rejects(services.connections.client(), (error: unknown) => wordsFor(error).title.includes('stopped'));
  });

  it('has the same origin after a restart, and lets features retry', async () => {
    const before = services.profiles.active;
    let reported = 0;
    const listening = services.connections.onDidChange(() => (reported += 1));
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    listening.dispose();
    notEqual(reported, 0);
    deepEqual(services.profiles.active, before);
    await (await services.connections.client()).models.list({});
  });
});

describe('an account with the name or ID of the demo', () => {
  let services: Services;
  let service: AccountService;
  const run = (command: string, asked?: string) => vscode.commands.executeCommand(`inferenceDesk.${command}`, asked);
  let isDemoStarted = false;
  const startDemo = async () => {
    isDemoStarted = true;
    await run('demo.start');
  };
  const stopDemo = async () => {
    isDemoStarted = false;
    await run('demo.stop');
  };

  before(async () => {
    services = await deskServices();
  });
  beforeEach(async () => {
    await beginAnew(services);
    service = await startAccountService(apiKey);
  });
  afterEach(async () => {
    if (isDemoStarted) await stopDemo();
    await beginAnew(services);
    await service.close();
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  /** Starts and stops the demo, signs out of it, and sees that the account is as it was and its key goes where it belongs. */
  async function outlivesTheDemo(id: string): Promise<void> {
    const { profiles, connections } = services;
    const account = profiles.get(id);
    await startDemo();
    const demo = profiles.active;
    ok(demo && demo.id !== id, 'the demo has a profile of its own');
    ok((await (await connections.client()).models.list({})).length > 5);
    await stopDemo();
    await profiles.signOut(demo.id);
    equal(await profiles.key(demo.id), undefined);
    await profiles.remove(demo.id);
    deepEqual(profiles.get(id), account);
    equal(await profiles.key(id), apiKey);
    await profiles.setActive(id);
    const models = await (await connections.client()).models.list({});
    equal(models.length, 2);
    // A view that an earlier file opened may have asked too.
    deepEqual(new Set(service.seen.map(({ authorization }) => authorization)), new Set([`Bearer ${apiKey}`]));
  }

  for (const name of ['Demo', 'demo', ' DEMO ', '__proto__', 'constructor']) {
    it(`keeps its key and URL while the demo starts and stops: "${name}"`, async () => {
      const draft = { profileId: undefined, name: name.trim(), baseUrl: service.baseUrl, key: apiKey };
      await keepProfile(services, { draft, found: undefined });
      const id = services.profiles.active?.id ?? '';
      await outlivesTheDemo(id);
    });
  }

  it('keeps both if an earlier version gave it the ID of the demo', async () => {
    await services.profiles.save({ id: 'demo', name: 'Demo', baseUrl: service.baseUrl });
    await services.profiles.storeKey('demo', apiKey);
    await outlivesTheDemo('demo');
  });

  it("keeps them if the demo's account was given another URL", async () => {
    const { profiles } = services;
    await startDemo();
    const id = profiles.active?.id ?? '';
    await stopDemo();
    await profiles.save({ id, name: 'Mine now', baseUrl: service.baseUrl });
    await profiles.storeKey(id, apiKey);
    await outlivesTheDemo(id);
  });

  it('keeps separate keys for accounts with the same name', async () => {
    const { profiles } = services;
    const draft = { profileId: undefined, name: 'Twin', baseUrl: service.baseUrl, key: apiKey };
    await keepProfile(services, { draft, found: undefined });
    await keepProfile(services, { draft: { ...draft, key: `${apiKey}-2` }, found: undefined });
    const [first, second] = profiles.list;
    ok(first && second);
    notEqual(first.id, second.id);
    await profiles.save({ ...first, name: 'Renamed' });
    await profiles.remove(second.id);
    equal(await profiles.key(first.id), apiKey);
    equal(profiles.get(first.id)?.name, 'Renamed');
  });

  it('leaves an invalid entry in the setting, also with the ID of a removed account', async () => {
    const { profiles, settings } = services;
    const bad = { id: 'twice', name: 'Bad', baseUrl: 'http://example.com/v1' };
    await settings.set('profiles', [bad, { id: 'twice', name: 'Good', baseUrl: service.baseUrl }]);
    await until(profiles.onDidChange, () => profiles.get('twice') !== undefined);
    await profiles.save({ id: 'twice', name: 'Better', baseUrl: service.baseUrl });
    equal(profiles.get('twice')?.name, 'Better');
    await profiles.remove('twice');
    deepEqual(settings.get('profiles'), [bad]);
    await settings.set('profiles', []);
  });
});

describe('the demo profile of an earlier version', () => {
  it("remains the demo's account, with everything stored under its ID", async () => {
    const services = await deskServices();
    const { profiles, context } = services;
    await beginAnew(services);
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    const { active } = profiles;
    ok(active);
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');
    await beginAnew(services);
    await rm(join(context.globalStorageUri.fsPath, 'demo', 'profile.json'), { force: true });
    await profiles.save({ ...active, id: 'demo' });
    await vscode.commands.executeCommand('inferenceDesk.demo.start');
    deepEqual(
      profiles.list.map(({ id, baseUrl }) => ({ id, baseUrl })),
      [{ id: 'demo', baseUrl: active.baseUrl }],
    );
    ok((await (await services.connections.client('demo')).models.list({})).length > 5);
    await vscode.commands.executeCommand('inferenceDesk.demo.stop');
    await beginAnew(services);
    await rm(join(context.globalStorageUri.fsPath, 'demo', 'profile.json'), { force: true });
  });
});
