import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { ApiErrorKind } from '../../core/api/errors';
import { isBudgetRefusal } from '../../core/usage/dayTokens';
import { foreignLine } from '../../core/text/foreignText';
import { describe } from '../../platform/errors/reportError';
import type { ErrorHints } from '../../platform/errors/errorMessage';
import { isCancellation } from '../../platform/errors/report';

type Code = 'NoPermissions' | 'NotFound' | 'Blocked' | 'Unknown';

/** Codes that a caller can distinguish; any other error is `Unknown`, with its cause. */
const codes: Readonly<Partial<Record<ApiErrorKind, Code>>> = {
  auth: 'NoPermissions',
  permission: 'NoPermissions',
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
