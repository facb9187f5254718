import * as l10n from '@vscode/l10n';
import { isOfPlan, type ApiError, type LimitKind } from '../../core/api/errors';
import type { WaitReason } from '../../core/api/transport/gate';
import { sentences } from '../../protocol/sentences';
import { chooseModel, retry } from './errorActions';
import type { Words } from './errorMessage';

/** Describes a limit that was reached, and the ways around it. */
export function rateLimitWords({ message, details }: ApiError): Words {
  const { limit, retryAfterMs, model, canBatch = false } = details;
  if (isOfPlan(limit)) {
    const detail = l10n.t('Use another account until then, or upgrade your plan.');
    return { title: limitTitle(limit, false), detail, actions: [] };
  }
  const isOfModel = model !== undefined && !ofAccount.test(message);
  const wait = retryAfterMs ? l10n.t('Wait {0} s, then try again.', Math.ceil(retryAfterMs / 1000)) : '';
  const isDaily = limit?.endsWith('D') ?? false;
  const other = isOfModel ? [chooseModel()] : [];
  return {
    title: limitTitle(limit, isOfModel),
    detail: sentences(wait, isDaily ? dailyAdvice(isOfModel, canBatch) : advice(isOfModel)),
    actions: isDaily ? other : [retry(), ...other],
  };
}

/** Matches limits that apply to all models together. */
const ofAccount = /\bfree[- ]models?\b|\bper[- ](account|user|key|organi[sz]ation|project)\b/i;

function advice(isOfModel: boolean): string {
  return isOfModel ? l10n.t('Try again later, or use another model.') : l10n.t('Try again later.');
}

function dailyAdvice(isOfModel: boolean, canBatch: boolean): string {
  if (canBatch) {
    return l10n.t("Use another model until tomorrow, or submit a batch, which doesn't count.");
  }
  return isOfModel ? l10n.t('Try again tomorrow, or use another model.') : l10n.t('Try again tomorrow.');
}

/** Describes what delays a call that will continue automatically. */
export function waitTitle({ reason, limit, model }: WaitReason): string {
  switch (reason) {
    case 'rateLimit':
      return limitTitle(limit, model !== undefined);
    case 'overloaded':
      return l10n.t('The service is overloaded');
    case 'network':
      return l10n.t('The connection failed');
    case 'server':
      return l10n.t('The service failed');
  }
}

function limitTitle(limit: LimitKind | undefined, isOfModel: boolean): string {
  const title = limitText(limit);
  return isOfModel ? l10n.t('{0} for this model', title) : title;
}

function limitText(limit: LimitKind | undefined): string {
  switch (limit) {
    case undefined:
      return l10n.t('Rate limit reached');
    case 'RPM':
      return l10n.t('Requests-per-minute limit reached');
    case 'RPH':
      return l10n.t('Requests-per-hour limit reached');
    case 'RPD':
      return l10n.t('Requests-per-day limit reached');
    case 'TPM':
      return l10n.t('Tokens-per-minute limit reached');
    case 'TPD':
      return l10n.t('Tokens-per-day limit reached');
    case 'IPM':
      return l10n.t('Images-per-minute limit reached');
    case 'IPD':
      return l10n.t('Images-per-day limit reached');
    case 'usagePerHours':
      return l10n.t('Hourly usage limit reached');
    case 'usagePerDay':
      return l10n.t('Daily usage limit reached');
    case 'usagePerWeek':
      return l10n.t('Weekly usage limit reached');
    case 'usagePerMonth':
      return l10n.t('Monthly usage limit reached');
    case 'usageOfPlan':
      return l10n.t('Usage limit reached');
    default:
      return l10n.t('{0} limit reached', limit);
  }
}
