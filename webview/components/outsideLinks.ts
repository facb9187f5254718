/** Passes clicked links to `open`. Listens on the page, because links are inside rendered Markdown. VS Code opens none of them. */
export function listenToLinks(page: HTMLElement, open: (url: string) => void): void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    // The editor opens whatever a default click requests, including other extensions' URLs. The host decides instead.
    event.preventDefault();
    if (event.button === 0 || event.button === 1) open(link.href);
  };
  page.addEventListener('click', onClick);
  page.addEventListener('auxclick', onClick);
}
