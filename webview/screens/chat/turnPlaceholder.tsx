import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ViewportObserver } from '../../components/viewportObserver';
import type { Chat } from './chatContext';
import type { TurnView } from './conversation';
import { modelName } from './modelNames';
import { answerText } from './turnText';

/** So many of the last turns are drawn whole at once: what is seen first. */
export const drawnAtOnce = 6;

/** Whether a turn is to be drawn whole: near what is in sight, or with something in it that would be lost. */
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

/** Whether somebody works in it, has opened something in it, or has marked some of it. */
function isInUse(element: HTMLElement): boolean {
  const { activeElement } = document;
  if (activeElement !== element && element.contains(activeElement)) return true;
  return (
    element.querySelector('details[open]') !== null || document.getSelection()?.containsNode(element, true) === true
  );
}

/** A turn far from what is in sight: its words, to be found and read out, with next to nothing to draw. */
export function TurnPlaceholder({
  chat,
  turn,
  id,
}: {
  readonly chat: Chat;
  readonly turn: TurnView;
  readonly id: string;
}) {
  return (
    <>
      <h2 class="who" id={id}>
        {chat.strings.you}
      </h2>
      <p class="question-text" dir="auto">
        {turn.question}
      </p>
      <h3 class="who">{modelName(turn.facts.value.model)}</h3>
      <div class="turn-sketch" dir="auto">
        {answerText(turn)}
      </div>
    </>
  );
}
