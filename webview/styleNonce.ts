/**
 * The toolkit tries a style element while it loads, and looks for its nonce in this place; without it the page's policy
 * refuses the element and the editor's console fills with complaints. To be imported before the toolkit.
 * @see https://github.com/microsoft/fast/blob/master/packages/utilities/fast-web-utilities/src/dom.ts
 */
const meta = document.createElement('meta');
meta.setAttribute('property', 'csp-nonce');
meta.content = document.currentScript?.nonce ?? '';
document.head.append(meta);

/** Once the toolkit is loaded, nobody else needs to read the nonce. */
export function forgetStyleNonce(): void {
  meta.remove();
}
