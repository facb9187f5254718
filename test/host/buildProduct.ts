import { runCommand } from './command.ts';
import { root } from './places.ts';

/** Everything under `dist/` that the product ships, as `npm run build` makes it. */
export async function buildProduct(): Promise<void> {
  await runCommand(process.execPath, ['esbuild.mjs'], {
    cwd: root,
    purpose: 'build the extension',
    timeoutMs: 120_000,
  });
}
