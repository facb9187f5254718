import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { ApiErrorKind } from '../../core/api/errorKinds';
import type { ApiError } from '../../core/api/errors';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import { foreignLine, foreign } from '../../core/text/foreignText';
import { describe } from '../../platform/errors/reportError';
import type { ErrorHints } from '../../platform/errors/errorMessage';
import { isCancellation } from '../../platform/errors/report';
import type { LearnedLimits } from '../../core/capabilities/learnedLimits';
import { numberText } from '../../platform/displayText';

type Code = 'NoPermissions' | 'NotFound' | 'Blocked' | 'Unknown';

/** Codes that a caller can distinguish; any other error is `Unknown`, with its cause. */
const codes: Readonly<Partial<Record<ApiErrorKind, Code>>> = {
  auth: 'NoPermissions',
  permission: 'NoPermissions',
  region: 'NoPermissions',
  unknownModel: 'NotFound',
  notFound: 'NotFound',
  notOffered: 'NotFound',
  balance: 'Blocked',
  rateLimit: 'Blocked',
};

/** In characters; the editor and other extensions render the message as Markdown and in notifications. */
const mostWords = 900;

type ErrorClass = new (message: string, code: string, cause: unknown) => vscode.LanguageModelError;

/** Converts an error to one that the editor and other extensions understand, with our message and `error` as its cause. */
export function toLanguageModelError(error: unknown, hints: ErrorHints = {}): Error {
  if (isCancellation(error)) return new vscode.CancellationError();
  if (error instanceof vscode.LanguageModelError) return error;
  const { title, detail } = describe(error, hints);
  const other = isBudgetRefusal(error) ? 'Blocked' : 'Unknown';
  return languageModelError(isApiError(error) ? (codes[error.kind] ?? other) : other, { title, detail }, error);
}

/** Creates an error with `code`, whatever the cause. */
export function languageModelError(
  code: Code,
  { title, detail }: { readonly title: string; readonly detail: string },
  cause?: unknown,
): vscode.LanguageModelError {
  // The typings hide the constructor that takes a cause.
  const LanguageModelError = vscode.LanguageModelError as unknown as ErrorClass;
  const words = foreignLine(detail === '' ? title : `${title}. ${detail}`, mostWords);
  return new LanguageModelError(words, code, cause);
}

interface ReportedRefusal {
  readonly model: string;
  readonly lesson: LearnedLimits;
  /** Whether the person's setting contradicts the refusal, so that nothing was learned. */
  readonly isOverruled: boolean;
}

/** Returns an error that says what the model does not accept, whether this is remembered, and what to do. */
export function refusalReport(error: ApiError, report: ReportedRefusal): Error {
  const { title, detail } = wordsOf(report);
  return languageModelError(
    'Unknown',
    { title, detail: report.isOverruled ? l10n.t('Change your setting inferenceDesk.models.capabilities.') : detail },
    error,
  );
}

function wordsOf({ model, lesson: { tools, images, contextTokens, outputTokens } }: ReportedRefusal) {
  if (tools === false) {
    return {
      title: l10n.t("{0} doesn't support tools", foreign(model)),
      detail: l10n.t('Choose another model for agents, or send your message without tools.'),
    };
  }
  if (images === false) {
    return {
      title: l10n.t("{0} doesn't support image input", foreign(model)),
      detail: l10n.t('Images are now omitted for this model. Try again, or choose another model.'),
    };
  }
  if (outputTokens !== undefined) {
    return {
      title: l10n.t(
        '{0} supports responses of up to {1} tokens',
        foreign(model),
        numberText(outputTokens, env.language),
      ),
      detail: l10n.t('This limit is used from now on. Try again.'),
    };
  }
  const most = numberText(contextTokens ?? 0, env.language);
  return {
    title: l10n.t('Text too long for {0}, which supports {1} tokens', foreign(model), most),
    detail: l10n.t('Start a new conversation, or remove some attachments.'),
  };
}
