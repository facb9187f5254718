import { rmSync, writeFileSync } from 'node:fs';
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const development = watch || process.argv.includes('--dev');

/** esbuild turns `require` of a bundled CommonJS package's Node built-ins into a throw unless a real `require` is in scope. */
const nodeRequire = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

const common = {
  bundle: true,
  sourcemap: development,
  minify: !development,
  logLevel: 'warning',
  legalComments: 'none',
};
const node = { ...common, platform: 'node', format: 'esm', banner: nodeRequire };

/** What `dist/` is made of. The host's dynamic imports become chunks of their own, loaded at first use. */
const targets = {
  host: {
    ...node,
    target: 'node22',
    entryPoints: ['src/extension.ts'],
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    // The editor's extension host logs an error when `navigator` is touched, which zod does.
    define: { navigator: 'undefined' },
    metafile: true,
  },
  demo: { ...node, target: 'node20', entryPoints: ['src/demo/demo.ts'], outfile: 'dist/demo.js' },
  webview: {
    ...common,
    platform: 'browser',
    format: 'iife',
    target: 'chrome134',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: ['webview/main.tsx'],
    outfile: 'dist/webview.js',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
};

if (import.meta.main) {
  const named = process.argv.slice(2).filter((name) => !name.startsWith('--'));
  for (const name of named.length ? named : Object.keys(targets)) {
    if (watch) {
      await (await context(targets[name])).watch();
      continue;
    }
    // Chunks carry a hash in their name: those of an earlier build would stay, and be shipped.
    if (name === 'host') rmSync('dist/chunks', { recursive: true, force: true });
    const { metafile } = await build(targets[name]);
    // What each chunk is made of: tests read from it what may be loaded when.
    if (metafile !== undefined) writeFileSync('dist/host.meta.json', JSON.stringify(metafile));
  }
}
