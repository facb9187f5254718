import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { ScreenId } from '../../src/protocol/screens';
import { takePicture, takesAllPictures } from './takePicture';
import { openPageContext, openTab, serveWebview, showScreen } from './webviewPage';
import type { OpenPage, Say, ShowOptions, ShownScreen, Tab, WebviewServer } from './webviewPage';

/** Opens a screen. Calls `end` once its page no longer shows it. */
export type OpenScreenPage = OpenPageOf & Pick<WebviewServer, 'show'>;

type OpenPageOf = <Id extends ScreenId>(
  screen: Id,
  options: Omit<ShowOptions<Id>, 'server'>,
  end?: () => unknown,
) => Promise<OpenPage<Id>>;

/** Shared by the tests of a process, because it takes as long to create as to use. */
interface Shared {
  readonly server: WebviewServer;
  /** Tabs that show nothing. */
  readonly idle: Tab[];
  suites: number;
}

declare global {
  // oxlint-disable-next-line no-var
  var sharedPages: Promise<Shared> | undefined;
}

/** More than a test opens at the same time. */
const mostIdle = 3;

async function makeShared(): Promise<Shared> {
  return { server: await serveWebview(), idle: [], suites: 0 };
}

function failurePicture(test: Mocha.Test | undefined): string {
  return `dist/screenshots/${`failed ${test?.fullTitle()}`.replaceAll(/[^\w-]+/g, '-').slice(0, 120)}.png`;
}

/** Opens a tab in a separate window, because a background tab is eventually rendered only once a second. */
async function openApart(browser: Browser): Promise<Tab> {
  return openTab(await openPageContext(browser, takesAllPictures ? 2 : 1));
}

/**
 * For a suite about pages, called once in its `describe`. All its tests, and all other suites of the process with the same `say`, share one
 * server and the same tabs. After each test, its pages show nothing any more, and must not have reported errors or sent requests. A tab
 * starts like a new one. A test that changes the tab beyond the page (pointer, size, media) makes it close.
 */
export function screenPages(say?: Say): OpenScreenPage {
  let browser: Browser;
  let shared: Shared;
  let server: WebviewServer;
  let suite: number;
  const opened: (Pick<ShownScreen, 'complaints' | 'requests' | 'leave'> & {
    readonly tab: Tab;
    readonly end: (() => unknown) | undefined;
  })[] = [];
  before(async function () {
    browser = this.browser;
    shared = await (globalThis.sharedPages ??= makeShared());
    suite = shared.suites += 1;
    server = say ? await serveWebview(say) : shared.server;
  });
  afterEach(async function () {
    const isFailed = this.currentTest?.state === 'failed';
    const pages = opened.splice(0);
    for (const { tab, leave, end } of pages) {
      if (isFailed) await takePicture(tab.page, failurePicture(this.currentTest)).catch(() => undefined);
      if (isFailed || tab.page.isClosed() || shared.idle.length >= mostIdle) await tab.page.context().close();
      else {
        await leave();
        shared.idle.push(tab);
      }
      await end?.();
    }
    for (const { complaints, requests } of pages)
      assert.deepEqual({ complaints, requests }, { complaints: [], requests: [] });
  });
  after(async () => {
    if (say) await server?.stop();
  });

  const openPage: OpenPageOf = async (screen, options, end) => {
    const tab = shared.idle.pop() ?? (await openApart(browser));
    const one = await showScreen(tab, screen, { server, ...options });
    opened.push({ ...one, tab, end });
    return one;
  };
  return Object.assign(openPage, {
    show: (name: string, ...file: [type: string, bytes: Uint8Array]) => server.show(`${suite}/${name}`, ...file),
  });
}
