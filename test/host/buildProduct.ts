import { runCommand } from './command.ts';
import { root } from './places.ts';

/** Set if the product was already built for all steps of a run. */
export const builtVariable = 'INFERENCE_DESK_BUILT';

/** Builds everything in `dist/` that the product ships, like `npm run build`, unless it was already built for this run. */
export async function buildProduct(): Promise<void> {
  if (process.env[builtVariable] !== undefined) return;
  await runCommand(process.execPath, ['esbuild.mjs'], {
    cwd: root,
    purpose: 'build the extension',
    timeoutMs: 120_000,
  });
}
