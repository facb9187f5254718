import { existsSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser.ts';
import { readTestArguments } from './bundle.ts';
import { buildProduct } from './buildProduct.ts';
import { obtainChromium } from './chromium.ts';
import { runMain, SetupError } from './command.ts';
import { runInHost, startSuiteServer } from './hostSuite.ts';
import { isLane, runInLanes } from './lanes.ts';
import { resultVariable, testFilesIn } from './mocha.ts';
import { floor, newest, obtainEditor } from './obtain.ts';
import { bundleSuite, suiteFolder } from './suiteBundle.ts';

/** What can differ on the oldest VS Code: startup, its API, secret storage, and the network of its Node. */
const floorFiles = ['first/', 'host.', 'languageModel.', 'mcp.', 'signIn.', 'ghostText.', 'batchEditor.'];

/**
 * `npm run test:integration [-- part of a path …] [--grep pattern] [--floor]`: runs mocha inside real extension hosts. The floor defaults
 * to tests of version-dependent behavior.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const { requested, grep = '' } = readTestArguments(args);
  const isFloor = args.includes('--floor');
  const version = isFloor ? floor : newest;
  const editor = await obtainEditor(version);
  if (!isLane()) {
    await buildProduct();
    await bundleSuite(isFloor && requested.length === 0 ? floorFiles : requested);
    process.env['CHROME_PATH'] = await obtainChromium();
    console.log(`Integration tests in VS Code ${version.vscode}`);
    return runInLanes(import.meta.filename, testFilesIn(suiteFolder));
  }
  const browser = await startBrowser();
  const server = await startSuiteServer(editor, { INFERENCE_DESK_GREP: grep });
  try {
    const code = await runInHost(server, browser, path.join(suiteFolder, 'suite.js'));
    if (!existsSync(process.env[resultVariable] ?? ''))
      throw new SetupError(`The suite ended with code ${code} before its last test.\n${server.logs()}`);
    if (code !== 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
});
