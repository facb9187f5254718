import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createSpending, createSpendings } from '../../src/services/usage/spending';
import { openUsageLedger } from '../../src/services/usage/tokenBudget';
import { UserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';

const used = (inputTokens: number) => ({ inputTokens, outputTokens: 0 });
const titled = (title: string) => (error: unknown) => error instanceof UserError && error.title === title;
const usedUp = titled('The token budget of today is used up');

describe('what is spent with a profile', () => {
  let services: Services;
  let profile = '';
  before(async () => void (services = await deskServices()));
  beforeEach(() => void (profile = randomUUID()));
  afterEach(() => services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 }));

  const ledger = () => openUsageLedger(services.context, services.log);
  const open = () => createSpending(profile, ledger(), services);
  const allow = (hard: number) => services.settings.set('chat.dailyTokenBudget', { soft: 0, hard });

  it('is held to the budget from the first check of a window, however many there are at once', async () => {
    await allow(1000);
    await ledger().add(profile, { at: Date.now(), model: 'm', ...used(1000) });
    const spending = open();
    const checks = await Promise.allSettled(Array.from({ length: 20 }, () => spending.check()));
    deepEqual([...new Set(checks.map(({ status }) => status))], ['rejected']);
    await rejects(spending.check(), usedUp);
  });

  it('counts what is added while the ledger is read', async () => {
    await allow(1000);
    const spending = open();
    const checking = spending.check();
    spending.add(used(1000), 'm');
    await checking.catch(() => undefined);
    await rejects(spending.check(), usedUp);
  });

  it('warns once with each profile, whoever asks in the window', async () => {
    await services.settings.set('chat.dailyTokenBudget', { soft: 500, hard: 0 });
    const warned: string[] = [];
    const log = { ...services.log, warn: (text: string) => void warned.push(text) };
    const spendings = createSpendings(ledger(), { settings: services.settings, log });
    for (const id of [profile, profile, randomUUID()]) {
      await spendings(id).check();
      spendings(id).add(used(600), 'm');
      await spendings(id).check();
    }
    equal(warned.length, 2);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('sends nothing that alone is more than what is left, and says so', async () => {
    await allow(1000);
    const spending = open();
    const tooLittle = titled('Too little is left of the token budget of today');
    await rejects(spending.check(1001), tooLittle);
    spending.add(used(600), 'm');
    await rejects(spending.check(401), tooLittle);
    const held = await spending.check(400);
    await rejects(open().check(1), usedUp);
    held?.release();
  });
});
