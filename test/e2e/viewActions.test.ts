import { deepEqual, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../host/places';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

/** An action that the manifest declares for a view, at one of the places where it is offered. */
interface Action {
  readonly place: 'title' | 'row';
  readonly view: string;
  readonly command: string;
  readonly label: string;
  /** A button, not an entry of a menu. */
  readonly isButton: boolean;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when: string; readonly group: string }[]>
    >;
  };
}

const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as unknown;
const { contributes } = read('package.json') as Manifest;
const words = read('package.nls.json') as Readonly<Record<string, string>>;
const worded = (text: string) => words[text.slice(1, -1)] ?? text;
const labels = new Map(contributes.commands.map(({ command, title }) => [command, worded(title)]));
const views = new Map(
  Object.values(contributes.views).flatMap((all) => all.map(({ id, name }) => [id, worded(name)] as const)),
);

function actionsIn(menu: string, place: Action['place'], buttons: RegExp): readonly Action[] {
  return (contributes.menus[menu] ?? []).map(({ command, when, group }) => ({
    place,
    view: /\bview == ([\w.]+)/.exec(when)?.[1] ?? '',
    command,
    label: labels.get(command) ?? '',
    isButton: buttons.test(group),
  }));
}

const nameOf = ({ place, view, command, isButton }: Action) =>
  `${view.replace('inferenceDesk.', '')} ${place} ${isButton ? 'button' : 'menu'} ${command.replace('inferenceDesk.', '')}`;

/** By name: an entry that several conditions offer is one action. */
const declared = new Map(actionsIn('view/title', 'title', /^navigation/).map((action) => [nameOf(action), action]));

const chat = 'inferenceDesk.chat';

describe('every button and menu entry in the title of every view', function () {
  this.timeout(900_000);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  /** What came of each. */
  const tried = new Map<string, string>();
  const withoutEffect = new Map<string, string>();

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'actions-'));
    writeFileSync(path.join(folder, 'notes.txt'), 'Notes\n');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      folder,
      size: { width: 1500, height: 1300 },
      settings: {
        'inferenceDesk.media.folder': 'made',
        'files.autoSave': 'afterDelay',
        'files.autoSaveDelay': 10,
        'files.simpleDialog.enable': true,
      },
    });
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const dialog = () => desk.page.locator('.monaco-dialog-box');
  const menu = () => desk.page.locator('.context-view .monaco-menu');
  const paneOf = (view: string) =>
    desk.page.locator('.sidebar .pane', { has: desk.page.locator(`.pane-header[aria-label^="${views.get(view)}"]`) });

  /** The only view that is open. */
  async function show(view: string): Promise<void> {
    if (view === chat) {
      await desk.openChat();
      const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
      await box.waitFor();
      // A new conversation in place of an empty one changes nothing.
      if ((await desk.chatPage.locator('.turn').count()) > 0) return;
      await box.click();
      await box.fill('What is a batch?');
      await box.press('Enter');
      await desk.chatPage
        .locator('.turn')
        .last()
        .locator('.facts')
        .getByText(/\d+ out/)
        .waitFor();
      return;
    }
    await desk.openView(views.get(view) ?? '');
    for (const other of views.keys()) {
      const header = paneOf(other).locator('.pane-header');
      if (other === view || other === chat || (await header.getAttribute('aria-expanded')) !== 'true') continue;
      await header.click();
    }
  }

  const titleButtons = (view: string) =>
    view === chat
      ? desk.page.locator('.part.sidebar > .title .title-actions a.action-label')
      : paneOf(view).locator('.pane-header .actions a.action-label');

  /** What a person can notice. Ages and counts of time are left out, as they change by themselves. */
  async function look(view: string): Promise<Readonly<Record<string, string>>> {
    const seen = await desk.page.evaluate(() => {
      const text = (selector: string) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map((element) => element.textContent)
          .join('|');
      const names = (selector: string) =>
        [...document.querySelectorAll(selector)].map((element) => element.getAttribute('aria-label')).join('|');
      return {
        pick: `${text('.quick-input-widget .quick-input-title')}${text('.quick-input-widget .quick-input-message')}${text('.quick-input-widget .monaco-list-row')}`,
        dialog: text('.monaco-dialog-box'),
        tabs: names('.part.editor .tab.active, .part.editor .tab'),
        editor: text('.part.editor .view-lines'),
        panel: text('.part.panel'),
        status: text('.part.statusbar .statusbar-item').replaceAll(/\d+/g, '#'),
        sideBar: text('.part.auxiliarybar'),
        notice: names('[id="status.notifications"] a'),
        view: text('.part.sidebar > .title h2') + names('.part.sidebar .monaco-list-row').replaceAll(/\d+/g, '#'),
        welcome: text('.part.sidebar .welcome-view-content') + text('.part.sidebar .message'),
      };
    });
    const clipboard = await desk.page.evaluate(() => navigator.clipboard.readText()).catch(() => '');
    const page = desk.chatPage.locator('body');
    const chatText =
      view === chat
        ? await page
            .evaluate((body) => `${body.textContent} ${body.ownerDocument.activeElement?.getAttribute('aria-label')}`)
            .catch(() => '')
        : '';
    const requests = (await demo.requests()).filter(({ path: asked }) => !/status|batches\/\w/.test(asked));
    const { at, path: last } = requests.at(-1) ?? {};
    return { ...seen, clipboard, chat: chatText, request: `${at} ${last}` };
  }

  /** Ends what an action has opened. */
  async function leave(view: string): Promise<void> {
    for (let keys = 0; keys < 8; keys++) {
      const isOpen = await Promise.all([dialog(), desk.quickInput, menu()].map((one) => one.first().isVisible()));
      if (!isOpen.includes(true)) break;
      await desk.page.keyboard.press('Escape');
    }
    if ((await desk.page.locator('.part.editor .tab').count()) > 0) {
      await desk.command('View: Close All Editors');
      const dontSave = dialog().getByRole('button', { name: "Don't Save" });
      await until(async () => {
        if (await dontSave.isVisible()) await dontSave.click();
        return (await desk.page.locator('.part.editor .tab').count()) === 0 || undefined;
      }, 'an end of the editors');
    }
    if (await desk.page.locator('.part.panel').isVisible()) await desk.command('View: Hide Panel');
    if (await desk.page.locator('.part.auxiliarybar').isVisible()) await desk.command('View: Hide Secondary Side Bar');
    await desk.page.evaluate(() => navigator.clipboard.writeText('-')).catch(() => undefined);
    await show(view);
  }

  /** Carries an action out, and notes what comes of it: all are tried, also after one without an effect. */
  async function tryAction(action: Action, act: () => Promise<void>): Promise<void> {
    const name = nameOf(action);
    try {
      tried.set(name, await effectOf(action, act));
    } catch (error) {
      tried.set(name, 'none');
      withoutEffect.set(name, String(error).slice(0, 300));
      await desk.screenshot(`no effect of ${name}`);
    }
    await leave(action.view);
  }

  async function effectOf(action: Action, act: () => Promise<void>): Promise<string> {
    if (action.label.includes('at Cursor')) {
      await desk.command('Go to File');
      await desk.quickInput.locator('input.input').first().fill('notes.txt');
      await desk.pick('notes.txt');
      await desk.page.locator('.part.editor .tab', { hasText: 'notes.txt' }).waitFor();
    }
    const before = await look(action.view);
    await act();
    const changed = await until(async () => {
      const now = await look(action.view);
      const names = Object.keys(now).filter((name) => now[name] !== before[name]);
      return names.length > 0 ? names : undefined;
    }, 'an effect');
    // Until then it is being started, and cannot be stopped.
    if (action.command === 'inferenceDesk.demo.start') await desk.status('Demo').waitFor();
    if (!changed.includes('notice')) return changed.join(', ');
    await desk.command('Notifications: Show Notifications');
    const notices = desk.page.locator('.notifications-center .notification-list-item');
    const told = (await notices.allTextContents()).join(' / ');
    await desk.command('Notifications: Clear All Notifications');
    ok(!/Nothing was done|find the item in the list/.test(told), told);
    return `${changed.join(', ')} (${told})`;
  }

  const entryOf = (label: string) =>
    menu()
      .locator('a.action-menu-item', { has: desk.page.locator(`.action-label[aria-label^="${label}"]`) })
      .first();
  /** The labels of the menu that opens, which stays open. */
  async function openMenu(open: () => Promise<void>): Promise<readonly string[]> {
    await open();
    await menu().locator('.action-label').first().waitFor();
    return menu()
      .locator('.action-label')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  }
  const take = (label: string) => async () => {
    await entryOf(label).hover();
    await entryOf(label).press('Enter');
  };
  const close = async () => {
    await desk.page.keyboard.press('Escape');
    await menu().first().waitFor({ state: 'hidden' });
  };
  const isLabelled = (shown: readonly string[], { label }: Action) => shown.some((one) => one.startsWith(label));

  /** Those of the title that are offered now and not in `done`. */
  async function tryTitle(view: string, done: Set<string>): Promise<void> {
    const all = [...declared.values()].filter((one) => one.place === 'title' && one.view === view);
    const header = view === chat ? desk.page.locator('.part.sidebar > .title') : paneOf(view).locator('.pane-header');
    for (const action of all) {
      if (done.has(nameOf(action))) continue;
      await header.hover();
      const buttons = titleButtons(view);
      if (action.isButton) {
        const shown = await buttons.evaluateAll((some) => some.map((one) => one.getAttribute('aria-label') ?? ''));
        if (!isLabelled(shown, action)) continue;
        await tryAction(action, () =>
          buttons
            .and(desk.page.locator(`[aria-label^="${action.label}"]`))
            .first()
            .click(),
        );
      } else {
        const more = buttons.and(desk.page.locator('.codicon-toolbar-more'));
        if ((await more.count()) === 0) continue;
        const shown = await openMenu(() => more.click());
        if (!isLabelled(shown, action)) {
          await close();
          continue;
        }
        await tryAction(action, take(action.label));
      }
      done.add(nameOf(action));
    }
  }

  it('has an effect in a new window, whose views are empty and where no row was clicked', async () => {
    await signInTo(desk, demo);
    const done = new Set<string>();
    for (const view of views.keys()) {
      await show(view);
      await tryTitle(view, done);
    }
    process.stdout.write(`${[...tried].map((one) => one.join(': ')).join('\n')}\n`);
    process.stdout.write(`${tried.size} actions tried, ${withoutEffect.size} without effect\n`);
    deepEqual([...withoutEffect], []);
    // Offered only in other states, such as while an answer is in progress or the list is filtered.
    const others = ['chatSideBar.stop', 'models.clearFilter', 'models.filter', 'models.markSeen', 'demo.stop'];
    deepEqual(
      [...declared]
        .filter(([name, { command }]) => !tried.has(name) && !others.includes(command.replace('inferenceDesk.', '')))
        .map(([name]) => name),
      [],
    );
    deepEqual(desk.faults, []);
  });
});
