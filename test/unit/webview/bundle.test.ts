import { ok } from 'node:assert/strict';
import { build } from 'esbuild';
import { targets } from '../../../esbuild.mjs';
import { bundledPackages, type Metafile } from '../../host/thirdPartyNotices';

describe('the script of the pages', () => {
  it('contains no schema, because pages import only the types of `src/protocol`', async () => {
    const { metafile } = await build({ ...targets.webview, write: false });
    const packages = bundledPackages([metafile as Metafile]);
    ok(packages.includes('node_modules/preact'));
    ok(!packages.includes('node_modules/zod'), 'a page imports a value of a file that makes schemas');
  });
});
