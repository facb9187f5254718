import type * as vscode from 'vscode';
import type { UploadMemory } from '../core/files/uploadMemory';
import type { Account, Connections, Profiles } from './account/account';
import type { Activity } from '../platform/activity';
import type { BatchList, LazyBatchJobs, ShownRuns } from './batches/batches';
import type { ChatService } from './chat/chatService';
import type { Costs } from './usage/costs';
import type { Disposable } from '../platform/disposables';
import type { EntryPoints } from '../platform/entryPoints';
import type { Evals } from './evals/evals';
import type { ExchangeLog } from './diagnostics/diagnostics';
import type { LazyMedia } from './media/media';
import type { ModelCatalogue } from './models/modelCatalogue';
import type { RecentErrors } from '../platform/errors/recentErrors';
import type { RemoteContents } from './lists/remoteContents';
import type { Replacements } from '../platform/workspace/replacements';
import type { Report } from '../platform/errors/report';
import type { Settings } from '../platform/settings';
import type { LocalRunList } from './batches/localRuns';
import type { OtherWork } from './work/work';
import type { UnseenFailures } from './failures/failures';
import type { UsageService } from './usage/usage';

/** The services for features. Created once in `activate`, passed down, never looked up. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  /** The ways by which VS Code enters the extension. */
  readonly entryPoints: EntryPoints;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  /** Profiles and their keys. */
  readonly profiles: Profiles;
  /** Today's usage, and the rest of the budgets. Loaded on first use. */
  readonly usage: () => Promise<UsageService>;
  /** Metered API clients, one per profile, created on first use. */
  readonly connections: Connections;
  /** The models of the active profile, cached on disk with their age. */
  readonly models: ModelCatalogue;
  readonly batchList: BatchList;
  /** The content of the files stored at the service. Loaded on first use. */
  readonly contents: () => Promise<RemoteContents>;
  /** The uploads from this machine. Loaded on first use. */
  readonly uploads: () => Promise<UploadMemory>;
  /** Status and balance of the active profile, with their age. */
  readonly account: Account;
  /** The cost of paid work, as far as the balance shows it. */
  readonly costs: Costs;
  /** The batches followed on this machine, of all profiles and windows. Loaded on first use. */
  readonly batchJobs: LazyBatchJobs;
  /** The jobs that failed since the user last saw them. */
  readonly failures: UnseenFailures;
  /** The runs whose answers the lines of batch files show. */
  readonly shownRuns: ShownRuns;
  /** Images, videos and speech: requested, followed and stored. Loaded on first use. */
  readonly media: LazyMedia;
  /** The work in progress in this window. */
  readonly activity: Activity;
  /** The work in progress in other windows and MCP servers. */
  readonly otherWork: OtherWork;
  /** The runs of batch files on this machine. Loaded on first use. */
  readonly localRuns: () => Promise<LocalRunList>;
  /** Plans and runs evals. Loaded on first use. */
  readonly evals: () => Promise<Evals>;
  /** The latest raw exchanges, with the key redacted. */
  readonly exchanges: ExchangeLog;
  readonly recentErrors: RecentErrors;
  /** Lets other features use the chat. */
  readonly chatService: ChatService;
  /** Texts that wait in a diff to replace others. */
  readonly replacements: Replacements;
  readonly report: Report;
}

/** A feature registers itself and returns what to dispose. */
export type Feature = (services: Services) => Disposable;
