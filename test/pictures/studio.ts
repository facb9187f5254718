import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { picturesFolder } from '../host/places';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';

/** Calm, and alike on every machine. */
const settings = {
  'breadcrumbs.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.fontSize': 14,
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.quickSuggestions': false,
  'editor.renderWhitespace': 'none',
  'editor.selectionHighlight': false,
  'editor.stickyScroll.enabled': false,
  'editor.wordWrap': 'off',
  'explorer.openEditors.visible': 0,
  'files.autoSave': 'off',
  'inferenceDesk.batch.resultsFolder': '',
  'inferenceDesk.ghostText.mode': 'manual',
  'inferenceDesk.images.perMinute': 0,
  'inferenceDesk.media.folder': 'made',
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
};

/** 1440 × 960 pixels, in which the text of the editor can still be read where a page shows half of them. */
const size = { width: 1200, height: 800 };
const scale = 1.2;

const themes = {
  light: { label: 'Light Modern', seen: 'vs' },
  dark: { label: 'Dark Modern', seen: 'vs-dark' },
} as const;

export type Theme = keyof typeof themes;

/** A window signed in to a demo service of its own, on a copy of the sample workspace, in which pictures are taken. */
export interface Studio {
  readonly desk: DeskWindow;
  readonly demo: FilledDemo;
  /** Of the workspace. */
  readonly folder: string;
  readonly openFile: (name: string) => Promise<void>;
  /** The text of the editor that is shown first. */
  readonly lines: Locator;
  /** Leaves only these of our views open, in this order of height. */
  readonly showViews: (...titles: readonly string[]) => Promise<void>;
  readonly hideSideBar: () => Promise<void>;
  /** Until the scene is cleared. */
  readonly makeHigher: (pixels: number) => Promise<void>;
  /** Scrolls the first editor to its beginning, lenses included. */
  readonly scrollUp: () => Promise<void>;
  /** Ends what the scene before left behind: editors, panel, notices. */
  readonly clear: () => Promise<void>;
  readonly setTheme: (theme: Theme) => Promise<void>;
  /** Writes what the window shows now to the folder of the pictures. Resolves to the file's name and size. */
  readonly take: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

async function writePicture(desk: DeskWindow, name: string): Promise<string> {
  // Nothing under the pointer, and no caret that blinks.
  await desk.page.mouse.move(size.width - 1, size.height / 2);
  const taken = await desk.page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'device' });
  const file = path.join(picturesFolder, `${name}.png`);
  const {
    size: bytes,
    width,
    height,
  } = await sharp(taken).png({ palette: true, quality: 90, effort: 10, compressionLevel: 9, dither: 0.6 }).toFile(file);
  return `media/readme/${name}.png: ${width} × ${height}, ${Math.round(bytes / 1024)} kB`;
}

export async function openStudio(openDesk: Mocha.Context['openDesk']): Promise<Studio> {
  const parent = mkdtempSync(path.join(tmpdir(), 'studio-'));
  const folder = path.join(parent, 'corner-shop');
  cpSync('test/pictures/workspace', folder, { recursive: true });
  const demo = await startFilledDemo({ pace: 'fast' });
  const desk = await openDesk({ folder, size, scale, settings });
  const { page } = desk;
  // What only a server of tests shows: its host, its ports, its keyboard.
  const noise = ['status.host', 'status.forwardedPorts', 'status.workbench.keyboardLayout'].map((id) => `[id="${id}"]`);
  await page.addStyleTag({ content: `${noise.join()} { display: none !important; }` });
  await page.addStyleTag({ content: '.panel .action-item:has([aria-label^="Ports"]) { display: none !important; }' });
  await signInTo(desk, demo, 'Corner Shop');

  const setTheme = async (theme: Theme): Promise<void> => {
    await desk.theme(theme);
    // Pages learn of it a moment later.
    const pages = page.frames().filter((frame) => frame.name() === 'active-frame' || /fake\.html/.test(frame.url()));
    const kind = `body[data-vscode-theme-kind="vscode-${theme}"]`;
    for (const frame of pages) {
      await frame
        .locator(kind)
        .waitFor({ state: 'attached' })
        .catch((error: unknown) => {
          // A page whose editor was just closed goes away meanwhile.
          if (!frame.isDetached()) throw error;
        });
    }
  };

  return {
    desk,
    demo,
    folder,
    lines: page.locator('.editor-instance .view-lines').first(),
    async openFile(name) {
      const find = async () => {
        await page.keyboard.press('Control+p');
        await desk.quickInput.locator('input.input').first().fill(name);
        await desk.quickRows.filter({ hasText: name }).first().waitFor({ timeout: 10_000 });
      };
      // Quick Open can lose what is entered while it opens.
      await find().catch(() => page.keyboard.press('Escape').then(find));
      await desk.pick(name);
      await page.locator('.tab.active', { hasText: name }).waitFor();
      await page.locator('.monaco-editor.focused').first().waitFor();
    },
    async showViews(...titles) {
      await desk.openView(titles[0] ?? 'Models');
      for (const title of ['Models', 'Files', 'Batches', 'Images and Videos', 'Voices', 'Account']) {
        const header = page.locator(`.sidebar .pane-header[aria-label^="${title}"]`);
        const isOpen = (await header.getAttribute('aria-expanded')) === 'true';
        if (isOpen !== titles.includes(title)) await header.click();
      }
    },
    async hideSideBar() {
      if (await page.locator('.part.sidebar').isVisible()) await desk.command('View: Close Primary Side Bar');
    },
    makeHigher: (pixels) => page.setViewportSize({ ...size, height: size.height + pixels }),
    async scrollUp() {
      const box = await page.locator('.editor-instance .view-lines').first().boundingBox();
      await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 40);
      await page.mouse.wheel(0, -2000);
    },
    async clear() {
      await page.setViewportSize(size);
      await desk.command('View: Close All Editors');
      if (await page.locator('.part.panel').isVisible()) await desk.command('View: Toggle Panel Visibility');
      await desk.clearNotices();
    },
    setTheme,
    take: (name) => writePicture(desk, name),
    async close() {
      await desk.close();
      await demo.close();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
