/** One of the editor's own icons (codicons). Says nothing to a screen reader: what it means stands beside it or on its button. */
export function Icon({ name }: { readonly name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
