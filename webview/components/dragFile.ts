/** Starts dragging the file behind a URL of the page into a document or another program. */
export function dragFile({ dataTransfer }: DragEvent, src: string | undefined): void {
  if (!dataTransfer || src === undefined) return;
  dataTransfer.effectAllowed = 'copyLink';
  dataTransfer.setData('text/uri-list', src);
}
