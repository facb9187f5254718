declare module '*/esbuild.mjs' {
  import type { Plugin } from 'esbuild';

  export const assembly: Plugin;
  export const workerCode: Plugin;
}
