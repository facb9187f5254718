import { signal } from '@preact/signals';

const stepSeconds = 1;

/** Playback state of the recording, and seeking in it. */
export class Player {
  /** In seconds; 0 until the length is known. */
  readonly length = signal(0);
  readonly at = signal(0);
  readonly isPlaying = signal(false);
  readonly isBroken = signal(false);
  private element: HTMLAudioElement | undefined;
  private frame = 0;

  /** Pass this as the `ref` of the element. */
  readonly attach = (element: HTMLAudioElement | null): void => {
    cancelAnimationFrame(this.frame);
    this.element = element ?? undefined;
    if (!element) return;
    const listen = (name: keyof HTMLMediaElementEventMap, run: () => void) => element.addEventListener(name, run);
    listen('loadedmetadata', () => this.look());
    listen('durationchange', () => this.look());
    listen('timeupdate', () => this.look());
    listen('seeked', () => this.look());
    listen('play', () => this.follow());
    listen('pause', () => this.look());
    listen('ended', () => this.look());
    listen('error', () => (this.isBroken.value = true));
    listen('loadeddata', () => (this.isBroken.value = false));
  };

  /** Sets the length, because a decoder knows it better than a header. */
  measure(seconds: number): void {
    this.length.value = seconds;
  }

  seek(seconds: number): void {
    if (!this.element) return;
    const to = Math.min(Math.max(0, seconds), this.length.value);
    this.element.currentTime = to;
    this.at.value = to;
  }

  toggle(): void {
    const { element } = this;
    if (!element) return;
    if (element.paused) void element.play().catch(() => (this.isBroken.value = true));
    else element.pause();
  }

  /** Handles a key that seeks, plays or pauses. Returns false for any other key. */
  onKey(key: string): boolean {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.seek(this.at.value - stepSeconds),
      ArrowDown: () => this.seek(this.at.value - stepSeconds),
      ArrowRight: () => this.seek(this.at.value + stepSeconds),
      ArrowUp: () => this.seek(this.at.value + stepSeconds),
      Home: () => this.seek(0),
      End: () => this.seek(this.length.value),
      ' ': () => this.toggle(),
      Enter: () => this.toggle(),
    };
    const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
    move?.();
    return move !== undefined;
  }

  private look(): void {
    const { element } = this;
    if (!element) return;
    if (this.length.value === 0 && Number.isFinite(element.duration)) this.length.value = element.duration;
    this.at.value = element.currentTime;
    this.isPlaying.value = !element.paused && !element.ended;
  }

  /** Updates the position in every frame, because the element reports it only four times a second. */
  private follow(): void {
    this.look();
    cancelAnimationFrame(this.frame);
    if (this.isPlaying.value) this.frame = requestAnimationFrame(() => this.follow());
  }
}
