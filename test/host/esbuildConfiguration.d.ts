declare module '*/esbuild.mjs' {
  import type { BuildOptions, Plugin } from 'esbuild';

  export const assembly: Plugin;
  export const leanMath: Plugin;
  export const mathApart: Plugin;
  export const workerCode: Plugin;
  export function localizedTexts(folder: string): ReadonlySet<string>;
  export const targets: Readonly<
    Record<'host' | 'math' | 'webview', BuildOptions & { readonly plugins: readonly Plugin[] }>
  >;
}
