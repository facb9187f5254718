import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { AccountInfo } from '../../core/api/account/account.schema';
import { isApiError } from '../../core/api/errors';
import type { UnitPrices } from '../../core/api/models/listedPrices';
import { readCachedModels } from '../../core/catalogue/catalogueFile';
import type { Job } from '../../core/jobs/job';
import { isSameService } from '../../core/jobs/sameService';
import {
  expectedCost,
  expectedCosts,
  jobsBeingSent,
  noteCosts,
  type ExpectedCharge,
  type KnownPrices,
  type PaidWork,
} from '../../core/prices/paidWork';
import { enteredPrices } from '../../core/prices/prices';
import { batchDiscountAt } from '../../core/profiles/vendorRules';
import { appendShared } from '../../core/storage/appendLog';
import { createJsonFile } from '../../core/storage/storedFile';
import { DaySpending, nothingHeld, type CappedDay, type HeldMoney } from '../../core/usage/daySpending';
import { createDayTokens, inEach, type DayTokens } from '../../core/usage/dayTokens';
import { dayOf, tokensOf, type Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { McpEnvironment } from './environment';
import { accountId } from './requests';

/**
 * Counts tokens in two daily ledgers, both shared with other processes, and enforces the limit of each: one for all usage, one for what
 * tools use. Throws `AgentProblem` beyond either.
 */
export function createDayBudgets(environment: McpEnvironment, onError: (error: unknown) => void): DayTokens {
  const { usage, dailyTokens, toolUsage, toolTokens } = environment;
  const tokensIn = (folder: string, hard: number, limit: string) =>
    createDayTokens({
      ledger: createUsageLedger(dirname(folder), onError),
      account: basename(folder),
      budget: () => ({ soft: 0, hard }),
      refuse: (used, most, expected) => refusal(limit, { used, most, expected }),
    });
  const all = tokensIn(usage, dailyTokens, 'The daily token limit');
  const own = tokensIn(toolUsage, toolTokens, 'The daily token limit for tools');
  return inEach([all, own]);
}

/** With a cap, the balance before a request is at most this old. */
const balanceMs = 10_000;
const longestReadMs = 3000;

/** An engine with the jobs of the account, also those of other processes. */
interface ConsideredEngine {
  readonly jobs: readonly Job[];
  refresh(): Promise<void>;
}

/** What the account spends today, and its cap, both shared with other processes. */
export class Spending {
  /** The prices that the service lists, as a window of the editor last read them, and those that the user entered. */
  readonly prices: KnownPrices;
  /** Otherwise the windows of the editor, which have the jobs too, count what they cost. */
  readonly isCountedHere: boolean;
  private readonly today: DaySpending;
  private readonly engines = new Set<ConsideredEngine>();
  private listed: ReadonlyMap<string, UnitPrices | undefined> = new Map();
  private loading: Promise<void> | undefined;
  private readBalance: ((signal: AbortSignal) => Promise<AccountInfo>) | undefined;
  private balanceAt = 0;

  constructor(
    private readonly environment: McpEnvironment,
    private readonly onError: (error: unknown) => void,
  ) {
    const { usage, spending, baseUrl, prices, editor } = environment;
    const ledger = createUsageLedger(dirname(usage), onError);
    this.today = new DaySpending({ path: spending, ledger, account: basename(usage), onError });
    this.isCountedHere = editor === undefined;
    const first = (model: string, isKnown: (known: UnitPrices) => boolean) =>
      [this.listed.get(model), enteredPrices(prices, model)].find((known) => known && isKnown(known));
    this.prices = {
      ofTokens: (model) => first(model, ({ input, output }) => input !== undefined || output !== undefined),
      ofPiece: (model, piece) =>
        piece === 'transcription' ? undefined : first(model, (known) => known[piece] !== undefined)?.[piece],
      batchDiscount: batchDiscountAt(baseUrl),
    };
  }

  /** Resolves with the prices once those that the windows of the editor know are read. */
  async readyPrices(): Promise<KnownPrices> {
    await (this.loading ??= this.load());
    // The editor may read the list of models later.
    if (this.listed.size === 0) this.loading = undefined;
    return this.prices;
  }

  /** From now on, what the jobs of an engine are expected to cost counts toward the cap while they are in progress. */
  consider(engine: ConsideredEngine): void {
    this.engines.add(engine);
  }

  /** From now on, the balance is read with this while there is a cap: no window of the editor may be reading it. */
  follow(readBalance: (signal: AbortSignal) => Promise<AccountInfo>): void {
    this.readBalance = readBalance;
  }

  /** Counts work whose price is known. Resolves to whether that is on disk; never rejects. */
  note(work: PaidWork): Promise<boolean> {
    return noteCosts(work, this.prices, this.today);
  }

  /** Throws `AgentProblem` if the cap is reached, or would be exceeded with a job, or something else, that is about to be started. */
  async check(next?: Job | ExpectedCharge): Promise<void> {
    const { dailySpending } = this.environment;
    await this.freshenBalance();
    await this.readyPrices();
    const day = this.expected(next ? this.jobs : jobsBeingSent(this.jobs), next);
    if (next && dailySpending > 0) day.reserved += await this.today.held();
    await this.today.check(dailySpending, capProblem, day);
  }

  /** Reserves what a request is expected to cost. Throws `AgentProblem` if that would exceed the cap. */
  async hold(request: ExpectedCharge): Promise<HeldMoney> {
    const { dailySpending } = this.environment;
    const expected = expectedCost(request, await this.readyPrices());
    if (dailySpending === 0) return nothingHeld;
    return this.today.hold(dailySpending, capProblem, expected, async () => {
      // A window may just have started one.
      await Promise.all([...this.engines].map((engine) => engine.refresh().catch(this.onError)));
      return this.expected(this.jobs).reserved;
    });
  }

  private get jobs(): readonly Job[] {
    const { editor } = this.environment;
    const jobs = [...this.engines].flatMap((engine) => engine.jobs);
    return jobs.filter(({ profileId }) => profileId === (editor?.profileId ?? accountId));
  }

  private expected(jobs: readonly Job[], next?: Job | ExpectedCharge) {
    return expectedCosts(jobs, next, (charge) => expectedCost(charge, this.prices));
  }

  /** Reads the balance if there is a cap and it is old. Never rejects, and takes a moment at most. */
  private async freshenBalance(): Promise<void> {
    const { baseUrl, apiKey: key, dailySpending } = this.environment;
    const at = Date.now();
    if (dailySpending === 0 || !this.readBalance || at - this.balanceAt < balanceMs) return;
    this.balanceAt = at;
    try {
      const { totalBalance = '', currency } = await this.readBalance(AbortSignal.timeout(longestReadMs));
      await this.today.noteBalance(totalBalance, at, { baseUrl, key, currency });
    } catch (error) {
      // Most services don't report it.
      if (isApiError(error) && (error.kind === 'notOffered' || error.details.status !== undefined))
        this.readBalance = undefined;
      else this.onError(error);
    }
  }

  /** Reads the prices that the windows of the editor know. */
  private async load(): Promise<void> {
    const { editor, baseUrl } = this.environment;
    if (!editor) return;
    const path = join(editor.storage, 'models', `${editor.profileId}.models.json`);
    const cached = await createJsonFile(path, readCachedModels)
      .read()
      .catch((error: unknown) => this.onError(error));
    if (cached && isSameService(cached.source, baseUrl))
      this.listed = new Map(cached.models.map(({ id, prices }) => [id, prices]));
  }
}

function capProblem({ spent, reserved, expected, cap }: CappedDay): AgentProblem {
  const jobs =
    reserved > 0 ? `, and requests and jobs in progress are expected to cost about ${reserved.toFixed(2)}` : '';
  const isReached = spent >= cap || expected === 0;
  const next = isReached ? '' : ` This is expected to cost about ${expected.toFixed(2)}.`;
  return new AgentProblem(
    `The daily spending cap ${isReached ? 'is reached' : 'would be exceeded'} (${spent.toFixed(2)} of ${cap}${jobs}), so the request was not sent.${next} The cap resets at midnight. Tell the user. Do not retry.`,
  );
}

function refusal(
  limit: string,
  { used, most, expected }: { readonly used: Usage; readonly most: number; readonly expected: number | undefined },
): AgentProblem {
  const figures = `${tokensOf(used)} of ${most}`;
  const why =
    expected === undefined
      ? `${limit} is reached (${figures})`
      : `${limit} would be exceeded (${figures}). This request needs about ${expected}`;
  return new AgentProblem(
    `${why}, so the request was not sent. The limit resets at midnight. Tell the user. Do not retry.`,
  );
}

export interface DailyLimit {
  /**
   * Runs `submit` and counts it, unless it certainly did not start. Throws `AgentProblem` if today's limit or spending cap is reached.
   * `submit` may reject only if nothing was sent.
   */
  within<J extends Job>(submit: () => Promise<J>, expected?: ExpectedCharge): Promise<J>;
}

/** Counts the jobs of a day, together with other servers that share the same state folder, and enforces the daily limit. */
export function createDailyLimit(
  { state, dailyRequests }: { readonly state: string; readonly dailyRequests: number },
  holdPaid?: (expected?: ExpectedCharge) => Promise<void>,
): DailyLimit {
  const folder = join(state, 'orders');
  let last: Promise<unknown> = Promise.resolve();

  /** Counts one job. Resolves to a function that undoes this. */
  const take = async (): Promise<() => Promise<void>> => {
    const file = join(folder, dayOf(Date.now()));
    // Appends before counting: of two concurrent servers, one may be refused too early, but neither can exceed the limit.
    await appendShared(file, '+');
    const giveBack = () => appendShared(file, '-');
    if (countOf(await readFile(file, 'utf8')) <= dailyRequests) return giveBack;
    await giveBack();
    throw new AgentProblem(
      `The daily limit of ${dailyRequests} images, videos, and batches is reached, so the request was not sent. The limit resets at midnight. Tell the user. Do not retry.`,
    );
  };

  return {
    async within(submit, expected) {
      await holdPaid?.(expected);
      if (dailyRequests === 0) return submit();
      const taken = last.then(take);
      last = taken.catch(() => undefined);
      const giveBack = await taken;
      let isBegun = false;
      try {
        const job = await submit();
        isBegun = job.stage !== 'refused';
        return job;
      } finally {
        if (!isBegun) await giveBack();
      }
    },
  };
}

/** The file holds a `+` for each job and a `-` for each one that was undone. */
function countOf(signs: string): number {
  return signs.split('+').length - signs.split('-').length;
}
