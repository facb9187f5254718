import * as vscode from 'vscode';
import type { Services } from '../../services/services';
import { chooseExchange } from './chooseExchange';
import { exchangeCurl } from './exchangeCurl';
import { setStatusBarMessage } from '../../platform/notify';

export async function showExchange({ exchanges }: Services, asked: unknown): Promise<void> {
  const exchange = await chooseExchange(exchanges, vscode.l10n.t('Show exchange'), asked);
  if (exchange) await exchanges.show(exchange.id);
}

/** `asked` is the exchange's id or the URI of its document. */
export async function copyExchangeAsCurl({ exchanges }: Services, asked: unknown): Promise<void> {
  const id = asked instanceof vscode.Uri ? asked.query : asked;
  const exchange = await chooseExchange(exchanges, vscode.l10n.t('Copy exchange as cURL'), id);
  if (!exchange) return;
  await vscode.env.clipboard.writeText(exchangeCurl(exchange));
  setStatusBarMessage(vscode.l10n.t('Copied. The key is read from INFERENCE_DESK_API_KEY.'), 5000);
}
