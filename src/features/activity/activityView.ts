import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NotedCharges } from '../../core/prices/paidWork';
import { currencyOf } from '../../core/profiles/knownServices';
import { foreign } from '../../core/text/foreignText';
import { dayOf, tokensOf } from '../../core/usage/usage';
import type { UsageGroup } from '../../core/usage/usageHistory';
import type { AccountCost } from '../../services/usage/costs';
import { numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { usualRows, type ActivitySelection, type ActivityView, type LimitView } from '../../protocol/activity';
import { moneyText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import type { Services } from '../../services/services';
import { jobRows } from './activityRows';
import { workRows } from './workRows';
import { spendCsv, spendView, type SpendSources } from './spend';

/** As long as jobs stay on record. */
const mostDays = 31;

const noSources: SpendSources = {
  groups: [],
  costs: [],
  batches: [],
  media: [],
  charges: [],
  isPending: () => false,
  falls: [],
};

/** Reads the work and the spending of the selected accounts. Never rejects: what could not be read is empty, and `error` says why. */
export async function readActivity(services: Services, selection: ActivitySelection): Promise<ActivityView> {
  const { activity, batchJobs, costs, media, otherWork, profiles, usage } = services;
  const failures: unknown[] = [];
  const attempt = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    work.catch((error: unknown) => {
      failures.push(error);
      return otherwise;
    });
  const [elsewhere, runs] = await Promise.all([
    attempt(otherWork.list(), []),
    attempt(
      services.localRuns().then((list) => list.all()),
      [],
    ),
    attempt(batchJobs(), undefined),
    attempt(media(), undefined),
  ]);
  const prices = await (await usage()).readyPrices();
  const noted = await attempt(notedCharges(services), new Map<string, NotedCharges>());
  // Work that names no account may be of any.
  const isShown = ({ profileId = selection.account }: { readonly profileId?: string | undefined }) =>
    selection.account === '' || profileId === selection.account;
  const now = Date.now();
  const work = {
    running: activity.running.filter(isShown),
    elsewhere: elsewhere.filter(isShown),
    runs: runs.filter(({ run }) => isShown(run)),
  };
  const rows = [
    ...jobRows(batchJobs.jobs.filter(isShown), media.jobs.filter(isShown), { costs, prices, noted }, now),
    ...workRows(work, prices, now),
  ]
    .toSorted((one, other) => other.at - one.at)
    .map(({ row }) => row);
  const finished = rows.filter(({ outcome }) => outcome !== 'active');
  const { rows: shown = usualRows } = selection;
  const sources = await attempt(readSources(services, selection), noSources);
  const limits = await attempt(readLimits(services), []);
  const stopped = limits.find(({ used = 0 }) => used >= 1);
  const error = failures.length === 0 ? undefined : describe(failures[0]);
  return {
    selection,
    account: accountText(services),
    accounts: profiles.list.map(({ id, name }) => ({ id, name: foreign(name) })),
    ...(stopped && { stopped: { id: stopped.id, text: stoppedText(stopped.id), changeLabel: stopped.changeLabel } }),
    active: rows.filter(({ outcome }) => outcome === 'active'),
    finished: finished.slice(0, shown),
    older: Math.max(0, finished.length - shown),
    unreadable: unreadableText(batchJobs.unreadable.length + media.unreadable.length),
    spend: spendView(sources, selection, now),
    limits,
    ...(error && { error: { title: error.title, detail: error.detail } }),
  };
}

/** Reads what the selected accounts used and paid, as a CSV table. Rejects if that can't be read. */
export async function readSpendTable(services: Services, selection: ActivitySelection): Promise<string> {
  return spendCsv(await readSources(services, selection), selection, Date.now());
}

async function readSources(services: Services, { account, days }: ActivitySelection): Promise<SpendSources> {
  const { batchJobs, costs, media, profiles, usage } = services;
  const ids = profiles.list.map(({ id }) => id).filter((id) => account === '' || id === account);
  const service = await usage();
  const groups = await service.history(days, ids);
  const falls = await service.balanceFalls(ids);
  const measured = await costs.all(ids);
  const prices = await service.readyPrices();
  const charges = await notedCharges(services);
  const jobs = [...batchJobs.jobs, ...media.jobs].filter(({ profileId }) => ids.includes(profileId));
  const isMeasured = (id: string) => {
    const cost = costs.of(id);
    return cost !== undefined && ('fell' in cost || cost.unmeasured === 'pending');
  };
  const priced = <Item extends { readonly profileId: string }>(item: Item) => ({
    ...item,
    currency: currencyOf(profiles.get(item.profileId)?.baseUrl),
  });
  // Removed from the list, a job has no other record of what it was charged.
  const known = new Set([...jobs.map(({ id }) => id), ...measured.flatMap(({ of }) => of)]);
  const noted = groups.filter(({ job }) => job === undefined || !known.has(job));
  return {
    groups: noted.map(priced),
    falls: falls.map(priced),
    costs: withoutNoted(measured, groups),
    charges: jobs.flatMap((job) => {
      const charge = isMeasured(job.id) ? undefined : prices.chargedFor(job, charges.get(job.id));
      return charge ? [{ job, charge }] : [];
    }),
    isPending: (jobId) => {
      const cost = costs.of(jobId);
      return cost !== undefined && 'unmeasured' in cost && cost.unmeasured === 'pending';
    },
    batches: batchJobs.jobs.filter(({ profileId }) => ids.includes(profileId)),
    media: media.jobs.filter(({ profileId }) => ids.includes(profileId)),
  };
}

/** Resolves to what jobs were charged, as it was noted when they were charged, by their IDs. */
async function notedCharges({ profiles, usage }: Services): Promise<ReadonlyMap<string, NotedCharges>> {
  const ids = profiles.list.map(({ id }) => id);
  const noted = new Map<string, Map<string, number>>();
  for (const { job, model, usage: used } of await (await usage()).history(mostDays, ids)) {
    if (job === undefined) continue;
    const byModel = noted.get(job) ?? new Map<string, number>();
    noted.set(job, byModel.set(model, (byModel.get(model) ?? 0) + (used.cost ?? 0)));
  }
  return noted;
}

/** Leaves out what speech cost by the balance where it was noted by its price. */
function withoutNoted<Cost extends AccountCost & { readonly profileId: string }>(
  costs: readonly Cost[],
  groups: readonly UsageGroup[],
): readonly Cost[] {
  const keyOf = (profileId: string, model: string, day: string) => JSON.stringify([profileId, model, day]);
  const noted = new Set(
    groups.filter(({ source }) => source === 'media').map(({ profileId, model, day }) => keyOf(profileId, model, day)),
  );
  return costs.filter(
    ({ kind, profileId, model, at }) =>
      (kind !== 'speech' && kind !== 'transcription') || !noted.has(keyOf(profileId, model, dayOf(at))),
  );
}

function accountText({ account: { state }, profiles: { active } }: Services): string {
  if (!active) return l10n.t('Signed out');
  const { totalBalance: balance, currency = currencyOf(active.baseUrl) } =
    state.status === 'ready' ? state.reading.info : {};
  if (balance === undefined) return foreign(active.name);
  const amount = foreign(moneyText(balance, currency, vscode.env.language), 24);
  return `${foreign(active.name)} · ${l10n.t('balance {0}', amount)}`;
}

function unreadableText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 record is unreadable. See the log.')
    : l10n.t('{0} records are unreadable. See the log.', count);
}

function stoppedText(id: LimitView['id']): string {
  return id === 'spendingCap'
    ? l10n.t('Spending cap reached. Paid requests are blocked until midnight.')
    : l10n.t('Token limit reached. Requests resume at midnight.');
}

/** The daily limits of the active account. */
async function readLimits({ account, settings, usage }: Services): Promise<readonly LimitView[]> {
  const { profile: active } = account.current;
  if (!active) return [];
  const counts = await usage();
  const [{ today, budget }, spent] = [await counts.spent(active.id), await counts.spentToday(active.id)];
  const money = (amount: number) => moneyText(amount, currencyOf(active.baseUrl), vscode.env.language);
  const number = (value: number) => numberText(value, vscode.env.language);
  const tokens = today.isEstimate ? l10n.t('about {0}', number(tokensOf(today))) : number(tokensOf(today));
  const cap = settings.get('dailySpendingCap');
  const reserved = cap > 0 ? await counts.reserved(active.id) : 0;
  const invalidText = (name: 'dailySpendingCap' | 'chat.dailyTokenBudget') =>
    settings.isInvalid(name)
      ? l10n.t("The limit isn't a number. Requests are blocked until you correct it.")
      : undefined;
  return [
    {
      id: 'spendingCap',
      label: l10n.t('Spent today'),
      ...usedOf(spent === undefined ? l10n.t('unknown') : money(spent), spent ?? 0, cap, money),
      detail: invalidText('dailySpendingCap') ?? capText(cap, spent, reserved > 0 ? money(reserved) : undefined),
      changeLabel: cap > 0 ? l10n.t('Change Cap…') : l10n.t('Set Cap…'),
    },
    {
      id: 'tokenBudget',
      label: l10n.t('Tokens today'),
      ...usedOf(tokens, tokensOf(today), budget.hard, number),
      detail:
        invalidText('chat.dailyTokenBudget') ??
        (budget.hard > 0 ? l10n.t('Requests stop when the budget is reached.') : l10n.t('No limit.')),
      changeLabel: budget.hard > 0 ? l10n.t('Change Budget…') : l10n.t('Set Budget…'),
    },
  ];
}

/** `reserved`: what requests and jobs in progress are expected to cost. */
function capText(cap: number, spent: number | undefined, reserved: string | undefined): string {
  if (cap <= 0) return l10n.t('No cap.');
  const effect =
    spent === undefined
      ? l10n.t('Takes effect once a balance or price is available.')
      : l10n.t('Requests stop when the cap is reached.');
  return sentences(effect, reserved && l10n.t('Work in progress reserves about {0}.', reserved));
}

/** `limit`: 0 if there is none. */
function usedOf(text: string, used: number, limit: number, toText: (value: number) => string) {
  return limit > 0 ? { value: l10n.t('{0} of {1}', text, toText(limit)), used: used / limit } : { value: text };
}
