import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Disposable } from '../disposables';

/** Older entries are dropped: their tabs were closed long ago. */
const mostStored = 50;

/** A tab, and the id by which its page is known after a reload of the window. */
export interface ScreenTab {
  readonly panel: vscode.WebviewPanel;
  readonly id: string;
}

/** The host's side of a page in a separate tab. */
interface TabController extends Disposable {
  readonly tab: ScreenTab;
}

/** The subjects of a screen's tabs, stored by ID: a page saves only that, because it couldn't be trusted with a path. */
export class StoredTabs {
  constructor(
    private readonly state: vscode.Memento,
    private readonly storeKey: string,
  ) {}

  /** Returns the stored value for an ID, unchecked, or `undefined`. */
  stored(id: string): unknown {
    const entries = this.entries();
    return Object.hasOwn(entries, id) ? entries[id] : undefined;
  }

  /** Resolves once it is saved. `stored` returns it immediately. */
  async store(id: string, value: unknown): Promise<void> {
    const entries = this.entries();
    const recent = Object.hasOwn(entries, id) ? Object.entries(entries) : Object.entries(entries).slice(1 - mostStored);
    await this.state.update(this.storeKey, { ...Object.fromEntries(recent), [id]: value });
  }

  private entries(): Readonly<Record<string, unknown>> {
    return this.state.get<Readonly<Record<string, unknown>>>(this.storeKey, {});
  }
}

/** The open tabs of a screen, at most one per subject. */
export class ScreenTabs<Controller extends TabController> extends StoredTabs implements Disposable {
  private readonly shown = new Map<string, Controller>();

  get all(): Iterable<Controller> {
    return this.shown.values();
  }

  get(subject: string): Controller | undefined {
    return this.shown.get(subject);
  }

  /** The controller is disposed with its tab. */
  add(subject: string, controller: Controller): Controller {
    this.shown.set(subject, controller);
    controller.tab.panel.onDidDispose(() => {
      controller.dispose();
      this.shown.delete(subject);
    });
    return controller;
  }

  /** Returns a new tab for a panel. */
  newTab(panel: vscode.WebviewPanel): ScreenTab {
    return { panel, id: randomUUID() };
  }

  /** Returns the tab whose ID a page saved in `member` of its state, or `undefined` if nothing is stored for it. */
  restored(panel: vscode.WebviewPanel, state: unknown, member: string): ScreenTab | undefined {
    const id = typeof state === 'object' && state !== null && (state as Readonly<Record<string, unknown>>)[member];
    return typeof id === 'string' && this.stored(id) !== undefined ? { panel, id } : undefined;
  }

  dispose(): void {
    for (const controller of this.shown.values()) controller.dispose();
  }
}
