import type { SubmitStep } from '../../../core/jobs/batch/submitBatch';
import type { BatchJob, NewBatchJob, BatchJobProgress, LazyBatchJobs } from '../../../services/batches/batches';
import type { Disposable } from '../../../platform/disposables';

export interface SendStep {
  readonly step: SubmitStep;
  /** Bytes. */
  readonly done?: number;
  readonly total?: number;
}

/** The state of a submission. */
export type SendState =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly at: SendStep }
  /** Nothing was sent that costs, and nothing is stored. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The current state of the job. */
  | { readonly kind: 'job'; readonly job: BatchJob };

/** Submits a page's batch and follows its job. */
export class Sending implements Disposable {
  private current: SendState = { kind: 'none' };
  private running: AbortController | undefined;
  private readonly listening: Disposable;

  constructor(
    private readonly batchJobs: LazyBatchJobs,
    private readonly onChange: () => void,
  ) {
    this.listening = batchJobs.onDidChange(() => this.refresh());
  }

  get state(): SendState {
    return this.current;
  }

  /** Whether nothing is being sent and no batch might have been created. */
  get isFree(): boolean {
    const { current } = this;
    return current.kind === 'job' ? current.job.stage === 'refused' : current.kind !== 'sending';
  }

  /** Resolves once the outcome is known, whatever it is. Removes the previous job, which was refused. */
  async send(submission: NewBatchJob): Promise<void> {
    if (!this.isFree) return;
    const before = this.current;
    const error = await this.run(async (progress) => (await this.batchJobs()).submit(submission, progress));
    if (error !== undefined) this.set({ kind: 'failed', error });
    if (before.kind === 'job' && this.current.kind === 'job' && this.current.job.id !== before.job.id) {
      await (await this.batchJobs()).forget(before.job.id);
    }
  }

  /** Creates the batch again although the outcome of the first attempt is unknown. If this fails, the outcome remains unknown. */
  async createAgain(): Promise<void> {
    if (this.current.kind !== 'job') return;
    const { id } = this.current.job;
    const error = await this.run(async (progress) => (await this.batchJobs()).createAgain(id, progress));
    if (error !== undefined) throw error;
  }

  /** Looks for the batch at the service. Throws if the service cannot be queried. */
  async lookNow(): Promise<void> {
    if (this.current.kind !== 'job') return;
    const { id } = this.current.job;
    this.set({ kind: 'job', job: await (await this.batchJobs()).checkNow(id) });
  }

  /** Cancels, as long as nothing was sent that costs. */
  stop(): void {
    if (this.current.kind === 'sending' && this.current.at.step !== 'creating') this.running?.abort();
  }

  /** Resumes an earlier job. */
  async resume(find: (jobs: readonly BatchJob[]) => BatchJob | undefined): Promise<void> {
    const job = find((await this.batchJobs()).jobs);
    if (job && this.current.kind === 'none') this.set({ kind: 'job', job });
  }

  /** A submission in progress continues, because it would be billed; the batch jobs follow its record. */
  dispose(): void {
    this.listening.dispose();
  }

  /** Resolves to the error, if any. After an error or a cancellation, the previous state is restored. */
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
