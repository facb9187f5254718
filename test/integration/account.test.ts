import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { AccountTree } from '../../src/features/account/account';
import { accountMessage, accountRows } from '../../src/features/account/accountRows';
import type { AccountRow } from '../../src/features/account/accountRows';
import { CommandRow } from '../../src/platform/listRow';
import { describe as describeError } from '../../src/platform/errors/reportError';
import { statusText } from '../../src/features/statusBar/statusText';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';

const apiKey = 'sk-0123456789-of-the-account-test';

const data = {
  id: 'u1',
  name: '',
  image: '',
  email: '',
  isAdmin: false,
  balance: '0.880000000000000001',
  status: 'normal',
  introduction: '',
  role: '',
  chargeBalance: '88.00',
  totalBalance: '88.880000000000000001',
};

describe('the account', () => {
  let services: Services;
  let service: AccountService;

  before(async () => {
    services = await deskServices();
  });
  beforeEach(async () => {
    service = await startAccountService(apiKey);
    service.answer(200, { code: 20000, message: 'OK', status: true, data });
    await signInAnew(services, 'work', { baseUrl: service.baseUrl, apiKey });
  });
  afterEach(async () => {
    await beginAnew(services);
    await service.close();
  });

  const rows = (): readonly AccountRow[] => {
    const profile = services.profiles.active;
    ok(profile);
    const top = accountRows({
      profile,
      state: services.account.state,
      lowBalance: '100',
      now: Date.now(),
      language: 'en',
    });
    return top.flatMap((row) => (row instanceof CommandRow ? [] : [row, ...row.children]));
  };
  const shown = (id: string) => rows().find((row) => row.id === id)?.description;
  const status = (now = Date.now(), { state } = services.account) => {
    const profile = services.profiles.active;
    ok(profile);
    return statusText({
      failures: 0,
      profile,
      state,
      failure: state.status === 'failed' ? describeError(state.error).title : undefined,
      running: services.activity.running,
      lowBalance: '100',
      now,
      language: 'en',
    });
  };

  it('gives VS Code the latest rows if they change while it reads them, without another read', async () => {
    const tree = new AccountTree();
    let changes = 0;
    const listening = tree.onDidChangeTreeData(() => (changes += 1));
    let give: (rows: readonly CommandRow[]) => void = () => undefined;
    const first = new Promise<readonly CommandRow[]>((resolve) => (give = resolve));
    const last = new CommandRow(() => new vscode.TreeItem('last'));
    tree.show(() => first);
    const reading = tree.getChildren();
    tree.show(async () => [last]);
    give([]);
    deepEqual(await reading, [last]);
    equal(changes, 1);
    tree.show(async () => []);
    deepEqual([changes, await tree.getChildren()], [2, []]);
    listening.dispose();
    tree.dispose();
  });

  it("gives VS Code the latest rows after earlier ones couldn't be created", async () => {
    const tree = new AccountTree();
    let fail: (error: Error) => void = () => undefined;
    const first = new Promise<readonly CommandRow[]>((_, reject) => (fail = reject));
    const last = new CommandRow(() => new vscode.TreeItem('last'));
    tree.show(() => first);
    const reading = tree.getChildren();
    tree.show(async () => [last]);
    fail(new Error('The disk is busy.'));
    deepEqual(await reading, [last]);
    tree.dispose();
  });

  it('rounds balances to two decimals except on hover and when copied, and omits empty values', async () => {
    await services.account.refresh();
    equal(shown('balance'), '88.88, below 100.00');
    const balance = rows().find(({ id }) => id === 'balance');
    equal(balance?.icon, 'warning');
    match(balance?.tooltip ?? '', /^88\.880000000000000001\n/);
    equal(balance?.value, '88.880000000000000001');
    equal(shown('giftBalance'), '0.88');
    equal(rows().find(({ id }) => id === 'giftBalance')?.tooltip, '0.880000000000000001');
    equal(shown('chargeBalance'), '88.00');
    match(status().text, / 88\.88$/);
    match(status().tooltip.value, /88\\\.880000000000000001.*bonus credit 0\\\.880000000000000001/s);
    equal(shown('status'), 'normal');
    equal(shown('age'), 'now');
    for (const id of ['name', 'email', 'role', 'introduction', 'isAdmin']) equal(shown(id), undefined, id);
  });

  it('shows amounts in the currency of a known service', () => {
    const reading = { info: { totalBalance: '8.5' }, askedAt: 0, readAt: 0 } as const;
    const state = { status: 'ready', reading } as never;
    const balanceAt = (origin: string) => {
      const profile = { id: 'x', name: 'X', baseUrl: `${origin}/v1`, origin };
      const [, row] = accountRows({ profile, state, lowBalance: '10', now: 0, language: 'en' });
      return row && 'description' in row ? row.description : undefined;
    };
    equal(balanceAt('https://api.siliconflow.com'), '$8.50, below $10.00');
    equal(balanceAt('https://api.siliconflow.cn'), '¥8.50, below ¥10.00');
    equal(balanceAt('https://gateway.example.com'), '8.50, below 10.00');
  });

  it("says that a service doesn't report the balance, and stops requesting it", async () => {
    service.answer(410, '');
    await services.account.refresh();
    equal(services.account.state.status, 'notOffered');
    equal(shown('notOffered'), 'not reported');
    const asked = service.seen.length;
    await services.account.refresh();
    equal(service.seen.length, asked);
  });

  it('keeps the last values after a service failure, and marks them as outdated', async () => {
    await services.account.refresh();
    service.answer(503, { code: 50501, message: 'Down for an hour.', data: null });
    await vscode.commands.executeCommand('inferenceDesk.refreshAccount');
    equal(services.account.state.status, 'failed');
    match(accountMessage(services.account.state), /^The service .*"Down for an hour\.".* Last loaded: now\.$/);
    equal(shown('age'), 'now');
    equal(shown('balance'), '88.88, below 100.00');
    match(status().text, /88\.88 \(\d{1,2}:\d\d.[AP]M\)/);
  });

  it('explains a missing balance, and has a row for each action', async () => {
    service.answer(403, { code: 30011, message: 'Not yours.', data: null });
    await services.account.refresh();
    match(accountMessage(services.account.state), /"Not yours\."/);
    const profile = services.profiles.active;
    ok(profile);
    const { state } = services.account;
    const actions = accountRows({ profile, state, lowBalance: '', now: 0, language: 'en' }).flatMap((row) =>
      row instanceof CommandRow ? [row.toItem().command?.command] : [],
    );
    deepEqual(actions, ['inferenceDesk.refreshAccount', 'inferenceDesk.showExchange']);
  });

  it('clears values loaded with a previous key', async () => {
    await services.account.refresh();
    await services.profiles.storeKey('work', `${apiKey}x`);
    await services.account.refresh();
    deepEqual([services.account.state.status, rows().length], ['failed', 0]);
  });

  it('shows an error instead of rows if loading fails', async () => {
    await services.profiles.storeKey('work', `${apiKey}x`);
    await services.account.refresh();
    equal(services.account.state.status, 'failed');
    equal(rows().length, 0);
  });

  it('loads once for simultaneous requests', async () => {
    await Promise.all([services.account.refresh(), services.account.refresh()]);
    equal(service.seen.filter(({ request }) => request === 'GET /v1/user/info').length, 1);
  });

  it('loads less often while the balance is unchanged, and at the usual rate after a change', async () => {
    const { account } = services;
    const asked = () => service.seen.filter(({ request }) => request === 'GET /v1/user/info').length;
    await account.refresh();
    mock.timers.enable({ apis: ['setTimeout'] });
    const watching = account.watch();
    /** Minutes until it is asked for again. */
    const pause = async () => {
      const before = asked();
      for (let minutes = 1; minutes <= 60; minutes += 1) {
        mock.timers.tick(60_000);
        if (!account.state.loading) continue;
        await until(account.onDidChange, () => !account.state.loading);
        equal(asked(), before + 1);
        return minutes;
      }
      return undefined;
    };
    try {
      deepEqual([await pause(), await pause(), await pause(), await pause(), await pause()], [5, 10, 20, 30, 30]);
      service.answer(200, { code: 20000, message: 'OK', status: true, data: { ...data, totalBalance: '80.00' } });
      deepEqual([await pause(), await pause(), await pause()], [30, 5, 10]);
      await account.refresh();
      equal(await pause(), 5);
    } finally {
      watching.dispose();
      mock.timers.reset();
    }
  });

  it('drops the previous account immediately when another one becomes active', async () => {
    const { account, profiles } = services;
    await account.refresh();
    await profiles.save({ id: 'other', name: 'Other', baseUrl: 'http://127.0.0.1:9/v1' });
    await profiles.setActive('other');
    await until(account.onDidChange, () => account.state.status !== 'ready');
    equal(shown('balance'), undefined);
  });

  it('is in the status bar with its profile, and with the time of an outdated balance', async () => {
    await services.account.refresh();
    equal(status().text, '$(warning) Work · 88.88');
    match(status(Date.now() + 36 * 60_000).text, /88\.88 \(.*\d{1,2}:\d\d.[AP]M\)/);
    match(status(Date.now() + 25 * 3_600_000).text, /88\.88 \(\w{3} \d+, \d{4}, \d{1,2}:\d\d.[AP]M\)/);
  });

  it('shares the status bar with work in progress', () => {
    const first = services.activity.start('Answering');
    const second = services.activity.start('Uploading');
    try {
      match(status().text, /^\$\(sync~spin\) Work .*Answering and 1 more$/);
      match(status().tooltip.value, /Uploading\\, started \d{1,2}\\:\d\d.[AP]M/);
    } finally {
      first.dispose();
      second.dispose();
    }
    ok(!status().text.includes('Answering'));
  });

  it("can't add links or commands to the tooltip", async () => {
    const evil = '[x](command:workbench.action.quit)';
    await services.profiles.save({ id: 'work', name: evil, baseUrl: service.baseUrl });
    const { tooltip } = status();
    ok(!tooltip.value.includes('](command:workbench'), tooltip.value);
    ok(tooltip instanceof vscode.MarkdownString && typeof tooltip.isTrusted === 'object');
  });
});
