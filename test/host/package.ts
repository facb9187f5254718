import { statSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildProduct } from './buildProduct.ts';
import { runCommand, runMain, Trouble } from './command.ts';
import { root } from './places.ts';

/** A bundled extension of this kind is a few hundred kB; more means that something slipped in. */
const maxBytes = 1.5 * 1024 * 1024;

/** `npm run package`: builds the VSIX and looks at what is in it. */
await runMain(async () => {
  process.chdir(root);
  await buildProduct();
  await runCommand('npm', ['run', '--silent', 'l10n'], { cwd: root, purpose: 'gather the words for translators' });
  const packagePath = path.join(root, 'dist/inference-desk.vsix');
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const total = statSync(packagePath).size;
  for (const file of files) console.log(`${String(statSync(file).size).padStart(9)}  ${file}`);
  console.log(`${packagePath}: ${files.length} files, ${Math.round(total / 1024)} kB`);
  const foreign = files.filter((file) => /node_modules|^(src|test|webview)\/|\.(ts|tsx|map)$|\.meta\.json$/.test(file));
  if (foreign.length > 0) throw new Trouble(`These do not belong into the package: ${foreign.join(', ')}.`);
  if (total > maxBytes) throw new Trouble(`The package has ${total} bytes; its limit is ${maxBytes}.`);
});
