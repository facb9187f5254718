import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser.ts';
import { readTestArguments } from './bundle.ts';
import { buildProduct } from './buildProduct.ts';
import { startCodeServer } from './codeServer.ts';
import { runMain, Trouble } from './command.ts';
import { runInHost } from './hostSuite.ts';
import { leaveCounts, resultVariable, type Counts } from './mocha.ts';
import { floor, newest, obtainEditor } from './obtain.ts';
import { root } from './places.ts';
import { bundleSuite } from './suiteBundle.ts';

/** `npm run test:integration [-- part of a path …] [--grep pattern] [--floor]`: mocha inside a real extension host. */
await runMain(async () => {
  const args = process.argv.slice(2);
  const { wanted, grep = '' } = readTestArguments(args);
  const version = args.includes('--floor') ? floor : newest;
  const editor = await obtainEditor(version);
  await buildProduct();
  const testsPath = await bundleSuite(wanted);
  const result = path.join(root, `dist/test/integration-${version.codeServer}.json`);
  rmSync(result, { force: true });
  const browser = await startBrowser();
  const server = await startCodeServer({
    editor,
    // The network tests bring an authority of their own. Editors read the system's once, at their first connection, and
    // older ones from a fixed file unless told to ask Node.
    settings: { 'http.systemCertificatesNode': true },
    extensions: ['toolExtension', 'callerExtension'].map((name) => path.join(root, 'test/fixtures', name)),
    env: { [resultVariable]: result, INFERENCE_DESK_GREP: grep, INFERENCE_DESK_ROOT: root },
  });
  try {
    console.log(`Integration tests in VS Code ${version.vscode}`);
    const code = await runInHost(server, browser, testsPath);
    if (!existsSync(result))
      throw new Trouble(`The suite ended with code ${code} before its first test.\n${server.logs()}`);
    const counts: Counts = JSON.parse(readFileSync(result, 'utf8'));
    leaveCounts(counts);
    if (code !== 0 || counts.failed > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
});
