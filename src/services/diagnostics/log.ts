import type * as vscode from 'vscode';
import type { RecentErrors } from '../../platform/errors/recentErrors';

/** Wraps the channel so that errors logged to it are remembered. */
export function createLog(channel: vscode.LogOutputChannel, errors: RecentErrors): vscode.LogOutputChannel {
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
