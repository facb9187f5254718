import { batch, signal } from '@preact/signals';

export interface Progress {
  /** From 0 to 1. */
  readonly part: number;
  /** Localized. */
  readonly text: string;
}

/** Loads what a page shows. If several runs overlap, only the last one counts. */
export class Loading {
  /** The current progress; `undefined` while nothing is loading. */
  readonly progress = signal<Progress | undefined>(undefined);

  private begun = 0;

  constructor(private readonly fail: (error: unknown) => void) {}

  /** Reads and then shows the result. What `show` sets synchronously is drawn together with the end of the loading. Never rejects. */
  async run<Found>(
    read: (options: { readonly onChunk: (progress: Progress) => void }) => Promise<Found>,
    show: (found: Found) => void | Promise<void>,
  ): Promise<void> {
    const mine = ++this.begun;
    const isCurrent = () => mine === this.begun;
    this.progress.value = { part: 0, text: '' };
    const onChunk = (progress: Progress) => {
      if (isCurrent()) this.progress.value = progress;
    };
    try {
      const found = await read({ onChunk });
      if (!isCurrent()) return;
      await batch(() => {
        this.progress.value = undefined;
        return show(found);
      });
    } catch (error) {
      if (isCurrent()) this.fail(error);
    } finally {
      if (isCurrent()) this.progress.value = undefined;
    }
  }
}
