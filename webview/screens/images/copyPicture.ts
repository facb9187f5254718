/** Puts a picture on the clipboard as a PNG. False where the editor does not let a page do that. */
export async function copyPicture(uri: string): Promise<boolean> {
  if (!('clipboard' in navigator) || typeof ClipboardItem === 'undefined') return false;
  const png = drawPng(uri);
  // A refusal must not be left without a listener while the clipboard is asked.
  png.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  return true;
}

async function drawPng(uri: string): Promise<Blob> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = uri;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('There is no picture.'))), 'image/png'),
  );
}
