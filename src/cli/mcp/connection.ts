import { basename, dirname } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
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
import { StepFailure } from '../../core/jobs/job';
import { isSameService } from '../../core/jobs/sameService';
import { isLoopback } from '../../core/profiles/baseUrl';
import { rulesOf } from '../../core/profiles/vendorRules';
import { hasPrices, knownServiceOf } from '../../core/profiles/knownServices';
import { textTimers } from '../../core/profiles/textTimers';
import { DaySpending } from '../../core/usage/daySpending';
import { createDayTokens, inEach, type DayTokens } from '../../core/usage/dayTokens';
import { meteredClient } from '../../core/usage/meteredClient';
import { tokensOf, type Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
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
  readonly tokens: DayTokens;
  readonly daily: DailyLimit;
  /** Logs an error, without the key. */
  readonly onTrouble: (error: unknown) => void;
}

/** Until the first byte of a text response. */
const responseSeconds = 300;

const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy'];

/** `log` receives one line per call, once it has ended, and per error. */
export function openConnection(environment: McpEnvironment, log: (line: string) => void): Connection {
  const { baseUrl, apiKey, keyHeader } = environment;
  const redact = createRedact([apiKey]);
  const onTrouble = (error: unknown) => log(redact(String(error)));
  const tokens = createDayBudgets(environment, onTrouble);
  const holdPaid = createCap(environment, onTrouble);
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
    batchesAvoidLimits: rules.batch.avoidsLimits,
    apiKey: async () => apiKey,
    keyHeader: keyHeader ?? knownServiceOf(baseUrl)?.auth,
    service: knownServiceOf(baseUrl)?.id,
    offers,
    timers: { text: textTimers(baseUrl, responseSeconds) },
    onExchange: (exchange) => log(callLine(exchange)),
    holdPaid,
    stack: createPickingStack({
      preference: () => 'auto',
      // Node's own stack supports proxies if NODE_USE_ENV_PROXY is set.
      proxyConfigured: () => !isLocal && proxyVariables.some(isSet),
      undici: async () => createUndiciStack(),
      editor: async () => createEditorStack(),
      remembered: worked,
    }),
  });
  const client = meteredClient(unmetered, tokens, { purpose: 'tools' });
  return {
    baseUrl,
    client,
    lacks: (...endpoints) => endpointsAt(baseUrl, endpoints).some((one) => offers.isMissing(one, Date.now())),
    onChangeOffers: (listener) => void listeners.add(listener),
    tokens,
    daily: createDailyLimit(environment, holdPaid),
    onTrouble,
    async connect(job) {
      if (isSameService(job.baseUrl, baseUrl)) return client;
      throw new StepFailure({ kind: 'addressChanged', message: job.baseUrl });
    },
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
function createDayBudgets(environment: McpEnvironment, onTrouble: (error: unknown) => void): DayTokens {
  const { usage, dailyTokens, toolUsage, toolTokens } = environment;
  const tokensIn = (folder: string, hard: number, words: RefusalWords) =>
    createDayTokens({
      ledger: createUsageLedger(dirname(folder), onTrouble),
      account: basename(folder),
      budget: () => ({ soft: 0, hard }),
      refuse: (used, most, expected) => refusal(words, { used, most, expected }),
    });
  const all = tokensIn(usage, dailyTokens, {
    usedUp: 'The daily token limit is reached',
    tooLittle: 'The daily token limit would be exceeded',
  });
  const own = tokensIn(toolUsage, toolTokens, {
    usedUp: 'The daily token limit for tools is reached',
    tooLittle: 'The daily token limit for tools would be exceeded',
  });
  return inEach([all, own]);
}

/** Returns a function that throws `AgentProblem` once the account has spent its money of today. */
function createCap(environment: McpEnvironment, onTrouble: (error: unknown) => void): () => Promise<void> {
  const { usage, spending, dailySpending } = environment;
  const ledger = createUsageLedger(dirname(usage), onTrouble);
  const today = new DaySpending({ path: spending, ledger, account: basename(usage), onTrouble });
  const refuse = (spent: number, most: number) =>
    new AgentProblem(
      `The daily spending cap is reached (${spent.toFixed(2)} of ${most}), so the request was not sent. The cap resets at midnight. Tell the user. Do not retry.`,
    );
  return () => today.check(dailySpending, refuse);
}

interface RefusalWords {
  readonly usedUp: string;
  readonly tooLittle: string;
}

function refusal(
  { usedUp, tooLittle }: RefusalWords,
  { used, most, expected }: { readonly used: Usage; readonly most: number; readonly expected: number | undefined },
): AgentProblem {
  const figures = `${tokensOf(used)} of ${most}`;
  const why =
    expected === undefined
      ? `${usedUp} (${figures})`
      : `${tooLittle} (${figures}). This request needs about ${expected}`;
  return new AgentProblem(
    `${why}, so the request was not sent. The limit resets at midnight. Tell the user. Do not retry.`,
  );
}
