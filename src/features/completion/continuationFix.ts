import { l10n } from 'vscode';
import type { CompletionRequest } from '../../core/api/completions/completions.schema';
import type { ApiError } from '../../core/api/errors';
import { refusedName } from '../../core/completion/completionParameters';
import type { CompletionSettings } from './settings/completionSettings';
import type { UsageAsking } from '../../services/usage/confirmUsage';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Stops sending a parameter that a model refused, if the user agrees. Resolves to whether the request may succeed now. */
export type ContinuationFix = (error: ApiError, sent: SentRequest) => Promise<boolean>;

export interface SentRequest {
  readonly request: CompletionRequest;
  /** Token probabilities were requested to show them: the caller then reports that there are none, so the user is not asked. */
  readonly showsTokens: boolean;
}

export function createContinuationFix(settings: CompletionSettings, usageAsking: UsageAsking): ContinuationFix {
  return async (error, { request, showsTokens }) => {
    const refusal = { parameter: error.details.parameter, message: error.message };
    if (await usageAsking.isRefused(refusal, request.model)) return true;
    const name = refusedName(refusal, request);
    if (name === undefined) return false;
    const isForTokens = name === 'logprobs' && showsTokens;
    if (!isForTokens && !(await mayLeaveOut(name, request.model))) return false;
    await settings.refused(request.model, name);
    return true;
  };
}

async function mayLeaveOut(name: string, model: string): Promise<boolean> {
  const without = l10n.t('Send Without It');
  const words = l10n.t(
    '{0} refused the parameter {1}. The request can be sent again without it; it is then never sent to this model.',
    foreign(model),
    foreign(name),
  );
  return (await showMessage('warning', words, without)) === without;
}
