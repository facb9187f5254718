/** Links stand in rendered Markdown, so they are listened to from above. The editor opens none of them by itself. */
export function listenToLinks(page: HTMLElement, open: (url: string) => void): void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    // The editor opens whatever a default click asks for, other extensions' addresses included. The host decides.
    event.preventDefault();
    if (event.button === 0 || event.button === 1) open(link.href);
  };
  page.addEventListener('click', onClick);
  page.addEventListener('auxclick', onClick);
}
