import type * as vscode from 'vscode';
import type { Account } from './platform/account';
import type { Activity } from './platform/activity';
import type { Connections } from './platform/connections';
import type { Disposable } from './platform/disposables';
import type { ExchangeLog } from './platform/exchangeLog';
import type { ModelCatalogue } from './platform/modelCatalogue';
import type { Profiles } from './platform/profiles';
import type { Report } from './platform/reportError';
import type { Settings } from './platform/settings';

/** What features may ask for. Made once in `activate`, handed down, never looked up. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  /** Profiles and their keys. */
  readonly profiles: Profiles;
  /** API clients, one per profile, made at first use. */
  readonly connections: Connections;
  /** The models of the active profile, cached on disk with their age. */
  readonly models: ModelCatalogue;
  /** Status and balance of the active profile, with their age. */
  readonly account: Account;
  /** What is running now, for the status bar. */
  readonly activity: Activity;
  /** The last raw exchanges, with the key redacted. */
  readonly exchanges: ExchangeLog;
  readonly report: Report;
}

/** A feature registers itself and gives back what to dispose. */
export type Feature = (services: Services) => Disposable;
