import * as vscode from 'vscode';
import type { AccountRow } from './accountRows';

/** Draws rows; knows nothing of what they mean. */
export class AccountTree implements vscode.TreeDataProvider<AccountRow> {
  private readonly changed = new vscode.EventEmitter<AccountRow | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: readonly AccountRow[] = [];

  show(rows: readonly AccountRow[]): void {
    this.rows = rows;
    this.changed.fire(undefined);
  }

  getChildren(parent?: AccountRow): AccountRow[] {
    return [...(parent ? parent.children : this.rows)];
  }

  getTreeItem(row: AccountRow): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, row.children.length > 0 ? Expanded : None);
    item.id = row.id;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.contextValue = row.role;
    item.iconPath = row.isWarning
      ? new vscode.ThemeIcon(row.icon, new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon(row.icon);
    item.accessibilityInformation = { label: `${row.label}: ${row.description}` };
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
