import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { obtainChromium } from './chromium.ts';

/** Restricts the browser to the page's own server. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless browser. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await obtainChromium(), args });
}

/** Starts a headless browser with an empty profile on disk, so that it compiles a page's code only once. */
export async function startProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    executablePath: await obtainChromium(),
    args,
  });
  context.once('close', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return context;
}
