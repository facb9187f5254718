/** Starts dragging the file of a page's URL into a document or another program. */
export function dragFile({ dataTransfer }: DragEvent, src: string | undefined): void {
  if (!dataTransfer || src === undefined) return;
  dataTransfer.effectAllowed = 'copyLink';
  dataTransfer.setData('text/uri-list', src);
}
