import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../services/services';
import { setStatusBarMessage } from '../../platform/notify';
import type { Exchange } from '../../core/api/exchange';
import { isFailed, listCalls } from '../../core/diagnosis/listCalls';
import type { ListedCall } from '../../core/diagnosis/listCalls';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import type { ExchangeLog } from '../../services/diagnostics/diagnostics';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { listText, numberFormat } from '../../protocol/formats';
import { curlCommand } from '../../core/conversation/export/curl';
import { UserError } from '../../platform/errors/userError';

export async function showExchange({ exchanges }: Services, argument: unknown): Promise<void> {
  const exchange = await chooseExchange(exchanges, l10n.t('Show Request and Response'), argument);
  if (exchange) await exchanges.show(exchange.id);
}

/** `asked` is the exchange's id or the URI of its document. */
export async function copyExchangeAsCurl({ exchanges }: Services, argument: unknown): Promise<void> {
  const id = argument instanceof vscode.Uri ? argument.query : argument;
  const exchange = await chooseExchange(exchanges, l10n.t('Copy Request as cURL'), id);
  if (!exchange) return;
  await vscode.env.clipboard.writeText(exchangeCurl(exchange));
  setStatusBarMessage(l10n.t('Copied. The command reads the key from INFERENCE_DESK_API_KEY.'), 5000);
}

/** Returns the exchange with the requested ID, or without one, or if it is no longer stored, the one the user picks. */
async function chooseExchange(
  { recent }: ExchangeLog,
  title: string,
  argument: unknown,
): Promise<Exchange | undefined> {
  const named = typeof argument === 'string';
  const found = named ? recent.find(({ id }) => id === argument) : undefined;
  if (found) return found;
  const answer = await askPick({
    title,
    placeholder:
      recent.length === 0
        ? l10n.t('No requests since this window opened.')
        : named
          ? l10n.t('That request is no longer available. Select another one.')
          : l10n.t('Recent requests, failed ones first'),
    canGoBack: false,
    canFilter: true,
    items: exchangeItems(recent),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function exchangeItems(recent: readonly Exchange[]): readonly PickItem<Exchange>[] {
  const listed = listCalls(recent);
  const group = (label: string, calls: readonly ListedCall[]): readonly PickItem<Exchange>[] =>
    calls.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...calls.map(exchangeItem)];
  const failed = listed.filter(({ call }) => isFailed(call));
  return [
    ...group(l10n.t('Failed'), failed),
    ...group(failed.length > 0 ? l10n.t('Other requests') : '', listed.slice(failed.length)),
  ];
}

function exchangeItem({ call: exchange, repeats }: ListedCall): PickItem<Exchange> {
  const { method, path, at, response, errorKind, durationMs, model } = exchange;
  const outcome = response === undefined ? l10n.t('no response') : String(response.status);
  const age = ageWords(at, Date.now(), vscode.env.language);
  const took = numberFormat(vscode.env.language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  return {
    label: `${method} ${path}`,
    iconPath: new vscode.ThemeIcon(errorKind === undefined ? 'check' : 'error'),
    description: model ?? '',
    detail: listText(
      [
        outcome,
        took.format(durationMs),
        age,
        ...(repeats === 0 ? [] : [l10n.t('earlier requests like this: {0}', numberText(repeats, vscode.env.language))]),
      ],
      vscode.env.language,
    ),
    value: exchange,
  };
}

/**
 * Returns the request of an exchange as a command for a POSIX shell that reads the key from `INFERENCE_DESK_API_KEY`. Throws a `UserError`
 * if its address or body was not stored in full.
 */
export function exchangeCurl({ method, origin, path, request, isResult }: Exchange): string {
  if (isResult === true) {
    throw new UserError(
      l10n.t('This request downloaded a file'),
      l10n.t("Download links aren't stored, so the request can't be copied."),
    );
  }
  const url = origin + path;
  const { headers } = request;
  const key = headers['x-api-key'] !== undefined ? 'x-api-key' : headers['authorization'] ? 'bearer' : 'none';
  if (request.bytes === 0) return curlCommand({ method, url, key });
  return curlCommand({ method, url, key, body: wholeBody(request) });
}

function wholeBody({ body, bytes }: Exchange['request']): object {
  if (body === undefined) {
    throw new UserError(
      l10n.t('This request uploaded a file'),
      l10n.t("Requests with uploaded files can't be copied as a command."),
    );
  }
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error below covers this.
  }
  throw new UserError(
    l10n.t('The request is too large to copy'),
    l10n.t('Its size is {0} bytes. Copy a shorter request.', bytes),
  );
}
