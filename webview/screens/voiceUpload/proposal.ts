import { batch, signal } from '@preact/signals';

export interface ProposalParts {
  readonly text: () => string;
  /** Kept when it returns. */
  readonly write: (text: string) => void;
  readonly onTaken: (id: string) => void;
}

/** The text a model heard, which takes the place of what was written, and gives it back. */
export class Proposal {
  /** What was written before; `undefined` where there is nothing to undo. */
  readonly before = signal<string | undefined>(undefined);
  private proposed = '';
  private taken = '';

  constructor(private readonly parts: ProposalParts) {}

  /** Nothing where it was taken before. */
  take({ id, text }: { readonly id: string; readonly text: string }): void {
    if (id === this.taken) return;
    this.taken = id;
    batch(() => {
      this.before.value = this.parts.text();
      this.proposed = text;
      this.parts.write(text);
    });
    this.parts.onTaken(id);
  }

  /** Nothing to undo any more once a person has written on. */
  isShown(text: string): boolean {
    return this.before.value !== undefined && text === this.proposed;
  }

  undo(): void {
    const { value } = this.before;
    this.before.value = undefined;
    if (value !== undefined) this.parts.write(value);
  }
}
