import * as l10n from '@vscode/l10n';
import { foreign } from '../../core/text/foreignText';
import { env } from 'vscode';
import { type ApiError, isApiError } from '../../core/api/errors';
import { chatWayOf, type Dialect } from '../../core/api/chat/chatWays';
import type { AccountInfo } from '../../core/api/account/account.schema';
import type { Client } from '../../core/api/client';
import { currencyOf, isVendor, type KeyHeader, knownServiceOf } from '../../core/profiles/knownServices';
import type { Candidate } from '../../services/account/account';
import type { Services } from '../../services/services';
import { numberText } from '../../platform/displayText';
import { moneyText, type Currency } from '../../protocol/formats';

/** The service's details from the first call. */
export interface Found {
  /** Absent if the service does not list its models. */
  readonly models: number | undefined;
  readonly latencyMs: number;
  /** Exact decimal text; absent if the service does not report it. */
  readonly balance: string | undefined;
  /** The currency of the balance; absent if unknown. */
  readonly currency?: Currency | undefined;
  /** Set if the service accepted the key in another header than its URL implies. */
  readonly keyHeader?: KeyHeader | undefined;
}

/**
 * Requests the models, which is free, and the balance, which can be missing. For an unknown service, tries the other header for the key if
 * it is rejected in the usual one. Throws `ApiError`.
 */
export async function checkKey(services: Services, candidate: Candidate, signal: AbortSignal): Promise<Found> {
  try {
    return await tryOnce(services, candidate, signal);
  } catch (error) {
    const isOpen = candidate.keyHeader === undefined && knownServiceOf(candidate.baseUrl) === undefined;
    if (!isRefusedKey(error) || !isOpen || candidate.apiKey === '') throw error;
    const keyHeader = 'x-api-key';
    return tryOnce(services, { ...candidate, keyHeader }, signal).catch((second: unknown) => {
      throw isAborted(second) ? second : error;
    });
  }
}

async function tryOnce({ connections }: Services, candidate: Candidate, signal: AbortSignal): Promise<Found> {
  const client = await connections.trial(candidate);
  try {
    const startedAt = performance.now();
    const models = await countModels(client, signal);
    const latencyMs = Math.round(performance.now() - startedAt);
    // Some services list their models to anyone, with whatever key.
    const isThere = isVendor(candidate.baseUrl) || (await client.hasChat(likelyEndpoint(candidate), signal));
    if (typeof models !== 'number' && !isThere) throw models;
    const { totalBalance: balance, currency = currencyOf(candidate.baseUrl) } = await client.account
      .info(signal)
      .catch((error: unknown) => {
        if (isAborted(error)) throw error;
        return none;
      });
    const { keyHeader } = candidate;
    return { models: typeof models === 'number' ? models : undefined, latencyMs, balance, keyHeader, currency };
  } finally {
    await client.close();
  }
}

const none: AccountInfo = {};

function likelyEndpoint({ baseUrl, keyHeader }: Candidate): Dialect {
  if (keyHeader === 'x-api-key') return 'messages';
  const known = knownServiceOf(baseUrl);
  return known ? chatWayOf(known.id).first : 'chatCompletions';
}

/** Resolves to the error if there is no list, which can also mean that there is no service at all. */
async function countModels(client: Client, signal: AbortSignal): Promise<number | ApiError> {
  try {
    return (await client.models.list({}, signal)).length;
  } catch (error) {
    const isMissing = isApiError(error) && (error.kind === 'notOffered' || error.details.hint === 'wrongBaseUrl');
    if (isMissing) return error;
    throw error;
  }
}

const isAborted = (error: unknown): boolean => isApiError(error) && error.kind === 'aborted';

const isRefusedKey = (error: unknown): boolean => isApiError(error) && error.kind === 'auth';

export function foundWords({ models, latencyMs, balance, currency }: Found): string {
  if (!models) return l10n.t('no models listed, {0} ms response time.', latencyMs);
  const count = models === 1 ? l10n.t('1 model') : l10n.t('{0} models', numberText(models, env.language));
  const money = (amount: string) => foreign(moneyText(amount, currency, env.language), 24);
  return balance === undefined
    ? l10n.t('{0}, {1} ms response time.', count, latencyMs)
    : l10n.t('{0}, {1} ms, balance {2}.', count, latencyMs, money(balance));
}
