/** For a journey whose steps build on each other: skips the rest of the suite after a failure. */
export function inOrder(suite: Mocha.Suite): void {
  suite.beforeEach('the step before', function () {
    if (suite.tests.some(({ state }) => state === 'failed')) this.skip();
  });
}
