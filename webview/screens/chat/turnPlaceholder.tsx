import * as l10n from '@vscode/l10n';
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ViewportObserver } from '../../components/viewportObserver';
import { answerText, type TurnView } from './conversation';
import { modelName } from './modelNames';

/** How many of the last turns are fully drawn right away, because they are seen first. */
export const drawnAtOnce = 6;

/** Returns whether a turn must be fully rendered: it is near the viewport, or contains something that would be lost. */
export function useDrawn(
  article: RefObject<HTMLElement | null>,
  viewportObserver: ViewportObserver,
  isDrawnAtOnce: boolean,
): ReadonlySignal<boolean> {
  const isDrawn = useSignal(isDrawnAtOnce);
  useEffect(() => {
    const element = article.current;
    if (!element) return undefined;
    return viewportObserver.watch(element, (isNear) => {
      if (isNear || !isInUse(element)) isDrawn.value = isNear;
    });
  }, [article, viewportObserver, isDrawn]);
  return isDrawn;
}

/** Whether the user is working in it, has opened something in it, or has selected some of its text. */
function isInUse(element: HTMLElement): boolean {
  const { activeElement } = document;
  if (activeElement !== element && element.contains(activeElement)) return true;
  return (
    element.querySelector('details[open]') !== null || document.getSelection()?.containsNode(element, true) === true
  );
}

/** A turn far from the viewport: only its text, so that it can be found and read aloud at almost no drawing cost. */
export function TurnPlaceholder({ turn, id }: { readonly turn: TurnView; readonly id: string }) {
  return (
    <>
      <div class="question">
        <h2 class="spoken" id={id}>
          {l10n.t('You')}
        </h2>
        <p class="question-text" dir="auto">
          {turn.question}
        </p>
      </div>
      <h3 class="spoken">{modelName(turn.facts.value.model)}</h3>
      <div class="turn-sketch" dir="auto">
        {answerText(turn)}
      </div>
    </>
  );
}
