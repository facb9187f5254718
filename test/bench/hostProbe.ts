import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { startBrowser } from '../host/browser';
import { testOptions } from '../host/bundle';
import { startCodeServer } from '../host/codeServer';
import { runInHost } from '../host/hostSuite';
import { resultVariable } from '../host/mocha';
import { newest, obtainEditor } from '../host/obtain';
import { root } from '../host/places';

/** Extension hosts in which a program from `test/host` measures something. */
export interface HostProbe {
  /** Runs the program in a fresh host, which reads `asked` next to its result file. Resolves to the result. */
  ask(asked: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Calls `prepare` with the folder of a new editor before it starts. It returns the folder of the extension under development. */
export async function openHostProbe(
  name: string,
  prepare: (dataFolder: string) => string = () => root,
): Promise<HostProbe> {
  const outdir = path.join(root, 'dist/test/probe');
  await build({ ...testOptions, entryPoints: [path.join(root, `test/host/${name}.ts`)], outdir });
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'desk-'));
  const extension = prepare(dataFolder);
  const result = path.join(dataFolder, 'result.json');
  const editor = await obtainEditor(newest);
  const browser = await startBrowser();
  const server = await startCodeServer({ editor, dataFolder, env: { [resultVariable]: result } });
  return {
    async ask(asked) {
      writeFileSync(`${result}.asked`, asked);
      const code = await runInHost(server, browser, path.join(outdir, `${name}.js`), extension);
      if (code !== 0) throw new Error(`The extension host could not measure.\n${server.logs()}`);
      return JSON.parse(readFileSync(result, 'utf8'));
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
