import { batch, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type {
  EvalChoiceOfSide,
  EvalPoints,
  EvalResultsScreen,
  EvalReview,
  EvalReviewItem,
  EvalReviewResult,
  EvalScale,
} from '../../../src/protocol/evalResults';
import type { Host } from '../../host';
import { pageNumber } from '../../components/pageLanguage';
import type { EvalSession } from './session';

/** Longer pauses don't count as time spent on a row. */
const mostSeconds = 600;
/** The newest ones are saved. */
const mostDrafts = 500;

type Drafts = EvalResultsScreen['state']['drafts'];

/** The state of a blind review, and its calls to the host. A rating is stored before the next row is shown. */
export class ReviewSession {
  readonly progress = signal<EvalReview | undefined>(undefined);
  readonly item = signal<EvalReviewItem | undefined>(undefined);
  /** Set once all rows are rated, and none is viewed again. */
  readonly result = signal<EvalReviewResult | undefined>(undefined);
  /** There is nothing to review. */
  readonly isEmpty = signal(false);
  readonly note = signal('');
  readonly showsExpected = signal(false);
  readonly showsDifference = signal(false);
  readonly showsKeys = signal(false);
  readonly scale = signal<EvalScale>('better');
  /** Points of the left answer, until the right one has some too. */
  readonly leftPoints = signal<number | undefined>(undefined);
  private size: number;
  private shownAt = 0;
  private isBusy = false;
  /** Counts the reviews that were started, because pending calls of an earlier one must not change a later one. */
  private round = 0;
  /** Notes that are not stored with a rating yet, by the key of their item. */
  private readonly drafts: Map<string, string>;
  /** Resolves once the note that is being stored is. */
  private storing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: EvalSession,
    private readonly host: Host<EvalResultsScreen>,
    { size, scale, drafts }: { readonly size: number; readonly scale: EvalScale; readonly drafts: Drafts },
  ) {
    this.size = size;
    this.scale.value = scale;
    this.drafts = new Map(Object.entries(drafts));
  }

  get saved(): { readonly size: number; readonly scale: EvalScale; readonly drafts: Drafts } {
    return {
      size: this.size,
      scale: this.scale.peek(),
      drafts: Object.fromEntries([...this.drafts].slice(-mostDrafts)),
    };
  }

  /** Shows the first row that is not rated yet. */
  async begin(): Promise<void> {
    const round = ++this.round;
    // Until the new review is loaded, nothing can be rated, because the host might have another row at the same index by then.
    this.clear();
    await this.session.attempt(
      async () => {
        const { review } = await this.host.call('eval/review', { size: this.size, scale: this.scale.peek() });
        if (round !== this.round) return;
        this.isEmpty.value = review === undefined;
        if (review) await this.advance(review);
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

  /** Rates by another scale. Ratings by the one before are kept. */
  async rateBy(scale: EvalScale): Promise<void> {
    this.scale.value = scale;
    this.session.save();
    await this.begin();
  }

  /** Gives points to the left answer, or then to the right one, which completes the rating. */
  async givePoints(points: number): Promise<void> {
    const left = this.leftPoints.peek();
    if (!this.item.peek()) return;
    if (left === undefined) {
      this.leftPoints.value = points;
      this.session.say(l10n.t('Left: {0}', pageNumber(points)));
      return;
    }
    await this.rate(left > points ? 'left' : left < points ? 'right' : 'tie', { left, right: points });
  }

  /** Stores a rating with the note, and shows the next row. */
  async rate(choice: EvalChoiceOfSide, points: EvalPoints | null = null): Promise<void> {
    const item = this.item.peek();
    if (!item) return;
    await this.once(async (isCurrent) => {
      const review = await this.store(item, choice, points);
      if (isCurrent()) await this.advance(review, item.index + 1);
    });
  }

  /** Stores the note of a row that is rated already; that of another row is stored with its rating. */
  async keepNote(): Promise<void> {
    const item = this.item.peek();
    const { round } = this;
    if (!item?.choice || !this.drafts.has(item.key) || this.isBusy) return;
    const { choice, points } = item;
    const before = this.storing;
    this.storing = (async () => {
      await before;
      if (round !== this.round || !this.drafts.has(item.key)) return;
      await this.session.attempt(async () => {
        const review = await this.store(item, choice, points);
        if (round === this.round) this.progress.value = review;
      });
    })();
    await this.storing;
  }

  /** Takes the rating of this row back, or else that of the row before, which is shown then. */
  async undo(): Promise<void> {
    if (this.leftPoints.peek() !== undefined) {
      this.leftPoints.value = undefined;
      return;
    }
    await this.once(async (isCurrent) => {
      const shown = this.item.peek();
      const before = shown ? shown.index - 1 : (this.progress.peek()?.count ?? 0) - 1;
      const index = shown && shown.choice !== null ? shown.index : before;
      if (index < 0) return;
      const { review, key, note } = await this.host.call('eval/undo', { index });
      // The host forgets the note with its rating, but the user wants to take back only the rating.
      if (note !== '' && !this.drafts.has(key)) this.setDraft(key, note);
      if (isCurrent()) await this.show(index, review);
    });
  }

  async move(by: 1 | -1): Promise<void> {
    await this.once(async () => {
      const count = this.progress.peek()?.count ?? 0;
      const index = (this.item.peek()?.index ?? count) + by;
      if (index >= 0 && index < count) await this.show(index);
    });
  }

  /** Writes a note, which is stored with the rating. */
  write(note: string): void {
    const { key } = this.item.peek() ?? {};
    this.note.value = note;
    if (key !== undefined) this.setDraft(key, note);
  }

  private setDraft(key: string, note: string): void {
    this.drafts.delete(key);
    this.drafts.set(key, note);
    this.session.save();
  }

  private clear(): void {
    batch(() => {
      this.progress.value = undefined;
      this.item.value = undefined;
      this.result.value = undefined;
      this.isEmpty.value = false;
      this.leftPoints.value = undefined;
      this.note.value = '';
    });
  }

  private async store(
    { key, index, note: stored }: EvalReviewItem,
    choice: EvalChoiceOfSide,
    points: EvalPoints | null,
  ): Promise<EvalReview> {
    const seconds = Math.min(mostSeconds, Math.max(0, (performance.now() - this.shownAt) / 1000));
    const isShown = this.item.peek()?.key === key;
    const note = isShown ? this.note.peek() : (this.drafts.get(key) ?? stored);
    const review = await this.host.call('eval/rate', {
      index,
      choice,
      points,
      note: note.trim(),
      seconds,
    });
    // Text typed in the meantime isn't stored yet.
    if (this.drafts.get(key) === note) this.drafts.delete(key);
    this.session.save();
    return review;
  }

  /** Shows the next unrated row, from an index on, or the result if there is none. */
  private async advance(review: EvalReview, from = review.next): Promise<void> {
    if (review.next < 0) {
      const { round } = this;
      const result = await this.host.call('eval/reviewResult', {});
      if (round !== this.round) return;
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
    const { round } = this;
    const item = await this.host.call('eval/reviewItem', { index });
    if (round !== this.round) return;
    batch(() => {
      this.progress.value = review;
      this.result.value = undefined;
      this.item.value = item;
      this.leftPoints.value = undefined;
      this.showsExpected.value = false;
      this.note.value = this.drafts.get(item.key) ?? item.note;
    });
    this.shownAt = performance.now();
    this.session.say(
      l10n.t('Row {0} of {1}', pageNumber(index + 1), pageNumber(this.progress.peek()?.count ?? index + 1)),
    );
  }

  /**
   * Waits for a note that is being stored. Otherwise keys during a call, or before the first row is loaded, are ignored, so that no rating
   * goes to an unseen row.
   */
  private async once(work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const { round } = this;
    const isCurrent = () => round === this.round;
    await this.storing;
    const isReady = this.item.peek() !== undefined || this.result.peek() !== undefined;
    if (this.isBusy || !isReady || !isCurrent()) return;
    this.isBusy = true;
    try {
      await this.session.attempt(() => work(isCurrent));
    } finally {
      this.isBusy = false;
    }
  }
}
