import { foreign } from '../../core/text/foreignText';
import { env, l10n } from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Candidate } from '../../services/account/account';
import type { Services } from '../../services/services';
import { numberText } from '../../platform/displayText';

/** What a service reported about itself at the first call. */
export interface Found {
  readonly models: number;
  readonly latencyMs: number;
  /** Exact decimal text; absent if the service does not report it. */
  readonly balance: string | undefined;
}

/** Requests the models, which is free, and the balance, which may be missing. Throws `ApiError`. */
export async function checkKey({ connections }: Services, candidate: Candidate, signal: AbortSignal): Promise<Found> {
  const client = await connections.trial(candidate);
  try {
    const startedAt = performance.now();
    const models = await client.models.list({}, signal);
    const latencyMs = Math.round(performance.now() - startedAt);
    const balance = await client.account.info(signal).then(
      (info) => info.totalBalance,
      (error: unknown) => {
        if (isApiError(error) && error.kind === 'aborted') throw error;
        return undefined;
      },
    );
    return { models: models.length, latencyMs, balance };
  } finally {
    await client.close();
  }
}

export function foundWords({ models, latencyMs, balance }: Found): string {
  const count = numberText(models, env.language);
  return balance === undefined
    ? l10n.t('{0} models, answered in {1} ms. This service does not report a balance.', count, latencyMs)
    : l10n.t('{0} models, answered in {1} ms, balance {2}.', count, latencyMs, foreign(balance, 24));
}
