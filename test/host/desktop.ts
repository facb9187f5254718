import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { buildProduct } from './buildProduct.ts';
import { runMain, SetupError } from './command.ts';
import { isLane, runInLanes } from './lanes.ts';
import { testFilesIn } from './mocha.ts';
import { bundleSuite, suiteFolder } from './suiteBundle.ts';
import { readTestArguments } from './bundle.ts';
import { editorsFolder, root } from './places.ts';
import { newest } from './obtain.ts';

/** Downloads VS Code. `downloadAndUnzipVSCode` reports a missing network as a list of attempts, but the user needs one sentence. */
async function downloadEditor(): Promise<string> {
  const cachePath = path.join(editorsFolder, 'desktop');
  try {
    return await downloadAndUnzipVSCode({ version: newest.vscode, cachePath, timeout: 60_000 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `VS Code ${newest.vscode} could not be downloaded from its vendor (${why}); npm run test:integration runs the same tests without that download.`,
    );
  }
}

/** `npm run test:desktop`: runs the suite of `test:integration` in the vendor's desktop build, which is downloaded once. */
await runMain(async () => {
  const { requested, grep = '' } = readTestArguments(process.argv.slice(2));
  const vscodeExecutablePath = await downloadEditor();
  if (!isLane()) {
    await buildProduct();
    await bundleSuite(requested);
    return runInLanes(import.meta.filename, testFilesIn(suiteFolder), 1);
  }
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(suiteFolder, 'suite.js'),
    extensionTestsEnv: { INFERENCE_DESK_GREP: grep, INFERENCE_DESK_ROOT: root },
    launchArgs: ['--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
  });
});
