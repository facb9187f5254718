import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import type { Browser } from 'playwright-core';
import { createPrivateAuthority } from '../support/privateAuthority.ts';
import { startCodeServer, type CodeServer } from './codeServer.ts';
import { SetupError } from './command.ts';
import { linePrefix } from './mocha.ts';
import type { Editor } from './obtain.ts';
import { root } from './places.ts';
import { prepareWorkbench, workbenchAddress } from './workbenchAddress.ts';

const usualLimitMs = 900_000;

/** Starts a VS Code for suites, with their helper extensions and a system that trusts the authority in `INFERENCE_DESK_AUTHORITY`. */
export async function startSuiteServer(editor: Editor, env: Readonly<Record<string, string>>): Promise<CodeServer> {
  // VS Code reads the system's authorities once, at the first connection of any extension.
  const { key, certificate } = await createPrivateAuthority();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-authority-'));
  const trusted = path.join(folder, 'authority.pem');
  writeFileSync(trusted, certificate);
  const server = await startCodeServer({
    editor,
    settings: {
      // Older versions read them from a fixed file unless they are configured to ask Node.
      'http.systemCertificatesNode': true,
      // It is off on the desktop, too. A save that coincides with an auto save is reported as failed.
      'files.autoSave': 'off',
    },
    extensions: ['toolExtension', 'callerExtension'].map((name) => path.join(root, 'test/fixtures', name)),
    env: {
      INFERENCE_DESK_ROOT: root,
      INFERENCE_DESK_AUTHORITY: JSON.stringify({ key, certificate }),
      SSL_CERT_FILE: trusted,
      ...env,
    },
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/**
 * Opens a window whose extension host calls `run` of a compiled file, and resolves to the exit code. Prints mocha's output for each file.
 * `extension` is the folder of the extension under development.
 */
export async function runInHost(
  server: CodeServer,
  browser: Browser,
  testsPath: string,
  extension: string = root,
  limitMs: number = usualLimitMs,
): Promise<number> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    // The window isn't looked at, but is rendered all the same.
    viewport: { width: 700, height: 500 },
  });
  const noise: string[] = [];
  try {
    const page = await context.newPage();
    await prepareWorkbench(page);
    const ends = new EventEmitter<{ exit: [code: number]; error: [Error] }>();
    page.once('crash', () => ends.emit('error', new Error('the window crashed')));
    await page.exposeFunction('codeAutomationExit', (code: number) => void ends.emit('exit', code));
    await page.exposeFunction('codeAutomationLog', (_type: string, values: readonly unknown[]) => {
      const line = format(...values);
      if (line.startsWith(linePrefix)) console.log(JSON.parse(line.slice(linePrefix.length)));
      else noise.push(line);
    });
    const folder = path.join(server.dataFolder, 'workspace');
    mkdirSync(folder, { recursive: true });
    const exit = once(ends, 'exit', { signal: AbortSignal.timeout(limitMs) });
    const [[code]] = await Promise.all([
      exit,
      page.goto(workbenchAddress(server, { folder, developmentPaths: [extension], testsPath })),
    ]);
    return Number(code);
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'AbortError' ? `nothing came within ${limitMs / 1000} s` : String(error);
    throw new SetupError(`The suite did not end: ${why}.\n${noise.slice(-40).join('\n')}\n${server.logs()}`);
  } finally {
    await context.close();
  }
}
