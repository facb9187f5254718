import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { BatchJob } from '../../src/core/jobs/batch/batchJob';
import type { JobStage } from '../../src/core/jobs/job';
import { isBudgetRefusal } from '../../src/core/usage/dayTokens';
import { createUsageLedger } from '../../src/core/usage/usageLedger';
import { UserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import type { Purpose } from '../../src/core/usage/meteredClient';
import type { Costs } from '../../src/services/usage/costs';
import { UsageService } from '../../src/services/usage/usage';
import { settingDefaults } from '../../src/platform/contributions';
import { createTestClient } from '../support/apiClient';
import { deskServices, ensureSettings } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';

const titled = (title: string) => (error: unknown) => error instanceof UserError && error.title === title;
const usedUp = titled('Daily token limit reached');

describe('spending with a profile', () => {
  let services: Services;
  let usage: UsageService;
  let profile = '';
  before(async () => void (services = await deskServices()));
  beforeEach(() => {
    profile = randomUUID();
    usage = new UsageService(services);
  });
  afterEach(async () => {
    for (const name of ['ghostText.dailyTokenBudget', 'agentTools.dailyTokenBudget'] as const)
      await services.settings.set(name, settingDefaults[name]);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
  });

  const allow = (hard: number) => services.settings.set('chat.dailyTokenBudget', { soft: 0, hard });
  /** As another window of the same machine does. */
  const use = (inputTokens: number, ...folder: readonly string[]) =>
    createUsageLedger(join(services.context.globalStorageUri.fsPath, ...folder, 'usage'), () => undefined).add(
      profile,
      {
        at: Date.now(),
        model: 'm',
        inputTokens,
        outputTokens: 0,
      },
    );

  it('is limited by the budget from the first check of a window, however many requests run at once', async () => {
    await allow(1000);
    await use(1000);
    const checks = await Promise.allSettled(Array.from({ length: 20 }, () => usage.check(profile)));
    deepEqual([...new Set(checks.map(({ status }) => status))], ['rejected']);
    for (const purpose of [undefined, 'chat', 'ghostText', 'tools'] satisfies readonly (Purpose | undefined)[])
      await rejects(usage.check(profile, purpose), usedUp);
  });

  it('is limited by the budgets of tools, of inline suggestions, and of the account', async () => {
    await services.settings.set('ghostText.dailyTokenBudget', 100);
    await services.settings.set('agentTools.dailyTokenBudget', 100);
    await use(100, 'ghostText');
    await rejects(usage.check(profile, 'ghostText'), titled('Daily token limit for inline suggestions reached'));
    await usage.check(profile, 'tools');
    await use(100, 'agentTools');
    await rejects(usage.check(profile, 'tools'), titled('Daily token limit for tools reached'));
    await usage.check(profile);
    deepEqual(await usage.today(profile, 'tools'), { inputTokens: 100, outputTokens: 0 });
    deepEqual(await usage.today(profile), { inputTokens: 0, outputTokens: 0 });
  });

  it('is limited by the spending cap in every client, with a message that explains it', async () => {
    await services.settings.set('dailySpendingCap', 2);
    const capped = titled('Daily spending cap reached');
    await createUsageLedger(join(services.context.globalStorageUri.fsPath, 'usage'), () => undefined).add(profile, {
      at: Date.now(),
      model: 'm',
      inputTokens: 1,
      outputTokens: 1,
      cost: 2.5,
    });
    try {
      for (const purpose of [undefined, 'chat', 'ghostText', 'tools'] satisfies readonly (Purpose | undefined)[])
        await rejects(usage.check(profile, purpose), capped);
      const paid = () =>
        services.costs.around(
          profile,
          () => Promise.resolve(true),
          () => 'nothing',
        );
      // The window's own service throws its own class.
      await rejects(paid(), { title: 'Daily spending cap reached' });
      await services.settings.set('dailySpendingCap', 3);
      await usage.check(profile);
      equal(await paid(), true);
    } finally {
      await services.settings.set('dailySpendingCap', 0);
    }
  });

  it('is not stopped by a job that is still being prepared, which may be refused', async () => {
    const input = { path: '/a.jsonl', sha256: '', bytes: 1, requests: 1, model: 'm', inputTokens: 1 };
    const job = (id: string, stage: JobStage): BatchJob => ({
      id,
      profileId: profile,
      baseUrl: 'https://one.example/v1',
      createdAt: 1,
      stage,
      options: { completion_window: '24h' },
      input,
    });
    const [sent, next] = [job('sent', 'submitting'), job('next', 'preparing')];
    const costs: Costs = { ...services.costs, jobs: async () => [sent, next] };
    const both = new UsageService({ ...services, costs });
    await ensureSettings(services.settings, {
      dailySpendingCap: 5,
      prices: { '*': { input: 0, output: 0, request: 6 } },
    });
    try {
      equal(await both.reserved(profile), 6);
      await both.checkSpending(profile);
      await rejects(both.checkSpending(profile, next), titled('Daily spending cap would be exceeded'));
      await services.settings.set('dailySpendingCap', 2);
      await rejects(both.checkSpending(profile), titled('Daily spending cap reached'));
    } finally {
      await ensureSettings(services.settings, { dailySpendingCap: 0, prices: {} });
    }
  });

  it('is limited by a cap and a budget entered as text, and by a budget without a warning level', async () => {
    const configure = (name: string, value: unknown) =>
      vscode.workspace.getConfiguration('inferenceDesk').update(name, value, vscode.ConfigurationTarget.Global);
    try {
      for (const [entered, amount] of [
        ['5', 5],
        [' 2.50 ', 2.5],
        ['$3', 3],
        ['¥3', 3],
      ] as const) {
        await configure('dailySpendingCap', entered);
        equal(services.settings.get('dailySpendingCap'), amount);
        equal(services.settings.isInvalid('dailySpendingCap'), false);
      }
      await configure('dailySpendingCap', undefined);
      await configure('ghostText.dailyTokenBudget', '100');
      equal(services.settings.get('ghostText.dailyTokenBudget'), 100);
      await configure('chat.dailyTokenBudget', { hard: '1000' });
      deepEqual(services.settings.get('chat.dailyTokenBudget'), { soft: 0, hard: 1000 });
      await configure('account.lowBalance', 5);
      equal(services.settings.get('account.lowBalance'), '5');
    } finally {
      for (const name of ['dailySpendingCap', 'account.lowBalance', 'ghostText.dailyTokenBudget'])
        await configure(name, undefined);
    }
  });

  it('stops with a message that names the setting while a cap or budget is not a number', async () => {
    const configure = (name: string, value: unknown) =>
      vscode.workspace.getConfiguration('inferenceDesk').update(name, value, vscode.ConfigurationTarget.Global);
    const named = (name: string) => (error: unknown) =>
      error instanceof UserError && isBudgetRefusal(error) && error.detail.includes(`inferenceDesk.${name}`);
    const paying = services.profiles.active?.id ?? '';
    try {
      for (const value of ['five', '1,5', '5 or so', -1, {}, true]) {
        await configure('dailySpendingCap', value);
        if (paying !== '') await rejects(usage.checkSpending(paying), named('dailySpendingCap'));
        throws(() => usage.checkLimits(['dailySpendingCap']), named('dailySpendingCap'));
      }
      await configure('dailySpendingCap', undefined);
      await configure('chat.dailyTokenBudget', { soft: 0, hard: 'many' });
      await rejects(usage.check(profile), named('chat.dailyTokenBudget'));
      await configure('chat.dailyTokenBudget', undefined);
      for (const [setting, purpose] of [
        ['ghostText.dailyTokenBudget', 'ghostText'],
        ['agentTools.dailyTokenBudget', 'tools'],
      ] as const) {
        await configure(setting, 'none');
        await rejects(usage.check(profile, purpose), named(setting));
        await configure(setting, undefined);
        await usage.check(profile, purpose);
      }
    } finally {
      for (const name of ['dailySpendingCap', 'ghostText.dailyTokenBudget', 'agentTools.dailyTokenBudget'])
        await configure(name, undefined);
    }
  });

  it('warns once per profile, whichever feature sends requests, except in the chat, which shows it', async () => {
    await services.settings.set('chat.dailyTokenBudget', { soft: 500, hard: 0 });
    const warned: string[] = [];
    const log = { ...services.log, warn: (text: string) => void warned.push(text) };
    usage = new UsageService({ ...services, log });
    await use(600);
    await usage.check(profile, 'chat');
    equal((await usage.spent(profile)).state, 'soft');
    equal(warned.length, 0);
    for (const purpose of [undefined, 'tools', 'ghostText', undefined] as const) await usage.check(profile, purpose);
    equal(warned.length, 1);
    profile = randomUUID();
    await use(600);
    await usage.check(profile);
    equal(warned.length, 2);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('rejects a request that exceeds the remaining amount, with a reason', async () => {
    await allow(1000);
    const demo = await startFilledDemo({ pace: 'instant' });
    try {
      const { client } = createTestClient(demo.baseUrl, { apiKey: async () => demo.apiKey });
      const rerank = (words: number) => ({
        model: 'Qwen/Qwen3-Reranker-8B',
        query: 'word',
        documents: [Array.from({ length: words }, () => 'word').join(' ')],
      });
      const metered = usage.metered(client, profile);
      const tooLittle = titled('Daily token limit would be exceeded');
      await rejects(metered.rerank.create(rerank(1100)), tooLittle);
      await metered.rerank.create(rerank(500));
      ok((await usage.today(profile)).inputTokens > 400);
      await rejects(metered.rerank.create(rerank(900)), tooLittle);
      equal((await demo.requests()).filter(({ path }) => path.endsWith('/rerank')).length, 1);
    } finally {
      await demo.close();
    }
  });
});
