import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isApiError } from '../../src/core/api/errors';
import { exchangeText } from '../../src/services/diagnostics/exchangeText';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, until } from '../support/deskServices';

const apiKey = 'sk-0123456789-of-the-profile-test';

const isSignedOut = (error: unknown) =>
  isApiError(error) && error.kind === 'auth' && error.details.status === undefined;

describe('profiles and their keys', () => {
  let services: Services;
  let service: AccountService;
  let other: AccountService;

  before(async () => {
    // A view that is open asks the service too, as it should.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    services = await deskServices();
  });
  beforeEach(async () => {
    await beginAnew(services);
    service = await startAccountService(apiKey);
    other = await startAccountService(apiKey);
    await services.profiles.save({ id: 'work', name: 'Work', baseUrl: service.baseUrl });
    await services.profiles.setActive('work');
    equal(await services.profiles.storeKey('work', apiKey), true);
  });
  afterEach(async () => {
    await beginAnew(services);
    await service.close();
    await other.close();
  });

  it('send the key to the origin it was entered for', async () => {
    const models = await (await services.connections.client()).models.list({});
    deepEqual(
      models.map(({ id }) => id),
      ['vendor/one', 'vendor/two'],
    );
    equal(service.seen[0]?.authorization, `Bearer ${apiKey}`);
  });

  it('never send it to another origin, also not with a client created before the URL changed', async () => {
    const { profiles, connections } = services;
    const before = await connections.client();
    await profiles.save({ id: 'work', name: 'Work', baseUrl: other.baseUrl });
    equal(await profiles.key('work'), undefined);
    await rejects(connections.client(), isSignedOut);
    await rejects(before.models.list({}), isSignedOut);
    deepEqual(other.seen, []);
  });

  it('keep the key when only the path of the URL changes', async () => {
    await services.profiles.save({ id: 'work', name: 'Work', baseUrl: `${service.origin}/v2` });
    equal(await services.profiles.key('work'), apiKey);
  });

  it('ask for sign-in without a request when the key has vanished', async () => {
    const { profiles, connections, context } = services;
    await connections.client();
    const reported = new Promise<string>((resolve) => {
      const listening = profiles.onDidChange((change) => {
        listening.dispose();
        resolve(change);
      });
    });
    await context.secrets.delete(`inferenceDesk.key:work@${service.origin}`);
    equal(await reported, 'key');
    await rejects(connections.client(), isSignedOut);
    equal(await profiles.isKeyVanished('work'), true);
    deepEqual(service.seen, []);
  });

  it('delete the keys of every origin at sign-out, without reporting them as vanished', async () => {
    const { profiles, context } = services;
    await profiles.save({ id: 'work', name: 'Work', baseUrl: other.baseUrl });
    await profiles.storeKey('work', apiKey);
    await profiles.signOut('work');
    const left = (await context.secrets.keys()).filter((name) => name.includes('work@'));
    deepEqual(left, []);
    equal(await profiles.isKeyVanished('work'), false);
    equal(profiles.get('work')?.name, 'Work');
  });

  it('leave no key in settings, files, or recent requests', async () => {
    const { connections, context, exchanges } = services;
    await (await connections.client()).models.list({});
    const settings = JSON.stringify(vscode.workspace.getConfiguration('inferenceDesk').inspect('profiles'));
    ok(settings.includes('Work') && !settings.includes(apiKey));
    const [last] = exchanges.recent;
    ok(last && last.path.endsWith('/models') && !exchangeText(last).includes(apiKey));
    const folder = context.globalStorageUri.fsPath;
    for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile() || name.name.endsWith('.tmp')) continue;
      const text = await readFile(join(name.parentPath, name.name), 'utf8');
      ok(!text.includes(apiKey), name.name);
    }
  });

  it("aren't read from a workspace, nor is the network stack", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    ok(folder);
    const dotVscode = join(folder.uri.fsPath, '.vscode');
    const applied = new Promise<void>((resolve) => {
      const listening = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('editor.tabSize')) return;
        listening.dispose();
        resolve();
      });
    });
    await mkdir(dotVscode, { recursive: true });
    const evil = [{ id: 'work', name: 'Work', baseUrl: other.baseUrl }];
    const text = { 'editor.tabSize': 7, 'inferenceDesk.profiles': evil, 'inferenceDesk.network.stack': 'editor' };
    await writeFile(join(dotVscode, 'settings.json'), JSON.stringify(text));
    try {
      await applied;
      equal(services.profiles.get('work')?.baseUrl, service.baseUrl);
      equal(services.settings.get('network.stack'), 'auto');
    } finally {
      await rm(dotVscode, { recursive: true });
    }
  });

  it('keep an invalid entry in the setting, omit it from the list, and explain why', async () => {
    const { profiles, settings } = services;
    const bad = { id: 'bad', name: 'Bad', baseUrl: 'http://example.com/v1' };
    await settings.set('profiles', [...settings.get('profiles'), bad]);
    await until(profiles.onDidChange, () => profiles.problems.length === 1);
    equal(profiles.problems[0]?.problem, 'plainHttp');
    equal(profiles.get('bad'), undefined);
    await profiles.save({ id: 'more', name: 'More', baseUrl: other.baseUrl });
    ok(settings.get('profiles').some((entry) => JSON.stringify(entry) === JSON.stringify(bad)));
    await settings.set('profiles', []);
    await until(profiles.onDidChange, () => profiles.list.length === 0);
  });
});
