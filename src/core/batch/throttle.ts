/** Progress is told so often at most. */
const progressMs = 150;

/** Lets a call through when the last one is long enough ago. */
export function throttle(): () => boolean {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < progressMs) return false;
    last = now;
    return true;
  };
}
