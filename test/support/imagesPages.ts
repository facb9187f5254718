import { asksOf } from './asks';
import { createImagesHost } from './imagesHost';
import type { ImagesHostOptions } from './imagesHost';
import { screenPages } from './screenPages';
import type { ImagesPage } from '../../src/protocol/images';
import type { Say, Theme } from './webviewPage';

export interface ImagesLooks extends ImagesHostOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

/** For a suite about the images page, called once in its `describe`. */
export function imagesPages(say?: Say) {
  const openPage = screenPages(say);
  return async ({ theme = 'dark', width = 1100, height = 800, ...options }: ImagesLooks = {}) => {
    const ours = createImagesHost(options);
    const { page, host } = await openPage('images', { theme, width, height, handlers: ours.handlers });
    return {
      page,
      ours,
      prompt: page.getByRole('textbox', { name: 'Prompt' }),
      button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
      /** The enlarged image, and the thumbnails of all. */
      shown: page.locator('.images-shown'),
      thumbnails: page.locator('.images-thumb'),
      /** Notifies the page of a change. */
      tell: (part: Partial<ImagesPage>) => host.tell('images/changed', ours.change(part)),
      asks: asksOf(ours.asked),
      spoken: (text: string | RegExp) =>
        page.locator('.spoken[role=status] p', { hasText: text }).first().waitFor({ state: 'attached' }),
    };
  };
}
