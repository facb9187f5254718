import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { AccountInfo } from '../../core/api/account/account.schema';
import { createClient } from '../../core/api/client';
import { isApiError } from '../../core/api/errors';
import type { Client } from '../../core/api/client';
import { createOfferStore } from '../../core/api/offers';
import { endpointsAt, knownGapsOf } from '../../core/profiles/knownGaps';
import { createRedact } from '../../core/api/redact';
import { createEditorStack } from '../../core/api/transport/editorTransport';
import { createPickingStack } from '../../core/api/transport/pickTransport';
import type { StackName } from '../../core/api/transport/pickTransport';
import { createUndiciStack } from '../../core/api/transport/undiciTransport';
import { callLine } from '../../core/diagnosis/callLine';
import { StepFailure, type Job } from '../../core/jobs/job';
import type { JobEngineOptions } from '../../core/jobs/jobEngine';
import { isSameService } from '../../core/jobs/sameService';
import { isLoopback } from '../../core/profiles/baseUrl';
import { rulesOf } from '../../core/profiles/vendorRules';
import { currencyOf, hasPrices, knownServiceOf } from '../../core/profiles/knownServices';
import { textTimers } from '../../core/profiles/textTimers';
import type { UnitPrices } from '../../core/api/models/listedPrices';
import { readCachedModels } from '../../core/catalogue/catalogueFile';
import {
  expectedCharge,
  expectedCost,
  expectedRequest,
  knownCosts,
  notedOf,
  type ExpectedCharge,
  type KnownPrices,
  type PaidWork,
} from '../../core/prices/paidWork';
import { enteredPrices } from '../../core/prices/prices';
import { batchDiscountAt } from '../../core/profiles/vendorRules';
import { createJsonFile } from '../../core/storage/storedFile';
import { DaySpending, nothingHeld, type CappedDay, type HeldMoney } from '../../core/usage/daySpending';
import { createDayTokens, inEach, type DayTokens } from '../../core/usage/dayTokens';
import { meteredClient } from '../../core/usage/meteredClient';
import { tokensOf, type Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
import { WorkBoard, type SharedWork } from '../../core/jobs/workBoard';
import { accountId, surroundings } from './requests';
import { createDailyLimit, type DailyLimit } from './dailyLimit';
import type { McpEnvironment } from './environment';

/** The service as this server uses it, and the limits of a day. */
export interface Connection {
  readonly baseUrl: string;
  /** Metered. */
  readonly client: Client;
  /** Whether the service is known, or was found, not to have an endpoint. */
  readonly lacks: (this: void, ...endpoints: readonly string[]) => boolean;
  /** Calls `listener` when `lacks` may have changed. */
  readonly onChangeOffers: (this: void, listener: () => void) => void;
  /** For the job engines. Throws `StepFailure` if the job was created at another service. */
  readonly connect: (job: { readonly baseUrl: string }) => Promise<Client>;
  /** Whose jobs the server's are; the jobs that are followed, if others have the same folders. */
  readonly jobs: {
    readonly from: { readonly profileId: string; readonly baseUrl: string; readonly client?: 'mcp' };
    readonly own: JobEngineOptions<Job>['own'];
    /** Returns those of the jobs that are followed. */
    readonly ownOf: <J extends Job>(this: void, jobs: readonly J[]) => readonly J[];
    /** The storage of the editor that has the jobs too. */
    readonly storage: string | undefined;
  };
  /** Runs work that the windows of the editor see in progress. */
  readonly progress: {
    around<T>(this: void, label: string, work: () => Promise<T>): Promise<T>;
    dispose(this: void): Promise<void>;
  };
  readonly tokens: DayTokens;
  readonly daily: DailyLimit;
  readonly spending: Spending;
  /** Logs an error, without the key. */
  readonly onError: (error: unknown) => void;
}

/** Until the first byte of a text response. */
const responseSeconds = 300;

const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy'];

/** `log` receives one line per call, once it has ended, and per error. */
export function openConnection(environment: McpEnvironment, log: (line: string) => void): Connection {
  const { baseUrl, apiKey, keyHeader } = environment;
  const redact = createRedact([apiKey]);
  const onError = (error: unknown) => log(redact(String(error)));
  const tokens = createDayBudgets(environment, onError);
  const spending = new Spending(environment, onError);
  const worked = new Map<string, StackName>();
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const rules = rulesOf(baseUrl);
  const listeners = new Set<() => void>();
  const offers = createOfferStore({}, () => listeners.forEach((tell) => tell()), knownGapsOf(baseUrl));
  const unmetered = createClient({
    baseUrl,
    bounds: rules.bounds,
    hasBalance: rules.hasBalance,
    hasPrices: hasPrices(baseUrl),
    currency: currencyOf(baseUrl),
    batchesAvoidLimits: rules.batch.avoidsLimits,
    apiKey: async () => apiKey,
    keyHeader: keyHeader ?? knownServiceOf(baseUrl)?.auth,
    service: knownServiceOf(baseUrl)?.id,
    offers,
    timers: { text: textTimers(baseUrl, responseSeconds) },
    onExchange: (exchange) => log(callLine(exchange)),
    holdPaid: () => spending.check(),
    stack: createPickingStack({
      preference: () => 'auto',
      // Node's own stack supports proxies if NODE_USE_ENV_PROXY is set.
      proxyConfigured: () => !isLocal && proxyVariables.some(isSet),
      undici: async () => createUndiciStack(),
      editor: async () => createEditorStack(),
      remembered: worked,
    }),
  });
  spending.follow((signal) => unmetered.account.info(signal));
  const jobs = jobsOf(environment);
  const client = meteredClient(
    unmetered,
    tokens,
    { purpose: 'tools', source: 'mcp' },
    { pricesOf: spending.prices.ofTokens, holdMoney: (request) => spending.hold(expectedRequest(request)) },
  );
  return {
    baseUrl,
    client,
    lacks: (...endpoints) => endpointsAt(baseUrl, endpoints).some((one) => offers.isMissing(one, Date.now())),
    onChangeOffers: (listener) => void listeners.add(listener),
    jobs,
    progress: createProgress(jobs, onError),
    tokens,
    daily: createDailyLimit(environment, (expected) => spending.check(expected)),
    spending,
    onError,
    async connect(job) {
      if (isSameService(job.baseUrl, baseUrl)) return client;
      throw new StepFailure({ kind: 'addressChanged', message: job.baseUrl });
    },
  };
}

function jobsOf({ editor, baseUrl }: McpEnvironment): Connection['jobs'] {
  if (!editor)
    return { from: { profileId: accountId, baseUrl }, own: undefined, ownOf: (jobs) => jobs, storage: undefined };
  const { profileId, storage } = editor;
  const has = (job: Job) => job.client === 'mcp' && job.profileId === profileId;
  const name = createHash('sha256').update(profileId).digest('hex').slice(0, 8);
  return {
    from: { profileId, baseUrl, client: 'mcp' },
    own: { name, has },
    ownOf: (jobs) => jobs.filter(has),
    storage,
  };
}

/** Tells the windows of the editor that started the server, if one did, what it does. */
function createProgress(
  { from, storage }: Connection['jobs'],
  onError: (error: unknown) => void,
): Connection['progress'] {
  const board = storage === undefined ? undefined : new WorkBoard(join(storage, 'work'), surroundings.where);
  const running = new Set<SharedWork>();
  const publish = () => void board?.publish([...running]).catch(onError);
  return {
    async around<T>(label: string, work: () => Promise<T>): Promise<T> {
      const { profileId } = from;
      const shared = { kind: 'tool', label, startedAt: Date.now(), profileId, client: 'mcp' };
      running.add(shared);
      publish();
      try {
        return await work();
      } finally {
        running.delete(shared);
        publish();
      }
    },
    dispose: async () => board?.dispose(),
  };
}

function isSet(name: string): boolean {
  const value = process.env[name] ?? process.env[name.toUpperCase()] ?? '';
  return value.trim() !== '';
}

/**
 * Counts tokens in two daily ledgers, both shared with other processes, and enforces the limit of each: one for all usage, one for what
 * tools use. Throws `AgentProblem` beyond either.
 */
function createDayBudgets(environment: McpEnvironment, onError: (error: unknown) => void): DayTokens {
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

  /** Counts work whose price is known. */
  note(work: PaidWork): void {
    for (const { model, amount } of knownCosts(work, this.prices))
      void this.today.addPiece(model, amount, work.at, notedOf(work));
  }

  /** Throws `AgentProblem` if the cap is reached, or would be exceeded with a job, or something else, that is about to be started. */
  async check(next?: Job | ExpectedCharge): Promise<void> {
    const { dailySpending } = this.environment;
    await this.freshenBalance();
    const day = await this.expected(next);
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
      return (await this.expected(undefined)).reserved;
    });
  }

  private async expected(next: Job | ExpectedCharge | undefined) {
    await this.readyPrices();
    const { editor } = this.environment;
    const nextId = next && 'id' in next ? next.id : undefined;
    const others = [...this.engines]
      .flatMap(({ jobs }) => jobs)
      .filter(({ id, profileId }) => id !== nextId && profileId === (editor?.profileId ?? accountId));
    const costOf = (charge: ExpectedCharge | undefined) => (charge ? expectedCost(charge, this.prices) : 0);
    return {
      reserved: others.reduce((sum, job) => sum + costOf(expectedCharge(job)), 0),
      expected: costOf(next && ('id' in next ? expectedCharge(next) : next)),
    };
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
