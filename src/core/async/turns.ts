/**
 * Returns a function that runs what it is passed one after the other, each once the one before has ended, well or not. It resolves or
 * rejects as the work does.
 */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
