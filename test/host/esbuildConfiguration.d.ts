declare module '*/esbuild.mjs' {
  import type { BuildOptions, Plugin } from 'esbuild';

  export const assembly: Plugin;
  export const temmlSources: Plugin;
  export const mathApart: Plugin;
  export const oneLocalization: Plugin;
  export const workerCode: Plugin;
  export function localizedTexts(folder: string): ReadonlySet<string>;
  export function buildTarget(
    name: 'host' | 'math' | 'webview',
  ): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly metafile: string }>;
  export const targets: Readonly<
    Record<'host' | 'math' | 'webview', BuildOptions & { readonly plugins: readonly Plugin[] }>
  >;
}
