import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createCrossingWatch } from '../../core/account/lowBalance';
import type { AccountState } from '../../services/account/account';
import { registerCommand, setContext } from '../../platform/contributions';
import type { ContextKeys } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { CommandRow } from '../../platform/listRow';
import { emptyReason } from '../../services/lists/emptyReason';
import type { Feature, Services } from '../../services/services';
import { createTreeView, withProgress, treeItem } from '../../platform/notify';
import { whileVisible } from '../../platform/whileVisible';
import type { AccountRow } from './accountRows';
import { labelled } from '../../protocol/sentences';

/** How often the displayed age of a reading is updated while the view is visible. */
const ageMs = 30_000;

/** The Account view: status, balance and their age. */
export const accountFeature: Feature = (services) => {
  const store = new DisposableStore();
  const tree = store.add(new AccountTree());
  const view = store.add(createTreeView('inferenceDesk.account', { treeDataProvider: tree }));
  const { account, profiles, settings } = services;

  const draw = () => {
    const { state } = account;
    tree.show(async () => {
      const { accountMessage, accountRows, spentTodayOf } = await import('./accountRows');
      const profile = account.current.profile;
      if (!profile) return [];
      const lowBalance = settings.get('account.lowBalance');
      const spentToday = state.status === 'ready' ? await spentTodayOf(services, profile.id) : undefined;
      const cap = settings.get('dailySpendingCap');
      view.message = accountMessage(state);
      return accountRows({
        profile,
        state,
        lowBalance,
        spentToday,
        cap,
        now: Date.now(),
        language: vscode.env.language,
      });
    });
    void setContext('inferenceDesk.accountTrouble', accountErrorOf(state));
  };
  store.add(account.onDidChange(draw));
  store.add(profiles.onDidChange(draw));
  store.add(
    settings.onDidChange((name) => {
      if (name === 'account.lowBalance' || name === 'dailySpendingCap') draw();
    }),
  );
  store.add(watchWhileVisible(services, view, draw));
  store.add(showLoading(services));
  store.add(warnOfLowBalance(services));
  store.add(registerCommand(services, 'inferenceDesk.refreshAccount', () => checkAgain(services)));
  store.add(
    registerCommand(services, 'inferenceDesk.copyValue', async (row) => (await import('./accountRows')).copyValue(row)),
  );
  draw();
  return store;
};

/** Also asks again what the service was found not to offer. */
async function checkAgain({ account, connections }: Services): Promise<void> {
  if (account.current.profile) {
    await connections.forgetOffers(account.current.profile.id, { andKnown: true });
    connections.tellChange();
  }
  await account.refresh();
}

function watchWhileVisible({ account }: Services, view: vscode.TreeView<unknown>, draw: () => void): Disposable {
  return whileVisible(view, () => {
    const looking = new DisposableStore();
    looking.add(account.watch());
    const timer = setInterval(draw, ageMs);
    looking.add({ dispose: () => clearInterval(timer) });
    return looking;
  });
}

/** Shows the view's progress bar while the account is loading. */
function showLoading({ account }: Services): Disposable {
  let end: (() => void) | undefined;
  return account.onDidChange(() => {
    if (account.state.loading === (end !== undefined)) return;
    if (end) {
      end();
      end = undefined;
      return;
    }
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    withProgress({ location: { viewId: 'inferenceDesk.account' } }, () => done).then(undefined, () => undefined);
  });
}

function warnOfLowBalance({ account, settings, report }: Services): Disposable {
  const isCrossed = createCrossingWatch();
  return account.onDidChange(() => {
    const { state } = account;
    const profile = account.current.profile;
    if (state.status !== 'ready' || !profile) return;
    const threshold = settings.get('account.lowBalance');
    const { totalBalance: balance, currency } = state.reading.info;
    if (balance !== undefined && isCrossed(profile.id, balance, threshold))
      import('./accountRows').then((rows) => rows.tellLowBalance(profile, balance, threshold, currency)).catch(report);
  });
}

function accountErrorOf(state: AccountState): ContextKeys['inferenceDesk.accountTrouble'] {
  if (state.status === 'signedOut') return 'signedOut';
  if (state.status !== 'failed' || state.last) return 'rows';
  const reason = emptyReason(state.error);
  return reason === 'notOffered' || reason === 'failed' ? 'rows' : reason;
}

/** Renders account rows without interpreting them. */
export class AccountTree implements vscode.TreeDataProvider<AccountRow | CommandRow> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: () => Promise<readonly (AccountRow | CommandRow)[]> = async () => [];
  /** How often the editor is just receiving the rows. */
  private reading = 0;

  /**
   * Replaces the rows. Calls `rows` once the view is visible. VS Code isn't told to reload rows that it is just receiving: it gets the new
   * rows, while some versions would drop both and leave the view empty.
   */
  show(rows: () => Promise<readonly (AccountRow | CommandRow)[]>): void {
    this.rows = rows;
    if (this.reading === 0) this.changed.fire(undefined);
  }

  async getChildren(parent?: AccountRow | CommandRow): Promise<(AccountRow | CommandRow)[]> {
    if (parent instanceof CommandRow) return [];
    return [...(parent ? parent.children : await this.lastRows())];
  }

  /** Resolves to the rows that are the last ones when they have been made. */
  private async lastRows(): Promise<readonly (AccountRow | CommandRow)[]> {
    this.reading += 1;
    try {
      for (;;) {
        const { rows } = this;
        try {
          const made = await rows();
          if (rows === this.rows) return made;
        } catch (error) {
          // VS Code isn't notified of rows that arrived in the meantime.
          if (rows === this.rows) throw error;
        }
      }
    } finally {
      this.reading -= 1;
    }
  }

  getTreeItem(row: AccountRow | CommandRow): vscode.TreeItem {
    if (row instanceof CommandRow) return row.toItem();
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = treeItem(row.label, row.children.length > 0 ? Expanded : None);
    item.id = row.id;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.contextValue = row.role;
    item.iconPath = row.isWarning
      ? new vscode.ThemeIcon(row.icon, new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon(row.icon);
    const words = row.description === '' ? row.label : labelled(row.label, row.description);
    // A warning is otherwise shown only by its color.
    item.accessibilityInformation = { label: row.isWarning ? labelled(l10n.t('Warning'), words) : words };
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
