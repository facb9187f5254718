import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { testOptions } from '../../esbuild.mjs';

/** `npm run test:unit [-- part of a path …]`: bundles the unit tests (or those named) and runs them in plain node. */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const files = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name) && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
  .map((name) => `test/unit/${name}`);
const outdir = wanted.length === 0 ? 'dist/test/unit' : `dist/test/unit-${process.pid}`;

rmSync(outdir, { recursive: true, force: true });
await build({ ...testOptions, entryPoints: files, outdir, outbase: 'test/unit' });
const mocha = spawnSync(
  process.execPath,
  ['--enable-source-maps', 'node_modules/mocha/bin/mocha.js', `${outdir}/**/*.test.js`, ...process.argv.slice(2).filter((word) => word.startsWith('-'))],
  { stdio: 'inherit' },
);
if (wanted.length > 0) rmSync(outdir, { recursive: true, force: true });
process.exitCode = mocha.status ?? 1;
