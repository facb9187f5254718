import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AccountState, Profile } from '../../services/account/account';
import { ageWords } from '../../platform/age';
import { isOfModel, isOfSize, refusesFile } from '../../core/batch/problem';
import type { FileSample } from '../../core/batch/job/estimateFileTokens';
import { currencyOf } from '../../core/profiles/knownServices';
import type { PriceBook } from '../../services/usage/prices';
import type { LearnedStore } from '../../core/api/learned';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { FileCheck } from '../../services/batchFiles/checkFiles';
import { foreign } from '../../core/text/foreignText';
import { countWords } from '../../services/batchFiles/checkWords';
import { absoluteTimeText, bytesText, numberText } from '../../platform/displayText';
import { exactMoneyText, moneyText } from '../../protocol/formats';
import { describe } from '../../platform/errors/reportError';
import type { SubmitCheck, SubmitFact, SubmitProblem } from '../../protocol/batchSubmit';
import type { ReadingState } from './reviewedFile';
import type { SubmitSource } from './submitSource';

const number = (value: number) => numberText(value, vscode.env.language);
const size = (bytes: number) => bytesText(bytes, vscode.env.language);

export function sourceName(source: SubmitSource): string {
  return source.kind === 'disk' ? path.basename(source.path) : (source.file.filename ?? source.file.id);
}

export function retryText(input: string): string {
  const name = foreign(vscode.workspace.asRelativePath(input));
  return l10n.t('Retries the requests from {0} that have no response, and adds the responses to the results.', name);
}

export function placeText(source: SubmitSource): string {
  if (source.kind === 'disk') return vscode.workspace.asRelativePath(source.path);
  const { id, createdAt } = source.file;
  if (createdAt === undefined) return id;
  return l10n.t('{0} · uploaded {1}', id, ageWords(createdAt * 1000, Date.now(), vscode.env.language));
}

export function checkView(state: ReadingState | undefined): SubmitCheck {
  if (!state) return { state: 'none' };
  switch (state.kind) {
    case 'running': {
      const part = state.total === 0 ? 0 : Math.min(1, state.bytes / state.total);
      const text = state.total === 0 ? '' : l10n.t('{0}% of {1}', Math.floor(part * 100), size(state.total));
      return { state: 'running', part, text };
    }
    case 'stopped':
      return { state: 'stopped' };
    case 'failed':
      return { state: 'failed', error: describe(state.error) };
    case 'done':
      return { state: 'done', text: foundText(state.check), problems: problemsOf(state.check) };
  }
}

function foundText({ counts: all, kinds, requests, changed }: FileCheck): string {
  const counts = { ...all };
  for (const { count, first } of kinds) if (isOfSize(first.code)) counts[first.severity] -= count;
  if (changed) return l10n.t('The file changed during the check. Check it again.');
  const requestsText = requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests));
  const found = countWords(counts);
  return found === undefined
    ? l10n.t('No problems in {0}.', requestsText)
    : l10n.t('Found {0} in {1}.', found, requestsText);
}

/** A file that is too large is submitted in parts, so its size isn't a problem here. */
function problemsOf({ kinds }: FileCheck): readonly SubmitProblem[] {
  return kinds
    .filter(({ first }) => !isOfSize(first.code))
    .map(({ count, first: { severity, message, line, code } }) => ({
      severity,
      message,
      line,
      count,
      where:
        count === 1
          ? l10n.t('Line {0}', number(line + 1))
          : l10n.t('Line {0} and {1} more', number(line + 1), number(count - 1)),
      isOfModel: isOfModel(code),
      refusesFile: refusesFile(code),
    }));
}

export interface FactSources {
  readonly source: SubmitSource;
  readonly state: ReadingState | undefined;
  readonly profile: Profile | undefined;
  readonly account: AccountState | undefined;
  /** The number of requests in the run being retried. */
  readonly total: number | undefined;
  /** The most tokens that the account may have waiting, if the user set it. */
  readonly enqueuedTokens: number | undefined;
  /** The limits that the service stated in earlier rejections. */
  readonly learned: LearnedStore | undefined;
  /** Absent until the page is ready. */
  readonly prices: PriceBook | undefined;
}

/** The requests, their destination, and their expected usage. */
export function factsOf(sources: FactSources): readonly SubmitFact[] {
  const { source, state, profile, account, total, prices } = sources;
  const done = state?.kind === 'done' ? state : undefined;
  return [
    ...(source.kind === 'uploaded'
      ? uploadedFacts(source.file)
      : done
        ? [
            ...fileFacts(done.check, done.sample && tokensOf(done.sample, sources), total),
            ...partsFact(done, sources),
            ...(profile && done.sample && prices ? [priceFact(prices, done.sample, profile)] : []),
          ]
        : []),
    ...(profile ? [accountFact(profile), ...balanceFact(account, profile)] : []),
  ];
}

/** How many input tokens the models will count for the file. */
function tokensOf({ tokens, shares }: FileSample, { prices, profile }: FactSources) {
  return tokens === undefined || !prices ? tokens : prices.inputTokens(shares, profile?.id);
}

function uploadedFacts({
  bytes,
  lineCount,
}: Extract<SubmitSource, { kind: 'uploaded' }>['file']): readonly SubmitFact[] {
  return [
    ...(lineCount === undefined ? [] : [{ label: l10n.t('Lines'), value: number(lineCount) }]),
    ...(bytes === undefined ? [] : [{ label: l10n.t('Size'), value: size(bytes) }]),
  ];
}

function fileFacts(
  { requests, bytes, models, modelCount }: FileCheck,
  tokens: number | undefined,
  total: number | undefined,
): readonly SubmitFact[] {
  const [first] = models;
  const listed = models.map(({ id, requests: count }) => `${id}: ${number(count)}`).join('\n');
  const model =
    modelCount === 0
      ? { label: l10n.t('Model'), value: l10n.t('none') }
      : modelCount === 1
        ? { label: l10n.t('Model'), value: first?.id ?? '' }
        : { label: l10n.t('Models'), value: l10n.t('{0} models', number(modelCount)), title: listed };
  return [
    {
      label: l10n.t('Requests'),
      value: total === undefined ? number(requests) : l10n.t('{0} of {1}', number(requests), number(total)),
    },
    { label: l10n.t('Size'), value: size(bytes) },
    model,
    ...(tokens === undefined
      ? []
      : [
          {
            label: l10n.t('Input'),
            value: l10n.t('about {0} tokens', roughly(tokens)),
            note: l10n.t('Estimated from the first lines.'),
          },
        ]),
  ];
}

/** Says that the file is submitted in parts, and about how many: tokens are estimated, and a part ends with a line. */
function partsFact(
  { check: { requests, bytes, models }, sample }: Extract<ReadingState, { kind: 'done' }>,
  sources: FactSources,
): readonly SubmitFact[] {
  const { profile, enqueuedTokens, learned } = sources;
  const limits = rulesOf(profile?.baseUrl).batch;
  const ofModel = learned?.of(models[0]?.id ?? '').stated?.enqueuedTokens;
  const tokens = (sample && tokensOf(sample, sources)) ?? 0;
  const shares = [
    requests / Math.min(limits.requests ?? Infinity, learned?.batches.requests ?? Infinity),
    bytes / Math.min(limits.bytes ?? Infinity, learned?.batches.bytes ?? Infinity),
    tokens / Math.min(enqueuedTokens ?? Infinity, limits.enqueuedTokens ?? Infinity, ofModel ?? Infinity),
  ];
  const parts = shares.reduce((most, share) => Math.max(most, Math.ceil(share)), 1);
  if (parts === 1) return [];
  return [
    {
      label: l10n.t('Parts'),
      value: l10n.t('at least {0}', number(parts)),
      note: l10n.t("Split to fit the service's limits."),
    },
  ];
}

/** The price of the complete batch. */
function priceFact(prices: PriceBook, { shares }: FileSample, { id }: Profile): SubmitFact {
  const { text, hint } = prices.quote(shares, { isBatch: true, profileId: id });
  return { label: l10n.t('Price'), value: text, ...(hint !== '' && { title: hint }) };
}

function accountFact({ name, origin }: Profile): SubmitFact {
  return { label: l10n.t('Sent to'), value: name, note: new URL(origin).host };
}

function balanceFact(state: AccountState | undefined, { baseUrl }: Profile): readonly SubmitFact[] {
  const { hasBalance, batch } = rulesOf(baseUrl);
  if (state?.status === 'notOffered') return [];
  const reading = state?.status === 'ready' ? state.reading : state?.status === 'failed' ? state.last : undefined;
  if (!reading && !hasBalance) return [];
  const paid = batch.isPaidFromCharge ? { note: l10n.t('Batches use paid credit only.') } : undefined;
  if (!reading) return [{ label: l10n.t('Balance'), value: l10n.t('unknown'), ...paid }];
  const { totalBalance, chargeBalance, currency = currencyOf(baseUrl) } = reading.info;
  const shown = chargeBalance ?? totalBalance;
  if (shown === undefined) return [{ label: l10n.t('Balance'), value: l10n.t('unknown'), ...paid }];
  const { language } = vscode.env;
  const asOf = l10n.t('Last updated {0}', absoluteTimeText(reading.readAt, language));
  return [
    {
      label: chargeBalance === undefined ? l10n.t('Balance') : l10n.t('Paid credit'),
      value: moneyText(shown, currency, language),
      title: `${exactMoneyText(shown, currency, language)}\n${asOf}`,
      ...paid,
    },
  ];
}

/** An estimate justifies no more than two digits. */
function roughly(value: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return number(Math.round(value / step) * step);
}
