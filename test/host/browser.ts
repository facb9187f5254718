import { chromium, type Browser } from 'playwright-core';
import { obtainChromium } from './chromium.ts';

/** A headless browser that talks to nobody but the page's own server. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await obtainChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
