import * as vscode from 'vscode';
import { jobOutcome } from '../../core/jobs/jobOutcome';
import type { Disposable } from '../../platform/disposables';
import type { LazyBatchJobs } from '../batches/batches';
import type { LazyMedia } from '../media/media';

const seenKey = 'failuresSeenAt';

/** The jobs of all accounts and windows that failed, or whose outcome is uncertain, since the user last saw them listed. */
export class UnseenFailures implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange: vscode.Event<void>;
  private readonly listening: vscode.Disposable;

  /** `state`: shared by all windows. Failures before its first use don't count. */
  constructor(
    private readonly state: vscode.Memento,
    private readonly batchJobs: LazyBatchJobs,
    private readonly media: LazyMedia,
  ) {
    this.onDidChange = this.changed.event;
    const tell = () => this.changed.fire();
    this.listening = vscode.Disposable.from(batchJobs.onDidChange(tell), media.onDidChange(tell));
    if (state.get<number>(seenKey) === undefined) void state.update(seenKey, Date.now());
  }

  get count(): number {
    const seenAt = this.state.get<number>(seenKey, Infinity);
    return [...this.batchJobs.jobs, ...this.media.jobs].filter((job) => {
      const { createdAt, changedAt = createdAt, triedAt = createdAt } = job;
      return Math.max(changedAt, triedAt) > seenAt && ['failed', 'uncertain'].includes(jobOutcome(job));
    }).length;
  }

  /** Call while they are listed before the user's eyes. */
  async markSeen(): Promise<void> {
    if (this.count === 0) return;
    await this.state.update(seenKey, Date.now());
    this.changed.fire();
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }
}
