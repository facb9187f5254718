import type { Ref } from 'preact';
import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { EvalChoiceOfSide, EvalReviewItem, EvalScale } from '../../../src/protocol/evalResults';
import { PairList, Texts } from '../../components/detailsParts';
import { Icon } from '../../components/icon';
import { pageNumber } from '../../components/pageLanguage';
import { SelectField } from '../../components/selectField';
import { Pieces } from './pieces';
import type { ReviewSession } from './reviewSession';
import type { EvalSession } from './session';

interface Button {
  readonly key: string;
  readonly choice: EvalChoiceOfSide;
  readonly label: string;
}

function buttons(scale: EvalScale): readonly Button[] {
  if (scale === 'pass')
    return [
      { key: '1', choice: 'left', label: l10n.t('Left Passes, Right Fails') },
      { key: '0', choice: 'tie', label: l10n.t('Both Pass') },
      { key: 'B', choice: 'bad', label: l10n.t('Both Fail') },
      { key: '2', choice: 'right', label: l10n.t('Right Passes, Left Fails') },
    ];
  return [
    { key: '1', choice: 'left', label: l10n.t('Left Is Better') },
    { key: '0', choice: 'tie', label: l10n.t('Tie') },
    { key: 'B', choice: 'bad', label: l10n.t('Both Are Bad') },
    { key: '2', choice: 'right', label: l10n.t('Right Is Better') },
  ];
}

/** Two answers to a row at a time, without names, colors, or grades until the end. */
export function Review({ session }: { readonly session: EvalSession }) {
  const { review } = session;
  const item = review.item.value;
  const page = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLInputElement>(null);
  // The keys work from the start.
  useEffect(() => page.current?.focus(), []);
  // A button that is gone leaves the focus nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) page.current?.focus();
  }, [item, review.result.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    const key = event.key.toLowerCase();
    const scale = review.scale.peek();
    const button = scale === 'points' ? undefined : buttons(scale).find((one) => one.key.toLowerCase() === key);
    if (scale === 'points' && /^[1-5]$/.test(key)) void review.givePoints(Number(key));
    else if (button) void review.rate(button.choice);
    else if (key === 'n') note.current?.focus();
    else if (key === 'u') void review.undo();
    else if (key === 'j' || key === 'k') void review.move(key === 'j' ? 1 : -1);
    else if (key === 'e') review.showsExpected.value = !review.showsExpected.peek();
    else if (key === 'd') review.showsDifference.value = !review.showsDifference.peek();
    else if (key === '?') review.showsKeys.value = !review.showsKeys.peek();
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="eval-review"
      ref={page}
      tabIndex={0}
      role="region"
      aria-label={l10n.t('Blind review')}
      onKeyDown={onKeyDown}
    >
      <Progress review={review} />
      {review.showsKeys.value && <Keys scale={review.scale.value} />}
      {review.isEmpty.value && (
        <p class="eval-review-text eval-muted">
          {l10n.t('A blind review needs two variants with different responses.')}
        </p>
      )}
      {review.result.value && <Result session={session} facts={review.result.value.facts} />}
      {item && <Pair item={item} review={review} note={note} leave={() => page.current?.focus()} />}
    </div>
  );
}

interface RatingProps {
  readonly item: EvalReviewItem;
  readonly review: ReviewSession;
}

interface PairProps extends RatingProps {
  readonly note: Ref<HTMLInputElement>;
  /** Called when a note is complete: the keys work again. */
  readonly leave: () => void;
}

function Pair({ item, review, note, leave }: PairProps) {
  return (
    <>
      <h2 class="spoken">
        {l10n.t('Row {0} of {1}', pageNumber(item.index + 1), pageNumber(review.progress.value?.count ?? 0))}
      </h2>
      <Question item={item} review={review} />
      <div class="eval-panes">
        <Pane title={l10n.t('Left')} pieces={item.left} review={review} />
        <Pane title={l10n.t('Right')} pieces={item.right} review={review} />
      </div>
      {review.scale.value === 'points' ? (
        <Points item={item} review={review} />
      ) : (
        <Choices item={item} review={review} />
      )}
      <input
        ref={note}
        class="eval-note"
        type="text"
        dir="auto"
        maxLength={10_000}
        aria-label={l10n.t('Note')}
        placeholder={l10n.t('Note (N)')}
        value={review.note.value}
        onInput={({ currentTarget }) => review.write(currentTarget.value)}
        onBlur={() => void review.keepNote()}
        onKeyDown={({ key }) => (key === 'Enter' || key === 'Escape') && leave()}
      />
    </>
  );
}

function Choices({ item, review }: RatingProps) {
  return (
    <div class="eval-ratings" role="group" aria-label={l10n.t('Rating')}>
      {buttons(review.scale.value).map(({ key, choice, label }) => (
        <button
          type="button"
          class="eval-rating"
          key={key}
          aria-pressed={item.choice === choice}
          onClick={() => void review.rate(choice)}
        >
          <kbd>{key}</kbd> {label}
        </button>
      ))}
    </div>
  );
}

/** The points of the left response, then those of the right one. */
function Points({ item, review }: RatingProps) {
  const left = review.leftPoints.value;
  const given = left === undefined ? [item.points?.left, item.points?.right] : [left, undefined];
  const sides = [l10n.t('Left'), l10n.t('Right')];
  return (
    <div class="eval-ratings">
      {sides.map((side, place) => (
        <div class="eval-points" key={side} role="group" aria-label={side}>
          {[1, 2, 3, 4, 5].map((points) => (
            <button
              type="button"
              class="eval-rating"
              key={points}
              aria-label={`${side} ${pageNumber(points)}`}
              aria-pressed={given[place] === points}
              disabled={place === 1 && left === undefined}
              onClick={() => {
                if (place === 0) review.leftPoints.value = undefined;
                void review.givePoints(points);
              }}
            >
              {pageNumber(points)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

function Progress({ review }: { readonly review: ReviewSession }) {
  const progress = review.progress.value;
  return (
    <div class="eval-review-head">
      <span class="eval-review-hint eval-muted">{hint(review.scale.value)}</span>
      <SelectField<EvalScale>
        label={l10n.t('Rate by')}
        value={review.scale.value}
        options={[
          { value: 'better', label: l10n.t('Better Response') },
          { value: 'pass', label: l10n.t('Pass or Fail') },
          { value: 'points', label: l10n.t('1 to 5') },
        ]}
        onChoose={(scale) => void review.rateBy(scale)}
      />
      {progress && (
        <>
          <span class="eval-review-count">{progress.text}</span>
          <progress class="eval-review-bar" max={progress.count} value={progress.done} aria-label={l10n.t('Rated')} />
          <span class="eval-review-pace eval-muted">{progress.pace}</span>
        </>
      )}
    </div>
  );
}

function hint(scale: EvalScale): string {
  if (scale === 'pass') return l10n.t('Which responses pass? Sides are random, and models are hidden.');
  return scale === 'points'
    ? l10n.t('How good is each response? Press 1 to 5 for the left one, then for the right one.')
    : l10n.t('Which response is better? Sides are random, and models are hidden.');
}

function Question({
  item: { input, expected },
  review,
}: {
  readonly item: EvalReviewItem;
  readonly review: ReviewSession;
}) {
  const isShown = review.showsExpected.value;
  return (
    <div class="eval-review-text">
      <Texts texts={input.map(({ name, value }) => ({ label: name, text: value }))} />
      {expected !== '' && (
        <>
          <button
            type="button"
            class="link eval-expected"
            aria-expanded={isShown}
            onClick={() => (review.showsExpected.value = !isShown)}
          >
            <Icon name={isShown ? 'chevron-down' : 'chevron-right'} /> {l10n.t('Expected Value (E)')}
          </button>
          {isShown && (
            <p class="details-text" dir="auto">
              {expected}
            </p>
          )}
        </>
      )}
    </div>
  );
}

interface PaneProps {
  readonly title: string;
  readonly pieces: EvalReviewItem['left'];
  readonly review: ReviewSession;
}

function Pane({ title, pieces, review }: PaneProps) {
  return (
    <section class="eval-pane" tabIndex={0} aria-label={title}>
      <h3 class="eval-muted">{title}</h3>
      <Pieces pieces={pieces} showsDifference={review.showsDifference.value} />
    </section>
  );
}

function Keys({ scale }: { readonly scale: EvalScale }) {
  const keys: readonly (readonly [string, string])[] = [
    ...(scale === 'points'
      ? [['1–5', l10n.t('Points for the left response, then for the right one')] as const]
      : buttons(scale).map(({ key, label }) => [key, label] as const)),
    ['E', l10n.t('Expected value')],
    ['D', l10n.t('Differences')],
    ['N', l10n.t('Note')],
    ['U', l10n.t('Undo')],
    ['J', l10n.t('Next row')],
    ['K', l10n.t('Previous row')],
  ];
  return (
    <div class="eval-review-text" role="status">
      <PairList pairs={keys.map(([name, value]) => ({ name, value }))} />
    </div>
  );
}

function Result({
  session,
  facts,
}: {
  readonly session: EvalSession;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}) {
  const { review } = session;
  return (
    <div class="eval-review-text">
      <h2 class="eval-sentence">{l10n.t('All rows are rated')}</h2>
      <dl class="eval-missing eval-review-result">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="eval-review-next">
        {review.progress.value?.hasMore && (
          <button type="button" class="eval-rating" onClick={() => void review.more()}>
            {l10n.t('Review More Rows')}
          </button>
        )}
        <button type="button" class="eval-rating" onClick={() => session.open('verdict')}>
          {l10n.t('Show Verdict')}
        </button>
      </div>
    </div>
  );
}
