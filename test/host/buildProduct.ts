import { runCommand } from './command.ts';
import { root } from './places.ts';

/** Set where whoever runs several steps has built the product for all of them. */
export const builtVariable = 'INFERENCE_DESK_BUILT';

/** Makes everything under `dist/` that the product ships, as `npm run build` does, unless it was made for this run. */
export async function buildProduct(): Promise<void> {
  if (process.env[builtVariable] !== undefined) return;
  await runCommand(process.execPath, ['esbuild.mjs'], {
    cwd: root,
    purpose: 'build the extension',
    timeoutMs: 120_000,
  });
}
