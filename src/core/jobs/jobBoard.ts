import type { Leases } from '../storage/leases';
import type { Job, JobPatch } from './job';
import type { JobStore, UnreadableJob } from './jobStore';

/** All jobs as known to this window. Changes are applied to the record on disk, so that no window undoes another's. */
export class JobBoard<J extends Job> {
  private readonly known = new Map<string, { readonly job: J; readonly text: string }>();
  /** By id: changes by this window to one job run one after another. */
  private readonly turns = new Map<string, Promise<unknown>>();
  /** For each refresh in progress, the ids changed in the meantime, so that it does not undo those changes. */
  private readonly changedMeanwhile = new Set<Set<string>>();

  /** Sorted jobs; `undefined` until computed again. */
  private inOrder: readonly J[] | undefined;

  unreadable: readonly UnreadableJob[] = [];

  /** `onChanged` is called when any job has changed. */
  constructor(
    private readonly store: JobStore<J>,
    private readonly leases: Leases,
    private readonly onChanged: () => void,
  ) {}

  /** Newest first; the same array until a job changes. */
  get jobs(): readonly J[] {
    this.inOrder ??= [...this.known.values()].map(({ job }) => job).toSorted((a, b) => b.createdAt - a.createdAt);
    return this.inOrder;
  }

  get(id: string): J | undefined {
    return this.known.get(id)?.job;
  }

  /** Reads what other windows wrote. */
  async refresh(): Promise<void> {
    const meanwhile = new Set<string>();
    this.changedMeanwhile.add(meanwhile);
    const stored = await this.store.list().finally(() => this.changedMeanwhile.delete(meanwhile));
    // A record another program has open for a moment is assumed unchanged.
    const denied = stored.unreadable.filter(({ id, reason }) => reason === 'denied' && this.known.has(id));
    const ids = new Set([...stored.jobs, ...denied].map(({ id }) => id));
    const removed = [...this.known.keys()].filter((id) => !ids.has(id) && !meanwhile.has(id));
    const changed = stored.jobs.filter((job) => !meanwhile.has(job.id) && this.keep(job));
    for (const id of removed) this.known.delete(id);
    const before = JSON.stringify(this.unreadable);
    this.unreadable = stored.unreadable.filter((one) => !denied.includes(one));
    if (removed.length > 0 || changed.length > 0 || before !== JSON.stringify(this.unreadable)) this.onChange();
  }

  /** Resolves once the record is on disk. */
  async add(job: J): Promise<void> {
    await this.store.write(job);
    this.show(job);
  }

  /**
   * `change` receives the record as it is on disk. If it returns `undefined`, nothing is written. Resolves to the resulting job, or to
   * `undefined` if it no longer exists.
   */
  update(id: string, change: (job: J) => JobPatch<J> | undefined): Promise<J | undefined> {
    const { store } = this;
    return this.inTurn(id, async () => {
      const job = await store.read(id);
      if (!job) {
        this.drop(id);
        return undefined;
      }
      const patch = change(job);
      const changed = patch ? patched(job, patch) : job;
      if (patch) await store.write(changed);
      this.show(changed);
      return changed;
    });
  }

  remove(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      await this.store.remove(id);
      this.drop(id);
    });
  }

  private show(job: J): void {
    for (const meanwhile of this.changedMeanwhile) meanwhile.add(job.id);
    if (this.keep(job)) this.onChange();
  }

  private drop(id: string): void {
    for (const meanwhile of this.changedMeanwhile) meanwhile.add(id);
    if (this.known.delete(id)) this.onChange();
  }

  private onChange(): void {
    this.inOrder = undefined;
    this.onChanged();
  }

  /** Stores a job; returns whether it has changed. */
  private keep(job: J): boolean {
    const text = JSON.stringify(job);
    const isNews = this.known.get(job.id)?.text !== text;
    if (isNews) this.known.set(job.id, { job, text });
    return isNews;
  }

  private async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(id) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.leases.hold(`${id}-w`, work));
    this.turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(id) === turn) this.turns.delete(id);
    }
  }
}

function patched<J extends Job>(job: J, patch: JobPatch<J>): J {
  const members = Object.entries({ ...job, ...patch }).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members) as unknown as J;
}
