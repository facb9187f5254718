import { batch, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type {
  EvalChoiceOfSide,
  EvalResultsScreen,
  EvalReview,
  EvalReviewItem,
  EvalReviewResult,
} from '../../../src/protocol/evalResults';
import type { Host } from '../../host';
import { pageNumber } from '../../components/pageLanguage';
import type { EvalSession } from './session';

/** Longer pauses are no time spent on a row. */
const mostSeconds = 600;

interface Draft {
  readonly index: number;
  readonly text: string;
}

/** The state of a blind review, and its calls to the host. A rating is stored before the next row is shown. */
export class ReviewSession {
  readonly progress = signal<EvalReview | undefined>(undefined);
  readonly item = signal<EvalReviewItem | undefined>(undefined);
  /** Set once all rows are rated, and none is looked at again. */
  readonly result = signal<EvalReviewResult | undefined>(undefined);
  /** There is nothing to review. */
  readonly isEmpty = signal(false);
  readonly note = signal('');
  readonly showsExpected = signal(false);
  readonly showsDifference = signal(false);
  readonly showsKeys = signal(false);
  private size: number;
  private shownAt = 0;
  private isBusy = false;
  /** Notes that are not stored with a rating yet, by the index of their item. */
  private readonly drafts = new Map<number, string>();
  private lastDraft: Draft | null;

  constructor(
    private readonly session: EvalSession,
    private readonly host: Host<EvalResultsScreen>,
    { size, draft }: { readonly size: number; readonly draft: Draft | null },
  ) {
    this.size = size;
    this.lastDraft = draft;
    if (draft) this.drafts.set(draft.index, draft.text);
  }

  get saved(): { readonly size: number; readonly draft: Draft | null } {
    return { size: this.size, draft: this.lastDraft };
  }

  /** Shows the first row that is not rated yet. */
  async begin(): Promise<void> {
    await this.session.attempt(
      async () => {
        const { review } = await this.host.call('eval/review', { size: this.size });
        this.isEmpty.value = review === undefined;
        if (!review) return;
        await this.advance(review);
      },
      () => this.begin(),
    );
  }

  /** Reviews more rows than before. */
  async more(): Promise<void> {
    this.size = (this.progress.peek()?.count ?? 0) + 60;
    this.session.save();
    await this.begin();
  }

  /** Stores a rating with the note, and shows the next row. */
  async rate(choice: EvalChoiceOfSide): Promise<void> {
    const { index } = this.item.peek() ?? {};
    if (index === undefined) return;
    await this.once(async () => this.advance(await this.store(index, choice), index + 1));
  }

  /** Stores the note of a row that is rated already; that of another row is stored with its rating. */
  async keepNote(): Promise<void> {
    const { item } = this;
    const { index, choice } = item.peek() ?? {};
    if (index === undefined || !choice || !this.drafts.has(index)) return;
    await this.once(async () => {
      this.progress.value = await this.store(index, choice);
    });
  }

  private async store(index: number, choice: EvalChoiceOfSide): Promise<EvalReview> {
    const seconds = Math.min(mostSeconds, Math.max(0, (performance.now() - this.shownAt) / 1000));
    const review = await this.host.call('eval/rate', { index, choice, note: this.note.peek().trim(), seconds });
    this.drafts.delete(index);
    this.lastDraft = null;
    this.session.save();
    return review;
  }

  /** Takes the rating of this row back, or else that of the row before, which is shown then. */
  async undo(): Promise<void> {
    const { item, progress } = this;
    const shown = item.peek();
    const before = shown ? shown.index - 1 : (progress.peek()?.count ?? 0) - 1;
    const index = shown && shown.choice !== null ? shown.index : before;
    if (index < 0) return;
    await this.once(async () => {
      await this.show(index, await this.host.call('eval/undo', { index }));
    });
  }

  async move(by: 1 | -1): Promise<void> {
    const count = this.progress.peek()?.count ?? 0;
    const index = (this.item.peek()?.index ?? count) + by;
    if (index >= 0 && index < count) await this.once(() => this.show(index));
  }

  /** Writes a note, which is stored with the rating. */
  write(note: string): void {
    const { index } = this.item.peek() ?? {};
    this.note.value = note;
    if (index === undefined) return;
    this.drafts.set(index, note);
    this.lastDraft = { index, text: note };
    this.session.save();
  }

  /** Shows the next row that is not rated, from an index on; the result if there is none. */
  private async advance(review: EvalReview, from = review.next): Promise<void> {
    if (review.next < 0) {
      const result = await this.host.call('eval/reviewResult', {});
      batch(() => {
        this.progress.value = review;
        this.result.value = result;
        this.item.value = undefined;
      });
      this.session.say(l10n.t('All rows are rated'));
      return;
    }
    const index = from < review.count && from > review.next ? from : review.next;
    await this.show(index, review);
  }

  /** The count changes with the row that it counts. */
  private async show(index: number, review = this.progress.peek()): Promise<void> {
    const item = await this.host.call('eval/reviewItem', { index });
    batch(() => {
      this.progress.value = review;
      this.result.value = undefined;
      this.item.value = item;
      this.showsExpected.value = false;
      this.note.value = this.drafts.get(index) ?? item.note;
    });
    this.shownAt = performance.now();
    this.session.say(
      l10n.t('Row {0} of {1}', pageNumber(index + 1), pageNumber(this.progress.peek()?.count ?? index + 1)),
    );
  }

  /** Keys that come while a call is under way are left out, so that no rating goes to a row that wasn't seen. */
  private async once(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await this.session.attempt(work);
    } finally {
      this.isBusy = false;
    }
  }
}
