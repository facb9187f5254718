/** As the editor's own, but known without the editor. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns what is added to it. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  /** Takes ownership and gives the item back. After disposal the item is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  /** Disposes in reverse order, all of it even when one throws; then throws what was thrown. */
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
