import type * as vscode from 'vscode';

/** A row of a list in the side bar, as passed by menus. Its item is replaced when it changes. */
export class ListRow<T> {
  constructor(
    readonly key: string,
    public item: T,
  ) {}
}

/** A child row of a row. */
export class DetailRow<T> {
  constructor(
    readonly parent: ListRow<T>,
    readonly treeItem: vscode.TreeItem,
  ) {}
}

/** A row whose only purpose is its click action. */
export class CommandRow {
  constructor(readonly toItem: () => vscode.TreeItem) {}
}

/** Returns the item of a row or of its child row, or `undefined` for anything that is not a row. */
export function itemOfRow(row: unknown): unknown {
  if (row instanceof DetailRow) return (row.parent as ListRow<unknown>).item;
  return row instanceof ListRow ? (row.item as unknown) : undefined;
}
