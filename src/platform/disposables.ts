/** The editor's type, but usable without the editor. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns the items added to it. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  /** Takes ownership of the item and returns it. After disposal, disposes it at once. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Disposes all items in reverse order, even if one throws; then throws the errors. */
  dispose(): void {
    this.disposed = true;
    const errors: unknown[] = [];
    for (let item = this.items.pop(); item; item = this.items.pop()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several things could not be disposed.');
  }
}
