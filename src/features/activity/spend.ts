import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { csvLine } from '../../core/batch/results/exportResults';
import { jobOutcome } from '../../core/jobs/jobOutcome';
import { foreign } from '../../core/text/foreignText';
import { dayOf, noUsage, addUsage, type Usage, type UsageSource } from '../../core/usage/usage';
import type { BalanceFalls } from '../../core/usage/daySpending';
import { unattributedFalls } from '../../core/usage/unattributed';
import { lastDays, type UsageGroup } from '../../core/usage/usageHistory';
import { numberText } from '../../platform/displayText';
import type { ActivitySelection, SpendRow, SpendView } from '../../protocol/activity';
import { dateFormat, listText, moneyText, numberFormat, type Currency } from '../../protocol/formats';
import type { BatchJob } from '../../services/batches/batches';
import type { MediaJob } from '../../services/media/media';
import type { AccountCost } from '../../services/usage/costs';
import type { Charge } from '../../services/usage/prices';

/** The clients of the table, in the order of their colors. */
const mainClients = ['chat', 'vsCodeChat', 'inlineSuggestions', 'batches', 'media'] as const;
/** Listed only if they used something. They share the last color. */
const otherClients = ['completion', 'search', 'tools', 'mcp', 'extensions', 'other', 'unattributed'] as const;
type ClientId = (typeof mainClients)[number] | (typeof otherClients)[number];

const clientOf: Readonly<Record<UsageSource, ClientId>> = {
  chat: 'chat',
  vsCodeChat: 'vsCodeChat',
  inlineSuggestions: 'inlineSuggestions',
  batchLines: 'batches',
  completion: 'completion',
  search: 'search',
  tools: 'tools',
  mcp: 'mcp',
  extensions: 'extensions',
  media: 'media',
  other: 'other',
};

/** More rows can't be told apart in a chart; the rest is one row. */
const mostModels = 5;
const others = '\u0000others';
/** Of what the balance fell without a known charge. */
const noModel = '\u0000none';

/**
 * What amounts are counted in, and only added within: a currency, or the account if its currency is unknown, because two accounts may have
 * different ones.
 */
type Unit = string & { readonly isUnit: never };

const unknownCurrency = '\u0000';

function unitOf(currency: Currency | undefined, profileId: string): Unit {
  return (currency ?? `${unknownCurrency}${profileId}`) as Unit;
}

function currencyIn(unit: Unit): Currency | undefined {
  return unit.startsWith(unknownCurrency) ? undefined : (unit as string as Currency);
}

/** Something that was used, or charged, on one day. */
interface Entry {
  readonly day: string;
  readonly profileId: string;
  readonly client: ClientId;
  readonly model: string;
  readonly requests: number;
  readonly usage?: Usage;
  readonly charged?: { readonly amount: number; readonly unit: Unit };
  /** Of how many requests that is. */
  readonly measured?: number;
  /** Of how many requests the cost is still being measured. */
  readonly pending?: number;
}

/** Usage whose cost has a currency; `undefined` if that is unknown. */
type PricedGroup = UsageGroup & { readonly currency: Currency | undefined };

/** Everything that is known of usage and charges, whatever days it is of. */
export interface SpendSources {
  readonly groups: readonly PricedGroup[];
  readonly costs: readonly (AccountCost & { readonly profileId: string })[];
  readonly batches: readonly BatchJob[];
  readonly media: readonly MediaJob[];
  /** What jobs were charged by their prices, whose costs weren't measured. */
  readonly charges: readonly { readonly job: BatchJob | MediaJob; readonly charge: Charge }[];
  /** Whether the cost of a job is being measured. */
  readonly isPending: (jobId: string) => boolean;
  /** How much the balances of accounts fell. */
  readonly falls: readonly (BalanceFalls & { readonly profileId: string; readonly currency: Currency | undefined })[];
}

/** What the last days used and cost, by client or by model. `now`: Unix milliseconds. */
export function spendView(sources: SpendSources, { days, by }: ActivitySelection, now: number): SpendView {
  const dates = lastDays(days, now);
  const entries = entriesOf(sources, dates);
  const units = new Set(entries.flatMap(({ charged }) => (charged ? [charged.unit] : [])));
  const isMoney = units.size === 1;
  const [unit] = units;
  const keys = by === 'client' ? clientKeys(entries) : modelKeys(entries, isMoney);
  const keyOf = (entry: Entry) => (by === 'client' ? entry.client : keys.includes(entry.model) ? entry.model : others);
  const sums = new Map(keys.map((key) => [key, sumOf(entries.filter((entry) => keyOf(entry) === key))]));
  const all = sumOf(entries);
  const sizeOf = (sum: Sum) =>
    unit !== undefined && isMoney ? (sum.charged.get(unit) ?? 0) : sum.usage.inputTokens + sum.usage.outputTokens;
  const perDay = dates.map((day) => {
    const ofDay = entries.filter((entry) => entry.day === day);
    return {
      day,
      sum: sumOf(ofDay),
      sizes: keys.map((key) => sizeOf(sumOf(ofDay.filter((one) => keyOf(one) === key)))),
    };
  });
  const top = axisTop(perDay.reduce((most, { sum }) => Math.max(most, sizeOf(sum)), 0));
  const { language } = vscode.env;
  const sizeText = (size: number) =>
    unit !== undefined && isMoney ? moneyText(size, currencyIn(unit), language) : compactText(size);
  return {
    unit: isMoney ? l10n.t('Charged') : l10n.t('Tokens'),
    // Without amounts, the lines above have no values.
    axis: [0, top / 2, top].map((size, index) => (top === 0 && index > 0 ? '' : sizeText(size))),
    days: perDay.map(({ day, sum, sizes }, index) => ({
      label: index === dates.length - 1 ? l10n.t('Today') : dayText(day),
      isToday: index === dates.length - 1,
      hint: [dayText(day), ...factsOf(sum)].join(' · '),
      parts: sizes.map((size) => (top === 0 ? 0 : size / top)),
    })),
    rows: keys.map((key) =>
      rowOf(key, by === 'client' ? clientText(key as ClientId) : modelText(key), sums.get(key)!, all),
    ),
    total: rowOf('', l10n.t('Total'), all, undefined),
  };
}

/** Returns the same as a CSV table with a line per day, client, and model. */
export function spendCsv(sources: SpendSources, { days }: ActivitySelection, now: number): string {
  const entries = entriesOf(sources, lastDays(days, now));
  const keys = [...new Set(entries.map(({ day, client, model }) => JSON.stringify([day, client, model])))];
  const lines = keys.toSorted().flatMap((key) => {
    const [day, client, model] = JSON.parse(key) as [string, ClientId, string];
    const same = entries.filter((one) => one.day === day && one.client === client && one.model === model);
    const { requests, usage, hasUsage, charged } = sumOf(same);
    const [first, ...more] = charged;
    const [unit, amount] = first ?? [];
    const [input, output] = hasUsage ? [usage.inputTokens, usage.outputTokens] : [undefined, undefined];
    const of = [day, clientText(client), model === noModel ? '' : model];
    return [
      csvLine([...of, requests, input, output, amount, unit && currencyIn(unit)]),
      // The tokens are counted once, whatever currencies they were paid in.
      ...more.map(([another, also]) => csvLine([...of, 0, undefined, undefined, also, currencyIn(another)])),
    ];
  });
  const head = csvLine(['day', 'client', 'model', 'requests', 'input_tokens', 'output_tokens', 'charged', 'currency']);
  return `\ufeff${[head, ...lines].map((line) => `${line}\n`).join('')}`;
}

interface Sum {
  readonly requests: number;
  readonly usage: Usage;
  readonly hasUsage: boolean;
  readonly charged: ReadonlyMap<Unit, number>;
  /** Of how many requests the charge is known. */
  readonly measured: number;
  /** Of how many requests the charge is being measured. */
  readonly pending: number;
}

function sumOf(entries: readonly Entry[]): Sum {
  const charged = new Map<Unit, number>();
  let usage = noUsage;
  let requests = 0;
  let measured = 0;
  let pending = 0;
  for (const entry of entries) {
    requests += entry.requests;
    measured += entry.measured ?? 0;
    pending += entry.pending ?? 0;
    if (entry.usage) usage = addUsage(usage, entry.usage);
    if (entry.charged) charged.set(entry.charged.unit, (charged.get(entry.charged.unit) ?? 0) + entry.charged.amount);
  }
  return { requests, usage, hasUsage: entries.some((entry) => entry.usage), charged, measured, pending };
}

function entriesOf(sources: SpendSources, dates: readonly string[]): readonly Entry[] {
  const { groups, costs, batches, media, charges, isPending } = sources;
  const ofServer = new Set([...batches, ...media].flatMap(({ id, client }) => (client === 'mcp' ? [id] : [])));
  const entries = [
    ...groups.map(fromUsage),
    ...costs.map((cost) => fromCost(cost, ofServer)),
    ...charges.map(({ job, charge }) => fromCharge(job, charge)),
    ...batches.flatMap((job) => fromBatch(job, isPending(job.id)) ?? []),
    ...media.flatMap((job) => fromMedia(job, isPending(job.id)) ?? []),
  ];
  const shown = entries.filter(({ day }) => dates.includes(day));
  return [...shown, ...unattributedOf(sources, shown, dates)];
}

/** Returns what balances fell without a known charge. It covers the requests of the day whose charge is unknown, so that sums are complete. */
function unattributedOf(
  { falls }: SpendSources,
  entries: readonly Entry[],
  dates: readonly string[],
): readonly Entry[] {
  const balances = new Map(falls.map(({ profileId, of }) => [profileId, of]));
  const entriesAt = (of: string, at: string) =>
    entries.filter(({ profileId, day }) => day === at && balances.get(profileId) === of);
  // What is being measured will have a charge of its own.
  const settled = falls.filter(({ of }) => !entries.some((one) => one.pending && balances.get(one.profileId) === of));
  const charged = (of: string, at: string) =>
    entriesAt(of, at).reduce((sum, one) => sum + (one.charged?.amount ?? 0), 0);
  return unattributedFalls(settled, charged, dates).map(({ of, day, amount }): Entry => {
    const { profileId, currency } = falls.find((one) => one.of === of)!;
    const { requests, measured } = sumOf(entriesAt(of, day));
    return {
      day,
      profileId,
      client: 'unattributed',
      model: noModel,
      requests: 0,
      charged: { amount, unit: unitOf(currency, profileId) },
      measured: Math.max(0, requests - measured),
    };
  });
}

/** Of a batch, the requests that were answered are charged. */
function fromBatch(job: BatchJob, isPending: boolean): Entry | undefined {
  const { client = 'batches', createdAt, profileId } = job;
  const { model, requests } = batchFacts(job);
  if (requests === 0) return undefined;
  return { day: dayOf(createdAt), profileId, client, model, requests, pending: isPending ? requests : 0 };
}

function fromMedia(job: MediaJob, isPending: boolean): Entry | undefined {
  if (['preparing', 'refused', 'submitting'].includes(job.stage) || jobOutcome(job) === 'failed') return undefined;
  const { client = 'media', createdAt, profileId, task } = job;
  return {
    day: dayOf(createdAt),
    profileId,
    client,
    model: task.request.model,
    requests: 1,
    pending: isPending ? 1 : 0,
  };
}

/** The job itself is counted by its record. */
function fromCharge(job: BatchJob | MediaJob, { amount, at, currency }: Charge): Entry {
  const { model, requests, client } =
    'task' in job
      ? { model: job.task.request.model, requests: 1, client: 'media' as const }
      : { ...batchFacts(job), client: 'batches' as const };
  const { profileId } = job;
  const charged = { amount, unit: unitOf(currency, profileId) };
  return { day: dayOf(at), profileId, client: job.client ?? client, model, requests: 0, charged, measured: requests };
}

function batchFacts({ batch, options, input }: BatchJob) {
  return { model: options.replace?.model ?? input?.model ?? '', requests: batch?.requestCounts?.completed ?? 0 };
}

function fromUsage({ day, profileId, source, model, job, requests, usage, priced, currency }: PricedGroup): Entry {
  const charged = usage.cost === undefined ? undefined : { amount: usage.cost, unit: unitOf(currency, profileId) };
  const client = source ? clientOf[source] : 'other';
  // How many requests or images it was is only in its record.
  if (job !== undefined) return { day, profileId, client, model, requests: 0, ...(charged && { charged }) };
  return { day, profileId, client, model, requests, usage, measured: priced, ...(charged && { charged }) };
}

function fromCost(
  { at, kind, model, count, fell, currency, of, profileId }: SpendSources['costs'][number],
  ofServer: ReadonlySet<string>,
): Entry {
  const client = of.some((id) => ofServer.has(id)) ? 'mcp' : kind === 'batch' ? 'batches' : 'media';
  const charged = { amount: Number(fell), unit: unitOf(currency, profileId) };
  // One request may make several images.
  const measured = kind === 'image' || kind === 'video' ? of.length : count;
  // The jobs of the others are counted by their own records.
  return {
    day: dayOf(at),
    profileId,
    client,
    model,
    requests: kind === 'speech' || kind === 'transcription' ? count : 0,
    charged,
    measured,
  };
}

function clientKeys(entries: readonly Entry[]): readonly ClientId[] {
  const used = new Set(entries.map(({ client }) => client));
  return [...mainClients, ...otherClients.filter((client) => used.has(client))];
}

/** The models that used most, in the order in which they were first used, so that colors stay. */
function modelKeys(entries: readonly Entry[], isMoney: boolean): readonly string[] {
  const sizes = new Map<string, number>();
  for (const { model, usage, charged } of entries) {
    const size = isMoney ? (charged?.amount ?? 0) : usage ? usage.inputTokens + usage.outputTokens : 0;
    sizes.set(model, (sizes.get(model) ?? 0) + size);
  }
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one).map(([model]) => model);
  return largest.length > mostModels + 1 ? [...largest.slice(0, mostModels), others] : largest;
}

function rowOf(id: string, label: string, sum: Sum, all: Sum | undefined): SpendRow {
  const { language } = vscode.env;
  const { requests, usage, hasUsage, measured, pending } = sum;
  const unknown = pending > 0 ? l10n.t('not measured yet') : l10n.t('unknown');
  const isUnattributed = id === 'unattributed' || id === noModel;
  const tokens = (count: number) => (hasUsage ? `${usage.isEstimate ? '~' : ''}${compactText(count)}` : '–');
  return {
    id,
    label,
    requests: isUnattributed ? '–' : numberText(requests, language),
    inputTokens: tokens(usage.inputTokens),
    outputTokens: tokens(usage.outputTokens),
    charged: chargedText(sum) ?? (requests === 0 ? '–' : unknown),
    share: all ? shareText(sum, all) : '',
    ...(id === 'vsCodeChat' && {
      advice: {
        text: l10n.t('Your first message to an agent sends about 20,000 tokens: instructions, tools, and open files.'),
        label: l10n.t('Choose Tools…'),
      },
    }),
    hint: [
      isUnattributed &&
        l10n.t(
          "Part of your balance decrease that can't be attributed to a request. Possible causes are interrupted requests, missing prices, and other devices.",
        ),
      hasUsage && l10n.t('Tokens in: {0}', numberText(usage.inputTokens, language)),
      hasUsage && l10n.t('Tokens out: {0}', numberText(usage.outputTokens, language)),
      usage.isEstimate && l10n.t('partly estimated'),
      measured > 0 &&
        measured < requests &&
        l10n.t('Charges known for {0} of {1}', numberText(measured, language), numberText(requests, language)),
      pending > 0 && l10n.t('Costs not measured yet: {0}', numberText(pending, language)),
    ]
      .filter((part) => typeof part === 'string')
      .join(' · '),
  };
}

/** The share of the money if all of it has one currency, else of the tokens. */
function shareText(sum: Sum, all: Sum): string {
  const [unit] = all.charged.keys();
  const tokensOf = ({ usage }: Sum) => usage.inputTokens + usage.outputTokens;
  const [part, whole] =
    unit !== undefined && all.charged.size === 1
      ? [sum.charged.get(unit) ?? 0, all.charged.get(unit) ?? 0]
      : [tokensOf(sum), tokensOf(all)];
  if (whole === 0) return '';
  return numberFormat(vscode.env.language, { style: 'percent', maximumFractionDigits: 0 }).format(part / whole);
}

/** Returns the charges, marked as the least that was charged if not all were measured; `undefined` if none was. */
function chargedText({ charged, measured, requests }: Sum): string | undefined {
  if (charged.size === 0) return undefined;
  const { language } = vscode.env;
  const text = listText(
    [...charged].map(([unit, amount]) => moneyText(amount, currencyIn(unit), language)),
    language,
  );
  return measured < requests ? `≥ ${text}` : text;
}

function factsOf(sum: Sum): readonly string[] {
  const { usage, hasUsage } = sum;
  return [
    ...(hasUsage ? [l10n.t('{0} tokens', compactText(usage.inputTokens + usage.outputTokens))] : []),
    ...(chargedText(sum) === undefined ? [] : [l10n.t('{0} charged', chargedText(sum)!)]),
  ];
}

/** Rounds up to 1, 2, 4, 5, 8 or 10 times a power of ten, so that half of it is a round number too. */
function axisTop(largest: number): number {
  if (largest <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((value) => value >= largest) ?? 10 * power;
}

/** Formats large counts briefly, e.g. "12.52M". */
function compactText(count: number): string {
  const { language } = vscode.env;
  if (count < 1_000_000) return numberText(Math.round(count), language);
  return numberFormat(language, { notation: 'compact', maximumFractionDigits: 2 }).format(count);
}

function dayText(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dateFormat(vscode.env.language, { month: 'short', day: 'numeric' }).format(new Date(year, month - 1, date));
}

function modelText(model: string): string {
  if (model === noModel) return l10n.t('Unattributed');
  return model === others ? l10n.t('Other models') : model === '' ? l10n.t('Unknown model') : foreign(model, 80);
}

function clientText(client: ClientId): string {
  switch (client) {
    case 'chat':
      return l10n.t('Inference Desk Chat');
    case 'vsCodeChat':
      return l10n.t('VS Code Chat');
    case 'inlineSuggestions':
      return l10n.t('Inline suggestions');
    case 'batches':
      return l10n.t('Batches and evals');
    case 'media':
      return l10n.t('Images, videos, speech');
    case 'completion':
      return l10n.t('Completions');
    case 'search':
      return l10n.t('Search and ranking');
    case 'tools':
      return l10n.t('Tools');
    case 'mcp':
      return l10n.t('MCP server');
    case 'extensions':
      return l10n.t('Other extensions');
    case 'other':
      return l10n.t('Other');
    case 'unattributed':
      return l10n.t('Unattributed');
  }
}
