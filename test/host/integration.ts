import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { startBrowser } from './browser.ts';
import { readTestArguments } from './bundle.ts';
import { buildProduct } from './buildProduct.ts';
import { startCodeServer, type CodeServer } from './codeServer.ts';
import { runMain, Trouble } from './command.ts';
import { leaveCounts, linePrefix, resultVariable, type Counts } from './mocha.ts';
import { floor, newest, obtainEditor } from './obtain.ts';
import { root } from './places.ts';
import { bundleSuite } from './suiteBundle.ts';
import { enableTestDriver, workbenchAddress } from './workbenchAddress.ts';

const limitMs = Number(process.env['INFERENCE_DESK_SUITE_LIMIT_MS'] ?? 600_000);

/** Opens a window that runs the suite; resolves with its exit code. mocha's lines are printed as they come. */
async function runSuite(server: CodeServer, testsPath: string): Promise<number> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await enableTestDriver(page);
    const noise: string[] = [];
    await page.exposeFunction('codeAutomationLog', (_type: string, values: readonly unknown[]) => {
      const line = format(...values);
      if (line.startsWith(linePrefix)) console.log(line.slice(linePrefix.length));
      else noise.push(line);
    });
    const exit = new Promise<number>((resolve, reject) => {
      setTimeout(
        () =>
          reject(
            new Trouble(
              `The suite did not end within ${limitMs / 1000} s.\n${noise.slice(-40).join('\n')}\n${server.logs()}`,
            ),
          ),
        limitMs,
      ).unref();
      page.once('crash', () => reject(new Trouble('The window crashed.')));
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
    });
    const folder = path.join(server.dataFolder, 'workspace');
    mkdirSync(folder, { recursive: true });
    await page.goto(workbenchAddress(server, { folder, developmentPaths: [root], testsPath }));
    return await exit;
  } finally {
    await browser.close();
  }
}

await runMain(async () => {
  const args = process.argv.slice(2);
  const { wanted, grep = '' } = readTestArguments(args);
  const version = args.includes('--floor') ? floor : newest;
  const editor = await obtainEditor(version);
  await buildProduct();
  const testsPath = await bundleSuite(wanted);
  const result = path.join(root, `dist/test/integration-${version.codeServer}.json`);
  rmSync(result, { force: true });
  const server = await startCodeServer({
    editor,
    env: { [resultVariable]: result, INFERENCE_DESK_GREP: grep, INFERENCE_DESK_ROOT: root },
  });
  try {
    console.log(`Integration tests in VS Code ${version.vscode}`);
    const code = await runSuite(server, testsPath);
    if (!existsSync(result))
      throw new Trouble(`The suite ended with code ${code} before its first test.\n${server.logs()}`);
    const counts: Counts = JSON.parse(readFileSync(result, 'utf8'));
    leaveCounts(counts);
    if (code !== 0 || counts.failed > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
});
