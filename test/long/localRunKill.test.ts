import { killAgainAndAgain } from '../support/localKills';
import { setUpFolder } from '../support/temporaryFolder';
import { withDemo } from '../unit/demo/demoService';

describe('a run on this machine whose process is killed again and again', () => {
  const files = setUpFolder();

  it('has one result for each request, 30 kills later', () =>
    withDemo((demo) => killAgainAndAgain(demo, files.path(), { kills: 30, seed: 30 })));
});
