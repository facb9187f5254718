import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { startCodeServer, type CodeServer, type EditorSettings } from './codeServer.ts';
import type { Editor } from './obtain.ts';
import { root, screenshotsFolder } from './places.ts';
import { enableTestDriver, workbenchAddress } from './workbenchAddress.ts';

export interface WindowOptions {
  readonly editor: Editor;
  readonly browser: Browser;
  readonly settings?: EditorSettings;
  readonly env?: Readonly<Record<string, string>>;
  readonly askForTrust?: boolean;
  /** Run the packaged extension instead of the one in the repository. */
  readonly vsix?: string;
  /** The folder to open; an empty one by default. */
  readonly folder?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** One colour theme of each kind, by its id in the newest editor's settings. */
export const themes = {
  light: 'Light Modern',
  dark: 'Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** Their labels in the theme picker, and the class by which a theme is seen to have arrived. */
const themeMarks = {
  light: { label: 'Light Modern', seen: 'vs' },
  dark: { label: 'Dark Modern', seen: 'vs-dark' },
  highContrast: { label: 'Dark High Contrast', seen: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', seen: 'hc-light' },
} as const;

export type ThemeKind = keyof typeof themes;

/** A VS Code window of its own (own server, settings and storage), used as a person uses it. */
export interface DeskWindow {
  readonly page: Page;
  readonly server: CodeServer;
  /** Runs a command by its title through the command palette. */
  command(title: string): Promise<void>;
  /** Takes the row with this text in the open quick pick. */
  pick(text: string | RegExp): Promise<void>;
  /** Types into the open input box or quick pick, and confirms. */
  answer(text: string): Promise<void>;
  /** The open quick pick or input box. */
  readonly quickInput: Locator;
  /** Rows of the open quick pick. */
  readonly quickRows: Locator;
  /** Opens our container and, in it, the view with this title. */
  openView(title: string): Promise<Locator>;
  /** The page inside the only webview that is visible. */
  readonly webview: FrameLocator;
  readonly toasts: Locator;
  /** Drags the edge of the side bar until it is this wide, in pixels. */
  widenSideBar(width: number): Promise<void>;
  status(text: string | RegExp): Locator;
  theme(kind: ThemeKind): Promise<void>;
  screenshot(name: string): Promise<void>;
  reload(): Promise<void>;
  /** Uncaught errors, and what a content security policy refused, in the workbench's and our pages. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

async function waitUntilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 60_000 });
  // The remote indicator loses its "Opening Remote" once the extension host answers.
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

/** A page that is just taking the focus swallows a key or closes a palette; a person would try again. */
async function insist(action: () => Promise<void>): Promise<void> {
  await action().catch(action).catch(action);
}

function quickInputOf(
  page: Page,
): Pick<DeskWindow, 'quickInput' | 'quickRows' | 'command' | 'theme' | 'pick' | 'answer'> {
  const quickInput = page.locator('.quick-input-widget');
  const quickRows = quickInput.locator('.monaco-list-row');
  const box = quickInput.locator('input.input').first();
  const timeout = 5000;
  const runCommand = async (title: string): Promise<void> => {
    await page.keyboard.press('F1');
    await box.waitFor({ timeout });
    await box.fill(`>${title}`, { timeout });
    await quickRows.filter({ hasText: title }).first().click({ timeout });
  };
  const chooseTheme = async (kind: ThemeKind): Promise<void> => {
    const { label, seen } = themeMarks[kind];
    await runCommand('Preferences: Color Theme');
    await box.fill(label, { timeout });
    await quickRows.filter({ hasText: label }).first().click({ timeout });
    await page.locator(`.monaco-workbench.${seen}`).waitFor({ timeout });
  };
  return {
    quickInput,
    quickRows,
    command: (title) => insist(() => runCommand(title)),
    theme: (kind) => insist(() => chooseTheme(kind)),
    pick: (text) => quickRows.filter({ hasText: text }).first().click(),
    answer: async (text) => {
      await box.waitFor();
      await box.fill(text);
      await box.press('Enter');
    },
  };
}

/** Where the parts of the workbench that a person looks at are found. */
function partsOf(
  page: Page,
): Pick<DeskWindow, 'openView' | 'webview' | 'widenSideBar' | 'toasts' | 'status' | 'screenshot'> {
  return {
    openView: async (title) => {
      const container = page.locator('.activitybar .action-item', {
        has: page.locator('[aria-label^="Inference Desk"]'),
      });
      const pane = page.locator('.sidebar .pane', { has: page.locator(`.pane-header[aria-label^="${title}"]`) });
      const header = pane.locator('.pane-header');
      // After a reload the side bar comes back by itself a little later, and a click just then would close it again.
      const isOpen = () =>
        header.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      for (let clicks = 0; clicks < 4 && !(await isOpen()); clicks++) await container.click();
      await header.waitFor();
      if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
      return pane;
    },
    webview: page.frameLocator('iframe.webview').frameLocator('#active-frame'),
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

async function openPage(context: BrowserContext, address: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults = watchFaults(page);
  await enableTestDriver(page);
  await page.goto(address);
  await waitUntilReady(page);
  return { page, faults };
}

/** Starts a server with fresh folders and opens a window on it. Whoever opens it closes it. */
export async function openWindow(options: WindowOptions): Promise<DeskWindow> {
  const { editor, browser, settings = {}, env, askForTrust, vsix, size = { width: 1280, height: 800 } } = options;
  const server = await startCodeServer({
    editor,
    settings,
    ...(env !== undefined && { env }),
    ...(askForTrust !== undefined && { askForTrust }),
    ...(vsix !== undefined && { vsix }),
  });
  const context = await browser.newContext({ viewport: size, colorScheme: 'light' });
  const close = async (): Promise<void> => {
    await context.close();
    await server.stop();
  };
  try {
    const folder = options.folder ?? path.join(server.dataFolder, 'workspace');
    mkdirSync(folder, { recursive: true });
    const developmentPaths = vsix === undefined ? [root] : [];
    const { page, faults } = await openPage(context, workbenchAddress(server, { folder, developmentPaths }));
    return {
      page,
      server,
      faults,
      ...quickInputOf(page),
      ...partsOf(page),
      reload: async () => {
        await page.reload();
        await waitUntilReady(page);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
