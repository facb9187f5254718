import { isApiError } from '../../../core/api/errors';
import type { SpeechRequest } from '../../../core/api/speech/speech.schema';
import { gatherSpeech, hearSpeech } from '../../../core/voices/speechAnswer';
import type { HeardSpeech } from '../../../core/voices/speechAnswer';
import type { Disposable } from '../../../platform/disposables';
import type { CurrentAccount } from '../../../services/account/account';
import type { Asset, MediaAssets } from '../../../services/media/media';
import type { Services } from '../../../services/services';

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

interface Held {
  readonly bytes: Uint8Array;
  readonly recipe: Parameters<MediaAssets['keep']>[1];
  readonly ending: SpeechEnding;
}

/** Runs one speech request at a time, and keeps the outcome of the last one. */
export class Speaking implements Disposable {
  running: { readonly startedAt: number; readonly bytes: number } | undefined;
  outcome: SpeechOutcome | undefined;
  private ending: AbortController | undefined;
  private held: Held | undefined;

  /** `label`: of the activity. */
  constructor(
    private readonly services: Services,
    private readonly label: () => string,
    private readonly onChange: () => void,
  ) {}

  /** Sends a request unless one is running. Saves held speech first; if that fails, sends nothing. Resolves when done; never rejects. */
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

  /** Saves speech that could not be saved before. */
  async keepAgain(): Promise<void> {
    const { held } = this;
    if (held) this.tell({ outcome: await this.keep(held) });
  }

  dispose(): void {
    this.stop();
  }

  private async speakNow(request: SpeechRequest, signal: AbortSignal): Promise<void> {
    const { account, activity } = this.services;
    this.tell({ running: { startedAt: Date.now(), bytes: 0 }, outcome: undefined });
    // The account may be switched before the request is sent.
    const { current } = account;
    const work = activity.start(this.label(), {
      kind: 'speech',
      profileId: current.profile?.id,
      paid: true,
      expected: () => [{ model: request.model, piece: 'clip', count: 1 }],
    });
    let outcome: SpeechOutcome;
    try {
      outcome = await this.measured(request, current, signal);
    } catch (error) {
      outcome = wasStopped(error, signal)
        ? { kind: 'nothing', ending: { by: 'stop' }, why: 'empty', bytes: 0 }
        : { kind: 'failed', error, request };
    }
    work.dispose();
    this.tell({ running: undefined, outcome });
  }

  /** Records the cost of the request. */
  private measured(request: SpeechRequest, current: CurrentAccount, signal: AbortSignal): Promise<SpeechOutcome> {
    const { costs } = this.services;
    const paid = (outcome: SpeechOutcome) =>
      outcome.kind === 'kept'
        ? ({ kind: 'speech', model: request.model, count: 1, of: outcome.asset.path } as const)
        : 'unsure';
    const expected = { piece: 'clip', model: request.model, count: 1 } as const;
    return costs.around(current.id, () => this.ask(request, current, signal), paid, expected);
  }

  private async ask(request: SpeechRequest, current: CurrentAccount, signal: AbortSignal): Promise<SpeechOutcome> {
    const { speech } = await current.client();
    const { baseUrl = '' } = current;
    const { body, ids } = await speech.create(request, signal);
    const { bytes, cutBy, isOver } = await gatherSpeech(body, (count) => {
      if (this.running) this.tell({ running: { ...this.running, bytes: count } });
    });
    const ending = endingOf(cutBy, isOver, signal);
    const heard = await hearSpeech(bytes, request);
    if (heard.kind === 'other') return { kind: 'nothing', ending, why: heard.why, bytes: bytes.byteLength };
    return this.keep({ bytes, ending, recipe: { kind: 'speech', request, service: baseUrl, ...ids } });
  }

  private async keep(held: Held): Promise<SpeechOutcome> {
    try {
      const asset = await (await this.services.media()).assets.keep(held.bytes, held.recipe);
      this.held = undefined;
      return { kind: 'kept', asset, ending: held.ending };
    } catch (error) {
      this.held = held;
      return { kind: 'notKept', error };
    }
  }

  private tell(change: Partial<Speaking>): void {
    Object.assign(this, change);
    this.onChange();
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
