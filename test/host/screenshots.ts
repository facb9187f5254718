import { buildProduct } from './buildProduct.ts';
import { readTestArguments } from './bundle.ts';
import { runMain } from './command.ts';
import { isLane } from './lanes.ts';
import { runJourneys } from './journeys.ts';
import { newest, obtainEditor } from './obtain.ts';

/** `npm run screenshots [-- name …]`: takes the README's images, light and dark, of a real window with the demo service. */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  const { requested } = readTestArguments(process.argv.slice(2));
  const editor = await obtainEditor(newest);
  if (!isLane()) await buildProduct();
  const grep = requested.length === 0 ? undefined : `picture of: (${requested.join('|')})`;
  await runJourneys(import.meta.filename, { kind: 'pictures', editor, requested: [], grep });
});
