import * as vscode from 'vscode';
import type { Exchange } from '../../core/api/exchange';
import { curlCommand } from '../../core/conversation/export/curl';
import { UserError } from '../../platform/errors/userError';

/**
 * Returns the request of an exchange as a command for a POSIX shell that reads the key from `INFERENCE_DESK_API_KEY`. Throws a `UserError`
 * if its address or body was not stored in full.
 */
export function exchangeCurl({ method, origin, path, request, isResult }: Exchange): string {
  if (isResult === true) {
    throw new UserError(
      vscode.l10n.t('This exchange fetched a file of an answer'),
      vscode.l10n.t('Who has the address of such a file has the file, so it is not kept. No key was sent.'),
    );
  }
  const url = origin + path;
  if (request.bytes === 0) return curlCommand({ method, url });
  return curlCommand({ method, url, body: wholeBody(request) });
}

function wholeBody({ body, bytes }: Exchange['request']): object {
  if (body === undefined) {
    throw new UserError(
      vscode.l10n.t('This exchange sent a file'),
      vscode.l10n.t('Files are not kept with an exchange, so it cannot be sent again by a command.'),
    );
  }
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error below covers this.
  }
  throw new UserError(
    vscode.l10n.t('The request of this exchange was not kept whole'),
    vscode.l10n.t('It had {0} bytes. Send it again with less in it to copy it.', bytes),
  );
}
