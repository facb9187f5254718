import { l10n } from 'vscode';
import type { ApiError, LimitKind } from '../../core/api/errors';
import type { GateWait } from '../../core/api/transport/gate';
import { chooseModel, retry } from './errorActions';
import type { Words } from './errorMessage';

export type LimitedKind = 'rateLimit' | 'overloaded' | 'server';

/** Describes what the service cannot do now but may do later. */
export function limitWords(kind: LimitedKind, error: ApiError): Words {
  switch (kind) {
    case 'rateLimit':
      return rateLimitWords(error);
    case 'overloaded':
      return {
        title: l10n.t('The service is overloaded'),
        detail: l10n.t('This model has too many requests now. Wait a little and try again, or use another model.'),
        actions: [retry(), chooseModel()],
      };
    case 'server':
      return error.details.status === 504
        ? {
            title: l10n.t('The service ran out of time'),
            detail: l10n.t(
              'The answer took longer than its gateway waits. Try again later; with streaming such calls pass more often.',
            ),
            actions: [retry()],
          }
        : {
            title: l10n.t('The service failed'),
            detail: l10n.t(
              'It answered with an error of its own ({0}). This is not caused by the request; try again later.',
              String(error.details.status ?? error.details.code ?? '?'),
            ),
            actions: [retry()],
          };
  }
}

function rateLimitWords({ details: { limit, retryAfterMs } }: ApiError): Words {
  const wait =
    retryAfterMs === undefined ? undefined : l10n.t('The service asks to wait {0} s.', Math.ceil(retryAfterMs / 1000));
  const daily = limit?.endsWith('D') ?? false;
  const general = daily
    ? l10n.t(
        'It counts for the account and this model and starts anew tomorrow. Until then use another model, or add the request to a batch file: batches run outside these limits.',
      )
    : l10n.t('It counts for the account and this model. Wait and try again, or use another model.');
  return {
    title: limitTitle(limit),
    detail: wait ? `${wait} ${general}` : general,
    actions: daily ? [chooseModel()] : [retry(), chooseModel()],
  };
}

/** Describes what delays a call that will continue automatically. */
export function waitTitle({ reason, limit }: GateWait): string {
  switch (reason) {
    case 'rateLimit':
      return limitTitle(limit);
    case 'overloaded':
      return l10n.t('The service is overloaded');
    case 'network':
      return l10n.t('The connection failed');
    case 'server':
      return l10n.t('The service failed');
  }
}

function limitTitle(limit: LimitKind | undefined): string {
  switch (limit) {
    case 'RPM':
      return l10n.t('Requests per minute are used up for this model');
    case 'RPH':
      return l10n.t('Requests per hour are used up for this model');
    case 'RPD':
      return l10n.t('Requests per day are used up for this model');
    case 'TPM':
      return l10n.t('Tokens per minute are used up for this model');
    case 'TPD':
      return l10n.t('Tokens per day are used up for this model');
    case 'IPM':
      return l10n.t('Images per minute are used up for this model');
    case 'IPD':
      return l10n.t('Images per day are used up for this model');
    case undefined:
      return l10n.t('The service limits how often it is asked');
    default:
      return l10n.t('A limit of the service is reached: {0}', limit);
  }
}
