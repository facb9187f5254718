import { existsSync } from 'node:fs';
import { buildProduct } from './buildProduct.ts';
import { readTestArguments } from './bundle.ts';
import { runMain, SetupError } from './command.ts';
import { isLane } from './lanes.ts';
import { runJourneys } from './journeys.ts';
import { floor, newest, obtainEditor } from './obtain.ts';
import { packageFile } from './places.ts';

/**
 * `npm run test:e2e [-- part of a path …] [--grep pattern] [--floor] [--package]`: runs journeys in a real window, driven by a real
 * browser. With `--package`, every window has the package from `npm run package` installed, and loads nothing from the repository.
 */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  const args = process.argv.slice(2);
  const editor = await obtainEditor(args.includes('--floor') ? floor : newest);
  const isPackaged = args.includes('--package');
  if (isPackaged && !existsSync(packageFile))
    throw new SetupError('There is no package yet: npm run package makes it.');
  if (!isPackaged && !isLane()) await buildProduct();
  const vsix = isPackaged ? packageFile : undefined;
  await runJourneys(import.meta.filename, { kind: 'e2e', editor, ...readTestArguments(args), vsix });
});
