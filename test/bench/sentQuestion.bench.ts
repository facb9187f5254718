import type { Locator } from 'playwright-core';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { newest, obtainEditor } from '../host/obtain';
import { createDesks } from '../host/window';
import { chatOf, signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';

const rounds = 20;

/**
 * Measures from Enter in the question box of a real window to the frame with the question, and the same for a plain text area in that page.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const browser = await startBrowser();
  const desks = createDesks(await obtainEditor(newest), browser);
  const demo = await startFilledDemo({ pace: 'fast' });
  try {
    const desk = await desks.open({});
    const chat = chatOf(desk);
    await signInTo(desk, demo);
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await chat.box.click();
      await chat.box.fill(`What is ${round} + 1?`);
      const sent = await timeOf(chat.box, '.question-text', `What is ${round} + 1?`);
      // Before that, the token count of the previous turn could be mistaken for that of the new one.
      await chat.turns.nth(round).waitFor();
      await chat.counted.waitFor();
      const plain = await timeOf(await plainBox(chat.box), '.plain-said', `What is ${round} + 1?`);
      // The first rounds load lazy code.
      if (round === 0) continue;
      ours.push(sent);
      peer.push(plain);
    }
    const share = (values: readonly number[], part: number) =>
      values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;
    const line = (part: number) => ({
      ours: share(ours, part),
      peer: share(peer, part),
      peerName: 'text area to div',
      unit: 'ms',
    });
    return [
      { name: `from Enter to the question on screen (median of ${rounds})`, ...line(0.5), atMost: 50 },
      { name: 'the slowest of them', ...line(1) },
    ];
  } finally {
    await desks.close();
    await demo.close();
    await browser.close();
  }
}

/** Presses Enter in a box, and waits until the frame in which the last element at `selector` has the text is painted. */
async function timeOf(box: Locator, selector: string, text: string): Promise<number> {
  const watching = await box.evaluateHandle(
    (element, [at, expected]) => {
      const painted = new Promise<number>((resolve) => {
        const onKey = ({ timeStamp }: Event) => {
          const seen = new MutationObserver(() => {
            if (Array.from(document.querySelectorAll(at)).at(-1)?.textContent !== expected) return;
            seen.disconnect();
            // A message posted at the start of a frame is delivered after the frame is painted.
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.addEventListener('message', () => resolve(performance.now() - timeStamp));
              port1.start();
              port2.postMessage(undefined);
            });
          });
          seen.observe(document.body, { subtree: true, childList: true, characterData: true });
        };
        element.addEventListener('keydown', onKey, { once: true, capture: true });
      });
      return { painted };
    },
    [selector, text] as const,
  );
  await box.press('Enter');
  return watching.evaluate(({ painted }) => painted);
}

/** Covers the page with a text area that has the box's text and adds it in a new `div` on Enter. */
async function plainBox(box: Locator): Promise<Locator> {
  await box.evaluate((element) => {
    document.querySelector('.plain')?.remove();
    const plain = document.body.appendChild(document.createElement('div'));
    plain.className = 'plain';
    plain.style.cssText = 'position: fixed; inset: 0 0 auto; z-index: 9; background: Canvas';
    const area = plain.appendChild(document.createElement('textarea'));
    area.value = Array.from(document.querySelectorAll('.turn .question-text')).at(-1)?.textContent ?? '';
    area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const said = plain.appendChild(document.createElement('div'));
      said.className = 'plain-said';
      said.textContent = area.value;
    });
    area.focus();
    return element.tagName;
  });
  return box.page().frameLocator('iframe.webview').frameLocator('#active-frame').locator('.plain textarea');
}
