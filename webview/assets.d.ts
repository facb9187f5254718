declare module '*.css';

/** The bundled code of `*Worker.ts`. */
declare module '*.worker' {
  const code: string;
  export default code;
}

/** Narrower than the package: it would write numbers as in English, so they must be formatted before (`pageNumber`). */
declare module '@vscode/l10n' {
  export function config(options: { readonly contents: string }): void;
  export function t(message: string, ...values: readonly string[]): string;
}
