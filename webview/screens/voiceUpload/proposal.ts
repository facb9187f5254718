import { batch, signal } from '@preact/signals';

export interface ProposalParts {
  readonly text: () => string;
  /** Must save the text before it returns. */
  readonly write: (text: string) => void;
  readonly onTaken: (id: string) => void;
}

/** A transcript by a model, which replaces the typed text until that is undone. */
export class Proposal {
  /** The text before; `undefined` if there is nothing to undo. */
  readonly before = signal<string | undefined>(undefined);
  private proposed = '';
  private taken = '';

  constructor(private readonly parts: ProposalParts) {}

  /** Applies a transcript, unless it was applied before. */
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

  /** Whether the transcript can be undone: not any more once the user has edited it. */
  isShown(text: string): boolean {
    return this.before.value !== undefined && text === this.proposed;
  }

  undo(): void {
    const { value } = this.before;
    this.before.value = undefined;
    if (value !== undefined) this.parts.write(value);
  }
}
