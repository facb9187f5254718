/** Creates a clock that is set manually, and timers that fire on request, as after a machine's sleep. */
export function handTime() {
  let now = Date.now();
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    jump: (ms: number) => void (now += ms),
    setTimer: (ms: number, run: () => void) => {
      timers.set(run, ms);
      return () => void timers.delete(run);
    },
    waits: () => [...timers.values()],
    fire: () => {
      const due = [...timers.keys()];
      timers.clear();
      for (const run of due) run();
    },
  };
}
