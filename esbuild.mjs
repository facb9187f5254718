import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const development = watch || process.argv.includes('--dev');

/** esbuild turns `require` of a bundled CommonJS package's Node built-ins into a throw unless a real `require` is in scope. */
const nodeRequire = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

const common = { bundle: true, sourcemap: development, minify: !development, logLevel: 'warning', legalComments: 'none' };
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

/** Tests are bundled too, so that they see the same TypeScript as the product. */
export const testOptions = {
  ...node,
  minify: false,
  sourcemap: 'inline',
  target: 'node22',
  packages: 'external',
  external: ['vscode'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

if (import.meta.main) {
  const named = process.argv.slice(2).filter((name) => !name.startsWith('--'));
  for (const name of named.length ? named : Object.keys(targets)) {
    if (watch) await (await context(targets[name])).watch();
    else await build(targets[name]);
  }
}
