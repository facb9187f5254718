import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkElsewhere } from '../../core/jobs/workBoard';
import type { Activity } from '../../platform/activity';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import { throttle } from '../../platform/throttle';

export type { WorkElsewhere } from '../../core/jobs/workBoard';

/** Work that ends sooner isn't shared. */
const shareAfterMs = 500;
const progressMs = 2000;
/** Subjects may be prompts of any length. */
const longestSubject = 200;

/** What other windows and MCP servers do just now. Tells them what this window does. */
export class OtherWork implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private isLoaded = false;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly folder: string,
    private readonly activity: Activity,
    private readonly onError: (error: unknown) => void,
  ) {
    const publish = () => void this.publish().catch(onError);
    const soon = this.store.add(throttle(shareAfterMs, publish));
    const later = this.store.add(throttle(progressMs, publish));
    this.store.add(activity.onDidChange(() => soon.soon()));
    this.store.add(activity.onDidProgress(() => later.soon()));
  }

  /** Resolves to what others do, oldest first. From the first call on, `onDidChange` fires when that may have changed. */
  async list(): Promise<readonly WorkElsewhere[]> {
    return (await this.sharing()).board.elsewhere();
  }

  /** Asks the window that does this work to end it. Does nothing if it has ended. */
  async stop(id: string): Promise<void> {
    const { board } = await this.sharing();
    const work = (await board.elsewhere()).find((one) => one.id === id);
    if (work) await board.askToStop(work);
  }

  dispose(): void {
    this.store.dispose();
  }

  private readonly sharing = onceDisposable(this.store, async () => {
    const { openSharing } = await import('./sharing');
    this.isLoaded = true;
    const onChange = () => {
      void this.stopRequested().catch(this.onError);
      this.changed.fire();
    };
    return openSharing(this.folder, onChange, this.onError);
  });

  /** Ends what others asked this window to end. */
  private async stopRequested(): Promise<void> {
    const ids = await (await this.sharing()).board.stopRequests();
    for (const { id, stop } of this.activity.running) if (ids.includes(String(id))) stop?.();
  }

  private async publish(): Promise<void> {
    const work = this.activity.running.filter(({ kind }) => kind !== 'job');
    if (work.length === 0 && !this.isLoaded) return;
    const shared = work.map(({ id, kind, label, startedAt, subject, profileId, folder, progress, stop, expected }) => ({
      kind,
      label,
      startedAt,
      ...(subject !== undefined && { subject: subject.slice(0, longestSubject) }),
      ...(profileId !== undefined && { profileId }),
      ...(folder !== undefined && { folder }),
      ...(stop && { stopId: String(id) }),
      ...(expected && { expected: expected().map((charge) => ({ ...charge })) }),
      ...(progress && { progress: { ...progress } }),
    }));
    await (await this.sharing()).board.publish(shared);
  }
}

/** Creates the list in the storage of the extension. */
export function createOtherWork(
  { globalStorageUri }: vscode.ExtensionContext,
  activity: Activity,
  onError: (error: unknown) => void,
): OtherWork {
  return new OtherWork(join(globalStorageUri.fsPath, 'work'), activity, onError);
}
