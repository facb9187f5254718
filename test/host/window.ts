import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import { contextMenusOf, type ContextMenus } from './contextMenu.ts';
import { startProfile } from './browser.ts';
import { startCodeServer, type CodeServer, type EditorSettings } from './codeServer.ts';
import type { Editor } from './obtain.ts';
import { root, screenshotsFolder } from './places.ts';
import { usualLimitMs } from '../support/until.ts';
import { noticesOf, type Notices } from './notices.ts';
import { quickInputOf, type QuickInput } from './quickInput.ts';
import { prepareWorkbench, workbenchAddress } from './workbenchAddress.ts';

export interface WindowOptions {
  readonly settings?: EditorSettings;
  readonly env?: Readonly<Record<string, string>>;
  readonly askForTrust?: boolean;
  /** The folder to open. Defaults to an empty one. */
  readonly folder?: string;
  /** Folders of other extensions to install. */
  readonly extensions?: readonly string[];
  readonly size?: { readonly width: number; readonly height: number };
  /** The device pixel ratio. Defaults to 1. */
  readonly scale?: number;
  /** The display language. VS Code's own texts stay English, and extensions use their translations. */
  readonly language?: string;
  /** The folder from which the extension runs, instead of the repository. */
  readonly developmentPath?: string;
}

/** A VS Code window with its own server, settings, and storage. */
export interface DeskWindow extends QuickInput, Notices, ContextMenus {
  readonly page: Page;
  readonly server: CodeServer;
  /** Opens the container of our lists, and the view with this title in it. */
  openView(title: string): Promise<Locator>;
  /** Opens this view and selects an action of its title: a button, or an entry of the menu next to the buttons. */
  viewAction(title: string, action: string): Promise<void>;
  /** Opens the menu that the hover of the account's status bar item links to. */
  openStatusMenu(): Promise<void>;
  /** Opens the chat container, which has a single view. */
  openChat(): Promise<void>;
  /** The page inside the only webview that is visible. */
  readonly webview: FrameLocator;
  /** The frame of the page in the editor area, not of the chat in the side bar. */
  readonly editorFrame: Locator;
  readonly editorPage: FrameLocator;
  /** The page of the chat in the side bar. */
  readonly chatPage: FrameLocator;
  readonly toasts: Locator;
  /** Drags the edge of the side bar until it is this wide, in pixels. */
  widenSideBar(width: number): Promise<void>;
  status(text: string | RegExp): Locator;
  screenshot(name: string): Promise<void>;
  /** Reloads the page like a browser. VS Code might not have saved yet which tabs are open. */
  reload(): Promise<void>;
  /** Reloads the window through VS Code, after it has saved the open tabs. */
  reloadWindow(): Promise<void>;
  /** Opens another window of the same server, with the same settings, storage, and keys. It closes with this one. */
  openAnother(): Promise<AnotherWindow>;
  /** Uncaught errors and violations of the content security policy in the workbench and our pages. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A second window with the same storage. */
export type AnotherWindow = QuickInput &
  Notices &
  Pick<DeskWindow, 'page' | 'openView' | 'openChat' | 'chatPage' | 'editorPage' | 'screenshot' | 'faults'>;

/**
 * Waits until the window is restored. Earlier, the side bar might still be opening, and a click on its icon would close it. VS Code itself
 * reports when everything is restored.
 */
async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => 'driver' in window, undefined, { timeout: 60_000 });
  await page.evaluate(() =>
    (window as unknown as { driver: { whenWorkbenchRestored(): Promise<void> } }).driver.whenWorkbenchRestored(),
  );
  // The remote indicator loses its "Opening Remote" once the extension host responds.
  await page.locator('.statusbar-item', { hasText: /Opening Remote/ }).waitFor({ state: 'detached', timeout: 60_000 });
}

function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && /Content Security Policy|TrustedHTML|Uncaught/.test(text)) faults.push(text);
  });
  return faults;
}

/** Opens a container with its icon in the activity bar, unless it is already open, because a click would collapse it. */
async function openContainer(page: Page, id: 'inferenceDesk' | 'inferenceDeskChat'): Promise<void> {
  const item = page.locator('.activitybar .action-item', {
    has: page.locator(`[class*="activity-workbench-view-extension-${id}-"]`),
  });
  await clickUntil(item, item.and(page.locator('.checked')));
}

const mostClicks = 4;
const takenMs = 5000;

/** Clicks, unless it is already so, until `taken` shows that the click was received, because a busy VS Code can drop one. */
async function clickUntil(target: Locator, taken: Locator): Promise<void> {
  await target.waitFor();
  for (let clicks = 0; (await taken.count()) === 0; clicks++) {
    if (clicks === mostClicks) throw new Error(`Nothing came of ${mostClicks} clicks`);
    await target.click();
    await taken.waitFor({ timeout: takenMs }).catch(() => undefined);
  }
}

/** Locates the visible parts of the workbench. */
function partsOf(
  page: Page,
): Pick<
  DeskWindow,
  | 'openView'
  | 'viewAction'
  | 'openStatusMenu'
  | 'openChat'
  | 'webview'
  | 'editorFrame'
  | 'editorPage'
  | 'chatPage'
  | 'widenSideBar'
  | 'toasts'
  | 'status'
  | 'screenshot'
> {
  // The frames are located by position, because their order after a reload varies, and VS Code announces their purpose only once.
  const visible = page.locator(':visible');
  const editorFrame = page.locator('iframe.webview:right-of(.part.sidebar)').and(visible).last();
  const viewFrame = page.locator('iframe.webview:left-of(.part.editor)').and(visible);
  const openView = async (title: string): Promise<Locator> => {
    const pane = page.locator('.sidebar .pane', { has: page.locator(`.pane-header[aria-label^="${title}"]`) });
    const header = pane.locator('.pane-header');
    await openContainer(page, 'inferenceDesk');
    await clickUntil(header, header.and(page.locator('[aria-expanded=true]')));
    return pane;
  };
  return {
    openChat: () => openContainer(page, 'inferenceDeskChat'),
    openView,
    viewAction: async (title, action) => {
      const header = (await openView(title)).locator('.pane-header');
      // The actions are visible while the pointer is above the header or the focus is in it. After a reload, the lists move the header, and
      // a page that loads takes the focus.
      const show = async () => {
        await header.hover();
        await header.focus();
      };
      const button = header.locator(`.actions a.action-label[aria-label^="${action}"]`);
      const click = () => show().then(() => button.click({ timeout: takenMs }));
      if ((await button.count()) > 0) return click().catch(click);
      // A view that is rendered again closes the menu.
      await contextMenusOf(page).chooseInMenu(header.locator('.actions a.codicon-toolbar-more'), action, {
        button: 'left',
        show,
      });
    },
    openStatusMenu: async () => {
      const more = page.locator('.workbench-hover a', { hasText: 'More…' });
      await page.locator('.statusbar-item[id$="inferenceDesk.status"] a').hover();
      await more.click();
    },
    webview: page.frameLocator('iframe.webview').frameLocator('#active-frame'),
    editorFrame,
    editorPage: editorFrame.contentFrame().frameLocator('#active-frame'),
    chatPage: viewFrame.contentFrame().frameLocator('#active-frame'),
    widenSideBar: async (width) => {
      const bar = await page.locator('.part.sidebar').boundingBox();
      if (bar === null) throw new Error('The side bar is hidden.');
      const height = bar.y + bar.height / 2;
      await page.mouse.move(bar.x + bar.width + 1, height);
      await page.mouse.down();
      await page.mouse.move(bar.x + width + 1, height, { steps: 8 });
      await page.mouse.up();
    },
    toasts: page.locator('.notification-toast'),
    status: (text) => page.locator('.statusbar-item', { hasText: text }),
    screenshot: async (name) => {
      mkdirSync(screenshotsFolder, { recursive: true });
      await page.screenshot({ path: path.join(screenshotsFolder, `${name}.png`) });
    },
  };
}

/** Sets the display language as a VS Code language pack does. */
async function setLanguage(page: Page, language: string): Promise<void> {
  await page.addInitScript((tag) => {
    Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: tag });
  }, language);
}

async function openPage(context: BrowserContext, address: string, options: WindowOptions): Promise<Opened> {
  const page = await context.newPage();
  try {
    await page.setViewportSize(options.size ?? { width: 1280, height: 800 });
    page.setDefaultTimeout(usualLimitMs);
    const faults = watchFaults(page);
    if (options.language !== undefined) await setLanguage(page, options.language);
    await prepareWorkbench(page);
    await page.goto(address, { timeout: 60_000 });
    await waitUntilReady(page);
    return { page, faults };
  } catch (error) {
    await page.close();
    throw error;
  }
}

interface Opened {
  readonly page: Page;
  readonly faults: string[];
}

/** Opens a window of a running editor. Calls `end` when it is closed, or if it can't be opened. */
async function openOn(
  server: CodeServer,
  context: BrowserContext,
  options: WindowOptions & Packaged,
  end: () => Promise<void>,
): Promise<DeskWindow> {
  const { vsix, developmentPath = root } = options;
  try {
    const folder = options.folder ?? path.join(mkdtempSync(path.join(server.dataFolder, 'opened-')), 'workspace');
    mkdirSync(folder, { recursive: true });
    const developmentPaths = vsix === undefined ? [developmentPath] : [];
    const address = workbenchAddress(server, { folder, developmentPaths });
    const { page, faults } = await openPage(context, address, options);
    const quick = quickInputOf(page);
    return {
      page,
      server,
      faults,
      ...quick,
      ...noticesOf(page, quick),
      ...contextMenusOf(page),
      ...partsOf(page),
      reload: async () => {
        await page.reload();
        await waitUntilReady(page);
      },
      reloadWindow: async () => {
        const loaded = page.waitForEvent('load', { timeout: 60_000 });
        await Promise.all([loaded, quick.command('Developer: Reload Window')]);
        await waitUntilReady(page);
      },
      openAnother: async () => {
        const another = await openPage(context, address, options);
        const input = quickInputOf(another.page);
        return { ...another, ...input, ...noticesOf(another.page, input), ...partsOf(another.page) };
      },
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Otherwise, a page that takes the focus closes the palette before a test has used it. */
const settingsOf = ({ settings }: WindowOptions): EditorSettings => ({
  'workbench.quickOpen.closeOnFocusLost': false,
  ...settings,
});

const windowContext: BrowserContextOptions = {
  colorScheme: 'light',
  permissions: ['clipboard-read', 'clipboard-write'],
};

/** Removes everything that a server's windows left in the browser profile. */
async function clear({ authority }: CodeServer, context: BrowserContext): Promise<void> {
  const [first, ...others] = context.pages();
  for (const page of others) await page.close();
  const page = first ?? (await context.newPage());
  // The workbench closes with its page.
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: `http://${authority}`, storageTypes: 'all' });
  await session.detach();
}

interface Packaged {
  /** An installed package, instead of the extension in the repository. */
  readonly vsix?: string | undefined;
}

export interface Desks {
  /** Opens a window with its own empty storage. The caller closes it. */
  open(options?: WindowOptions): Promise<DeskWindow>;
  close(): Promise<void>;
}

/**
 * Windows for journeys. They open in turn on one running editor and in one browser profile, which caches the compiled workbench and so
 * halves the time. Earlier storage is removed. Windows with other options, or while another one is open, get a separate editor.
 */
export function createDesks(editor: Editor, browser: Browser, { vsix }: Packaged = {}): Desks {
  let saved: { readonly server: CodeServer; readonly context: BrowserContext } | undefined;
  let isTaken = false;

  async function openAlone(options: WindowOptions): Promise<DeskWindow> {
    const { env, askForTrust, extensions, scale = 1 } = options;
    const server = await startCodeServer({
      editor,
      settings: settingsOf(options),
      ...(env !== undefined && { env }),
      ...(askForTrust !== undefined && { askForTrust }),
      ...(vsix !== undefined && { vsix }),
      ...(extensions !== undefined && { extensions }),
    });
    const context = await browser.newContext({ ...windowContext, deviceScaleFactor: scale });
    return openOn(server, context, { ...options, vsix }, async () => {
      await context.close();
      await server.stop();
    });
  }

  async function openSaved(options: WindowOptions): Promise<DeskWindow> {
    isTaken = true;
    saved ??= {
      server: await startCodeServer({ editor, ...(vsix !== undefined && { vsix }) }),
      context: await startProfile(windowContext),
    };
    const { server, context } = saved;
    await server.renew(settingsOf(options));
    return openOn(server, context, { ...options, vsix }, async () => {
      isTaken = false;
      // If clearing fails, the next window doesn't start with this profile.
      await clear(server, context).catch(close);
    });
  }

  async function close(): Promise<void> {
    const place = saved;
    saved = undefined;
    await place?.context.close();
    await place?.server.stop();
  }

  return {
    open: (options = {}) => {
      const { env, askForTrust, extensions, scale } = options;
      const isUsual = [env, askForTrust, extensions, scale].every((one) => one === undefined);
      return isUsual && !isTaken ? openSaved(options) : openAlone(options);
    },
    close,
  };
}
