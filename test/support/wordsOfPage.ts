import type { Page } from 'playwright-core';
import { untranslatedTexts } from './shownTexts';

/** English texts of `Intl` for an unknown language, and names of formats. */
const known =
  /^(sec|min|hr|ms|kB|MB|byte|bytes|AM|PM|at|JSON|TypeScript|Hz|PNG|JPEG|\w+day|[A-Z][a-z]{2,8}|model|response_format|sample_rate)$/;

/** Returns text on a page that is neither translatable nor from its host. */
export async function foreignWords(page: Page): Promise<readonly string[]> {
  // Checked before the host's texts, of which more might arrive and be rendered in the meantime.
  const texts = await untranslatedTexts(page.locator('body'), () => false, '.md, pre');
  const reported = (
    await page.evaluate(() => JSON.stringify((window as unknown as { reported: unknown }).reported))
  ).toLowerCase();
  const isReported = (text: string) =>
    (text.replaceAll(/\\u[\da-f]{4}/g, ' ').match(/[\p{L}_]{2,}/gu) ?? []).every(
      (word) => known.test(word) || reported.includes(word.toLowerCase()),
    );
  return texts.filter((text) => !isReported(text));
}

/** Returns text boxes that are always left to right. Boxes for numbers, code, and model names are excluded. */
export async function undirectedBoxes(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('textarea, input[type=text]')]
      .filter(
        (box) => box.dir !== 'auto' && box.inputMode === '' && !box.matches('.parameter-code, [spellcheck=false]'),
      )
      .map((box) => `${box.className} ${box.ariaLabel ?? box.id}`),
  );
}
