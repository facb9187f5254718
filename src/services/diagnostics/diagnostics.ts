import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Exchange } from '../../core/api/exchange';
import { callLine } from '../../core/diagnosis/callLine';
import type { OnSetAside } from '../../core/storage/storedFile';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createRecentErrors, type RecentErrors } from '../../platform/errors/recentErrors';
import { createReport } from '../../platform/errors/report';

/** The log, and what is reported to the user. What words errors is loaded at the first one. `store` owns all of it. */
export function createDiagnostics(store: DisposableStore) {
  const recentErrors = createRecentErrors();
  const log = store.add(createLog(vscode.window.createOutputChannel('Inference Desk', { log: true }), recentErrors));
  const report = createReport({ log, recentErrors }, () => import('../../platform/errors/reportError'));
  const onSetAside: OnSetAside = (...moved) =>
    void import('../../platform/errors/reportUnreadable')
      .then((words) => words.setAsideReporter(log)(...moved))
      .catch(report);
  return { log, recentErrors, report, onSetAside, exchanges: store.add(createExchangeLog(log)) };
}

/** Wraps the channel so that errors logged to it are remembered. */
function createLog(channel: vscode.LogOutputChannel, errors: RecentErrors): vscode.LogOutputChannel {
  return {
    name: channel.name,
    onDidChangeLogLevel: channel.onDidChangeLogLevel,
    get logLevel() {
      return channel.logLevel;
    },
    append: (text) => channel.append(text),
    appendLine: (text) => channel.appendLine(text),
    replace: (text) => channel.replace(text),
    clear: () => channel.clear(),
    show: (column?: unknown, preserveFocus?: boolean) => channel.show(preserveFocus ?? column === true),
    hide: () => channel.hide(),
    trace: (text, ...more) => channel.trace(text, ...more),
    debug: (text, ...more) => channel.debug(text, ...more),
    info: (text, ...more) => channel.info(text, ...more),
    warn: (text, ...more) => channel.warn(text, ...more),
    error(error, ...more) {
      for (const part of [error, ...more]) if (part instanceof Error) errors.note(part);
      channel.error(error, ...more);
    },
    dispose: () => channel.dispose(),
  };
}

/**
 * The latest raw exchanges with the services, with keys redacted. Each also writes one line to the log: a warning if it failed, unless it
 * was canceled.
 */
export interface ExchangeLog extends Disposable {
  record(exchange: Exchange): void;
  /** Newest first; at most 200. */
  readonly recent: readonly Exchange[];
  /** Opens it as a read-only document. Resolves with false if it is too old and was dropped. */
  show(exchangeId: string): Promise<boolean>;
}

const maxExchanges = 200;
/** A few exchanges may be as large as their limits allow, but not all of them together. */
const maxChars = 16 * 1024 * 1024;
const scheme = 'inference-desk-exchange';

function createExchangeLog(log: vscode.LogOutputChannel): ExchangeLog {
  const store = new DisposableStore();
  const stored: { readonly exchange: Exchange; readonly chars: number }[] = [];
  let chars = 0;
  const find = (id: string) => stored.find(({ exchange }) => exchange.id === id)?.exchange;
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      async provideTextDocumentContent(uri) {
        const exchange = find(uri.query);
        if (!exchange) return l10n.t('No longer available.');
        const { exchangeText } = await import('./exchangeText');
        return exchangeText(exchange);
      },
    }),
  );

  return {
    record(exchange) {
      const line = `${callLine(exchange)}, request and response ${exchange.id}`;
      if (exchange.errorKind === undefined || exchange.errorKind === 'aborted') log.info(line);
      else log.warn(line);
      stored.unshift({ exchange, chars: charsOf(exchange) });
      chars += stored[0]?.chars ?? 0;
      while (stored.length > maxExchanges || (chars > maxChars && stored.length > 1)) chars -= stored.pop()?.chars ?? 0;
    },
    get recent() {
      return stored.map(({ exchange }) => exchange);
    },
    async show(exchangeId) {
      const exchange = find(exchangeId);
      if (!exchange) return false;
      const name = `${exchange.method} ${exchange.path.replace(/\?.*/s, '').replaceAll('/', ' ').trim()}.http`;
      const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: exchange.id });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
      return true;
    },
    dispose: () => store.dispose(),
  };
}

function charsOf({ request, response, events }: Exchange): number {
  const bodies = (request.body?.length ?? 0) + (response?.body?.length ?? 0);
  return (events ?? []).reduce((sum, { text }) => sum + text.length, bodies);
}
