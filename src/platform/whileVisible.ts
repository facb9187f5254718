import type { Event } from 'vscode';
import type { Disposable } from './disposables';

interface Showable {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<unknown>;
}

/** Calls `start` now if the view is visible, and each time it becomes visible; disposes what that returned when the view is hidden. */
export function whileVisible(view: Showable, start: () => Disposable): Disposable {
  let started: Disposable | undefined;
  const update = () => {
    started?.dispose();
    started = view.visible ? start() : undefined;
  };
  const listening = view.onDidChangeVisibility(update);
  update();
  return {
    dispose() {
      listening.dispose();
      started?.dispose();
    },
  };
}
