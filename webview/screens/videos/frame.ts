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

/** In seconds. Such videos have 16 to 30 frames per second. */
const frameSeconds = 1 / 24;

/** Shows the next or the previous frame. */
export function stepFrame(video: HTMLVideoElement, step: 1 | -1): void {
  video.pause();
  video.currentTime = Math.min(video.duration || 0, Math.max(0, video.currentTime + step * frameSeconds));
}
