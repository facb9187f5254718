import { isApiError } from '../../../core/api/errors';
import { mayHaveArrived } from '../../../core/api/errorKinds';
import type { Voice, VoiceRequest } from '../../../core/api/voices/voices.schema';
import type { Voices } from '../../../core/api/voices/voices';
import { findSent, voicesNamed } from '../../../core/voices/voiceNames';
import type { SentVoice } from '../../../core/voices/voiceNames';

export interface SendStep {
  /** `looking`: listing existing voices; `asking`: checking whether an upload without a response arrived. */
  readonly step: 'looking' | 'uploading' | 'asking';
  /** Bytes. */
  readonly done?: number;
  readonly total?: number;
}

export type SendState =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly at: SendStep }
  /** No request was sent, because other voices have the same name. */
  | { readonly kind: 'named'; readonly voices: readonly Voice[] }
  /** `isFound`: the response was lost, but the voice is in the list. */
  | { readonly kind: 'created'; readonly uri: string; readonly isFound: boolean }
  /** `isLost`: there was no response, and the voice is not in the list. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isLost: boolean }
  /** There was no response, and the list could not be read. `error`: why the list could not be read. */
  | { readonly kind: 'unknown'; readonly error: unknown };

export interface VoiceUploadTask {
  readonly voice: Omit<SentVoice, 'before'>;
  readonly sample: () => Promise<VoiceRequest['sample']>;
  readonly evenIfNamed: boolean;
  /** Returns the voices API of a profile, which need not be the active one. */
  readonly voices: (profileId: string) => Promise<Voices>;
}

/** Uploads the voice of a page and finds out the outcome. Never repeats an upload that may have arrived without checking the list. */
export class Sending {
  private current: SendState = { kind: 'none' };
  private running: AbortController | undefined;
  /** An upload without a response. */
  private lost: SentVoice | undefined;

  /** `remember` stores an upload that might have arrived, so that it survives a reload. `undefined` clears it. */
  constructor(
    private readonly onChange: () => void,
    private readonly remember: (sent: SentVoice | undefined) => Promise<void>,
  ) {}

  get state(): SendState {
    return this.current;
  }

  /** Resolves when the outcome is known, whatever it is. */
  async send(task: VoiceUploadTask): Promise<void> {
    if (this.running) return;
    const running = (this.running = new AbortController());
    try {
      await this.run(task, running.signal);
    } catch (error) {
      // Nothing was sent.
      this.set(running.signal.aborted ? { kind: 'none' } : { kind: 'failed', error, isLost: false });
    } finally {
      this.running = undefined;
    }
  }

  /** Checks whether an upload arrived that a reload interrupted, or that got no response. */
  async lookFor(sent: SentVoice | undefined, voices: VoiceUploadTask['voices']): Promise<void> {
    this.lost = sent ?? this.lost;
    if (!this.lost || this.running) return;
    const running = (this.running = new AbortController());
    try {
      await this.ask(this.lost, voices, { error: undefined, signal: running.signal });
    } finally {
      this.running = undefined;
    }
  }

  stop(): void {
    this.running?.abort();
  }

  /** Clears the outcome of the last upload, unless it is still unknown. */
  clear(): void {
    if (this.current.kind !== 'sending' && this.current.kind !== 'unknown') this.set({ kind: 'none' });
  }

  private async run({ voice, sample, evenIfNamed, voices }: VoiceUploadTask, signal: AbortSignal): Promise<void> {
    this.set({ kind: 'sending', at: { step: 'looking' } });
    const service = await voices(voice.profileId);
    const listed = await listOf(service, signal);
    const arrived = this.lost?.profileId === voice.profileId && findSent(this.lost, listed);
    if (arrived && this.lost?.name === voice.name && this.lost.text === voice.text) return this.end(arrived.uri, true);
    const named = voicesNamed(voice.name, listed);
    if (named.length > 0 && !evenIfNamed) return this.set({ kind: 'named', voices: named });
    const bytes = await sample();
    signal.throwIfAborted();
    const sent = { ...voice, before: listed.map(({ uri }) => uri) };
    await this.keep(sent);
    this.set({ kind: 'sending', at: { step: 'uploading' } });
    const onProgress = (done: number, total: number) =>
      this.set({ kind: 'sending', at: { step: 'uploading', done, total } });
    const { name: customName, text, model } = voice;
    const request = { model, customName, text, sample: bytes, onProgress };
    const answer = await service.upload(request, signal).then(
      ({ uri }) => ({ uri }),
      (error: unknown) => ({ error }),
    );
    if ('uri' in answer) return this.end(answer.uri, false);
    if (mayHaveArrived(answer.error)) return this.ask(sent, voices, { error: answer.error, signal });
    await this.keep(undefined);
    return this.set({ kind: 'failed', error: answer.error, isLost: false });
  }

  /** Looks in the list for a voice whose upload got no response, even if the user stopped it. */
  private async ask(
    sent: SentVoice,
    voices: VoiceUploadTask['voices'],
    { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  ): Promise<void> {
    this.set({ kind: 'sending', at: { step: 'asking' } });
    const isStopped = signal.aborted;
    try {
      // Check a stopped upload all the same; a second stop aborts that.
      const looking = isStopped ? (this.running = new AbortController()).signal : signal;
      const found = findSent(sent, await (await voices(sent.profileId)).list(looking));
      if (found) return await this.end(found.uri, true);
      if (isStopped) {
        await this.keep(undefined);
        return this.set({ kind: 'none' });
      }
      return this.set({ kind: 'failed', error, isLost: true });
    } catch (listError) {
      return this.set({ kind: 'unknown', error: error ?? listError });
    }
  }

  private async end(uri: string, isFound: boolean): Promise<void> {
    // The voice exists, whether or not that is saved: after a reload the list has it.
    await this.keep(undefined).catch(() => undefined);
    this.set({ kind: 'created', uri, isFound });
  }

  private async keep(sent: SentVoice | undefined): Promise<void> {
    this.lost = sent;
    await this.remember(sent);
  }

  private set(state: SendState): void {
    this.current = state;
    this.onChange();
  }
}

/** Returns an empty list for a service that cannot list voices. */
async function listOf(service: Voices, signal: AbortSignal): Promise<readonly Voice[]> {
  return service.list(signal).catch((error: unknown) => {
    if (isApiError(error) && error.kind === 'notOffered') return [];
    throw error;
  });
}
