import * as vscode from 'vscode';
import type { AccountRow } from './accountRows';
import { labelled } from '../../protocol/sentences';
import { treeItem } from '../../platform/notify';

/** Renders account rows without interpreting them. */
export class AccountTree implements vscode.TreeDataProvider<AccountRow> {
  private readonly changed = new vscode.EventEmitter<AccountRow | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: () => Promise<readonly AccountRow[]> = async () => [];

  /** Replaces the rows. Calls `rows` once the view is visible. */
  show(rows: () => Promise<readonly AccountRow[]>): void {
    this.rows = rows;
    this.changed.fire(undefined);
  }

  async getChildren(parent?: AccountRow): Promise<AccountRow[]> {
    return [...(parent ? parent.children : await this.rows())];
  }

  getTreeItem(row: AccountRow): vscode.TreeItem {
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
    // A warning is otherwise shown only by its colour.
    item.accessibilityInformation = { label: row.isWarning ? labelled(vscode.l10n.t('Warning'), words) : words };
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
