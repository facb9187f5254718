import type { Page } from 'playwright-core';
import { untranslatedTexts } from './shownTexts';

/** What `Intl` says in English where the language is not known, and names of formats. */
const known =
  /^(sec|min|hr|ms|kB|MB|byte|bytes|AM|PM|at|JSON|TypeScript|Hz|PNG|JPEG|\w+day|[A-Z][a-z]{2,8}|model|response_format|sample_rate)$/;

/** Words on a page that are neither translatable nor told by its host. */
export async function foreignWords(page: Page): Promise<readonly string[]> {
  // Before what was told, of which more may come and be drawn meanwhile.
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

/** Boxes for words that would be drawn from the left whatever is typed into them. Those for numbers, code and names of models are not. */
export async function undirectedBoxes(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('textarea, input[type=text]')]
      .filter(
        (box) => box.dir !== 'auto' && box.inputMode === '' && !box.matches('.parameter-code, [spellcheck=false]'),
      )
      .map((box) => `${box.className} ${box.ariaLabel ?? box.id}`),
  );
}
