/** Returns the current frame of a video as a Base64 PNG; `undefined` if it cannot be read. */
export function pngOf(video: HTMLVideoElement): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const drawing = canvas.getContext('2d');
  if (!drawing || canvas.width === 0) return undefined;
  drawing.drawImage(video, 0, 0);
  try {
    const address = canvas.toDataURL('image/png');
    return address.startsWith('data:image/png;base64,') ? address.slice(address.indexOf(',') + 1) : undefined;
  } catch {
    // A frame from another origin cannot be read.
    return undefined;
  }
}
