import { isApiError } from '../../../core/api/errors';
import type { Speeches } from '../../../core/api/speech/speech';
import type { SpeechRequest } from '../../../core/api/speech/speech.schema';
import { gatherSpeech, hearSpeech } from '../../../core/voices/speechAnswer';
import type { HeardSpeech } from '../../../core/voices/speechAnswer';
import type { Activity } from '../../../platform/activity';
import type { Disposable } from '../../../platform/disposables';
import type { Asset, MediaAssets } from '../../../services/media/media';

/** The outcome of a request. */
export type SpeechOutcome =
  | { readonly kind: 'kept'; readonly asset: Asset; readonly ending: SpeechEnding }
  /** The response has no audible content. */
  | { readonly kind: 'nothing'; readonly ending: SpeechEnding; readonly why: NoSpeech; readonly bytes: number }
  /** Received but not saved: held in memory until it is, and no other request is sent before. */
  | { readonly kind: 'notKept'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown; readonly request: SpeechRequest };

export type NoSpeech = Extract<HeardSpeech, { readonly kind: 'other' }>['why'];

export type SpeechEnding =
  | { readonly by: 'itself' }
  /** Stopped by the user. */
  | { readonly by: 'stop' }
  /** Cut at the size limit. */
  | { readonly by: 'bound' }
  | { readonly by: 'fault'; readonly error: unknown };

export interface SpeakingOptions {
  readonly openService: () => Promise<{ readonly speech: Pick<Speeches, 'create'>; readonly address: string }>;
  readonly keep: MediaAssets['keep'];
  readonly activity: Activity;
  /** Runs a paid request and records its cost. */
  readonly measure: (request: SpeechRequest, work: () => Promise<SpeechOutcome>) => Promise<SpeechOutcome>;
  /** Label of the activity. */
  readonly label: () => string;
  readonly onChange: () => void;
}

/** Runs one speech request at a time, and keeps the outcome of the last one. */
export interface Speaking extends Disposable {
  readonly running: { readonly startedAt: number; readonly bytes: number } | undefined;
  readonly outcome: SpeechOutcome | undefined;
  /** Sends a request unless one is running. Saves held speech first; if that fails, sends nothing. Resolves when done; never rejects. */
  speak(request: SpeechRequest): Promise<void>;
  stop(): void;
  /** Saves speech that could not be saved before. */
  keepAgain(): Promise<void>;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly recipe: Parameters<MediaAssets['keep']>[1];
  readonly ending: SpeechEnding;
}

export function createSpeaking(options: SpeakingOptions): Speaking {
  return new SpeakingNow(options);
}

class SpeakingNow implements Speaking {
  running: Speaking['running'];
  outcome: SpeechOutcome | undefined;
  private ending: AbortController | undefined;
  private held: Held | undefined;

  constructor(private readonly options: SpeakingOptions) {}

  async speak(request: SpeechRequest): Promise<void> {
    if (this.ending) return;
    const ending = (this.ending = new AbortController());
    try {
      await this.keepAgain();
      if (!this.held) await this.speakNow(request, ending.signal);
    } finally {
      this.ending = undefined;
    }
  }

  stop(): void {
    this.ending?.abort();
  }

  async keepAgain(): Promise<void> {
    const { held } = this;
    if (held) this.tell({ outcome: await this.keep(held) });
  }

  dispose(): void {
    this.stop();
  }

  private async speakNow(request: SpeechRequest, signal: AbortSignal): Promise<void> {
    const { activity, label, measure } = this.options;
    this.tell({ running: { startedAt: Date.now(), bytes: 0 }, outcome: undefined });
    const work = activity.start(label(), { paid: true });
    let outcome: SpeechOutcome;
    try {
      outcome = await measure(request, () => this.ask(request, signal));
    } catch (error) {
      outcome = wasStopped(error, signal)
        ? { kind: 'nothing', ending: { by: 'stop' }, why: 'empty', bytes: 0 }
        : { kind: 'failed', error, request };
    }
    work.dispose();
    this.tell({ running: undefined, outcome });
  }

  private async ask(request: SpeechRequest, signal: AbortSignal): Promise<SpeechOutcome> {
    const { speech, address } = await this.options.openService();
    const { body } = await speech.create(request, signal);
    const { bytes, cutBy, isOver } = await gatherSpeech(body, (count) => {
      if (this.running) this.tell({ running: { ...this.running, bytes: count } });
    });
    const ending = endingOf(cutBy, isOver, signal);
    const heard = await hearSpeech(bytes, request);
    if (heard.kind === 'other') return { kind: 'nothing', ending, why: heard.why, bytes: bytes.byteLength };
    return this.keep({ bytes, ending, recipe: { kind: 'speech', request, service: address } });
  }

  private async keep(held: Held): Promise<SpeechOutcome> {
    try {
      const asset = await this.options.keep(held.bytes, held.recipe);
      this.held = undefined;
      return { kind: 'kept', asset, ending: held.ending };
    } catch (error) {
      this.held = held;
      return { kind: 'notKept', error };
    }
  }

  private tell(change: Partial<SpeakingNow>): void {
    Object.assign(this, change);
    this.options.onChange();
  }
}

function wasStopped(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted && isApiError(error) && error.kind === 'aborted';
}

function endingOf(cutBy: unknown, isOver: boolean, signal: AbortSignal): SpeechEnding {
  if (isOver) return { by: 'bound' };
  if (cutBy === undefined) return { by: 'itself' };
  return wasStopped(cutBy, signal) ? { by: 'stop' } : { by: 'fault', error: cutBy };
}
