import { deepEqual, ok } from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';
import { root } from '../host/places';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { writeMadeFile } from '../support/madeFiles';
import { until } from '../support/until';

/** An action that the manifest declares for a view, at one of its locations. */
interface Action {
  readonly place: 'title' | 'row';
  readonly view: string;
  readonly command: string;
  readonly label: string;
  /** A button rather than a menu entry. */
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

const chat = 'inferenceDesk.chat';
const models = 'inferenceDesk.models';

const nameOf = ({ place, view, command, isButton }: Action) =>
  `${view.replace('inferenceDesk.', '')} ${place} ${isButton ? 'button' : 'menu'} ${command.replace('inferenceDesk.', '')}`;

/** For accounts of a service that can't cancel a batch, unlike the demo service. */
const elsewhere = 'inferenceDesk.batches.stopParts';

/** Grouped by name, because an entry offered under several conditions is one action. */
const declared = new Map(
  [...actionsIn('view/title', 'title', /^navigation/), ...actionsIn('view/item/context', 'row', /^inline/)]
    .filter(({ command }) => command !== elsewhere)
    .map((action) => [nameOf(action), action]),
);

type Sight =
  | 'pick'
  | 'dialog'
  | 'tabs'
  | 'editor'
  | 'panel'
  | 'sideBar'
  | 'rows'
  | 'message'
  | 'status'
  | 'notice'
  | 'chat'
  | 'clipboard'
  | 'request';

type Seen = Readonly<Record<Sight, string>>;

/** If this happens more often, a list reload isn't the cause. */
const mostLost = 2;

const isLost = (reported: string): boolean => /find the item in the list/.test(reported);

/** Returns where the effect of an action appears according to its label. Anything else can change on its own. */
function sightsOf({ label, view }: Action): readonly Sight[] {
  if (label.startsWith('Copy ')) return ['clipboard'];
  // It asks only if the batch might already exist.
  if (label === 'Resubmit Batch…') return ['dialog', 'rows'];
  if (label.endsWith('…')) return ['pick', 'dialog', 'tabs', 'notice'];
  if (/^(Refresh|Download)\b/.test(label)) return ['request'];
  const others: readonly Sight[] = ['pick', 'dialog', 'tabs', 'editor', 'panel', 'sideBar', 'rows', 'notice'];
  if (label.includes('Demo')) return [...others, 'message', 'status'];
  return view === chat ? [...others, 'chat'] : others;
}

/** The service requests of each view. */
const requestsOf: Readonly<Record<string, RegExp>> = {
  'inferenceDesk.models': /\/models/,
  'inferenceDesk.files': /\/files/,
  'inferenceDesk.batches': /\/(batches|files)/,
  'inferenceDesk.media': /\/video\/status/,
  'inferenceDesk.voices': /\/voice\/list/,
  'inferenceDesk.account': /\/user\/info/,
};

describe('every button and menu entry of every view and its rows', function () {
  this.timeout(900_000);
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  /** The outcome of each action. */
  const tried = new Map<string, string>();
  /** How often a row's menu lost its row, by action. */
  const lost = new Map<string, number>();
  let lastTried: Action | undefined;
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
        // A row's hover would cover the rows below.
        'workbench.hover.delay': 600_000,
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

  const rowsOf = (view: string) => paneOf(view).locator('.monaco-list-row');

  /** Shows a view, and closes all others. */
  async function show(view: string): Promise<void> {
    if (view === chat) {
      await desk.openChat();
      const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
      await box.waitFor();
      // Starting a new conversation while one is empty changes nothing.
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

  /** Returns the visible state. Numbers are omitted, because ages in rows change on their own. */
  async function look(view: string): Promise<Seen> {
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
        sideBar: text('.part.auxiliarybar'),
        rows: (text('.part.sidebar > .title h2') + names('.part.sidebar .monaco-list-row')).replaceAll(/\d+/g, '#'),
        message: text('.part.sidebar .message'),
        status: text('.statusbar-item[id*="inference-desk"]').replaceAll(/\d+/g, '#'),
        // The window under test shows only an icon when there are notifications.
        notice: document.querySelector('[id="status.notifications"] .codicon')?.className ?? '',
      };
    });
    // A page that is being closed can't be read.
    const read = async (text: Promise<string>) => text.catch(() => '');
    const own = (await demo.requests()).filter((one) => requestsOf[view]?.test(one.path));
    return {
      ...seen,
      request: String(own.at(-1)?.at),
      clipboard: await read(desk.page.evaluate(() => navigator.clipboard.readText())),
      chat:
        view === chat
          ? await read(
              desk.chatPage
                .locator('body')
                .evaluate(
                  (body) => `${body.textContent} ${body.ownerDocument.activeElement?.getAttribute('aria-label')}`,
                ),
            )
          : '',
    };
  }

  /** Returns the state once it is stable, so that a list that is still loading isn't mistaken for an effect of the next action. */
  async function settled(view: string): Promise<Seen> {
    await desk.page.evaluate(() => navigator.clipboard.writeText('-')).catch(() => undefined);
    // Earlier notifications would hide that new ones arrive.
    if ((await look(view)).notice.includes('dot')) refuseLost(await takeNotices(), lastTried);
    let last: Seen | undefined;
    return until(async () => {
      const now = await look(view);
      const isSame = isDeepStrictEqual(now, last);
      last = now;
      // A page that the last action opened late would hide that the next one opens the same.
      if (await closeOpen()) return undefined;
      return isSame ? now : undefined;
    }, 'an end of all changes');
  }

  /** Closes dialogs, pickers, and menus. Resolves to whether any was open. */
  async function closeOpen(): Promise<boolean> {
    for (let keys = 0; keys < 8; keys++) {
      const isOpen = await Promise.all([dialog(), desk.quickInput, menu()].map((one) => one.first().isVisible()));
      if (!isOpen.includes(true)) return keys > 0;
      await desk.page.keyboard.press('Escape');
    }
    return true;
  }

  /** Returns and clears the notifications so far, except for progress, which can be canceled or ends in an ellipsis. */
  async function takeNotices(): Promise<string> {
    const center = desk.page.locator('.notifications-center');
    const items = center.locator('.notification-list-item', { hasNotText: /Cancel|(…|\.\.\.)$/ });
    // A modal dialog takes the clicks meant for notifications, which remain until it has been closed.
    if (await dialog().first().isVisible()) return '';
    const press = (button: string) =>
      desk.page
        .locator(button)
        .click({ timeout: 1000 })
        .catch(() => undefined);
    if (!(await center.isVisible())) await press('[id="status.notifications"] a');
    if (!(await center.isVisible())) return '';
    const reported = (await items.allTextContents()).join(' / ');
    await until(async () => {
      const clear = '.notifications-center a.codicon-notifications-clear-all:not(.disabled)';
      if (await desk.page.locator(clear).isVisible()) await press(clear);
      else if (await center.isVisible()) await press('.notifications-center a.codicon-notifications-hide');
      return (await center.isHidden()) || undefined;
    }, 'an end of the notices');
    return reported;
  }

  /** Closes what an action has opened. */
  async function leave(view: string): Promise<void> {
    await closeOpen();
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
    await show(view);
  }

  /** Repeats an action whose menu lost its row, because the list was reloaded at that moment. A button of a view has no row to lose. */
  function refuseLost(reported: string, action: Action | undefined): void {
    if (!isLost(reported)) return;
    const name = action ? nameOf(action) : '';
    const times = (lost.get(name) ?? 0) + 1;
    lost.set(name, times);
    ok(action?.place === 'row' && times <= mostLost, `${name}: ${reported}`);
    tried.delete(name);
  }

  /** Performs an action, and notes its outcome, so that all actions are tried even after one without an effect. */
  async function tryAction(action: Action, before: Seen, act: () => Promise<void>): Promise<void> {
    const name = nameOf(action);
    lastTried = action;
    try {
      await act();
      const effect = await effectOf(action, before);
      if (effect !== 'lost') tried.set(name, effect);
    } catch (error) {
      tried.set(name, 'none');
      withoutEffect.set(name, String(error).slice(0, 300));
      await desk.screenshot(`no effect of ${name}`);
    }
    await leave(action.view);
  }

  async function effectOf(action: Action, before: Seen): Promise<string> {
    const sights = sightsOf(action);
    let reported = '';
    const changed = await until(async () => {
      const now = await look(action.view);
      const names = sights.filter(
        (name) => name !== 'notice' && now[name] !== before[name] && (now[name] !== '' || name === 'rows'),
      );
      if (now.notice !== before.notice && now.notice.includes('dot')) reported += await takeNotices();
      refuseLost(reported, action);
      if (isLost(reported)) return ['lost'];
      if (reported !== '' && sights.includes('notice')) names.push('notice');
      return names.length > 0 ? names : undefined;
    }, 'an effect').catch((error: unknown) => Promise.reject(new Error(`${String(error)} ${reported}`)));
    // Until then it is starting, and can't be stopped.
    if (action.command === 'inferenceDesk.demo.start') await desk.status('Demo').waitFor();
    if (isLost(reported)) return 'lost';
    return `${changed.join(', ')}${reported && ` (${reported})`}`;
  }

  const entries = () => menu().locator('.action-label');
  const labelsOf = (some: Locator) =>
    some.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  /** Returns its position. The label is followed by its keybinding. */
  const placeOf = ({ label }: Action, shown: readonly string[]) =>
    shown.findIndex((one) => one === label || one.startsWith(`${label} (`));
  const close = async () => {
    await desk.page.keyboard.press('Escape');
    await menu().first().waitFor({ state: 'hidden' });
  };
  /** Clicks a menu entry, which ignores clicks in its first moments. */
  const take = async (entry: Locator, within?: { readonly timeout: number }) => {
    await entry.hover(within);
    await entry.press('Enter', within);
  };
  const notes = () => desk.page.locator('.part.editor .tab', { hasText: 'notes.txt' });
  const openNotes = async (view: string) => {
    await desk.command('Go to File');
    await desk.quickInput.locator('input.input').first().fill('notes.txt');
    await desk.pick('notes.txt');
    await notes().waitFor();
    await show(view);
  };

  /** Tries the view title's actions that are offered now and haven't been tried yet. */
  async function tryTitle(view: string): Promise<void> {
    const header = view === chat ? desk.page.locator('.part.sidebar > .title') : paneOf(view).locator('.pane-header');
    const buttons = titleButtons(view);
    for (const action of declared.values()) {
      if (action.place !== 'title' || action.view !== view || tried.has(nameOf(action))) continue;
      await header.hover();
      if (action.isButton) {
        const at = placeOf(action, await labelsOf(buttons));
        if (at < 0) continue;
        const before = await settled(view);
        await tryAction(action, before, async () => {
          await header.hover();
          await buttons.nth(at).click();
        });
        continue;
      }
      const more = buttons.and(desk.page.locator('.codicon-toolbar-more'));
      if ((await more.count()) === 0) continue;
      const before = await settled(view);
      await header.hover();
      await more.click();
      await entries().first().waitFor();
      const at = placeOf(action, await labelsOf(entries()));
      if (at < 0) await close();
      else await tryAction(action, before, () => takeAgain(more, at));
    }
  }

  /** Selects an entry of a view title's menu, which closes if the view's page takes the focus late. */
  async function takeAgain(more: Locator, at: number): Promise<void> {
    await until(async () => {
      if (!(await menu().first().isVisible())) {
        await more.click();
        await entries().first().waitFor();
      }
      return take(entries().nth(at), { timeout: 3000 }).then(
        () => true,
        () => undefined,
      );
    }, 'an entry of the menu');
  }

  /** Tries the row actions of a view that haven't been tried yet. */
  async function tryRows(view: string, labels = /./): Promise<void> {
    const missing = () =>
      [...declared.values()].filter(
        (one) => one.place === 'row' && one.view === view && labels.test(one.label) && !tried.has(nameOf(one)),
      );
    for (let at = 0; missing().length > 0; at++) {
      if (at >= (await rowsOf(view).count())) {
        // Nested rows might offer the rest.
        const folded = rowsOf(view).and(desk.page.locator('[aria-expanded=false]')).first();
        if ((await folded.count()) === 0) return;
        const count = await rowsOf(view).count();
        await folded.locator('.monaco-tl-twistie').click();
        await until(async () => (await rowsOf(view).count()) !== count || undefined, 'what is below a row');
        at = 0;
      }
      // Another row might take its place after an action.
      while (await tryRow(view, at, missing()));
    }
  }

  /** Returns the text of a row. Numbers are omitted, because they change on their own. */
  const rowName = (row: Locator) =>
    row
      .getAttribute('aria-label', { timeout: 1000 })
      .then((name) => name?.replaceAll(/\d+/g, '#'))
      .catch(() => undefined);
  /** Returns the name of a row without its description, such as its age, which changes on its own. */
  const called = (name: string | undefined) => name?.split(', ')[0];

  /** Performs an action on the row with this name, wherever the list has it by then, because rows move while the list is updated. */
  async function withRow(view: string, name: string, act: (row: Locator) => Promise<void>): Promise<void> {
    let error: unknown;
    await until(async () => {
      const names = await Promise.all((await rowsOf(view).all()).map(rowName));
      const same = names.flatMap((one, at) => (called(one) === called(name) ? [at] : []));
      for (const at of same.toSorted((left, right) => Number(names[right] === name) - Number(names[left] === name))) {
        const isDone = await act(rowsOf(view).nth(at)).then(
          () => true,
          (reason: unknown) => void (error = reason),
        );
        if (isDone) return true;
      }
      return undefined;
    }, `the row ${name}`).catch((reason: unknown) => Promise.reject(new Error(`${String(reason)} ${String(error)}`)));
  }

  /** Tries a missing action on the row. Resolves to whether it had one. */
  async function tryRow(view: string, place: number, missing: readonly Action[]): Promise<boolean> {
    const there = rowsOf(view).nth(place);
    if (!(await there.isVisible())) return false;
    const name = await rowName(there);
    if (name === undefined) return true;
    const buttonsOf = (row: Locator) => row.locator('.actions a.action-label');
    const labels = await labelsOf(buttonsOf(there));
    const button = missing.find((action) => action.isButton && placeOf(action, labels) >= 0);
    if (button) {
      const before = await settled(view);
      await tryAction(button, before, () =>
        withRow(view, name, async (row) => {
          const at = placeOf(button, await labelsOf(buttonsOf(row)));
          ok(at >= 0, `no ${button.label} at the row`);
          await row.hover({ timeout: 2000 });
          await buttonsOf(row).nth(at).click({ timeout: 2000 });
        }),
      );
      return true;
    }
    const [other, ...others] = missing.filter(({ isButton }) => !isButton);
    if (!other) return false;
    const before = await settled(view);
    await withRow(view, name, (row) => row.click({ button: 'right', timeout: 2000 }));
    const isShown = await entries()
      .first()
      .waitFor({ timeout: 2000 })
      .then(
        () => true,
        () => false,
      );
    if (!isShown) return false;
    const offered = await labelsOf(entries());
    const entry = [other, ...others].find((action) => placeOf(action, offered) >= 0);
    if (entry && (!entry.label.includes('at Cursor') || (await notes().count()) > 0)) {
      await tryAction(entry, before, () => take(entries().nth(placeOf(entry, offered))));
      return true;
    }
    await close();
    if (entry) await openNotes(entry.view);
    return entry !== undefined;
  }

  it('has an effect in a new window with empty views', async () => {
    await signInTo(desk, demo);
    for (const view of views.keys()) {
      await show(view);
      await tryTitle(view);
    }
  });

  it('has an effect on rows of every kind', async () => {
    await fill();
    await desk.command('Inference Desk: Switch Account');
    await desk.pick('Journey');
    await desk.status('Journey').waitFor();
    await desk.reloadWindow();
    for (const view of views.keys()) {
      if (view === chat) continue;
      await show(view);
      await rowsOf(view).first().waitFor();
      // New models count as seen as soon as the view is hidden, for example when the chat opens.
      if (view === models) await tryRows(view, /^(Pin|Unpin)$/);
      await tryTitle(view);
      // A row is in progress again while its results are downloaded.
      await tryRows(view, /^(?!Download )/);
      await tryRows(view);
    }
  });

  it('has an effect in states with other actions', async () => {
    await show(models);
    // One of the two ends the filter.
    for (let times = 0; times < 2; times++) {
      await desk.viewAction('Models', 'Filter Models…');
      await desk.answer('qwen');
      await paneOf(models).getByText('“qwen”').waitFor();
      await tryTitle(models);
    }
    await show(chat);
    await tryTitle(chat);
  });

  it('covers every action in the manifest', () => {
    process.stdout.write(`${[...tried].map((one) => one.join(': ')).join('\n')}\n`);
    process.stdout.write(`${tried.size} actions tried, ${withoutEffect.size} without effect\n`);
    deepEqual([...withoutEffect], []);
    deepEqual(
      [...declared.keys()].filter((name) => !tried.has(name)),
      [],
    );
    deepEqual(desk.faults, []);
  });

  /** Fills the service and this machine, so that each kind of row exists. */
  async function fill(): Promise<void> {
    const [storage = ''] = globSync('**/globalStorage/inference-desk.inference-desk', { cwd: desk.server.dataFolder });
    const stored = path.join(desk.server.dataFolder, storage);
    const [picksFile = ''] = globSync('models/*.picks.json', { cwd: stored });
    const profileId = path.basename(picksFile, '.picks.json');
    const control = (action: string, body: object) => demo.call('POST', `/_control/${action}`, body);
    await control('pace', { pace: { batchQueueMs: 0, batchLineMs: 0, batchFinalizeMs: 0, videoQueueMs: 600_000 } });
    const tell = async (name: string, as: object) => {
      const id = await demo.makeBatch(name, 2);
      await control('tell', { id, as });
      return id;
    };
    await tell('running', { status: 'in_progress' });
    await tell('faulty', { status: 'failed', errors: ['line 3: custom_id is missing'] });
    const ended = await demo.makeBatch('ended', 2);
    await control('tell', {
      id: await demo.makeBatch('other', 2),
      as: { error_file_id: 'file-errors', request_counts: { total: 2, completed: 1, failed: 1 } },
    });
    const { input_file_id: inputFileId } = (await demo.call('GET', `/batches/${ended}`)) as {
      readonly input_file_id: string;
    };
    await demo.addVoice('Narrator');
    const common = { version: 1, profileId, baseUrl: demo.baseUrl, createdAt: Date.now() - 60_000 };
    const reported = { toldEndAt: 1, toldDoubtAt: 1 };
    const lastError = (kind: string) => ({ kind, message: 'It was refused.', at: Date.now(), isFinal: true });
    const options = { completion_window: '24h', metadata: { name: 'stored' } };
    const batchJobs: readonly object[] = [
      { id: 'job-refused', stage: 'refused', options, inputFileId, lastError: lastError('refused') },
      {
        id: 'job-doubtful',
        stage: 'unknown',
        options,
        lastError: lastError('answerLost'),
        looks: 9,
        triedAt: Date.now(),
      },
      { id: 'job-ended', stage: 'ended', options, batch: { id: ended, status: 'completed', errors: [], metadata: {} } },
    ];
    const request = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'Waves', image_size: '1280x720' };
    const video = { order: { kind: 'video', request }, folder: path.join(folder, 'made') };
    const { requestId } = (await demo.call('POST', '/video/submit', request)) as { readonly requestId: string };
    const mediaJobs: readonly object[] = [
      {
        id: 'video-running',
        stage: 'running',
        ...video,
        requestId,
        status: 'InQueue',
        looks: 50,
        checkedAt: Date.now(),
      },
      // A button might use one of them up before the menu.
      ...['lost', 'lost-too'].map((id) => ({
        ...video,
        id,
        stage: 'ended',
        requestId,
        results: [{ url: '' }],
        lastError: lastError('fetch'),
      })),
      ...['refused', 'refused-too'].map((id) => ({ ...video, id, stage: 'refused', lastError: lastError('refused') })),
    ];
    for (const [at, jobs] of [
      ['jobs', batchJobs],
      ['media/jobs', mediaJobs],
    ] as const) {
      mkdirSync(path.join(stored, at), { recursive: true, mode: 0o700 });
      for (const job of jobs) {
        const { id } = job as { readonly id: string };
        writeFileSync(path.join(stored, at, `${id}.json`), JSON.stringify({ ...common, ...reported, ...job }), {
          mode: 0o600,
        });
      }
    }
    const image = new PNG({ width: 64, height: 64 });
    image.data.fill(200);
    writeMadeFile(path.join(folder, 'made'), {
      kind: 'image',
      bytes: PNG.sync.write(image),
      contentType: 'image/png',
      size: [64, 64],
      request: { model: 'Qwen/Qwen-Image', prompt: 'A harbour', image_size: '64x64' },
      seed: 7,
      createdAt: new Date().toISOString(),
    });
    // Pinned models are at the top. One that existed when the user last looked has been removed, and another one was added.
    const file = path.join(stored, picksFile);
    const picks = JSON.parse(readFileSync(file, 'utf8')) as { readonly look: { readonly ids: readonly string[] } };
    const ids = [...picks.look.ids.slice(1), 'a/gone', 'b/gone'];
    const pins = ['BAAI/bge-m3', 'Qwen/Qwen3-Reranker-8B', 'deepseek-ai/DeepSeek-V3', 'Qwen/Qwen-Image', request.model];
    writeFileSync(file, JSON.stringify({ ...picks, pins, look: { ...picks.look, ids } }));
  }
});
