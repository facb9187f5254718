/**
 * Returns a function that runs its arguments one after another, each once the previous one has settled. It resolves or rejects like the
 * work.
 */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
