import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { ScreenId } from '../../src/protocol/screens';
import { openPageContext, openScreen, serveWebview } from './webviewPage';
import type { OpenPage, PageOptions, Say, WebviewServer } from './webviewPage';

/** Opens a screen. `end` is called once its page is closed. */
export type OpenScreenPage = OpenPageOf & Pick<WebviewServer, 'show'>;

type OpenPageOf = <Id extends ScreenId>(
  screen: Id,
  options: Omit<PageOptions<Id>, 'context' | 'server'>,
  end?: () => unknown,
) => Promise<OpenPage<Id>>;

/**
 * For a suite about pages, called once in its `describe`: one server for all its tests, in the browser of the run. After each of them the
 * pages it opened are closed, and must have complained of nothing and asked nobody for anything.
 */
export function screenPages(say?: Say): OpenScreenPage {
  let context: BrowserContext;
  let server: WebviewServer;
  const opened: (Pick<OpenPage, 'page' | 'complaints' | 'requests'> & { readonly end: (() => unknown) | undefined })[] =
    [];
  before(async function () {
    server = await serveWebview(say);
    context = await openPageContext(this.browser);
    // Left open: the process of the last page would end with it, and the next page would begin with a process of its own, twice as slow.
    const first = await context.newPage();
    await first.goto(server.address('dark').replace(/\?.*/, 'webview.css'));
  });
  afterEach(async () => {
    const pages = opened.splice(0);
    for (const { page, end } of pages) {
      await page.close();
      await end?.();
    }
    for (const { complaints, requests } of pages)
      assert.deepEqual({ complaints, requests }, { complaints: [], requests: [] });
  });
  after(async () => {
    await context?.close();
    await server?.stop();
  });

  const openPage: OpenPageOf = async (screen, options, end) => {
    const one = await openScreen(screen, { context, server, ...options });
    opened.push({ ...one, end });
    return one;
  };
  return Object.assign(openPage, { show: (...file: Parameters<WebviewServer['show']>) => server.show(...file) });
}
