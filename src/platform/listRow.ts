import type * as vscode from 'vscode';

/** A row of a list in the side bar, as menus hand it over. What it is about is replaced when there is news of it. */
export class ListRow<T> {
  constructor(
    readonly key: string,
    public item: T,
  ) {}
}

/** A row below a row. */
export class DetailRow<T> {
  constructor(
    readonly parent: ListRow<T>,
    readonly treeItem: vscode.TreeItem,
  ) {}
}

/** What a row is about, of a row below it too; `undefined` for anything that is no row. */
export function itemOfRow(row: unknown): unknown {
  if (row instanceof DetailRow) return (row.parent as ListRow<unknown>).item;
  return row instanceof ListRow ? (row.item as unknown) : undefined;
}
