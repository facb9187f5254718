import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { overBudget } from './budget.ts';
import budget from './budget.json' with { type: 'json' };
import { buildProduct } from './buildProduct.ts';
import { runMain, SetupError } from './command.ts';
import { packagedReadme } from './packagedReadme.ts';
import { packageFile, picturesFolder, root } from './places.ts';
import { bundledPackages, noticeOf, noticesText, type Metafile } from './thirdPartyNotices.ts';

/**
 * Files that a marketplace, or a license of a bundled package, requires in the package. The changelog follows with the second version,
 * because the first one's would repeat the README.
 */
const requested = ['LICENSE', 'dist/README.md', 'dist/ThirdPartyNotices.txt', 'media/icon.png'];

/** Everything that the build makes for the product. */
const built = 'dist/{*.js,*.css,*.ttf,c/**/*.js,l10n/*.json}';

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} kB`;

/** `--pictures <url>`: the https folder with this repository's files, such as that of a tag. */
function picturesAddress(): string | undefined {
  const at = process.argv.indexOf('--pictures');
  if (at < 0) return undefined;
  const address = URL.parse(process.argv[at + 1] ?? '');
  if (address?.protocol !== 'https:') throw new SetupError('--pictures wants the https address of a folder.');
  return address.href.endsWith('/') ? address.href : `${address.href}/`;
}

function writeTexts(): void {
  const metafiles = ['host', 'webview', 'math'].map(
    (name) => JSON.parse(readFileSync(`dist/${name}.meta.json`, 'utf8')) as Metafile,
  );
  writeFileSync('dist/ThirdPartyNotices.txt', noticesText(bundledPackages(metafiles).map(noticeOf)));
  const [english, chinese] = (['README.md', 'media/readme/README.zh-cn.md'] as const).map((file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }));
  writeFileSync('dist/README.md', packagedReadme(english!, chinese!, picturesAddress()));
}

/** `npm run package [-- --pictures <url>]`: builds the VSIX and checks its contents. */
await runMain(async () => {
  process.chdir(root);
  await buildProduct();
  writeTexts();
  await createVSIX({
    cwd: root,
    packagePath: packageFile,
    dependencies: false,
    // There is no public repository, so relative links can't be resolved.
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    readmePath: 'dist/README.md',
  });
  const listed = await listFiles({ cwd: root, packageManager: PackageManager.None });
  // It lists the usual README, which ours replaces.
  const files = listed.filter((file) => file !== 'README.md');
  const total = statSync(packageFile).size;
  for (const file of files) console.log(`${String(statSync(file).size).padStart(9)}  ${file}`);
  const pictures = globSync(path.join(picturesFolder, '*.png')).map((file) => statSync(file).size);
  console.log(`${packageFile}: ${files.length} files, ${kilobytes(total)} of at most ${kilobytes(budget.package)}`);
  console.log(
    `Not in it: ${pictures.length} pictures of the README, ${kilobytes(pictures.reduce((a, b) => a + b, 0))}`,
  );
  const foreign = files.filter((file) =>
    /node_modules|^(src|test|webview)\/|^media\/readme|(?<!\.d)\.ts$|\.(tsx|map)$|\.meta\.json$/.test(file),
  );
  if (foreign.length > 0) throw new SetupError(`These do not belong into the package: ${foreign.join(', ')}.`);
  const missing = [...requested, ...globSync(built)].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new SetupError(`These belong into the package: ${missing.join(', ')}.`);
  const tooLarge = overBudget('Bytes of the package', total, budget.package);
  if (tooLarge !== undefined) throw new SetupError(tooLarge);
});
