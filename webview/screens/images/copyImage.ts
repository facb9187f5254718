/**
 * Puts an image on the clipboard as a PNG. Resolves with the id by which the host's `hasPixels` recognizes it when it is pasted,
 * empty if that cannot be computed; `undefined` if the editor does not allow a page to copy images.
 */
export async function copyImage(uri: string): Promise<string | undefined> {
  if (!('clipboard' in navigator) || typeof ClipboardItem === 'undefined') return undefined;
  const drawn = draw(uri);
  const png = drawn.then(toPng);
  // Prevents an unhandled rejection while the clipboard is being written.
  png.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  return pixelsOf(await drawn).catch(() => '');
}

async function draw(uri: string): Promise<HTMLCanvasElement> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = uri;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas;
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('There is no picture.'))), 'image/png'),
  );
}

/** The clipboard re-encodes the file, but its pixels stay the same. */
async function pixelsOf(canvas: HTMLCanvasElement): Promise<string> {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return `${width}x${height} ${btoa(String.fromCharCode(...hash))}`;
}
