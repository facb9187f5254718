import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import type { Handlers } from '../../src/protocol/call';
import { contentSecurityPolicy } from '../../src/platform/webview/webviewHtml';
import { createResponder, type Responder } from '../../src/protocol/responder';
import type { ScreenId, Screens } from '../../src/protocol/screens';
import type { Loaded, ToHost, ToWebview, WireError } from '../../src/protocol/wire';
import { themes } from './webviewThemes';

export type Theme = keyof typeof themes;
export const allThemes = Object.keys(themes) as readonly Theme[];

/** The built webview on a separate loopback server, under the product's content security policy, without VS Code. */
export interface WebviewServer {
  address(theme: Theme, screen?: ScreenId): string;
  /** An empty page, which clears what the server's pages saved in its tab. */
  readonly restAddress: string;
  /** Returns the URL of these bytes, as of a file that the host allows the page to load. */
  show(name: string, type: string, bytes: Uint8Array): string;
  stop(): Promise<void>;
}

const files: Readonly<Record<string, string>> = {
  '/webview.js': 'text/javascript',
  '/webview.css': 'text/css',
  '/math.js': 'text/javascript',
  '/codicon.ttf': 'font/ttf',
};

/** `say` converts the pages' English texts. Doesn't keep its process alive. */
export async function serveWebview(say?: Say): Promise<WebviewServer> {
  const shown = new Map<string, { readonly type: string; readonly bytes: Uint8Array }>();
  const built = Object.entries(files).map(
    ([name, type]) => [name, { type, bytes: readFileSync(`dist${name}`) }] as const,
  );
  const own = new Map(built);
  const translations = say && translationsBy(say);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const part = own.get(pathname);
    // Cached by the browser, with the compiled code.
    if (part)
      return response.setHeader('cache-control', 'max-age=86400').setHeader('content-type', part.type).end(part.bytes);
    const file = shown.get(pathname);
    if (file) return sendShown(response.setHeader('content-type', file.type), file.bytes, request.headers.range);
    if (pathname === restPath) return response.setHeader('content-type', 'text/html').end(restPage);
    if (pathname !== '/') return response.writeHead(404).end();
    const origin = `http://${request.headers.host}`;
    const screen = searchParams.get('screen') as ScreenId;
    response
      .setHeader('content-security-policy', contentSecurityPolicy(origin, nonce))
      .setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(html(searchParams.get('theme') as Theme, screen, translations));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: (theme, screen = 'chat') => `http://127.0.0.1:${port}/?theme=${theme}&screen=${screen}`,
    restAddress: `http://127.0.0.1:${port}${restPath}`,
    show(name, type, bytes) {
      shown.set(`${shownFolder}${name}`, { type, bytes });
      return `http://127.0.0.1:${port}${shownFolder}${name}`;
    },
    stop: () => stop(server),
  };
}

const shownFolder = '/shown/';
const restPath = '/rest';
const restPage =
  '<!doctype html><title>Rest</title><link rel="icon" href="data:,"><script>sessionStorage.clear()</script>';

export type Say = (text: string) => string;

/** Sends a range, too, which seeking in a video requests. */
function sendShown(response: ServerResponse, bytes: Uint8Array, range = ''): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  response.setHeader('accept-ranges', 'bytes');
  if (first === undefined) return void response.end(bytes);
  const [from, to] = [Number(first), Math.min(last ? Number(last) : Infinity, bytes.length - 1)];
  response.setHeader('content-range', `bytes ${from}-${to}/${bytes.length}`);
  return void response.writeHead(206).end(bytes.subarray(from, to + 1));
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

const nonce = 'testnonce';

function translationsBy(say: Say): Readonly<Record<string, string>> {
  const built: object = JSON.parse(readFileSync('dist/l10n/pages.l10n.zh-cn.json', 'utf8'));
  return Object.fromEntries(Object.keys(built).map((text) => [text, say(text)]));
}

function html(theme: Theme, screen: ScreenId, translations: Readonly<Record<string, string>> = {}): string {
  const { bodyClass, variables } = themes[theme];
  const declarations = Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chat</title><link rel="icon" href="data:,">
<style nonce="${nonce}" id="theme">html{${declarations}}html,body{background:var(--vscode-sideBar-background)}</style>
<link rel="stylesheet" href="webview.css"></head>
<body class="${bodyClass}" data-screen="${screen}" data-place="${screen === 'chat' ? 'view' : 'editor'}" data-page="shown" data-theme="${theme}">
<script type="application/json" id="translations">${JSON.stringify(translations).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">
window.reported = [];
window.addEventListener('message', ({ data }) => window.reported.push(data));
window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(JSON.stringify(message)),
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
});
</script>
<script nonce="${nonce}" src="webview.js"></script></body></html>`;
}

export interface OpenPage<Id extends ScreenId = 'chat'> {
  readonly page: Page;
  readonly host: Responder<Screens[Id]>;
  /** The page's errors: script errors, policy violations, and failed loads. */
  readonly complaints: readonly string[];
  /** Every URL that the page requested, except its own files. */
  readonly requests: readonly string[];
}

export interface ShowOptions<Id extends ScreenId = 'chat'> {
  readonly server: WebviewServer;
  readonly theme: Theme;
  readonly handlers: Handlers<Screens[Id]>;
  readonly width?: number;
  readonly height?: number;
}

export interface PageOptions<Id extends ScreenId = 'chat'> extends ShowOptions<Id> {
  readonly context: BrowserContext;
  /** Runs before the page's own script. */
  readonly watch?: () => void;
}

/** A browser page that shows one screen after another. */
export interface Tab {
  readonly page: Page;
  /** Receives the messages of the displayed screen. */
  receive: ((message: ToHost) => void) | undefined;
}

export interface ShownScreen<Id extends ScreenId = 'chat'> extends OpenPage<Id> {
  /** Restores the tab to its state before the screen. Later messages of the host or the page are ignored. */
  leave(): Promise<void>;
}

/** Opens a context for pages. Our pages share no storage: their state is saved per page. */
export function openPageContext(browser: Browser, deviceScaleFactor = 2): Promise<BrowserContext> {
  return browser.newContext({ deviceScaleFactor, ...usualMedia });
}

const usualMedia = { reducedMotion: 'reduce' } as const;

/** Switches an open page to another theme, as VS Code does when the user selects one. */
export async function wearTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(
    ([name, { bodyClass, variables }, others]) => {
      const sheet = document.querySelector<HTMLStyleElement>('#theme')?.sheet;
      const { style } = sheet!.cssRules[0] as CSSStyleRule;
      style.cssText = '';
      for (const [variable, value] of Object.entries(variables)) style.setProperty(variable, value);
      document.body.classList.remove(...others);
      document.body.classList.add(...bodyClass.split(' '));
      document.body.dataset['theme'] = name;
    },
    [theme, themes[theme], Object.values(themes).flatMap(({ bodyClass }) => bodyClass.split(' '))] as const,
  );
}

/** Opens the chat with `handlers` as its host. The caller closes the page. */
export async function openChat(options: PageOptions): Promise<OpenPage> {
  return openScreen('chat', options);
}

/** Opens any screen in the same way. */
export async function openScreen<Id extends ScreenId>(
  screen: Id,
  { context, watch, ...options }: PageOptions<Id>,
): Promise<ShownScreen<Id>> {
  const tab = await openTab(context);
  if (watch) await tab.page.addInitScript(watch);
  return showScreen(tab, screen, options);
}

export async function openTab(context: BrowserContext): Promise<Tab> {
  const tab: Tab = { page: await context.newPage(), receive: undefined };
  await tab.page.exposeFunction('toHost', (text: string) => {
    const message: ToHost | Loaded = JSON.parse(text);
    if (message.type !== 'loaded') tab.receive?.(message);
  });
  return tab;
}

/** Shows a screen in an empty tab. */
export async function showScreen<Id extends ScreenId>(
  tab: Tab,
  screen: Id,
  { server, theme, handlers, width = 340, height = 720 }: ShowOptions<Id>,
): Promise<ShownScreen<Id>> {
  const { page } = tab;
  await page.setViewportSize({ width, height });
  const complaints: string[] = [];
  const requests: string[] = [];
  const onError = (error: Error) => void complaints.push(error.message);
  const onConsole = (message: ConsoleMessage) => void (message.type() === 'error' && complaints.push(message.text()));
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    // A blob was created by the page itself.
    const isOwn =
      url.protocol === 'blob:' ||
      [...Object.keys(files), '/', restPath].includes(url.pathname) ||
      url.pathname.startsWith(shownFolder);
    if (!server.address(theme).startsWith(url.origin) || !isOwn) requests.push(request.url());
  };
  page.on('pageerror', onError).on('console', onConsole).on('request', onRequest);
  let isLeft = false;
  const deliver = (message: ToWebview) => {
    if (!isLeft)
      void page.evaluate((data) => window.postMessage({ ...data, page: 'shown' }, '*'), message).catch(() => undefined);
  };
  const host = createResponder<Screens[Id]>(handlers, deliver, describe);
  tab.receive = (message) => void host.receive(message);
  await page.goto(server.address(theme, screen));
  const leave = async () => {
    isLeft = true;
    tab.receive = undefined;
    await page.goto(server.restAddress, { timeout: leaveMs });
    page.off('pageerror', onError).off('console', onConsole).off('request', onRequest);
    await page.mouse.move(-1, -1);
    await page.emulateMedia({ media: null, colorScheme: null, contrast: null, forcedColors: null, ...usualMedia });
  };
  return { page, host, complaints, requests, leave };
}

/** Longer than a page takes unless it is stuck. */
const leaveMs = 20_000;

/** A handler fails with a `WireError`. */
function describe(error: unknown): WireError {
  if (typeof error === 'object' && error !== null && 'title' in error) return error as WireError;
  return { kind: 'unexpected', title: String(error), detail: '', actions: [] };
}
