import { basename } from 'node:path';
import type { AnswerIds } from '../../core/api/transport/transport';
import type { Transcriptions } from '../../core/api/transcriptions/transcriptions';
import type { Activity } from '../../platform/activity';
import type { Disposable } from '../../platform/disposables';
import { isCancellation } from '../../platform/errors/report';

/** The transcript of a recording. */
export interface Transcript extends AnswerIds {
  readonly name: string;
  readonly text: string;
  readonly model: string;
  /** The model that answered, if the service names another. */
  readonly answeredBy?: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface TranscribingOptions {
  /** Throws for a recording that must not be sent. */
  readonly check?: (path: string) => Promise<void>;
  readonly openService: () => Promise<Transcriptions>;
  readonly activity: Activity;
  readonly label: () => string;
  readonly onChange: () => void;
  /** Called to save the transcript before it is shown, because it was paid for. */
  readonly onHeard: (transcript: Transcript) => Promise<void>;
}

/** Transcribes one recording at a time. */
export interface Transcribing extends Disposable {
  readonly running: { readonly name: string; readonly part: number } | undefined;
  readonly error: unknown;
  /** The last request. */
  readonly asked: { readonly path: string; readonly model: string; readonly name: string } | undefined;
  /** Never rejects; does nothing while one is running. `name`: of the transcript, if it is not the file's. */
  transcribe(path: string, model: string, name?: string): Promise<void>;
  stop(): void;
}

export function createTranscribing(options: TranscribingOptions): Transcribing {
  return new TranscribingNow(options);
}

class TranscribingNow implements Transcribing {
  running: Transcribing['running'];
  error: unknown;
  asked: Transcribing['asked'];
  private ending: AbortController | undefined;

  constructor(private readonly options: TranscribingOptions) {}

  async transcribe(path: string, model: string, name = basename(path)): Promise<void> {
    if (this.ending) return;
    const ending = (this.ending = new AbortController());
    this.asked = { path, model, name };
    this.tell({ running: { name, part: 0 }, error: undefined });
    let error: unknown;
    try {
      await this.hear(path, model, { name, signal: ending.signal });
    } catch (fault) {
      error = isCancellation(fault) ? undefined : fault;
    }
    this.ending = undefined;
    this.tell({ running: undefined, error });
  }

  stop(): void {
    this.ending?.abort();
  }

  dispose(): void {
    this.stop();
  }

  private async hear(
    path: string,
    model: string,
    { name, signal }: { readonly name: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const { activity, label, check, openService, onHeard } = this.options;
    await check?.(path);
    const transcriptions = await openService();
    signal.throwIfAborted();
    const work = activity.start(label(), { kind: 'speech', paid: true });
    try {
      const { model: answeredBy = model, ...heard } = await transcriptions.create(
        {
          model,
          path,
          onProgress: (sent, total) => this.tell({ running: { name, part: total === 0 ? 0 : sent / total } }),
        },
        signal,
      );
      await onHeard({ ...heard, name, model, at: Date.now(), ...(answeredBy !== model && { answeredBy }) });
    } finally {
      work.dispose();
    }
  }

  private tell(change: Partial<TranscribingNow>): void {
    Object.assign(this, change);
    this.options.onChange();
  }
}
