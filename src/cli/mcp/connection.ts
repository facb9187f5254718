import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../../core/api/client';
import type { Client } from '../../core/api/client';
import { createOfferStore } from '../../core/api/offers';
import { endpointsAt, knownGapsOf } from '../../core/profiles/knownGaps';
import { createRedact } from '../../core/api/redact';
import { createEditorStack } from '../../core/api/transport/editorTransport';
import { createPickingStack } from '../../core/api/transport/pickTransport';
import type { StackName } from '../../core/api/transport/pickTransport';
import { createUndiciStack } from '../../core/api/transport/undiciTransport';
import { callLine } from '../../core/diagnosis/callLine';
import { StepFailure, type Job, type JobOwner } from '../../core/jobs/job';
import type { JobEngineOptions } from '../../core/jobs/jobEngine';
import { isSameService } from '../../core/jobs/sameService';
import { isLoopback } from '../../core/profiles/baseUrl';
import { rulesOf } from '../../core/profiles/vendorRules';
import { currencyOf, hasPrices, knownServiceOf } from '../../core/profiles/knownServices';
import { textTimers } from '../../core/profiles/textTimers';
import { expectedRequest } from '../../core/prices/paidWork';
import type { DayTokens } from '../../core/usage/dayTokens';
import { meteredClient } from '../../core/usage/meteredClient';
import { WorkBoard, type SharedWork } from '../../core/jobs/workBoard';
import { accountId, surroundings } from './requests';
import { createDailyLimit, createDayBudgets, Spending, type DailyLimit } from './dailyLimits';
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
  /** The owner of the server's jobs, and the jobs it tracks if others have the same folders. */
  readonly jobs: {
    readonly from: JobOwner;
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
