import { EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import type { Browser } from 'playwright-core';
import type { CodeServer } from './codeServer.ts';
import { Trouble } from './command.ts';
import { linePrefix } from './mocha.ts';
import { root } from './places.ts';
import { enableTestDriver, workbenchAddress } from './workbenchAddress.ts';

const limitMs = 900_000;

/**
 * Opens a window whose extension host calls `run` of a compiled file, and gives the exit code. Its mocha lines are printed. `extension` is
 * the folder of the one that is developed.
 */
export async function runInHost(
  server: CodeServer,
  browser: Browser,
  testsPath: string,
  extension: string = root,
): Promise<number> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const noise: string[] = [];
  try {
    const page = await context.newPage();
    await enableTestDriver(page);
    const ends = new EventEmitter<{ exit: [code: number]; error: [Error] }>();
    page.once('crash', () => ends.emit('error', new Error('the window crashed')));
    await page.exposeFunction('codeAutomationExit', (code: number) => void ends.emit('exit', code));
    await page.exposeFunction('codeAutomationLog', (_type: string, values: readonly unknown[]) => {
      const line = format(...values);
      if (line.startsWith(linePrefix)) console.log(line.slice(linePrefix.length));
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
    throw new Trouble(`The suite did not end: ${why}.\n${noise.slice(-40).join('\n')}\n${server.logs()}`);
  } finally {
    await context.close();
  }
}
