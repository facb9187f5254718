import { encodeClip } from '../../src/demo/video/renderVideo';
import { asksOf } from './asks';
import { createVideosHost } from './videosHost';
import type { VideosHostOptions } from './videosHost';
import { screenPages } from './screenPages';
import type { Say, Theme } from './webviewPage';

export interface VideosLooks extends VideosHostOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

/** For a suite about the videos page, called once in its `describe`. */
export function videosPages(say?: Say) {
  const openPage = screenPages(say);
  let clip: Uint8Array;
  before(async () => {
    const never = new AbortController();
    clip = await encodeClip(
      { prompt: 'a boat on a river', seed: 7, width: 320, height: 176, frames: 24 },
      never.signal,
    );
  });

  const open = async ({ theme = 'dark', width = 1100, height = 760, ...options }: VideosLooks = {}) => {
    const ours = createVideosHost(options);
    const { page, host } = await openPage('videos', { theme, width, height, handlers: ours.handlers });
    return {
      page,
      host,
      ours,
      prompt: page.getByRole('textbox', { name: 'Prompt', exact: true }),
      model: page.getByRole('combobox', { name: 'Model' }),
      seed: page.getByRole('textbox', { name: 'Seed' }),
      button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
      card: (id: string) => page.locator(`#job-${id}`),
      asks: asksOf(ours.asked),
      spoken: (text: string | RegExp) =>
        page.locator('.spoken[role=status] p', { hasText: text }).first().waitFor({ state: 'attached' }),
    };
  };
  return Object.assign(open, {
    /** Returns the URL of a video of a little over two seconds. */
    clip: (name = 'a-paper-boat-77f0a2c4d1e0.mp4') => openPage.show(name, 'video/mp4', clip),
    show: openPage.show,
  });
}
