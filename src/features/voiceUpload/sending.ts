import { isApiError } from '../../core/api/errors';
import { mayHaveArrived } from '../../core/api/lostAnswer';
import type { Voice, VoiceRequest } from '../../core/api/voices/voices.schema';
import type { Voices } from '../../core/api/voices/voices';
import { findSent, voicesNamed } from '../../core/voices/voiceNames';
import type { SentVoice } from '../../core/voices/voiceNames';

export interface SendStep {
  /** `looking`: which voices there are; `asking`: what became of an upload without an answer. */
  readonly step: 'looking' | 'uploading' | 'asking';
  /** Bytes. */
  readonly done?: number;
  readonly total?: number;
}

export type SendState =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly at: SendStep }
  /** Nothing was sent: others have the name. */
  | { readonly kind: 'named'; readonly voices: readonly Voice[] }
  /** `isFound`: its answer was lost, and the list has it. */
  | { readonly kind: 'created'; readonly uri: string; readonly isFound: boolean }
  /** `isLost`: no answer came, and the list does not have it. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isLost: boolean }
  /** No answer came, and the list could not be read. `error`: of the list. */
  | { readonly kind: 'unknown'; readonly error: unknown };

export interface VoiceUploadTask {
  readonly voice: Omit<SentVoice, 'before'>;
  readonly sample: () => Promise<VoiceRequest['sample']>;
  readonly evenIfNamed: boolean;
  /** Of the account of a profile, which need not be the active one. */
  readonly voices: (profileId: string) => Promise<Pick<Voices, 'list' | 'upload'>>;
}

export interface SendParts {
  readonly onChange: () => void;
  /** Keeps over a reload what may have arrived; `undefined`: nothing is open any more. */
  readonly remember: (sent: SentVoice | undefined) => Promise<void>;
}

/** Uploads the voice of a page, and finds out what became of it. It never uploads twice what may have arrived without a look at the list. */
export class Sending {
  private current: SendState = { kind: 'none' };
  private running: AbortController | undefined;
  /** Sent without an answer. */
  private lost: SentVoice | undefined;

  constructor(private readonly parts: SendParts) {}

  get state(): SendState {
    return this.current;
  }

  /** Resolves when it is known what became of it, however it ended. */
  async send(order: VoiceUploadTask): Promise<void> {
    if (this.running) return;
    const running = (this.running = new AbortController());
    try {
      await this.run(order, running.signal);
    } catch (error) {
      // Nothing was sent.
      this.set(running.signal.aborted ? { kind: 'none' } : { kind: 'failed', error, isLost: false });
    } finally {
      this.running = undefined;
    }
  }

  /** Goes on with what was sent before a reload, or without an answer. */
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

  /** What is shown of the last upload has been seen to. What is not known yet stays. */
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

  /** Looks for a voice whose answer did not come. It is asked also where the person called it back. */
  private async ask(
    sent: SentVoice,
    voices: VoiceUploadTask['voices'],
    { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  ): Promise<void> {
    this.set({ kind: 'sending', at: { step: 'asking' } });
    const isStopped = signal.aborted;
    try {
      // What was stopped is looked for all the same; a second stop ends that.
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
    await this.keep(undefined);
    this.set({ kind: 'created', uri, isFound });
  }

  private async keep(sent: SentVoice | undefined): Promise<void> {
    this.lost = sent;
    await this.parts.remember(sent);
  }

  private set(state: SendState): void {
    this.current = state;
    this.parts.onChange();
  }
}

/** A service without a list has nothing to look at. */
async function listOf({ list }: Pick<Voices, 'list'>, signal: AbortSignal): Promise<readonly Voice[]> {
  return list(signal).catch((error: unknown) => {
    if (isApiError(error) && error.kind === 'notOffered') return [];
    throw error;
  });
}
