import type { BatchJob, NewBatchJob, BatchJobProgress, BatchJobs } from '../../services/batches/batchJobs';
import type { Disposable } from '../../platform/disposables';

export interface SendStep {
  readonly step: 'reading' | 'uploading' | 'creating';
  /** Bytes. */
  readonly done?: number;
  readonly total?: number;
}

/** What became of an order so far. */
export type SendState =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly at: SendStep }
  /** Nothing was sent that costs, and nothing is kept. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** As the job stands. */
  | { readonly kind: 'job'; readonly job: BatchJob };

/** Sends the order of a page, and follows what becomes of it. */
export class Sending implements Disposable {
  private current: SendState = { kind: 'none' };
  private running: AbortController | undefined;
  private readonly listening: Disposable;

  constructor(
    private readonly batchJobs: BatchJobs,
    private readonly onChange: () => void,
  ) {
    this.listening = batchJobs.onDidChange(() => this.refresh());
  }

  get state(): SendState {
    return this.current;
  }

  /** Nothing is on its way, and nothing may have been created. */
  get isFree(): boolean {
    const { current } = this;
    return current.kind === 'job' ? current.job.stage === 'refused' : current.kind !== 'sending';
  }

  /** Resolves when it is known what became of it, however it ended. The job of an order before it, refused, is forgotten. */
  async send(order: NewBatchJob): Promise<void> {
    if (!this.isFree) return;
    const before = this.current;
    const error = await this.run((progress) => this.batchJobs.submit(order, progress));
    if (error !== undefined) this.set({ kind: 'failed', error });
    if (before.kind === 'job' && this.current.kind === 'job' && this.current.job.id !== before.job.id) {
      await this.batchJobs.forget(before.job.id);
    }
  }

  /** Of one whose fate is unknown: the person wants it all the same. Where that fails it stays as unknown as it was. */
  async createAgain(): Promise<void> {
    if (this.current.kind !== 'job') return;
    const { id } = this.current.job;
    const error = await this.run((progress) => this.batchJobs.createAgain(id, progress));
    if (error !== undefined) throw error;
  }

  /** Asks the service for it. Throws why it could not be asked. */
  async lookNow(): Promise<void> {
    if (this.current.kind === 'job') this.set({ kind: 'job', job: await this.batchJobs.checkNow(this.current.job.id) });
  }

  /** Calls it back while nothing was sent that costs. */
  stop(): void {
    if (this.current.kind === 'sending' && this.current.at.step !== 'creating') this.running?.abort();
  }

  /** Goes on with a job of before. */
  async resume(find: (jobs: readonly BatchJob[]) => BatchJob | undefined): Promise<void> {
    await this.batchJobs.ready();
    const job = find(this.batchJobs.jobs);
    if (job && this.current.kind === 'none') this.set({ kind: 'job', job });
  }

  /** What is on its way goes on: it would be paid for, and its record is followed by the engine. */
  dispose(): void {
    this.listening.dispose();
  }

  /** Resolves to what it failed with. What was before is again then, and where it was called back. */
  private async run(work: (progress: BatchJobProgress) => Promise<BatchJob>): Promise<unknown> {
    if (this.running) return undefined;
    const before = this.current;
    const running = (this.running = new AbortController());
    this.set({ kind: 'sending', at: { step: 'reading' } });
    const onStep: BatchJobProgress['onStep'] = (step, done, total) => {
      this.set({ kind: 'sending', at: { step, ...(done !== undefined && { done }), ...(total && { total }) } });
    };
    try {
      const job = await work({ signal: running.signal, onStep });
      this.set({ kind: 'job', job });
      return undefined;
    } catch (error) {
      this.set(before);
      return running.signal.aborted ? undefined : error;
    } finally {
      this.running = undefined;
    }
  }

  private refresh(): void {
    if (this.current.kind !== 'job') return;
    const { id } = this.current.job;
    const job = this.batchJobs.jobs.find((one) => one.id === id);
    if (job && job !== this.current.job) this.set({ kind: 'job', job });
  }

  private set(state: SendState): void {
    this.current = state;
    this.onChange();
  }
}
