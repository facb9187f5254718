import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { newest, obtainEditor } from '../host/obtain';
import { createDesks, type DeskWindow } from '../host/window';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { now, watchPaint } from './tokenPaint';

const lines = 50_000;
const lineBytes = 300;
const typedLine = 25_000;
const rounds = 3;
const keys = 20;
/** The interval of a typing person. The extension's work for one key can overlap with the next. */
const betweenMs = 110;
const goalMs = 10;
/** Both are JSON Lines with the same lines in the same window, but the settings make only one of them a batch file. */
const names = ['batch', 'plain'] as const;

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
const part = (values: readonly number[], share: number): number =>
  sorted(values)[Math.floor(values.length * share)] ?? 0;

/**
 * Measures from a key to its painted character, in the middle of a long batch file and of the same file without the extension's features.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'typing-'));
  for (const name of names)
    writeBatchFile(path.join(folder, `${name}.jsonl`), lines, (number) => batchLine(number, lineBytes));
  const browser = await startBrowser();
  const desks = createDesks(await obtainEditor(newest), browser);
  try {
    const settings = {
      'inferenceDesk.batch.files': { '**/plain.jsonl': false },
      'files.autoSave': 'off',
      'workbench.editorLargeFileConfirmation': 1024,
    };
    const desk = await desks.open({ folder, settings });
    const paintOf = await watchPaint(desk.page, '.editor-group-container.active .view-line');
    for (const name of names) await openAt(desk, name);
    const times = { batch: new Array<number>(), plain: new Array<number>() };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of names) {
        await desk.page.locator('.tabs-container .tab', { hasText: `${name}.jsonl` }).click();
        const measured = await typeKeys(desk.page, paintOf, round * keys);
        // The first round warms both up.
        if (round > 0) times[name].push(...measured);
      }
    }
    const { batch, plain } = times;
    const both = (share: number) => ({ ours: part(batch, share), peer: part(plain, share), unit: 'ms' });
    const peerName = 'the same file, which is no batch file by the settings';
    const count = lines.toLocaleString('en');
    return [
      {
        name: `a key in a batch file of ${count} lines, until painted (median of ${batch.length})`,
        ...both(0.5),
        peerName,
      },
      { name: 'the same, slowest in ten', ...both(0.9), peerName },
      {
        name: 'the same, beyond the other file (medians)',
        ours: part(batch, 0.5) - part(plain, 0.5),
        unit: 'ms',
        atMost: goalMs,
        title: `Type in a batch file of ${count} lines, beyond the editor itself`,
      },
    ];
  } finally {
    await desks.close();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a file with the cursor in the text of a request, and waits for the extension's lens in a batch file. */
async function openAt(desk: DeskWindow, name: (typeof names)[number]): Promise<void> {
  const { page } = desk;
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: `${name}.jsonl` }).dblclick();
  await page.locator('.tab.active', { hasText: `${name}.jsonl` }).waitFor();
  // The lens is on the first line, which the file shows when it opens.
  if (name === 'batch') await page.locator('.codelens-decoration a').first().waitFor({ timeout: 60_000 });
  const column = batchLine(typedLine - 1, lineBytes).indexOf('You are helpful') + 1;
  await page.locator('.editor-group-container.active .view-line').first().click();
  await page.keyboard.press('Control+g');
  await desk.quickInput.waitFor();
  await page.keyboard.type(`${typedLine}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: `request-${typedLine - 1}"` }).waitFor();
}

/** Types more of one letter into a run of that letter. */
async function typeKeys(
  page: Page,
  paintOf: Awaited<ReturnType<typeof watchPaint>>,
  before: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let key = 1; key <= keys; key += 1) {
    // Waits for a random moment between two frames.
    await passed(betweenMs + 17 * Math.random());
    const painted = await paintOf('z'.repeat(before + key));
    const pressed = now();
    await page.keyboard.press('z');
    times.push((await painted()) - pressed);
  }
  return times;
}
