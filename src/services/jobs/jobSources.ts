import type * as vscode from 'vscode';
import type { Activity } from '../../platform/activity';
import type { Connections } from '../account/connections';
import type { Costs } from '../usage/costs';
import type { Profiles } from '../account/profiles';
import type { Report } from '../../platform/errors/report';
import type { Settings } from '../../platform/settings';

/** What following jobs needs from the rest of the extension. */
export interface JobSources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly profiles: Profiles;
  readonly connections: Connections;
  readonly activity: Activity;
  readonly costs: Costs;
  readonly log: vscode.LogOutputChannel;
  /** Reports why an action chosen in a notification failed. */
  readonly report: Report;
}
