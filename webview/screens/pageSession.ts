import { batch, signal } from '@preact/signals';
import type { ParamsOf, ResultOf, Screen } from '../../src/protocol/call';
import { HostError } from '../../src/protocol/caller';
import { titled } from '../../src/protocol/sentences';
import type { WireError } from '../../src/protocol/wire';
import type { Host } from '../host';

/** A page's connection to the host, and the outcome of its last action. Each page adds its own state, and saves it. */
export class PageSession<S extends Screen> {
  /** The error of the last call; cleared by the next one. */
  readonly error = signal<WireError | undefined>(undefined);
  /** The last action, as a localized text; cleared by the next call. */
  readonly done = signal('');
  private repeat: (() => void) | undefined;

  /** `say` announces a text to screen readers. */
  constructor(
    protected readonly host: Host<S>,
    readonly say: (text: string) => void,
  ) {}

  /** Calls the host. Shows the error that it reports, and resolves with `undefined` then. */
  ask<M extends keyof S['calls'] & string>(method: M, params: ParamsOf<S, M>): Promise<ResultOf<S, M> | undefined> {
    return this.attempt(() => this.host.call(method, params));
  }

  /** Does work that calls the host. Shows the error that it reports, and resolves with `undefined` then. `repeat` is what `retry` does. */
  async attempt<Result>(
    work: () => Promise<Result>,
    repeat: () => unknown = () => this.attempt(work),
  ): Promise<Result | undefined> {
    this.repeat = () => void repeat();
    this.begin();
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  /** Repeats the last action, which may have failed. Returns false if there was none. */
  retry(): boolean {
    this.repeat?.();
    return this.repeat !== undefined;
  }

  /** Shows and announces an error that the host reported, except that a call was canceled. Rethrows any other, which is a bug of the page. */
  fail(error: unknown): void {
    if (!(error instanceof HostError)) throw error;
    if (error.error.kind === 'cancelled') return;
    this.error.value = error.error;
    this.say(titled(error.error.title, error.error.detail));
  }

  /** Called before each action: what the last one did is past. */
  protected begin(): void {
    batch(() => {
      this.error.value = undefined;
      this.done.value = '';
    });
  }

  /** Shows and announces what an action did. */
  protected finish(text: string): void {
    this.done.value = text;
    this.say(text);
  }
}
