import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `import code from './x.wasm'`: the code of `./assembly/x.ts`, which is AssemblyScript. */
export const assembly = {
  name: 'assembly',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/\w+\.wasm$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, 'assembly', name.replace(/wasm$/, 'ts')),
      namespace: 'assembly',
    }));
    onLoad({ filter: /./, namespace: 'assembly' }, async ({ path: entry }) => {
      const folder = path.dirname(entry);
      const watchFiles = readdirSync(folder).map((name) => path.join(folder, name));
      const contents = await assemble(entry);
      return { contents, loader: 'binary', watchFiles };
    });
  },
};

/** Compiling takes seconds, and every build and test bundle requires it, so the output of unchanged sources is cached. */
async function assemble(entry) {
  const folder = path.dirname(entry);
  const options = ['-O3', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--outFile', 'code.wasm'];
  const packages = path.resolve('node_modules');
  const hash = createHash('sha256').update(JSON.stringify([entry, options]));
  hash.update(readFileSync(path.join(packages, 'assemblyscript/package.json')));
  for (const name of readdirSync(folder)) hash.update(name).update(readFileSync(path.join(folder, name)));
  const kept = path.join(packages, '.cache/assembly', `${hash.digest('hex')}.wasm`);
  if (existsSync(kept)) return readFileSync(kept);
  const { default: asc } = await import('assemblyscript/asc');
  let code;
  const { error } = await asc.main([path.basename(entry), '--baseDir', folder, ...options], {
    stderr: process.stderr,
    writeFile: (name, contents) => void (code = contents),
  });
  if (error) throw error;
  mkdirSync(path.dirname(kept), { recursive: true });
  // Builds side by side never read half of it.
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}
