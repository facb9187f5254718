import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSameService } from '../../core/jobs/sameService';
import { signedIn } from '../../services/jobs/jobs';
import { describe } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import { launchOf } from './logic/serverLaunch';

interface Account {
  readonly id: string;
  readonly baseUrl: string;
  /** Empty if the service is used without one. */
  readonly key: string;
  readonly allowHttp: Profile['allowHttp'] | undefined;
  readonly keyHeader: Profile['keyHeader'] | undefined;
}

/** The server definition of the active profile, as offered to the editor. */
export class ServerOffer {
  private offered: Account | undefined;
  /** How often the account has changed: identifies the account of a running server without revealing anything about it. */
  private changes = 0;
  /** Number of servers about to start, which can start the service at a new URL. */
  private starting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly services: Services) {}

  /**
   * Returns the definition without URL and key, or none if the server is disabled, in Restricted Mode, or without a profile that has a key.
   */
  provide(): Promise<vscode.McpStdioServerDefinition[]> {
    // One after the other, because the last definitions the editor receives are the valid ones.
    const provided = this.last.then(() => this.provideNow());
    this.last = provided.catch(() => undefined);
    return provided;
  }

  /** Adds URL and key. Throws an error with a message if there is no account, or the offer was for another account than the active one. */
  async resolve({ env }: vscode.McpStdioServerDefinition): Promise<vscode.McpStdioServerDefinition> {
    const { connections, usage } = this.services;
    const { offered, changes } = this;
    this.starting += 1;
    try {
      const { id } = signedIn(this.services.account.current.profile);
      (await usage()).checkLimits(['dailySpendingCap', 'chat.dailyTokenBudget', 'agentTools.dailyTokenBudget']);
      // Throws without a key. Might also start the service, which then has another URL.
      await connections.client(id);
      const account = await this.account();
      const isOffered = env[accountVariable] === String(changes) && this.changes === changes;
      if (!account || !isOffered || !isSame(account, offered)) throw accountChanged();
      this.offered = account;
      const definition = this.definition(account);
      definition.env['INFERENCE_DESK_BASE_URL'] = account.baseUrl;
      definition.env['INFERENCE_DESK_API_KEY'] = account.key;
      if (account.allowHttp) definition.env['INFERENCE_DESK_ALLOW_HTTP'] = '1';
      if (account.keyHeader) definition.env['INFERENCE_DESK_KEY_HEADER'] = account.keyHeader;
      return definition;
    } catch (error) {
      const { title, detail } = describe(error);
      throw new Error(`${title}. ${detail}`, { cause: error });
    } finally {
      this.starting -= 1;
    }
  }

  private async provideNow(): Promise<vscode.McpStdioServerDefinition[]> {
    const { settings } = this.services;
    const isEnabled = settings.get('mcp.enabled') && vscode.workspace.isTrusted;
    const account = isEnabled ? await this.account() : undefined;
    if (!account) return [];
    const isMoved = this.starting === 0 && account.baseUrl !== this.offered?.baseUrl;
    if (isMoved || !isSame(account, this.offered)) {
      this.changes += 1;
      this.offered = account;
    }
    return [this.definition(account)];
  }

  /** Returns `undefined` without a profile or its key. */
  private async account(): Promise<Account | undefined> {
    const { account, profiles } = this.services;
    const { profile: active } = account.current;
    const key = active && (await profiles.key(active.id));
    if (!active || key === undefined) return undefined;
    const { id, baseUrl, allowHttp, keyHeader } = active;
    return { id, baseUrl, key, allowHttp, keyHeader };
  }

  private definition({ id }: Account): vscode.McpStdioServerDefinition {
    const { context, settings } = this.services;
    const { version } = context.extension.packageJSON as { readonly version: string };
    const { command, args, environment } = launchOf(process, {
      profileId: id,
      storage: context.globalStorageUri.fsPath,
      program: context.asAbsolutePath('dist/mcp.js'),
      dailyTokens: settings.get('chat.dailyTokenBudget').hard,
      dailySpending: settings.get('dailySpendingCap'),
      prices: settings.get('prices'),
      toolTokens: settings.get('agentTools.dailyTokenBudget'),
      dailyRequests: settings.get('mcp.dailyOrders'),
      secretFiles: settings.get('secretFiles'),
      account: this.changes,
    });
    const definition = new vscode.McpStdioServerDefinition(
      'Inference Desk',
      command,
      [...args],
      { ...environment },
      version,
    );
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    if (folder) definition.cwd = folder.uri;
    return definition;
  }
}

const accountVariable = 'INFERENCE_DESK_ACCOUNT';

/** Services on this machine may change their port. */
function isSame(one: Account, other: Account | undefined): boolean {
  return (
    one.id === other?.id &&
    one.key === other.key &&
    one.keyHeader === other.keyHeader &&
    isSameService(one.baseUrl, other.baseUrl)
  );
}

function accountChanged(): UserError {
  return new UserError(l10n.t('The account has changed'), l10n.t('Restart the MCP server to use this account.'));
}
