import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { env } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Client } from '../../core/api/client';
import { isApiError } from '../../core/api/errors';
import {
  DaySpending,
  nothingHeld,
  type BalanceFalls,
  type CappedDay,
  type HeldMoney,
} from '../../core/usage/daySpending';
import { createDayTokens, inEach } from '../../core/usage/dayTokens';
import type { DayTokens } from '../../core/usage/dayTokens';
import { meteredClient } from '../../core/usage/meteredClient';
import type { CallUse, Purpose } from '../../core/usage/meteredClient';
import {
  expectedCosts,
  expectedRequest,
  jobsBeingSent,
  knownCosts,
  noteCosts,
  type ExpectedCharge,
  type PaidWork,
} from '../../core/prices/paidWork';
import type { Job } from '../../core/jobs/job';
import { budgetState } from '../../core/usage/usage';
import type { BudgetState, TokenBudget, Usage, UsageSource } from '../../core/usage/usage';
import { UsageHistory, type UsageGroup } from '../../core/usage/usageHistory';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { UsageLedger } from '../../core/usage/usageLedger';
import { step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';
import { showMessage } from '../../platform/notify';
import type { Settings } from '../../platform/settings';
import { currencyOf, hasPrices } from '../../core/profiles/knownServices';
import { moneyText, numberFormat } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import type { Account, AccountReading, Profiles } from '../account/account';
import type { ModelCatalogue } from '../models/modelCatalogue';
import type { Costs } from './costs';
import { PriceBook } from './prices';

export interface Spent {
  readonly today: Usage;
  readonly budget: TokenBudget;
  readonly state: BudgetState;
}

interface UsageSources {
  readonly account: Account;
  readonly profiles: Profiles;
  readonly models: ModelCatalogue;
  readonly costs: Costs;
  readonly context: ExtensionContext;
  readonly settings: Settings;
  readonly log: LogOutputChannel;
}

/**
 * The only place where tokens are counted and budgets are enforced. All clients of `Connections` are metered and held to the spending cap
 * here, so a feature counts and checks nothing; it may ask early, where it would otherwise begin something that cannot be sent.
 */
export class UsageService {
  private readonly all: UsageLedger;
  private readonly own: Readonly<Record<Exclude<Purpose, 'chat'>, UsageLedger>>;
  private readonly counts = new Map<string, DayTokens>();
  private read: UsageHistory | undefined;
  private readPieces: UsageHistory | undefined;
  private readonly spendings = new Map<string, DaySpending>();
  private readonly prices: PriceBook;

  constructor(private readonly sources: UsageSources) {
    this.prices = new PriceBook(sources);
    const open = (...folder: readonly string[]) =>
      createUsageLedger(join(sources.context.globalStorageUri.fsPath, ...folder), (error) =>
        sources.log.warn(`The usage could not be saved: ${String(error)}`),
      );
    this.all = open('usage');
    this.own = { ghostText: open('ghostText', 'usage'), tools: open('agentTools', 'usage') };
  }

  /** Resolves to the prices once everything known of the accounts is read. Never rejects. */
  async readyPrices(): Promise<PriceBook> {
    await this.prices.ready();
    return this.prices;
  }

  /** Returns the client with its calls counted for a profile; they throw a `UserError` once a budget is used up. */
  metered(client: Client, profileId: string, use: CallUse = {}): Client {
    return meteredClient(client, this.tokens(profileId, use.purpose), use, {
      learned: this.prices.learned(profileId),
      pricesOf: (model) => this.prices.ofTokens(model, profileId),
      holdMoney: async (request, source) => {
        // Its response is priced even if another account is active by then.
        await this.prices.readList(profileId);
        return this.holdSpending(profileId, () => expectedRequest(request), source);
      },
    });
  }

  /** Throws what a call would throw if a budget is used up or the spending cap is reached. */
  async check(profileId: string, purpose?: Purpose): Promise<void> {
    await this.checkSpending(profileId);
    (await this.tokens(profileId, purpose).check()).release();
  }

  /** Resolves to what a profile used today, in all windows; with a purpose, for that alone. */
  today(profileId: string, purpose?: keyof UsageService['own']): Promise<Usage> {
    return (purpose ? this.own[purpose] : this.all).total(profileId, Date.now());
  }

  /** The same, beside the budget. */
  async spent(profileId: string): Promise<Spent> {
    const today = await this.today(profileId);
    const budget = this.sources.settings.get('chat.dailyTokenBudget');
    return { today, budget, state: budgetState(today, budget) };
  }

  /** Resolves to what accounts used in the last days, today included, in all windows, also in jobs. Rejects if that can't be read. */
  async history(days: number, profileIds: readonly string[]): Promise<readonly UsageGroup[]> {
    const folder = this.sources.context.globalStorageUri.fsPath;
    this.read ??= new UsageHistory(join(folder, 'usage'));
    this.readPieces ??= new UsageHistory(join(folder, 'spending'));
    const now = Date.now();
    const pieces = await this.readPieces.last(days, profileIds, now);
    // Earlier versions noted those of jobs without saying so.
    return [...(await this.read.last(days, profileIds, now)), ...pieces.filter(({ source }) => source !== undefined)];
  }

  /** Resolves to a mark that changes once other windows or programs have used an account for something that is paid for. */
  markElsewhere(profileId: string): Promise<string> {
    return this.spending(profileId).markElsewhere(Date.now());
  }

  /** Resolves to how much the balances of accounts fell, as far as they were read. Rejects if that can't be read. */
  async balanceFalls(
    profileIds: readonly string[],
  ): Promise<readonly (BalanceFalls & { readonly profileId: string })[]> {
    const all = await Promise.all(
      profileIds.map(async (profileId) => ({ profileId, falls: await this.spending(profileId).falls() })),
    );
    return all.flatMap(({ profileId, falls }) => (falls ? [{ profileId, ...falls }] : []));
  }

  /** Learns from the balance of an account how much was spent. */
  async noteBalance(profileId: string, { info, requestedAt }: AccountReading): Promise<void> {
    const { profiles } = this.sources;
    const [baseUrl = '', key = ''] = [profiles.get(profileId)?.baseUrl, await profiles.key(profileId)];
    const account = { baseUrl, key, currency: info.currency };
    await this.spending(profileId).noteBalance(info.totalBalance ?? '', requestedAt, account);
  }

  /**
   * Counts work in what was spent on its day, if its price is listed or entered, or the service said it: not every service reports a balance.
   * Resolves to whether that is on disk.
   */
  async notePaid(profileId: string, work: PaidWork): Promise<boolean> {
    // The list of another account is requested once that is active.
    if (profileId === this.sources.account.current.id) await this.sources.models.listed().catch(() => undefined);
    await this.prices.readList(profileId);
    const prices = this.prices.known(profileId);
    // It has no record otherwise, by which other windows know that the balance fell for it.
    if (!work.job && work.kind !== 'batch' && knownCosts(work, prices).length === 0)
      return this.spending(profileId).addPiece(work.model, undefined, work.at);
    return noteCosts(work, prices, this.spending(profileId));
  }

  /** Resolves to what an account spent today, in its currency; `undefined` if unknown. */
  spentToday(profileId: string): Promise<number | undefined> {
    return this.spending(profileId).spent(Date.now());
  }

  /** Throws a `UserError` if a limit that the user set can't be enforced, because it isn't a number. */
  checkLimits(names: readonly LimitSetting[]): void {
    for (const name of names) {
      if (!this.sources.settings.isInvalid(name)) continue;
      const error = new UserError(
        l10n.t('Invalid daily limit'),
        l10n.t("Not sent because {0} isn't a number. 0 disables the limit.", `inferenceDesk.${name}`),
        [step(limitSteps[name])],
      );
      throw Object.assign(error, { isBudgetRefusal: true });
    }
  }

  /**
   * Throws a `UserError` if the account has reached its cap of today, or would exceed it once all jobs in progress are charged. The clients
   * of `Connections` call this before all that may cost money. `next`: what is about to be started.
   */
  async checkSpending(profileId: string, next?: Job | ExpectedCharge): Promise<void> {
    const cap = this.capOf(profileId);
    if (cap === 0) return;
    this.freshenBalance(profileId);
    const spending = this.spending(profileId);
    const jobs = await this.jobs(profileId);
    const day = this.expected(profileId, next ? jobs : jobsBeingSent(jobs), next);
    // Of a request, the price is reserved already. One of another window that is about to be refused must not stop it.
    if (next) day.reserved += await spending.held();
    await spending.check(cap, (capped) => this.refusal(profileId, capped), day);
  }

  /**
   * Reserves what a request is expected to cost until it is released. Throws a `UserError` if that would exceed the cap of today, together
   * with all requests and jobs in progress. `charge` is called only if there is a cap.
   */
  async holdSpending(
    profileId: string,
    charge: () => ExpectedCharge | undefined,
    purpose?: UsageSource,
  ): Promise<HeldMoney> {
    const cap = this.capOf(profileId);
    if (cap === 0) return nothingHeld;
    await this.readyPrices();
    const expected = this.prices.expected(charge(), { profileId, purpose });
    const refuse = (capped: CappedDay) => this.refusal(profileId, capped);
    return this.spending(profileId).hold(cap, refuse, expected, () => this.reservedByJobs(profileId));
  }

  /** Resolves to what requests and jobs of an account that are in progress are expected to cost, as far as prices are known. */
  async reserved(profileId: string): Promise<number> {
    return (await this.reservedByJobs(profileId)) + (await this.spending(profileId).held());
  }

  /** Returns the cap of an account; 0 if it has none. Throws a `UserError` if the setting isn't a number. */
  private capOf(profileId: string): number {
    const { settings, profiles } = this.sources;
    const baseUrl = profiles.get(profileId)?.baseUrl;
    if (baseUrl !== undefined && hasPrices(baseUrl)) this.checkLimits(['dailySpendingCap']);
    return settings.get('dailySpendingCap');
  }

  /** Reads the balance if it is old: nobody may be looking at the account, or at the window, while an agent spends. */
  private freshenBalance(profileId: string): void {
    const { account } = this.sources;
    const { state } = account;
    if (profileId !== account.current.id || state.loading) return;
    const isOld = state.status === 'ready' && Date.now() - state.reading.readAt >= cappedBalanceMs;
    const isMissing = state.status === 'unknown' || (state.status === 'failed' && !isRefused(state.error));
    if (isOld || isMissing) void account.refresh();
  }

  private refusal(profileId: string, day: CappedDay): UserError {
    const currency = currencyOf(this.sources.profiles.get(profileId)?.baseUrl);
    return cappedError(day, (amount) => moneyText(amount, currency, env.language));
  }

  /** Resolves to the jobs of an account once what is known of their prices is read. */
  private async jobs(profileId: string): Promise<readonly Job[]> {
    const { costs, models } = this.sources;
    const [jobs] = await Promise.all([costs.jobs(), models.ready(), this.prices.ready()]);
    return jobs.filter((job) => job.profileId === profileId);
  }

  private async reservedByJobs(profileId: string): Promise<number> {
    return this.expected(profileId, await this.jobs(profileId)).reserved;
  }

  private expected(profileId: string, jobs: readonly Job[], next?: Job | ExpectedCharge) {
    return expectedCosts(jobs, next, (charge) => this.prices.expected(charge, { profileId }));
  }

  private spending(profileId: string): DaySpending {
    const { context, log } = this.sources;
    const spending =
      this.spendings.get(profileId) ??
      new DaySpending({
        path: join(context.globalStorageUri.fsPath, 'spending', `${profileId}.json`),
        ledger: this.all,
        account: profileId,
        onError: (error) => log.warn(`Spending: ${String(error)}`),
      });
    this.spendings.set(profileId, spending);
    return spending;
  }

  private tokens(profileId: string, purpose: Purpose | undefined): DayTokens {
    const key = `${purpose ?? ''} ${profileId}`;
    const known = this.counts.get(key) ?? this.open(profileId, purpose);
    this.counts.set(key, known);
    return known;
  }

  private open(account: string, purpose: Purpose | undefined): DayTokens {
    const whole = this.limitedBy('chat.dailyTokenBudget', this.all, account);
    switch (purpose) {
      case undefined:
        return createDayTokens({ ...whole, onWarn: () => this.warn() });
      case 'chat':
        return createDayTokens(whole);
      case 'ghostText':
      case 'tools': {
        const limit = purpose === 'tools' ? 'agentTools.dailyTokenBudget' : 'ghostText.dailyTokenBudget';
        const own = createDayTokens(this.limitedBy(limit, this.own[purpose], account));
        return inEach([this.tokens(account, undefined), own]);
      }
    }
  }

  private limitedBy(limit: TokenLimit, ledger: UsageLedger, account: string) {
    return {
      ledger,
      account,
      budget: (): TokenBudget => {
        this.checkLimits([limit]);
        const budget = this.sources.settings.get(limit);
        return typeof budget === 'number' ? { soft: 0, hard: budget } : budget;
      },
      refuse: (used: Usage, budget: number, expected?: number) => tokenLimitError(limit, used, budget, expected),
    };
  }

  private warn(): void {
    this.sources.log.warn('The warning level of the token budget of today is passed.');
    void showMessage('warning', l10n.t("You've reached today's token warning level."));
  }
}

/** While requests are sent to an account with a cap, its balance is at most this old. */
const cappedBalanceMs = 10_000;

/** Whether the service responded, but not with the balance: it isn't asked for each request. */
function isRefused(error: unknown): boolean {
  return isApiError(error) && error.details.status !== undefined;
}

const limitSteps = {
  dailySpendingCap: 'spendingSetting',
  'chat.dailyTokenBudget': 'budgetSetting',
  'ghostText.dailyTokenBudget': 'ghostBudgetSetting',
  'agentTools.dailyTokenBudget': 'toolBudgetSetting',
} as const;
type LimitSetting = keyof typeof limitSteps;
type TokenLimit = Exclude<LimitSetting, 'dailySpendingCap'>;

function cappedError({ spent, reserved, expected, cap }: CappedDay, money: (amount: number) => string): UserError {
  const actions = [step('spendingSetting')];
  if (spent >= cap)
    return new UserError(
      l10n.t('Daily spending cap reached'),
      l10n.t('Not sent. Spent today: {0} of {1}. Wait until midnight, or change the cap.', money(spent), money(cap)),
      actions,
    );
  const total =
    reserved > 0
      ? l10n.t(
          'Spent today: {0} of {1}. Requests and jobs in progress will cost about {2}.',
          money(spent),
          money(cap),
          money(reserved),
        )
      : l10n.t('Spent today: {0} of {1}.', money(spent), money(cap));
  if (expected === 0)
    return new UserError(
      l10n.t('Daily spending cap reached'),
      sentences(total, l10n.t('Not sent. Wait for work in progress to finish, or change the cap.')),
      actions,
    );
  return new UserError(
    l10n.t('Daily spending cap would be exceeded'),
    sentences(total, l10n.t('Not sent. The price would be about {0}. To continue, change the cap.', money(expected))),
    actions,
  );
}

/** Returns the error once the tokens below a limit are used up; `expected`: what a request needs that the rest is too little for. */
function tokenLimitError(limit: TokenLimit, used: Usage, budget: number, expected?: number): UserError {
  const titles = tokenLimitTitles(limit);
  const actions = [step(limitSteps[limit])];
  return expected === undefined
    ? new UserError(
        titles.reached,
        l10n.t(
          'Not sent. Used today: {0} of {1}. Wait until midnight, or change the limit.',
          usedText(used),
          numberText(budget),
        ),
        actions,
      )
    : new UserError(
        titles.exceeded,
        l10n.t(
          'Not sent. Needed: about {0} tokens. Used today: {1} of {2}. Wait until midnight, or change the limit.',
          numberText(expected),
          usedText(used),
          numberText(budget),
        ),
        actions,
      );
}

function tokenLimitTitles(limit: TokenLimit): { readonly reached: string; readonly exceeded: string } {
  switch (limit) {
    case 'chat.dailyTokenBudget':
      return {
        reached: l10n.t('Daily token limit reached'),
        exceeded: l10n.t('Daily token limit would be exceeded'),
      };
    case 'agentTools.dailyTokenBudget':
      return {
        reached: l10n.t('Daily token limit for tools reached'),
        exceeded: l10n.t('Daily token limit for tools would be exceeded'),
      };
    case 'ghostText.dailyTokenBudget': {
      // An inline suggestion reserves nothing, so there is never too little left for it.
      const reached = l10n.t('Daily token limit for inline suggestions reached');
      return { reached, exceeded: reached };
    }
  }
}

/** Formats how many tokens were used, marked as approximate if it is an estimate. */
function usedText({ inputTokens, outputTokens, isEstimate }: Usage): string {
  const used = numberText(inputTokens + outputTokens);
  return isEstimate ? l10n.t('about {0}', used) : used;
}

function numberText(count: number): string {
  return numberFormat(env.language).format(count);
}
