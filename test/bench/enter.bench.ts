import type { Locator } from 'playwright-core';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { newest, obtainEditor } from '../host/obtain';
import { createDesks, type DeskWindow } from '../host/window';
import { chatOf, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';

const rounds = 9;
const goalMs = 50;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** From Enter to the frame that shows the question, in a real window: our chat, and VS Code's own with the same service. */
export async function run(): Promise<readonly BenchLine[]> {
  const browser = await startBrowser();
  const desks = createDesks(await obtainEditor(newest), browser);
  const demo = await startFilledDemo({ pace: 'fast' });
  try {
    const desk = await desks.open({ size: { width: 1500, height: 900 } });
    await signInTo(desk, demo);
    const ours = await askOurs(desk);
    const peer = await askEditors(desk, demo);
    return [
      {
        name: `chat, from Enter to the question painted (median of ${rounds})`,
        ours: median(ours),
        peer: median(peer),
        peerName: 'VS Code’s own chat',
        unit: 'ms',
        atMost: goalMs,
        title: 'Show a question after Enter',
      },
    ];
  } finally {
    await desks.close();
    await demo.close();
    await browser.close();
  }
}

async function askOurs(desk: DeskWindow): Promise<readonly number[]> {
  const chat = chatOf(desk);
  const body = desk.webview.locator('body');
  const found: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const question = `What is ${round + 11} * 7?`;
    await chat.box.click();
    await chat.box.fill(question);
    const shown = shownAfterEnter(body, '.question-text', question);
    await chat.box.press('Enter');
    found.push(await shown);
    await chat.counted.waitFor();
  }
  // The first one warms everything up.
  return found.slice(1);
}

async function askEditors(desk: DeskWindow, demo: FilledDemo): Promise<readonly number[]> {
  const { page } = desk;
  const chat = page.locator('.interactive-session');
  await desk.viewAction('Models', 'Manage VS Code Chat Models…');
  const row = desk.quickRows.filter({ hasText: 'Qwen' }).first();
  await row.waitFor();
  await row.click();
  await page.keyboard.press('Enter');
  await chat.locator('.interactive-input-part').getByText('Qwen').first().waitFor({ timeout: 80_000 });
  await page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
  const found: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const question = `What is ${round + 11} * 7?`;
    const before = (await demo.requests()).length;
    await chat.locator('.interactive-input-part .monaco-editor').first().click();
    await page.keyboard.insertText(question);
    const shown = shownAfterEnter(page.locator('body'), '.interactive-request', question);
    await page.keyboard.press('Enter');
    found.push(await shown);
    await chat
      .locator('.interactive-response')
      .getByText(String((round + 11) * 7), { exact: true })
      .first()
      .waitFor({ timeout: 20_000 });
    await chat.locator('.codicon-stop-circle').waitFor({ state: 'detached' });
    if ((await demo.requests()).length === before) throw new Error('VS Code’s chat sent nothing.');
  }
  return found.slice(1);
}

/** Resolves to the milliseconds from the next Enter until the frame in which an element with this text is painted. */
function shownAfterEnter(body: Locator, selector: string, text: string): Promise<number> {
  return body.evaluate(
    (_, sought) =>
      new Promise<number>((resolve) => {
        const onEnter = ({ key, timeStamp }: KeyboardEvent) => {
          if (key !== 'Enter') return;
          window.removeEventListener('keydown', onEnter, true);
          const look = () =>
            requestAnimationFrame(() => {
              const all = [...document.querySelectorAll(sought.selector)];
              if (!all.some(({ textContent }) => textContent?.replaceAll('\u00a0', ' ').includes(sought.text)))
                return void look();
              const painted = new MessageChannel();
              painted.port1.addEventListener('message', () => resolve(performance.now() - timeStamp));
              painted.port1.start();
              painted.port2.postMessage(undefined);
            });
          look();
        };
        window.addEventListener('keydown', onEnter, true);
      }),
    { selector, text },
  );
}
