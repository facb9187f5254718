/**
 * The toolkit adds a style element while loading, and looks for its nonce in this meta element. Without it the page's policy rejects the
 * element and VS Code's console fills with errors. Import this before the toolkit. @see
 * https://github.com/microsoft/fast/blob/master/packages/utilities/fast-web-utilities/src/dom.ts
 */
const meta = document.createElement('meta');
meta.setAttribute('property', 'csp-nonce');
meta.content = document.currentScript?.nonce ?? '';
document.head.append(meta);

/** Removes the nonce once the toolkit is loaded, because nothing else needs to read it. */
export function forgetStyleNonce(): void {
  meta.remove();
}
