import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { AnswerIds, Progress } from '../../core/api/transport/transport';
import type { Transcription, TranscriptionRequest } from '../../core/api/transcriptions/transcriptions.schema';
import type { Activity } from '../../platform/activity';
import type { Disposable } from '../../platform/disposables';
import { isCancellation } from '../../platform/errors/report';
import type { Account, Connections } from '../account/account';
import type { Costs } from '../usage/costs';

/** The transcript of a recording. */
export interface Transcript extends AnswerIds {
  readonly name: string;
  readonly text: string;
  readonly model: string;
  /** The model that answered, if the service names another. */
  readonly answeredBy?: string;
  /** Identifies its cost. */
  readonly costId?: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What a transcription uses of the services. */
interface TranscribingServices {
  readonly account: Account;
  readonly connections: Connections;
  readonly costs: Costs;
  readonly activity: Activity;
}

/** Has the active account transcribe a recording, and learns what that costs. */
export async function transcribeRecording(
  { account, connections, costs, activity }: TranscribingServices,
  request: TranscriptionRequest & Progress,
  signal: AbortSignal,
): Promise<Transcription & { readonly costId: string }> {
  const { id, profile } = account.current;
  const costId = randomUUID();
  const work = activity.start(l10n.t('Transcribing'), {
    kind: 'speech',
    subject: basename(request.path),
    profileId: profile?.id,
    paid: true,
    expected: () => [{ model: request.model, piece: 'transcription', count: 1 }],
  });
  try {
    const { transcriptions } = await connections.client(profile?.id);
    signal.throwIfAborted();
    const heard = await costs.around(
      id,
      () => transcriptions.create(request, signal),
      () => ({ kind: 'transcription', model: request.model, count: 1, of: costId }),
      { piece: 'transcription', model: request.model, count: 1 },
    );
    return { ...heard, costId };
  } finally {
    work.dispose();
  }
}

export interface TranscribingOptions {
  /** Throws for a recording that must not be sent. */
  readonly check?: (path: string) => Promise<void>;
  readonly services: TranscribingServices;
  readonly onChange: () => void;
  /** Called to save the transcript before it is shown, because it was paid for. */
  readonly onHeard: (transcript: Transcript) => Promise<void>;
}

/** Transcribes one recording at a time. */
export interface Transcribing extends Disposable {
  readonly running: { readonly name: string; readonly part: number } | undefined;
  readonly error: unknown;
  /** The last request. */
  readonly request: { readonly path: string; readonly model: string; readonly name: string } | undefined;
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
  request: Transcribing['request'];
  private ending: AbortController | undefined;

  constructor(private readonly options: TranscribingOptions) {}

  async transcribe(path: string, model: string, name = basename(path)): Promise<void> {
    if (this.ending) return;
    const ending = (this.ending = new AbortController());
    this.request = { path, model, name };
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
    const { services, check, onHeard } = this.options;
    await check?.(path);
    const onProgress = (sent: number, total: number) =>
      this.tell({ running: { name, part: total === 0 ? 0 : sent / total } });
    const { model: answeredBy = model, ...heard } = await transcribeRecording(
      services,
      { model, path, onProgress },
      signal,
    );
    await onHeard({ ...heard, name, model, at: Date.now(), ...(answeredBy !== model && { answeredBy }) });
  }

  private tell(change: Partial<TranscribingNow>): void {
    Object.assign(this, change);
    this.options.onChange();
  }
}
