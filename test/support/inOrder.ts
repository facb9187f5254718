/** For a journey whose steps build on each other: once one failed, the rest of the suite is skipped. */
export function inOrder(suite: Mocha.Suite): void {
  suite.beforeEach('the step before', function () {
    if (suite.tests.some(({ state }) => state === 'failed')) this.skip();
  });
}
