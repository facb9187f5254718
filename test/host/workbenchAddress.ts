import type { Page } from 'playwright-core';
import type { CodeServer } from './codeServer.ts';

export interface WorkbenchOptions {
  /** The folder to open. */
  readonly folder: string;
  /** Extensions that run from their build folders. */
  readonly developmentPaths?: readonly string[];
  /** A compiled suite that runs in the extension host, after which the window reports its exit. */
  readonly testsPath?: string;
}

/** Returns the URL of a window of this server. */
export function workbenchAddress(server: CodeServer, options: WorkbenchOptions): string {
  const remote = (file: string): string => `vscode-remote://${server.authority}${file}`;
  const payload = [
    ...(options.developmentPaths ?? []).map((folder) => ['extensionDevelopmentPath', remote(folder)]),
    ...(options.testsPath === undefined ? [] : [['extensionTestsPath', remote(options.testsPath)]]),
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  return `http://${server.authority}/?folder=${encodeURIComponent(options.folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/**
 * Called before the workbench loads. A built editor accepts development paths only with its smoke-test driver on, and 1.106 enables that
 * only by an attribute. Stops the spinning of progress indicators, also where it ignores the setting for reduced motion, because the entire
 * window would be rendered sixty times a second.
 */
export async function prepareWorkbench(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync(
      '.codicon-modifier-spin::before, .codicon-modifier-spin, .progress-bit { animation: none !important }',
    );
    document.adoptedStyleSheets.push(still);
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
    const original = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = original.call(this, name);
      if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || value === null) return value;
      const settings = JSON.parse(value);
      return JSON.stringify({
        ...settings,
        developmentOptions: { ...settings.developmentOptions, enableSmokeTestDriver: true },
      });
    };
  });
}
