import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, context } from 'esbuild';
import { assembly } from './src/core/batch/scan/assembly.mjs';
import { localizedTexts, writeTranslations } from './src/platform/translationFiles.mjs';
import { temmlSources } from './webview/markdown/temmlSources.mjs';

export { assembly, temmlSources, localizedTexts };

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

/**
 * `import code from './x.worker'`: the bundled code of `./xWorker.ts`. A page may start a worker only from what it has in its own script. What
 * it is made of is told beside the output.
 */
export const workerCode = {
  name: 'workerCode',
  setup({ initialOptions, onResolve, onLoad, onEnd }) {
    const outputs = {};
    onResolve({ filter: /^\.\/\w+\.worker$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, name.replace(/\.worker$/, 'Worker.ts')),
      namespace: 'worker',
    }));
    onLoad({ filter: /./, namespace: 'worker' }, async ({ path: entry }) => {
      const { minify, target, logLevel } = initialOptions;
      const { outputFiles, metafile } = await build({
        minify,
        target,
        logLevel,
        legalComments: 'none',
        bundle: true,
        format: 'iife',
        write: false,
        metafile: true,
        entryPoints: [entry],
        outfile: path.basename(entry).replace(/ts$/, 'js'),
      });
      Object.assign(outputs, metafile.outputs);
      const watchFiles = Object.keys(metafile.inputs).map((file) => path.resolve(file));
      return { contents: outputFiles[0].text, loader: 'text', watchFiles };
    });
    onEnd(({ metafile }) => void (metafile && Object.assign(metafile.outputs, outputs)));
  },
};

/** What packages bring and nothing here can reach or needs: parts of undici, of the MCP SDK and of what knows types of files, 230 kB. */
const leftOut = {
  name: 'leftOut',
  setup({ onResolve, onLoad }) {
    const leave = (filter, contents) => onLoad({ filter }, () => ({ contents }));
    // A request's body is text or pieces of bytes, and undici speaks HTTP/1.1 unless it is told otherwise.
    leave(/[/\\]undici[/\\]lib[/\\]web[/\\]fetch[/\\]body\.js$/, 'exports.extractBody = undefined;');
    leave(/[/\\]undici[/\\]lib[/\\]dispatcher[/\\]client-h2\.js$/, 'module.exports = undefined;');
    // Every processor an editor runs on today has what its other form needs, as our own WebAssembly does.
    leave(
      /[/\\]undici[/\\]lib[/\\]llhttp[/\\]llhttp-wasm\.js$/,
      `throw new Error('This processor has no SIMD. Set inferenceDesk.network.stack to "editor".');`,
    );
    // Forms that a server asks a person to fill in: ours asks none, and says so where it makes its server.
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'shims',
    }));
    onLoad({ filter: /./, namespace: 'shims' }, () => ({
      contents: "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
    // A sample is looked at in memory, and an archive is none, whatever is packed in it.
    leave(/[/\\]file-type[/\\]source[/\\]supported\.js$/, 'export const [extensions, mimeTypes] = [[], []];');
    leave(
      /[/\\]file-type[/\\]source[/\\]detectors[/\\]zip\.js$/,
      "export const detectZip = async () => ({ ext: 'zip', mime: 'application/zip' });",
    );
    leave(/[/\\]@tokenizer[/\\]inflate[/\\]lib[/\\]index\.js$/, 'export const GzipHandler = undefined;');
    leave(/[/\\]strtok3[/\\]lib[/\\]ReadStreamTokenizer\.js$/, 'export const ReadStreamTokenizer = undefined;');
    leave(/[/\\]strtok3[/\\]lib[/\\]BlobTokenizer\.js$/, 'export const BlobTokenizer = undefined;');
    leave(
      /[/\\]strtok3[/\\]lib[/\\]stream[/\\]WebStreamReaderFactory\.js$/,
      'export const makeWebStreamReader = undefined;',
    );
    // How it unpacks archives is told to nobody.
    leave(/[/\\]node_modules[/\\]debug[/\\]/, 'module.exports = () => () => {};');
  },
};

/** Texts are filled by one function, which spaces Chinese as it is written, whoever imports `t`. */
export const oneLocalization = {
  name: 'oneLocalization',
  setup({ onResolve }) {
    const own = path.resolve('src/protocol/localize.ts');
    onResolve({ filter: /^@vscode\/l10n$/ }, ({ importer }) => (importer === own ? undefined : { path: own }));
  },
};

/** What sets formulas is a file of its own beside the page's script. */
export const mathApart = {
  name: 'mathApart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/mathMarkup$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './math.js', external: true } : undefined,
    );
  },
};

const node = {
  ...common,
  platform: 'node',
  // Chinese as it is takes half the room of its escapes.
  charset: 'utf8',
  format: 'esm',
  banner: nodeRequire,
  // Packages that have both forms come as modules: one of them builds its other form's names at run time.
  mainFields: ['module', 'main'],
  plugins: [oneLocalization, assembly, leftOut],
};

/**
 * What `dist/` is made of. The host's dynamic imports become chunks of their own, loaded at first use. The demo service runs alone
 * too, and shares them: its video encoder alone is 1 MB. So does the MCP server, most of which is the client and the engines of jobs.
 */
export const targets = {
  host: {
    ...node,
    target: 'node20',
    entryPoints: {
      extension: 'src/extension.ts',
      demo: 'src/demo/demo.ts',
      checkBatch: 'src/cli/checkBatch.ts',
      eval: 'src/cli/eval.ts',
      mcp: 'src/cli/mcp.ts',
      checkWorker: 'src/cli/checkWorker.ts',
      previewWorker: 'src/features/batchEditor/preview/previewWorker.ts',
      resultsWorker: 'src/features/batchResults/resultsWorker.ts',
    },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'c/[hash]',
    external: ['vscode'],
    // Its form for Node is CommonJS, of which nothing can be left out.
    alias: { yaml: path.resolve('node_modules/yaml/browser/dist/index.js') },
    // The editor's extension host logs an error when `navigator` is touched, which zod does.
    define: { navigator: 'undefined' },
    metafile: true,
  },
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
    plugins: [oneLocalization, workerCode, mathApart],
    metafile: true,
  },
  math: {
    ...common,
    platform: 'browser',
    format: 'esm',
    target: 'chrome134',
    charset: 'utf8',
    entryPoints: { math: 'webview/markdown/mathMarkup.ts' },
    outdir: 'dist',
    plugins: [temmlSources],
    metafile: true,
  },
};

/** Builds a target without writing it: its files by their paths, as they ship, and what they are made of, as JSON. */
export async function buildTarget(name) {
  const { outputFiles, metafile } = await build({ ...targets[name], write: false });
  const built = outputFiles.map((file) => [path.relative('.', file.path).replaceAll(path.sep, '/'), file]);
  if (name !== 'host' || development)
    return {
      files: new Map(built.map(([file, { contents }]) => [file, contents])),
      metafile: JSON.stringify(metafile),
    };
  const code = built.map(([file, { text }]) => {
    // All have the banner; a few of them need it.
    const rest = text.replace(nodeRequire.js, '');
    return [file, /\brequire\b/.test(rest) ? text : rest];
  });
  const { mergeChunks } = await import('./.esbuild/mergeChunks.mjs');
  const merged = await mergeChunks({ code: new Map(code), metafile, outdir: targets.host.outdir });
  return {
    files: new Map([...merged.files].map(([file, text]) => [file, Buffer.from(text)])),
    metafile: JSON.stringify(merged.metafile),
  };
}

if (import.meta.main) {
  const named = process.argv.slice(2).filter((name) => !name.startsWith('--'));
  for (const name of named.length ? named : Object.keys(targets)) {
    if (watch) {
      await (await context(targets[name])).watch();
      continue;
    }
    // Chunks carry a hash in their name: those of an earlier build would stay, and be shipped.
    if (name === 'host') rmSync('dist/c', { recursive: true, force: true });
    const { files, metafile } = await buildTarget(name);
    if (name === 'host') mkdirSync('dist/c', { recursive: true });
    for (const [file, contents] of files) writeFileSync(file, contents);
    // What each file is made of: tests read from it what may be loaded when, the package whose code is in it.
    writeFileSync(`dist/${name}.meta.json`, metafile);
    if (name !== 'host') continue;
    // Types alone: what is written for the compiler is what other extensions read.
    copyFileSync('src/features/publicApi/logic/inferenceDesk.ts', 'dist/inferenceDesk.d.ts');
  }
  writeTranslations();
}
