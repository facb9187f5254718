import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { Handlers } from '../../src/protocol/call';
import type { ChatScreen } from '../../src/protocol/chat';
import { createResponder, type Responder } from '../../src/protocol/responder';
import type { ToHost, WireError } from '../../src/protocol/wire';
import { themes } from './webviewThemes';

export type Theme = keyof typeof themes;
export const allThemes = Object.keys(themes) as readonly Theme[];

/** The built webview on a loopback server of its own, under the policy the product states, without VS Code around it. */
export interface WebviewServer {
  address(theme: Theme): string;
  stop(): Promise<void>;
}

const files: Readonly<Record<string, string>> = {
  '/webview.js': 'text/javascript',
  '/webview.css': 'text/css',
  '/codicon.ttf': 'font/ttf',
};

export async function serveWebview(): Promise<WebviewServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const type = files[pathname];
    if (type) return response.setHeader('content-type', type).end(readFileSync(`dist${pathname}`));
    if (pathname !== '/') return response.writeHead(404).end();
    const origin = `http://${request.headers.host}`;
    response.setHeader('content-security-policy', policy(origin)).setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(html(searchParams.get('theme') as Theme));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: (theme) => `http://127.0.0.1:${port}/?theme=${theme}`,
    stop: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

const nonce = 'testnonce';

function policy(origin: string): string {
  return [
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin} 'nonce-${nonce}'; font-src ${origin}`,
    `img-src ${origin} blob: data:; media-src ${origin} blob:; connect-src 'none'; base-uri 'none'; form-action 'none'`,
    `frame-src 'none'; require-trusted-types-for 'script'; trusted-types dompurify fast-html`,
  ].join('; ');
}

function html(theme: Theme): string {
  const { bodyClass, variables } = themes[theme];
  const declarations = Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chat</title><link rel="icon" href="data:,">
<style nonce="${nonce}">html{${declarations}}html,body{background:var(--vscode-sideBar-background)}</style>
<link rel="stylesheet" href="webview.css"></head>
<body class="${bodyClass}" data-screen="chat">
<script type="application/json" id="strings">${JSON.stringify(englishChatStrings()).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">
window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.toHost(JSON.stringify(message)),
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
});
</script>
<script nonce="${nonce}" src="webview.js"></script></body></html>`;
}

/** The host's own English words, read from its source: the file itself asks the editor for them, which is not here. */
export function englishChatStrings(): Readonly<Record<string, string>> {
  const source = readFileSync('src/features/chat/chatStrings.ts', 'utf8');
  const found = source.matchAll(/(\w+): l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g);
  return Object.fromEntries([...found].map(([, name, text]) => [name, text]));
}

export interface OpenPage {
  readonly page: Page;
  readonly host: Responder<ChatScreen>;
  /** What the page complained of: script errors, broken policy, failed loads. */
  readonly complaints: readonly string[];
  /** Every address the page asked for, other than its own files. */
  readonly requests: readonly string[];
}

export interface PageOptions {
  readonly browser: Browser;
  readonly server: WebviewServer;
  readonly theme: Theme;
  readonly handlers: Handlers<ChatScreen>;
  readonly width?: number;
  readonly height?: number;
}

/** Opens the chat with `handlers` as its host. Closing the page's context is the caller's. */
export async function openChat({
  browser,
  server,
  theme,
  handlers,
  width = 340,
  height = 720,
}: PageOptions): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!server.address(theme).startsWith(url.origin) || !(url.pathname === '/' || url.pathname in files))
      requests.push(request.url());
  });
  const deliver = (message: unknown) =>
    void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined);
  const host = createResponder<ChatScreen>(handlers, deliver, describe);
  await page.exposeFunction('toHost', (message: string) => void host.receive(JSON.parse(message) as ToHost));
  await page.goto(server.address(theme));
  return { page, host, complaints, requests };
}

/** A handler fails with a `WireError` of its own making. */
function describe(error: unknown): WireError {
  if (typeof error === 'object' && error !== null && 'title' in error) return error as WireError;
  return { kind: 'unexpected', title: String(error), detail: '', actions: [] };
}
