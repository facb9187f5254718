/** The least time between two progress reports. */
const progressMs = 150;

/** Returns a function that says whether enough time has passed since the last call it allowed. */
export function throttle(): () => boolean {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < progressMs) return false;
    last = now;
    return true;
  };
}
